//! Files that are handed to a run.

use call::{Effect, Expected, Fault, Judge, Lane, Reason, ReasonCode, Sha256, Target, TargetState};
use serde_json::{Value, json};

use crate::machine::{absolute, machine};

fn reads(inputs: &[&str], code: &str) -> Value {
    json!({ "language": "python", "code": code, "inputs": inputs })
}

#[test]
fn files_and_folders_lie_below_in() {
    let machine = machine();
    machine.write("data/a.csv", b"1,2");
    machine.write("data/deep/b.csv", b"3,4");
    machine.write("c.txt", b"c");
    std::os::unix::fs::symlink("c.txt", machine.workspace.path().join("latest.txt")).unwrap();
    let code = "import os\nfor folder, _, files in sorted(os.walk('/in')):\n  for name in sorted(files):\n\
                \x20   path = os.path.join(folder, name)\n    print(path, open(path).read())\n\
                try: open('/in/new', 'w')\nexcept OSError: print('read-only')";
    let data = machine.data(Lane::Jail, &reads(&["data", "c.txt", "./latest.txt"], code));
    assert_eq!(
        data["stdout"],
        "/in/c.txt c\n/in/latest.txt c\n/in/data/a.csv 1,2\n/in/data/deep/b.csv 3,4\nread-only\n"
    );
}

#[test]
fn what_is_not_what_was_approved_is_not_run_with() {
    let machine = machine();
    let path = machine.write("a.txt", b"approved");
    let mut asked = machine.asked(Lane::Jail, &reads(&["a.txt"], "print(open('/in/a.txt').read())"));
    let state =
        |content: &[u8]| TargetState::File { sha256: Sha256::of(content), bytes: content.len() as u64 };
    let expected =
        |content: &[u8]| Some(Expected::new(vec![Target { path: absolute(&path), state: state(content) }]));
    asked.expected = expected(b"approved");
    assert!(machine.run_asked(&asked).is_ok());
    asked.expected = expected(b"another.");
    assert!(matches!(machine.run_asked(&asked), Err(Fault::Changed { .. })));
    asked.expected = Some(Expected::default());
    assert!(matches!(machine.run_asked(&asked), Err(Fault::Changed { .. })));
    asked.expected = expected(b"approved");
    machine.write("a.txt", b"replaced");
    assert!(matches!(machine.run_asked(&asked), Err(Fault::Changed { .. })));
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &path).unwrap();
    assert!(machine.run_asked(&asked).is_err());
    asked.expected = None;
    assert!(machine.run_asked(&asked).is_err());
}

/// Denies names that say they are secret.
struct NoSecrets;

impl Judge for NoSecrets {
    fn allows(&self, effect: &Effect) -> Result<(), Reason> {
        if format!("{effect:?}").contains(".env") {
            let message = "no".to_owned();
            return Err(Reason { code: ReasonCode::PATH_DENIED, message, rule: None, remedy: None });
        }
        Ok(())
    }
}

#[test]
fn what_policy_denies_in_a_folder_is_not_handed_over() {
    let machine = machine();
    machine.write("data/a.txt", b"a");
    machine.write("data/.env", b"KEY=x");
    machine.write("data/.toolgate/policy.toml", b"x");
    std::os::unix::fs::symlink("/etc", machine.workspace.path().join("data/etc")).unwrap();
    let list = "import os\nprint(sorted(os.listdir('/in/data')))";
    let mut asked = machine.asked(Lane::Jail, &reads(&["data"], list));
    asked.judge = Box::new(NoSecrets);
    let done = machine.run_asked(&asked).unwrap();
    let call::Content::Data(data) = done.content else { panic!() };
    assert_eq!(data["stdout"], "['a.txt']\n");
    assert_eq!(data["inputs_left_out"], json!(["data/etc"]));
}

/// What lies below `/in`, folders with a slash behind them.
const EVERYTHING: &str = "import os\nseen = []\nfor folder, folders, files in os.walk('/in'):\n  for name in files + [own + '/' for own in folders]:\n\
                          \x20   seen.append(os.path.join(folder, name)[4:])\nprint(' '.join(sorted(seen)))";

#[test]
fn links_that_lead_back_are_followed_once() {
    use std::os::unix::fs::symlink;
    let machine = machine();
    let root = machine.workspace.path();
    // Packages of one workspace that need each other, as pnpm links them.
    machine.write("ws/x/index.js", b"x");
    machine.write("ws/y/index.js", b"y");
    for (own, other) in [("x", "y"), ("y", "x")] {
        std::fs::create_dir(root.join("ws").join(own).join("modules")).unwrap();
        symlink(format!("../../{other}"), root.join("ws").join(own).join("modules").join(other)).unwrap();
    }
    symlink("..", root.join("ws/x/up")).unwrap();
    let data = machine.data(Lane::Jail, &reads(&["ws"], EVERYTHING));
    assert_eq!(
        data["stdout"],
        "ws/ ws/x/ ws/x/index.js ws/x/modules/ ws/x/modules/y/ ws/x/modules/y/index.js \
         ws/y/ ws/y/index.js ws/y/modules/ ws/y/modules/x/ ws/y/modules/x/index.js\n"
    );
    let mut left_out = serde_json::from_value::<Vec<String>>(data["inputs_left_out"].clone()).unwrap();
    left_out.sort();
    assert_eq!(
        left_out,
        ["ws/x/modules/y/modules/x", "ws/x/up", "ws/y/modules/x/modules/y", "ws/y/modules/x/up"]
    );

    // The same folder at two places, neither in the other, is there twice.
    machine.write("app/lib/one.js", b"1");
    symlink("lib", root.join("app/current")).unwrap();
    let data = machine.data(Lane::Jail, &reads(&["app"], EVERYTHING));
    assert_eq!(data["stdout"], "app/ app/current/ app/current/one.js app/lib/ app/lib/one.js\n");
    assert_eq!(data["inputs_left_out"], json!(null));
}

#[test]
fn few_folders_that_all_lead_to_each_other_have_an_end() {
    let machine = machine();
    let root = machine.workspace.path();
    for own in 0..14 {
        machine.write(&format!("net/{own}/x"), b"");
        for other in 0..14 {
            let link = root.join(format!("net/{own}/to{other}"));
            std::os::unix::fs::symlink(format!("../{other}"), link).unwrap();
        }
        std::fs::remove_file(root.join(format!("net/{own}/x"))).unwrap();
    }
    let fault = machine.run(Lane::Jail, &reads(&["net"], "1")).unwrap_err();
    assert_eq!(fault.class(), "too_large");
}

#[test]
fn inputs_that_cannot_be_handed_over_are_an_error_with_a_class() {
    let machine = machine();
    machine.write("a/x", b"1");
    machine.write("b/x", b"2");
    let sparse = machine.write("sparse", b"");
    std::fs::File::options().write(true).open(sparse).unwrap().set_len(10 << 30).unwrap();
    let pipe = machine.workspace.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    for (inputs, class) in [
        (&["missing"][..], "not_found"),
        (&["a/x", "b/x"], "bad_request"),
        (&["sparse"], "too_large"),
        (&["pipe"], "special_file"),
        (&["../outside"], "path_unclear"),
    ] {
        let fault = machine.run(Lane::Jail, &reads(inputs, "1")).unwrap_err();
        assert_eq!(fault.class(), class, "{inputs:?}");
    }
}
