//! Homes on disks that are full or can only be read: small file systems of their own.

use std::process::Command;

use serde_json::{Value, json};

/// Words that every script has: calls print their exit code, a blank and their answer in one line.
const WORDS: &str = r#"
set -u
mount -t tmpfs -o size=3m,mode=755 tmpfs "$PLACE" && cd "$PLACE" || exit 99
say() { code=0; answer=$("$TOOLGATE" "$@" 2>/dev/null) || code=$?; printf '%s %s\n' "$code" "$answer"; }
call() { say call "$1" --purpose test --args "$2" --format json; }
leave() { free=$(($(stat -f -c '%a * %S' .) / 1024)); head -c $(((free - $1) * 1024)) /dev/zero > filling; }
"$TOOLGATE" init > init.txt || exit 98
sed -i 's/^read_only = true/read_only = false/; s/^approval_required = .*/approval_required = []/' .toolgate/policy.toml
say policy apply --reason r --abuse-case a --tests t --rollback b --format json > applied.txt
printf 'old\n' > f
"#;

/// The lines that a script printed, on a disk of three megabytes that is gone afterwards.
fn on_disk(script: &str) -> Vec<(i32, Value)> {
    let folder = tempfile::TempDir::new().unwrap();
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &format!("{WORDS}{script}")])
        .env("PLACE", folder.path())
        .env("TOOLGATE", env!("CARGO_BIN_EXE_toolgate"))
        .env("TOOLGATE_PROOF_SECONDS", "120")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let line = |line: &str| {
        let (code, answer) = line.split_once(' ').unwrap();
        (code.parse().unwrap(), serde_json::from_str(answer).unwrap_or(Value::Null))
    };
    text.lines().map(line).collect()
}

#[track_caller]
fn is(answer: &(i32, Value), code: i32, status: &str, reasons: &[&str]) {
    let (exit, said) = answer;
    let codes: Vec<&Value> = said["reasons"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
    assert_eq!((*exit, &said["status"]), (code, &json!(status)), "{said}");
    assert_eq!(codes, reasons, "{said}");
}

#[test]
fn a_full_disk_is_an_error_and_nothing_is_half_done() {
    let answers = on_disk(
        r#"
        large=$(head -c 900000 /dev/zero | tr '\0' 'x')
        printf '{"path": "f", "content": "%s"}' "$large" > /dev/shm/toolgate-test-$$
        leave 300
        call write_file @/dev/shm/toolgate-test-$$
        printf '0 "%s"\n' "$(cat f)"
        printf '0 "%s"\n' "$(ls -A | tr '\n' ' ')"
        head -c 9000000 /dev/zero > more 2>/dev/null
        call read_file '{"path": "f"}'
        call write_file '{"path": "f", "content": "new"}'
        say run TR-20260201-070000Z-x --format json
        printf '0 "%s"\n' "$(cat f)"
        rm -f filling more /dev/shm/toolgate-test-$$
        call write_file '{"path": "f", "content": "new"}'
        say ledger verify --format json
        "#,
    );
    let [full, old, names, unread, unwritten, unrun, still, new, verified] = answers.as_slice() else {
        panic!("{answers:?}")
    };
    is(full, 1, "error", &["disk_full"]);
    assert_eq!(old.1, "old");
    assert_eq!(names.1, ".toolgate applied.txt f filling init.txt ");
    is(unread, 3, "error", &["ledger_unavailable"]);
    is(unwritten, 3, "error", &["ledger_unavailable"]);
    assert_eq!((unrun.0, &unrun.1["verdict"]), (3, &json!("deny")), "{unrun:?}");
    assert_eq!(still.1, "old");
    is(new, 0, "success", &[]);
    assert_eq!((verified.0, &verified.1["ok"]), (0, &json!(true)), "{verified:?}");
}

#[test]
fn a_change_that_was_made_ends_on_record_even_where_its_difference_finds_no_room() {
    let answers = on_disk(
        r#"
        large=$(head -c 300000 /dev/zero | tr '\0' 'x' | sed 's/xx/x\\n/g')
        printf '{"path": "g", "content": "%s"}' "$large" > /dev/shm/toolgate-test-$$
        leave 600
        call write_file @/dev/shm/toolgate-test-$$
        rm -f filling /dev/shm/toolgate-test-$$
        say ledger verify --format json
        "#,
    );
    let [made, verified] = answers.as_slice() else { panic!("{answers:?}") };
    is(made, 0, "success", &[]);
    assert_eq!(made.1["risk_flags"], json!(["content_not_kept"]), "{}", made.1);
    assert_eq!((verified.0, &verified.1["ok"]), (0, &json!(true)), "{verified:?}");
}

#[test]
fn a_home_that_can_only_be_read_takes_no_call() {
    let answers = on_disk(
        r#"
        mount -o remount,ro "$PLACE" || exit 97
        call read_file '{"path": "f"}'
        call write_file '{"path": "f", "content": "new"}'
        say run TR-20260201-070000Z-x --format json
        printf '0 "%s"\n' "$(cat f)"
        "#,
    );
    let [unread, unwritten, unrun, old] = answers.as_slice() else { panic!("{answers:?}") };
    is(unread, 3, "error", &["ledger_unavailable"]);
    is(unwritten, 3, "error", &["ledger_unavailable"]);
    is(unrun, 3, "error", &["ledger_unavailable"]);
    assert_eq!(old.1, "old");
}
