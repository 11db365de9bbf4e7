//! The verdict of the original validator, quirk by quirk.

mod request;

use document::{Profile, Verdict};
use request::{Request, check_text};

fn errors(request: &Request) -> String {
    let checked = check_text(&request.text(), None, Profile::ThreegateV1);
    let codes: Vec<_> = checked.findings.iter().filter(|f| f.is_error()).map(|f| f.rule.code).collect();
    codes.join(" ")
}

#[test]
fn the_command_line_is_judged_by_its_characters() {
    for (command, want) in [
        ("python a.py", ""),
        ("python a.py\nrm -rf /", ""),
        ("python a.py /etc/passwd", ""),
        ("python a.py $HOME", ""),
        ("python a.py ../x", ""),
        ("pip3 install requests", ""),
        ("bash a.sh", ""),
        ("npm i x", ""),
        ("perl -e 1", ""),
        ("python a.py; ls", "TR903"),
        ("python a.py & ls", "TR903"),
        ("python a.py | ls", "TR903"),
        ("python a.py > x", "TR903"),
        ("python a.py < x", "TR903"),
        ("python `x`", "TR903"),
        ("python $(x", "TR903"),
        ("python -c 'print(1)'", "TR903"),
        ("python a.py )", "TR903"),
        ("python a.py (", ""),
        ("python '; quoted'", "TR903"),
        ("pip install x", "TR904"),
        ("PIP INSTALL x", "TR904"),
        ("npm install x", "TR904"),
        ("python capture.py", "TR904"),
        ("python adapter.py", "TR904"),
        ("apt-get update", "TR904"),
        ("```\npython a.py\n```", "TR903 TR905"),
        ("```sh", "TR903 TR905"),
        ("", "TR301"),
    ] {
        assert_eq!(errors(&Request::new().command(command)), want, "{command}");
    }
}

#[test]
fn values_are_text_and_limits_only_have_to_be_there() {
    for (key, yaml, want) in [
        ("cpu_limit", "lots", ""),
        ("memory_limit_mb", "-1", ""),
        ("time_limit_sec", "", ""),
        ("request_id", "anything", ""),
        ("created_utc", "some day", ""),
        ("requested_by", "robot", ""),
        ("approved_by", "core", ""),
        ("approved_by", "\" \"", ""),
        ("approved_utc", "later", ""),
        ("purpose", "\"\"", ""),
        ("language", "perl", ""),
        ("language", "Bash", "TR116"),
        ("language", "\" sh \"", "TR116"),
        ("language", "fish", ""),
        ("network", "NONE", ""),
        ("network", "\" allowlist \"", ""),
        ("network", "full", "TR117"),
        ("schema_version", "1", ""),
        ("schema_version", "1.0", "TR102"),
        ("request_type", "Tool_request", "TR101"),
        ("backend", "\"\"", ""),
        ("backend", "era", ""),
        ("backend", "docker", "TR114"),
        ("approved_by", "\"\"", "TR109"),
        ("approved_utc", "\"\"", "TR110"),
        ("inputs", "nonsense", ""),
    ] {
        assert_eq!(errors(&Request::new().with(key, yaml)), want, "{key}: {yaml}");
    }
    assert_eq!(errors(&Request::new().without("purpose")), "TR014");
}

#[test]
fn headings_are_whole_lines_wherever_they_stand() {
    for (old, new, want) in [
        ("## Command\n", "```\n## Command\n", ""),
        ("## Command\n", "## Command \n", "TR301 TR902"),
        ("## Risk Assessment\n", "## Extra\n## Risk Assessment\n", ""),
        ("## Risk Assessment\n", "## Command\nx\n## Risk Assessment\n", ""),
        ("## Risk Assessment\n", "## Risk\n", "TR902"),
        ("- Risk level: low\n", "", ""),
    ] {
        assert_eq!(errors(&Request::new().replace(old, new)), want, "{old:?} -> {new:?}");
    }
}

#[test]
fn monty_is_judged_as_the_original_did() {
    let monty = Request::monty;
    for (old, new, want) in [
        ("total = a + b", "import os", ""),
        ("total = a + b", "s = '```'", "TR905"),
        ("total = a + b\ntotal", "", "TR401"),
        ("{\"a\": 1, \"b\": 2}", "{\"a\": NaN}", ""),
        ("{\"a\": 1, \"b\": 2}", "{\"a\": 1, \"a\": 2}", ""),
        ("{\"a\": 1, \"b\": 2}", "{\"a\\n\": 1}", ""),
        ("{\"a\": 1, \"b\": 2}", "{\"if\": 1}", "TR406"),
        ("{\"a\": 1, \"b\": 2}", "[1]", "TR405"),
        ("{\"a\": 1, \"b\": 2}", "```\n{}\n```", "TR405"),
    ] {
        assert_eq!(errors(&monty().replace(old, new)), want, "{old:?} -> {new:?}");
    }
    assert_eq!(errors(&monty().with("language", "node")), "TR134");
    assert_eq!(errors(&monty().with("network", "allowlist")), "TR135");
    assert_eq!(errors(&monty().with("inputs", "[{name: a}]")), "");
}

#[test]
fn differences_name_what_only_one_profile_says() {
    let text = Request::new().command("python capture.py /etc/passwd").text();
    let source = document::Source { stem: None, bytes: text.as_bytes() };
    let found = document::differences(&source, request::NOW.parse().unwrap()).unwrap();
    let codes =
        |findings: &[document::Finding]| findings.iter().map(|f| f.rule.code).collect::<Vec<_>>().join(" ");
    assert_eq!((found.strict, found.threegate_v1), (Verdict::Reject, Verdict::Reject));
    assert_eq!(codes(&found.only_strict), "TR317 TR314");
    assert_eq!(codes(&found.only_threegate_v1), "TR904");
}
