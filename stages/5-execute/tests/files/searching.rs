//! `search_files`.

use std::fs::File;

use serde_json::{Value, json};

use crate::desk::{Desk, data};

fn hits(desk: &Desk, arguments: &Value) -> Vec<String> {
    let done = desk.call("search_files", arguments).unwrap();
    assert!(done.untrusted);
    let line = |hit: &Value| {
        format!("{}:{}:{}", hit["file"].as_str().unwrap(), hit["line"], hit["text"].as_str().unwrap())
    };
    data(&done).as_array().unwrap().iter().map(line).collect()
}

#[test]
fn lines_are_found_with_file_and_number() {
    let desk = Desk::new();
    desk.write("ws/b.rs", "fn main() {\r\n    needle\r\n}\n");
    desk.write("ws/a/x.txt", "no\nNeedle\nneedle needle\n");
    desk.write("ws/.gitignore", "a/\n");
    let cases = [
        (json!({"path": ".", "pattern": "needle"}), vec!["a/x.txt:3:needle needle", "b.rs:2:    needle"]),
        (json!({"path": ".", "pattern": "(?i)^needle"}), vec!["a/x.txt:2:Needle", "a/x.txt:3:needle needle"]),
        (json!({"path": ".", "pattern": "needle$"}), vec!["a/x.txt:3:needle needle", "b.rs:2:    needle"]),
        (json!({"path": ".", "pattern": "needle", "glob": "*.rs"}), vec!["b.rs:2:    needle"]),
        (json!({"path": "a", "pattern": "no", "glob": "a/*"}), vec![]),
        (json!({"path": ".", "pattern": "e", "max_results": 1}), vec!["a/x.txt:2:Needle"]),
        (json!({"path": "b.rs", "pattern": "main"}), vec!["b.rs:1:fn main() {"]),
        (json!({"path": ".", "pattern": "absent"}), vec![]),
    ];
    for (arguments, want) in cases {
        assert_eq!(hits(&desk, &arguments), want, "{arguments}");
    }
    insta::assert_snapshot!(
        desk.call("search_files", &json!({"path": ".", "pattern": "e", "max_results": 1})).unwrap().summary,
        @"3 lines of 2 files below `.` match, of which these are the first 1");
    assert_eq!(desk.fails("search_files", &json!({"path": ".", "pattern": "a\\nb"})), "bad_arguments");
    assert_eq!(desk.fails("search_files", &json!({"path": ".", "pattern": "(?=a)"})), "bad_arguments");
    assert_eq!(desk.fails("search_files", &json!({"path": "missing", "pattern": "a"})), "not_found");
}

#[test]
fn what_policy_denies_is_neither_searched_nor_counted() {
    let mut desk = Desk::new();
    desk.write("ws/open", "needle");
    desk.write("ws/denied/secret", "needle");
    desk.write("ws/.env", "needle");
    desk.write("out/secret", "needle");
    desk.link("ws/link", "denied/secret");
    desk.link("ws/out", "@out/secret");
    desk.link("ws/outer", "@out");
    desk.link("ws/twin", "open");
    desk.denied.0 = vec!["denied", ".env"];
    let done = desk.call("search_files", &json!({"path": ".", "pattern": "needle"})).unwrap();
    assert_eq!(data(&done), &json!([{"file": "open", "line": 1, "text": "needle"}]));
    assert_eq!(done.summary, "1 line of 1 file below `.` match");
}

#[test]
fn a_link_that_leads_elsewhere_below_the_root_is_searched() {
    let desk = Desk::new();
    desk.write("ws/docs/a", "needle");
    desk.write("ws/src/b", "x");
    desk.link("ws/src/link", "../docs/a");
    assert_eq!(hits(&desk, &json!({"path": "src", "pattern": "needle"})), ["link:1:needle"]);
}

#[test]
fn binary_files_and_endless_lines_are_passed_over() {
    let desk = Desk::new();
    desk.write("ws/binary", b"needle\n\0needle\n");
    desk.write("ws/text", "needle \u{c3}\u{fffd}");
    desk.write("ws/latin", b"needle \xff");
    desk.write("ws/line", format!("needle{}", "x".repeat(100_000)));
    File::create(desk.path("ws/sparse")).unwrap().set_len(10 << 30).unwrap();
    assert_eq!(
        hits(&desk, &json!({"path": ".", "pattern": "needle"})),
        [
            "latin:1:needle \u{fffd}",
            "line:1:[a line of 100006 bytes, too long to be shown]",
            "text:1:needle \u{c3}\u{fffd}",
        ]
    );
}

#[test]
fn binary_files_are_said_to_be_passed_over() {
    let desk = Desk::new();
    desk.write("ws/binary", b"needle\n\0needle\n");
    desk.write("ws/other", b"\0");
    desk.write("ws/text", "needle");
    let summary =
        |path: &str| desk.call("search_files", &json!({"path": path, "pattern": "needle"})).unwrap().summary;
    insta::assert_snapshot!(summary("binary"),
        @"0 lines of 0 files below `binary` match; 1 binary file passed over");
    insta::assert_snapshot!(summary("."),
        @"1 line of 1 file below `.` match; 2 binary files passed over");
    insta::assert_snapshot!(summary("text"), @"1 line of 1 file below `text` match");
}

#[test]
fn lines_of_a_key_are_not_found_one_by_one() {
    let desk = Desk::new();
    let line = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2";
    desk.write("ws/key.pem", format!("-----BEGIN RSA PRIVATE {}-----\n{line}\n-----END", "KEY"));
    desk.write("ws/cert.pem", format!("-----BEGIN CERTIFICATE-----\n{line}\n-----END CERTIFICATE-----\n"));
    assert_eq!(
        hits(&desk, &json!({"path": ".", "pattern": "^[A-Za-z0-9+/=]+$"})),
        [format!("cert.pem:2:{line}"), "key.pem:2:<REDACTED:private_key>".to_owned()]
    );
}

#[test]
fn patterns_that_are_slow_elsewhere_take_linear_time_here() {
    let desk = Desk::new();
    desk.write("ws/a", format!("{}b", "a".repeat(1 << 20)));
    assert_eq!(hits(&desk, &json!({"path": ".", "pattern": "(a+)+$"})), Vec::<String>::new());
}

#[test]
fn a_wide_tree_is_searched_whole() {
    let desk = Desk::new();
    for folder in 0..40 {
        for file in 0..25 {
            desk.write(&format!("ws/{folder}/{file}"), format!("line\nneedle {folder} {file}\n"));
        }
    }
    let found = hits(&desk, &json!({"path": ".", "pattern": "needle", "max_results": 5000}));
    assert_eq!(found.len(), 1000);
    assert!(found.is_sorted_by_key(|hit| hit.split(':').next().unwrap().to_owned()));
}
