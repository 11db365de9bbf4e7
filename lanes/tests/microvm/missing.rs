//! What is not there is a refusal that says what would mend it.

use call::Language;
use lanes::{Lane as _, LaneError, MicroVm};

use crate::kit::{cache, machines, python, search, try_run};

fn refusal(machines: &MicroVm) -> String {
    let folder = tempfile::tempdir().unwrap();
    machines.run(&python("pass"), folder.path()).unwrap_err().to_string()
}

#[test]
fn without_qemu_there_is_no_machine() {
    let said = refusal(&MicroVm::new(cache(), Vec::new()));
    assert!(said.contains("`apt-get install qemu-system-x86` provides it"), "{said}");
}

#[test]
fn what_was_never_built_or_is_damaged_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let machines = MicroVm::new(folder.path().to_owned(), search());
    let said = refusal(&machines);
    assert!(
        said.contains("nothing was built yet") && said.contains("`toolgate lanes build` makes it"),
        "{said}"
    );
    std::fs::write(folder.path().join("microvm.json"), "{}").unwrap();
    let said = refusal(&machines);
    assert!(said.contains("the list of what was built cannot be read"), "{said}");
}

#[test]
fn a_part_that_is_gone_or_cut_is_a_refusal_and_no_shorter_image() {
    machines();
    let folder = tempfile::tempdir().unwrap();
    let list = std::fs::read_to_string(cache().join("microvm.json")).unwrap();
    std::fs::write(folder.path().join("microvm.json"), &list).unwrap();
    let copy = MicroVm::new(folder.path().to_owned(), search());
    assert!(refusal(&copy).contains("a part of what was built is gone"));
    for entry in std::fs::read_dir(cache()).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        let name = entry.file_name();
        if name != "microvm.json" {
            std::fs::write(folder.path().join(name), b"cut").unwrap();
        }
    }
    assert!(refusal(&copy).contains("a part of what was built is gone"));
    std::fs::write(folder.path().join("microvm.json"), list.replacen("\"form\": 1", "\"form\": 9", 1))
        .unwrap();
    assert!(refusal(&copy).contains("what was built is another version's"));
}

#[test]
fn a_language_without_an_image_is_refused_with_what_builds_it() {
    let mut job = python("pass");
    job.language = Language::Go;
    let error = try_run(&job).err().unwrap();
    assert!(matches!(error, LaneError::NoRuntime { .. }), "{error}");
    assert!(error.to_string().contains("`toolgate lanes build --language go` makes it"), "{error}");
}
