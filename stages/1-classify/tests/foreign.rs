//! Tools of other servers, by their mapping.

mod kit;

use call::{Class, Role};
use classify::{Mapping, Unclassified};
use kit::{check, outcome, passages};

#[test]
fn a_mapped_tool_has_the_effects_of_its_mapping() {
    check(&[
        ("other.read_text", r#"{"path": "a", "head": 5}"#, "read a and below"),
        ("other.read_many", r#"{"paths": ["a", "b"]}"#, "read a and below, read b and below"),
        ("other.move", r#"{"source": "a", "destination": "b"}"#, "write b somehow, delete a"),
        (
            "other.edit",
            r#"{"path": "a", "edits": [{"old": "x", "new": "y"}], "dry_run": true}"#,
            "read a and below, write a somehow",
        ),
        (
            "other.nested",
            r#"{"files": [{"path": "a", "text": "x"}, {"path": "b", "text": "y"}], "options": {"verbose": true, "template": "t"}}"#,
            "read t and below, write a somehow, write b somehow",
        ),
        ("other.nested", r#"{"files": [{"path": "a", "text": "x"}]}"#, "write a somehow"),
        ("other.fetch", r#"{"url": "https://a.example"}"#, "GET https://a.example/ with body"),
        (
            "other.request",
            r#"{"target": {"url": "https://a.example", "method": "put"}, "body": {"a": 1}}"#,
            "PUT https://a.example/ with body",
        ),
        ("other.run", r#"{"command": "make test"}"#, "run foreign `make test` with network"),
        ("other.run", r#"{"command": ["make", "a b"]}"#, r#"run foreign `["make","a b"]` with network"#),
        ("other.ask", r#"{"query": "SELECT * FROM t"}"#, r#"look at lite ["t"]"#),
        ("other.ask", r#"{"query": "DELETE FROM t"}"#, r#"change lite ["t"]"#),
        ("other.ask_any", r#"{"query": "SELECT 1", "db": "nowhere"}"#, "look at nowhere []"),
        ("other.token", r#"{"scope": "github", "name": "TOKEN"}"#, "secret github/TOKEN Env"),
        ("other.scope", r#"{"scope": "github"}"#, "secret github/* Env"),
        ("other.add", r#"{"a": 1, "b": 2}"#, "nothing"),
        ("other.weather", r#"{"city": "Bern"}"#, "GET https://api.weather.example/v1 with body"),
        ("other.post", r#"{"text": "hi"}"#, "POST https://hook.example/ with body"),
        (
            "other.mystery",
            r#"{"anything": 1}"#,
            "unknown: nothing says what this call does: the mapping of `other.mystery` names nothing that it \
             touches; write that below `[tools.mystery]` in `.toolgate/tools/other.toml`, or \
             `touches_nothing = true` where that is so",
        ),
        ("other.find", r#"{"root": ".", "regex": "("}"#, "read . and below"),
    ]);
}

#[test]
fn what_a_mapping_does_not_say_refuses_the_call() {
    check(&[
        (
            "other.read_text",
            r#"{"path": "a", "follow": true}"#,
            "bad `/follow` is an argument that the mapping of this tool does not name",
        ),
        ("other.read_text", "{}", "bad must have `path`: it has an effect…"),
        ("other.read_text", r#"{"path": null}"#, "bad must have `path`: it has an effect…"),
        ("other.read_text", r#"{"path": 1}"#, "bad `/path` must be text or a list of texts"),
        ("other.read_text", r#"{"path": {"path": "a"}}"#, "bad `/path` must be text or a list of texts"),
        ("other.read_many", r#"{"paths": ["a", ["b"]]}"#, "bad `/paths/1` must be text"),
        (
            "other.read_text",
            r#"{"path": "a\u0000b"}"#,
            "bad `/path` must be a path without control characters",
        ),
        ("other.nested", r#"{"files": {"path": "a"}}"#, "bad `/files/path` is an argument…"),
        ("other.nested", r#"{"files": "a"}"#, "bad `/files` must be an object or a list…"),
        ("other.nested", r#"{"files": [{"path": "a", "mode": "x"}]}"#, "bad `/files/0/mode` is an argument…"),
        ("other.nested", r#"{"files": [{"text": "a"}]}"#, "bad must have `files[].path`…"),
        (
            "other.nested",
            r#"{"files": [{"path": "a"}], "options": {"depth": 1}}"#,
            "bad `/options/depth` is an argument…",
        ),
        ("other.fetch", r#"{"url": "file:///etc/passwd"}"#, "bad `/url` has the scheme `file`…"),
        ("other.request", r#"{"target": {"url": "https://a.example"}}"#, "bad must have `target.method`…"),
        (
            "other.request",
            r#"{"target": {"url": "https://a.example", "method": "BREW"}}"#,
            "bad must have a method among…",
        ),
        ("other.run", r#"{"command": {"line": "x"}}"#, "bad `/command` must be a line or a list of words"),
        ("other.ask", r#"{"query": ["SELECT 1"]}"#, "bad `/query` must be text"),
        (
            "other.ask",
            r#"{"query": "SELECT load_extension('x')"}"#,
            "unknown: the function `load_extension`…",
        ),
        ("other.add", r#"{"a": 1}"#, "bad must have `b`"),
        ("other.add", r#"{"a": 1, "b": "x"}"#, "bad `/b` must be of type number"),
    ]);
}

#[test]
fn a_dot_in_the_name_of_an_argument_is_no_step() {
    check(&[
        (
            "other.nested",
            r#"{"files": [{"path": "a"}], "options.template": "/etc/passwd"}"#,
            "bad `/options.template` is an argument…",
        ),
        ("other.nested", r#"{"files[].path": "a"}"#, "bad `/files[].path` is an argument…"),
        (
            "other.request",
            r#"{"target.url": "https://a.example", "target.method": "GET"}"#,
            "bad `/target.method` is an argument…",
        ),
    ]);
}

#[test]
fn a_tool_without_a_mapping_says_which_is_missing() {
    let error = outcome("other.read_txt", "{}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "nothing says what `other.read_txt` does: `[tools.read_txt]` is missing in `.toolgate/tools/other.toml`"
    );
    assert_eq!(error.hint().as_deref(), Some("did you mean `other.read_text`?"));
    assert_eq!(error.code().as_str(), "unmapped_tool");
    let error = outcome("elsewhere.a.b", "{}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "nothing says what `elsewhere.a.b` does: `[tools.\"a.b\"]` is missing in `.toolgate/tools/elsewhere.toml`"
    );
    assert!(
        matches!(outcome("read_fil", "{}"), Err(Unclassified::UnknownTool { near, .. }) if near == ["read_file", "edit_file"] || near.first().is_some_and(|name| name == "read_file"))
    );
}

#[test]
fn classes_follow_from_effects() {
    let classes = |tool: &str, arguments: &str| outcome(tool, arguments).unwrap().classes;
    assert_eq!(classes("other.edit", r#"{"path": "a", "edits": []}"#), [Class::Read, Class::Write]);
    assert_eq!(classes("other.weather", r#"{"city": "Bern"}"#), [Class::Network]);
    assert_eq!(classes("other.run", r#"{"command": "ls"}"#), [Class::Exec]);
    assert_eq!(classes("other.scope", r#"{"scope": "a"}"#), [Class::Secrets]);
    assert_eq!(classes("other.add", r#"{"a": 1, "b": 1}"#), [Class::Read]);
    assert_eq!(classes("other.ask", r#"{"query": "DELETE FROM t"}"#), [Class::Write]);
}

#[test]
fn texts_have_the_role_of_the_longest_place() {
    let got = passages("other.edit", r#"{"path": "a", "edits": [{"old": "x", "new": "y"}]}"#);
    let want = [
        (Role::Content, "edits[0].new", "new"),
        (Role::Content, "edits[0].new", "y"),
        (Role::Content, "edits[0].old", "old"),
        (Role::Content, "edits[0].old", "x"),
        (Role::Path, "path", "a"),
    ];
    let got: Vec<(Role, &str, &str)> =
        got.iter().map(|(role, place, text)| (*role, &**place, &**text)).collect();
    assert_eq!(got, want);
}

#[test]
fn a_wrong_mapping_is_told_with_its_place() {
    let cases = [
        // text of the mapping -> what is underlined, what is said, what to do
        (
            "[tools.a]\nreed = 'p'",
            "reed",
            "there is no key `reed` in the mapping of a tool",
            "did you mean `read`?",
        ),
        (
            "[tool.a]\nread = 'p'",
            "tool",
            "there is no key `tool` in a mapping",
            "write `[tools.NAME]` for each tool",
        ),
        (
            "[tools.a]\nread = 5",
            "5",
            "expected the name of an argument, or a list of names",
            "write \"path\"…",
        ),
        ("[tools.a]\nread = ['a b']", "['a b']", "`a b` is not the name of an argument", "write `name`…"),
        ("[tools.a]\nurl = 'u'", "'u'", "the tool has a `url` and no `method`", "write method = \"GET\"…"),
        (
            "[tools.a]\nurl = 'u'\nmethod = 'BREW'",
            "'BREW'",
            "`BREW` is no method that is known",
            "it is one of…",
        ),
        (
            "[tools.a]\ntouches_nothing = true\nread = 'p'",
            "true",
            "the tool touches nothing and has effects",
            "keep one of the two",
        ),
        (
            "[tools.a]\nread = 'p'\nplain = 'p'",
            "'p'",
            "the argument `p` is named twice",
            "say once what it is",
        ),
        ("[tools.a]\nsql = { argument = 'q' }", "{ argument = 'q' }", "`sql` needs `argument`…", "write {…"),
        ("[tools.a]\nnetwork = ['ftp://x']", "['ftp://x']", "`ftp://x` has the scheme `ftp`…", "write…"),
        ("[tools.a]\ndefinition = 'abc'", "'abc'", "expected a SHA-256 digest", "write…"),
        ("[tools.a]\nschema = '{'", "'{'", "the schema is not JSON…", "write a JSON Schema"),
        (
            "[tools.a]\nschema = '{\"type\": \"nonsense\"}'",
            "'{\"type\": \"nonsense\"}'",
            "this is no JSON Schema…",
            "references…",
        ),
        (
            "[tools.a]\nschema = '{\"$ref\": \"https://evil.example/s.json\"}'",
            "'{\"$ref\": \"https://evil.example/s.json\"}'",
            "this is no JSON Schema…",
            "references…",
        ),
        (
            "[tools.a]\noptional = ['p']\nplain = 'p'",
            "['p']",
            "the optional argument `p` has no effect that could be left out",
            "name it…",
        ),
        ("[tools.a]\nread = 'a'\nread = 'b'", "read", "duplicate key…", ""),
    ];
    for (text, under, message, hint) in cases {
        let errors = Mapping::parse(text).expect_err(text);
        let error = errors.first().expect(text);
        assert_eq!(error.span.of(text), Some(under), "{text}: {error}");
        let same = |got: &str, want: &str| match want.strip_suffix('…') {
            Some(beginning) => got.starts_with(beginning),
            None => got == want,
        };
        assert!(same(&error.message, message), "{text}: {}", error.message);
        assert!(same(error.hint.as_deref().unwrap_or(""), hint), "{text}: {:?}", error.hint);
    }
}

#[test]
fn a_mapping_is_read_whole() {
    let text = "[tools.a]\nx = 1\ny = 2\n[tools.b]\nread = 5\n";
    assert_eq!(Mapping::parse(text).unwrap_err().len(), 3);
    let pin = "0".repeat(64);
    let mapping = Mapping::parse(&format!(
        "[tools.\"a.b\"]\ntouches_nothing = true\ndefinition = 'sha256:{pin}'\n[tools.\"a.b\".schema]\ntype = 'object'\nrequired = ['x']\n"
    ))
    .unwrap();
    assert_eq!(mapping.definition("a.b").unwrap().to_string(), pin);
    let catalogue = classify::Catalogue::default().with_mapping("s", mapping);
    let refused = classify::classify(&kit::call("s.a.b", "{}"), &catalogue);
    assert_eq!(kit::say_of(refused), "bad must have `x`");
    assert!(Mapping::parse("").unwrap().tools().next().is_none());
    assert!(Mapping::parse(&"[".repeat(100_000)).is_err());
    assert!(Mapping::parse(&format!("a = {}", "[".repeat(100_000))).is_err());
}
