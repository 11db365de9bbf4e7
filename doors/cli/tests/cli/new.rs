//! `toolgate new`: drafts that pass all but the approval.

use std::fs;

use crate::door::{Door, Ran, examples};

const FLAGS: &[&str] = &[
    "new",
    "--slug",
    "stats",
    "--purpose",
    "Summarise the survey",
    "--language",
    "python",
    "--risk",
    "low",
    "--justification",
    "Reads one file",
    "--sensitivity",
    "internal",
    "--input",
    "stats.py",
    "--output",
    "/out/sum.json=Mean and median",
    "--command",
    "python /in/stats.py /out/sum.json",
];

fn door() -> Door {
    let door = Door::new();
    door.write("stats.py", "print(1)\n");
    door
}

fn id(ran: &Ran) -> String {
    ran.json()["request_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_new_request_is_accepted_once_a_person_approved_it() {
    let door = door();
    let ran = door.run(&[FLAGS, &["--format", "json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let id = id(&ran);
    let path = format!("./{id}.md");
    assert_eq!(ran.json()["path"], path.as_str());
    assert!(id.ends_with("Z-stats"), "{id}");

    let draft = door.run(&["check", &path]);
    assert_eq!(draft.code, Some(2), "a draft is not approved: {}", draft.all());
    assert!(draft.stderr.contains("[TR109]") && draft.stderr.contains("[TR110]"), "{}", draft.all());

    let text = door.read(&format!("{id}.md"));
    let created = text.lines().find_map(|line| line.strip_prefix("created_utc:")).unwrap().trim().to_owned();
    let approve = |line: &str| match line.split_once(':') {
        Some(("approved_by", _)) => String::from("approved_by: Ada Example"),
        Some(("approved_utc", _)) => format!("approved_utc: {created}"),
        _ => line.to_owned(),
    };
    let approved: Vec<String> = text.lines().map(approve).collect();
    door.write(&format!("{id}.md"), approved.join("\n") + "\n");
    let ran = door.run(&["check", &path]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "ACCEPT\n"), "{}", ran.all());
}

#[test]
fn code_for_monty_is_drafted_from_files() {
    let door = door();
    door.write("add.py", "a + b\n");
    door.write("numbers.json", "{\"a\": 1, \"b\": 2}\n");
    let ran = door.run(&[
        "draft",
        "--slug",
        "add",
        "--purpose",
        "Add two numbers",
        "--backend",
        "monty",
        "--code",
        "add.py",
        "--inputs-json",
        "numbers.json",
        "--result",
        "The sum",
        "--risk",
        "low",
        "--justification",
        "Arithmetic",
        "--sensitivity",
        "public",
        "--stdout",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    assert!(ran.stdout.contains("a + b"), "{}", ran.stdout);
    assert_eq!(door.names("."), ["add.py", "numbers.json", "stats.py"]);
}

#[test]
fn what_is_missing_is_named_all_at_once() {
    let door = door();
    insta::assert_snapshot!(door.run(&["new"]).all(), @"
    exit 3
    ---
    error: missing: --slug, --purpose, --language, --command, --risk, --justification, --sensitivity

    hint: give these flags, or run `toolgate new` on a terminal to be asked
    ");
    insta::assert_snapshot!(door.run(&["new", "--code", "stats.py", "--slug", "x"]).all(), @"
    exit 3
    ---
    error: missing: --purpose, --risk, --justification, --sensitivity

    hint: give these flags, or run `toolgate new` on a terminal to be asked
    ");
    insta::assert_snapshot!(door.run(&[FLAGS, &["--allow", "example.org"]].concat()).all(), @"
    exit 3
    ---
    error: missing: --network-rationale

    hint: give these flags, or run `toolgate new` on a terminal to be asked
    ");
    insta::assert_snapshot!(door.run(&[FLAGS, &["--input", "gone.csv"]].concat()).all(), @"
    exit 3
    ---
    error: `gone.csv`: no such file or directory
    ");
    insta::assert_snapshot!(door.run(&[FLAGS, &["--backend", "monty"]].concat()).all(), @"
    exit 3
    ---
    error: `--command` does not go with `--backend monty`

    hint: give the code with `--code FILE`, or leave out `--backend monty`
    ");
    assert_eq!(door.names("."), ["stats.py"]);
}

#[test]
fn a_request_that_would_be_refused_is_not_written() {
    let door = door();
    let ran = door.run(&[FLAGS, &["--slug", "Not A Slug"]].concat());
    assert_eq!(ran.code, Some(3), "a flag is given once: {}", ran.all());
    let bad: Vec<&str> = FLAGS.iter().map(|&word| if word == "low" { "tiny" } else { word }).collect();
    let ran = door.run(&bad);
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    assert!(ran.stderr.starts_with("ERROR: ") && ran.stderr.contains("[TR214]"), "{}", ran.all());
    assert!(ran.stderr.contains("nothing was written"), "{}", ran.all());
    assert_eq!(door.names("."), ["stats.py"]);
}

#[test]
fn nothing_is_overwritten_and_the_folder_must_be_there() {
    let door = door();
    let ran = door.run(&[FLAGS, &["--dir", "gone"]].concat());
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    assert!(ran.stderr.contains("cannot be written: no such file or directory"), "{}", ran.all());
    // Two drafts of one second have one name: the second is refused, or made a second later.
    let codes: Vec<Option<i32>> = (0..3).map(|_| door.run(FLAGS).code).collect();
    assert!(codes.iter().all(|code| matches!(code, Some(0 | 3))), "{codes:?}");
    let written = door.names(".").iter().filter(|name| name.starts_with("TR-")).count();
    assert_eq!(written, codes.iter().filter(|code| **code == Some(0)).count());
}

#[test]
fn a_draft_can_start_from_another_request() {
    let door = door();
    for name in ["TR-20260115-081500Z-fetch-rates.md", "TR-20260114-110000Z-split-bill.md"] {
        let old = examples("accepted").join(name);
        let ran = door.run(&["new", "--from", old.to_str().unwrap(), "--memory-mb", "77", "--stdout"]);
        assert_eq!(ran.code, Some(0), "{}", ran.all());
        let text = fs::read_to_string(&old).unwrap();
        let task = |text: &str| {
            let sections = text.split_once("\n## ").unwrap().1;
            sections.split("## Output").next().unwrap().replace('`', "")
        };
        assert_eq!(task(&ran.stdout), task(&text), "the task is the same");
        let slug = name.get(21..).unwrap().trim_end_matches(".md");
        assert!(ran.stdout.lines().any(|line| line.starts_with("request_id: ") && line.contains(slug)));
        assert!(ran.stdout.contains("memory_limit_mb: 77"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Ada Example"), "the approval is not taken over: {}", ran.stdout);
    }
    let refused = examples("refused").join("TR-20260204-070000Z-peek.md");
    let ran = door.run(&["new", "--from", refused.to_str().unwrap(), "--stdout"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{}", ran.all());
    assert!(ran.stderr.contains("cannot be taken over: "), "{}", ran.all());
}
