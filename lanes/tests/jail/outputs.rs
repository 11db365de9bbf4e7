//! What a program leaves behind, however it is meant.

use lanes::Unwanted;

use crate::kit::{Finished, as_ordinary_user, jail, python, try_run, works};

fn unwanted(finished: &Finished) -> Vec<(&str, &str)> {
    finished.ran.unwanted.iter().map(|Unwanted { path, why }| (path.as_str(), *why)).collect()
}

#[test]
fn links_pipes_sockets_and_second_names_are_told_and_not_taken() {
    let ran = works(&python(
        "import os, socket\n\
         os.symlink('/etc/shadow', '/out/link'); os.symlink('.', '/out/self'); os.mkfifo('/out/pipe')\n\
         open('/out/one', 'w').write('x'); os.link('/out/one', '/out/two'); open('/out/good', 'w').write('y')\n\
         socket.socket(socket.AF_UNIX).bind('/out/socket')\n\
         os.mkdir('/out/folder'); os.symlink('..', '/out/folder/up')\n",
    ));
    assert_eq!(ran.artifacts(), ["good"]);
    let expected = [
        ("folder/up", "it is a link"),
        ("link", "it is a link"),
        ("one", "it has more than one name"),
        ("pipe", "it is a pipe"),
        ("self", "it is a link"),
        ("socket", "it is a socket"),
        ("two", "it has more than one name"),
    ];
    assert_eq!(unwanted(&ran), expected);
}

#[test]
fn names_that_are_attacks_are_not_taken() {
    let ran = works(&python(
        "for name in ['-rf', 'a\\nb', '\\x1b[2J', 'a\\\\b', 'n' * 255, '\\u202egpj.exe', 'a\\u200bb', 'a\\u2028b', '\\u3164', '\\U000e0041']:\n\
         \x20 open('/out/' + name, 'w')\n\
         for name in [' ok ', '.hidden', 'ü', '\\u0645\\u06cc\\u200c\\u062e', '\\U0001f469\\u200d\\U0001f4bb', '\\u2764\\ufe0f']:\n\
         \x20 open('/out/' + name, 'w')\n\
         open(b'/out/\\xff', 'w')\n",
    ));
    // What joins letters and pictures is part of honest names.
    let honest = [
        " ok ",
        ".hidden",
        "ü",
        "\u{645}\u{6cc}\u{200c}\u{62e}",
        "\u{2764}\u{fe0f}",
        "\u{1f469}\u{200d}\u{1f4bb}",
    ];
    assert_eq!(ran.artifacts(), honest);
    assert_eq!(ran.ran.unwanted.len(), 11);
    // They are told without doing to a terminal what they are made for.
    let told: Vec<&str> = unwanted(&ran).into_iter().map(|(path, _)| path).collect();
    assert!(
        told.contains(&"\\u{1b}[2J") && told.contains(&"a\\u{a}b") && told.contains(&"\\u{202e}gpj.exe"),
        "{told:?}"
    );
}

#[test]
fn a_folder_without_any_rights_is_read_even_when_it_is_the_whole() {
    let ran = works(&python("import os\nopen('/out/a', 'w').write('x'); os.chmod('/out', 0)"));
    assert_eq!((ran.artifacts(), ran.output("a")), (vec!["a"], b"x".to_vec()));
}

#[test]
fn files_without_any_rights_and_sparse_files_are_taken_for_what_they_are() {
    let mut job = python(
        "import os\n\
         open('/out/closed', 'w').write('x'); os.chmod('/out/closed', 0)\n\
         os.mkdir('/out/dir'); open('/out/dir/in', 'w').write('z'); os.chmod('/out/dir', 0)\n\
         os.truncate(os.open('/out/sparse', os.O_CREAT | os.O_WRONLY), 3 << 20)\n",
    );
    job.limits.disk = 4 << 20;
    let ran = works(&job);
    assert_eq!(ran.artifacts(), ["closed", "dir/in", "sparse"]);
    assert_eq!((ran.output("closed"), ran.output("sparse").len()), (b"x".to_vec(), 3 << 20));
}

#[test]
fn an_ordinary_user_gets_the_same() {
    as_ordinary_user("outputs::files_without_any_rights_and_sparse_files_are_taken_for_what_they_are");
    as_ordinary_user("outputs::a_folder_without_any_rights_is_read_even_when_it_is_the_whole");
    as_ordinary_user("outputs::links_pipes_sockets_and_second_names_are_told_and_not_taken");
}

#[test]
fn more_bytes_than_the_disk_has_are_not_taken() {
    let mut job = python(
        "import os\nfor n in range(4): os.truncate(os.open(f'/out/{n}', os.O_CREAT | os.O_WRONLY), 3 << 20)",
    );
    job.limits.disk = 4 << 20;
    let ran = works(&job);
    assert_eq!(ran.artifacts(), ["0"]);
    assert_eq!(ran.ran.unwanted.len(), 3);
}

#[test]
fn folders_in_folders_end_somewhere() {
    let ran =
        works(&python("import os\nos.makedirs('/out/' + 'd/' * 100); open('/out/' + 'd/' * 100 + 'x', 'w')"));
    assert!(ran.artifacts().is_empty());
    assert_eq!(ran.ran.unwanted.len(), 1);
}

#[test]
fn outputs_of_a_run_that_was_ended_are_kept() {
    let mut job = python("open('/out/a', 'w').write('so far'); import time; time.sleep(30)");
    job.limits.time = std::time::Duration::from_secs(1);
    let ran = try_run(&jail(), &job).unwrap();
    assert_eq!(ran.ran.ending.reason.as_str(), "time_limit");
    assert_eq!(ran.output("a"), b"so far");
}
