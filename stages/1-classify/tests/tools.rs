//! Each built-in tool, what it does and what it does not take.

mod kit;

use call::{Class, Effect, Role};
use kit::{catalogue, check, forge, outcome, passages, say_of};

#[test]
fn files_are_looked_at() {
    check(&[
        ("list_files", r#"{"path": "."}"#, "read . and below"),
        ("list_files", r#"{"path": "src", "glob": "**/*.rs", "max_results": 5}"#, "read src and below"),
        (
            "list_files",
            r#"{"path": "src", "glob": "../*"}"#,
            "bad `/glob` must be relative, with `/` and without `..`",
        ),
        ("list_files", r#"{"path": "src", "glob": "/etc/*"}"#, "bad `/glob` must be relative…"),
        ("list_files", r#"{"path": "src", "glob": "v1..v2*"}"#, "read src and below"),
        ("list_files", r#"{"path": "src", "max_results": 0}"#, "bad `/max_results` must be at least 1"),
        ("list_files", "{}", "bad must have `path`"),
        ("read_file", r#"{"path": "README.md"}"#, "read README.md"),
        ("read_file", r#"{"path": "docs/~backup.md", "offset": 1, "limit": 1}"#, "read docs/~backup.md"),
        ("read_file", r#"{"path": "../../etc/passwd"}"#, "read ../../etc/passwd"),
        ("read_file", r#"{"path": "a", "offset": 0}"#, "bad `/offset` must be at least 1"),
        ("read_file", r#"{"path": "a", "limit": 0}"#, "bad `/limit` must be at least 1"),
        ("read_file", r#"{"path": "a", "limit": 1.5}"#, "bad `/limit` must be of type integer"),
        (
            "read_file",
            r#"{"path": "a", "limit": 2.0}"#,
            "bad must have whole numbers written without a point",
        ),
        ("read_file", r#"{"path": ""}"#, "bad `/path` must have at least 1 characters"),
        ("read_file", r#"{"path": ["a"]}"#, "bad `/path` must be of type string"),
        ("read_file", r#"{"path": null}"#, "bad `/path` must be of type string"),
        ("search_files", r#"{"path": ".", "pattern": "fn \\w+\\("}"#, "read . and below"),
        ("search_files", r#"{"path": ".", "pattern": "TODO", "glob": "*.md"}"#, "read . and below"),
        ("search_files", r#"{"path": ".", "pattern": "("}"#, "bad `/pattern` must be a regular expression…"),
        (
            "search_files",
            r#"{"path": ".", "pattern": "(?=a)"}"#,
            "bad `/pattern` must be a regular expression…",
        ),
        (
            "search_files",
            r#"{"path": ".", "pattern": "((a{500}){500}){500}"}"#,
            "bad `/pattern` must be a smaller…",
        ),
        ("diff", r#"{"path": "a", "content": "new"}"#, "read a"),
        ("diff", r#"{"path": "a"}"#, "bad must have `content`"),
    ]);
}

#[test]
fn files_are_changed() {
    check(&[
        ("write_file", r#"{"path": "a", "content": "hello"}"#, "write a 5"),
        ("write_file", r#"{"path": "a", "content": ""}"#, "write a 0"),
        ("write_file", r#"{"path": "a/b", "content": "é", "create_dirs": true}"#, "write a/b 2 with folders"),
        ("write_file", r#"{"path": "a", "content_base64": "aGVsbG8="}"#, "write a 5"),
        ("write_file", r#"{"path": "a", "content_base64": "/w=="}"#, "write a 1 binary"),
        ("write_file", r#"{"path": "a", "content": "\u0000"}"#, "write a 1 binary"),
        ("write_file", r#"{"path": "a", "content_base64": "/w"}"#, "bad `/content_base64` must be base64…"),
        (
            "write_file",
            r#"{"path": "a", "content_base64": "aGVs\nbG8="}"#,
            "bad `/content_base64` must be base64…",
        ),
        ("write_file", r#"{"path": "a"}"#, "bad must have exactly one of `content` and `content_base64`"),
        (
            "write_file",
            r#"{"path": "a", "content": "a", "content_base64": "YQ=="}"#,
            "bad must have exactly one of `content` and `content_base64`",
        ),
        ("edit_file", r#"{"path": "a", "old": "x", "new": "yy"}"#, "write a edit 2"),
        ("edit_file", r#"{"path": "a", "old": "x", "new": "", "all": true}"#, "write a edit 0 everywhere"),
        ("edit_file", r#"{"path": "a", "old": "x", "new": "x"}"#, "bad `/new` must differ from `old`"),
        (
            "edit_file",
            r#"{"path": "a", "old": "", "new": "x"}"#,
            "bad `/old` must have at least 1 characters",
        ),
        ("delete_file", r#"{"path": "a"}"#, "delete a"),
        ("delete_file", r#"{"path": "a", "recursive": true}"#, "bad does not take `recursive`"),
    ]);
}

#[test]
fn memory_and_status() {
    check(&[
        ("memory_recall", r#"{"query": "the plan", "limit": 3}"#, "recall"),
        ("memory_recall", r#"{"query": ""}"#, "bad `/query` must have at least 1 characters"),
        ("memory_store", r#"{"text": "the plan", "tags": ["a", "b"]}"#, r#"store ["a", "b"]"#),
        ("memory_store", r#"{"text": "the plan", "tags": "a"}"#, "bad `/tags` must be of type array"),
        ("status", "{}", "status"),
        ("status", r#"{"verbose": true}"#, "bad does not take `verbose`"),
        (
            "secrets_get",
            r#"{"scope": "github", "name": "TOKEN", "use": "header"}"#,
            "secret github/TOKEN Header",
        ),
        (
            "secrets_get",
            r#"{"scope": "github", "name": "TOKEN", "use": "print"}"#,
            "bad `/use` must be one of…",
        ),
        ("secrets_get", r#"{"scope": "git hub", "name": "TOKEN", "use": "env"}"#, "bad `/scope` must match…"),
    ]);
}

#[test]
fn code_is_run() {
    check(&[
        ("exec_sandbox", r#"{"language": "python", "code": "print(1)"}"#, "run python code"),
        // Whoever starts a shell asks for a shell.
        ("exec_sandbox", r#"{"language": "python", "argv": ["bash", "-c", "ls"]}"#, "run shell `bash -c ls`"),
        ("exec_sandbox", r#"{"language": "go", "argv": ["/bin/sh", "x.sh"]}"#, "run shell `/bin/sh x.sh`"),
        ("exec_sandbox", r#"{"language": "go", "argv": ["env", "zsh5.9"]}"#, "run shell `env zsh5.9`"),
        ("exec_sandbox", r#"{"language": "go", "argv": ["busybox", "sh"]}"#, "run shell `busybox sh`"),
        ("exec_sandbox", r#"{"language": "go", "argv": ["xargs", "sh"]}"#, "run shell `xargs sh`"),
        (
            "exec_sandbox",
            r#"{"language": "go", "argv": ["/lib64/ld-linux-x86-64.so.2", "/bin/sh"]}"#,
            "run shell `/lib64/ld-linux-x86-64.so.2 /bin/sh`",
        ),
        (
            "exec_sandbox",
            r#"{"language": "python", "code": "1", "lane": "monty"}"#,
            "run python code in monty",
        ),
        (
            "exec_sandbox",
            r#"{"language": "go", "argv": ["go", "test", "./..."]}"#,
            r#"run go ["go", "test", "./..."]"#,
        ),
        (
            "exec_sandbox",
            r#"{"language": "python", "code": "1", "inputs": ["data.csv"], "time_limit_sec": 60, "memory_limit_mb": 512, "cpu_limit": 2}"#,
            "read data.csv and below, run python code and 1 inputs 60 512 2",
        ),
        (
            "exec_sandbox",
            r#"{"language": "python", "code": "1", "network": ["pypi.org", "Example.org:8443", "localhost:80"]}"#,
            "CONNECT https://pypi.org/, CONNECT https://example.org:8443/, CONNECT http://localhost/, run python code with network",
        ),
        ("exec_sandbox", r#"{"language": "ts", "code": "1", "network": "none"}"#, "run ts code"),
        ("exec_sandbox", r#"{"language": "ts", "code": "1", "network": []}"#, "run ts code"),
        (
            "exec_sandbox",
            r#"{"language": "ts", "code": "1", "network": "all"}"#,
            r#"bad `/network` must be "none", or must be of type array"#,
        ),
        (
            "exec_sandbox",
            r#"{"language": "ts", "code": "1", "network": ["*.org"]}"#,
            "bad `/network/0` must be `host`…",
        ),
        (
            "exec_sandbox",
            r#"{"language": "ts", "code": "1", "network": ["a@b.org"]}"#,
            "bad `/network/0` must be `host`…",
        ),
        (
            "exec_sandbox",
            r#"{"language": "ts", "code": "1", "network": ["b.org/x"]}"#,
            "bad `/network/0` must be `host`…",
        ),
        (
            "exec_sandbox",
            r#"{"language": "ts", "code": "1", "argv": ["a"]}"#,
            "bad must have exactly one of `code` and `argv`",
        ),
        ("exec_sandbox", r#"{"language": "ts"}"#, "bad must have exactly one of `code` and `argv`"),
        (
            "exec_sandbox",
            r#"{"language": "python", "argv": ["ls", "-l"]}"#,
            "bad `/argv/0` must be the runtime of `python`: `python3` or `python`",
        ),
        (
            "exec_sandbox",
            r#"{"language": "node", "argv": ["/opt/node", "x.js"]}"#,
            "bad `/argv/0` must be the runtime of `node`: `node`",
        ),
        (
            "exec_sandbox",
            r#"{"language": "node", "code": "1", "inputs": ["a/x", "b/x/"]}"#,
            "bad `/inputs/1` would be `/in/x`, as another of the inputs is",
        ),
        (
            "search_files",
            r#"{"path": ".", "pattern": "a\nb"}"#,
            "bad `/pattern` must match within one line, without its end",
        ),
        ("exec_sandbox", r#"{"language": "ts", "argv": []}"#, "bad `/argv` must have at least 1 items"),
        (
            "exec_sandbox",
            r#"{"language": "ts", "argv": [""]}"#,
            "bad `/argv/0` must be the name of a program",
        ),
        ("exec_sandbox", r#"{"language": "perl", "code": "1"}"#, "bad `/language` must be one of…"),
        (
            "exec_sandbox",
            r#"{"language": "ts", "code": "1", "time_limit_sec": 61}"#,
            "bad `/time_limit_sec` must be at most 60",
        ),
        ("exec_sandbox", r#"{"language": "ts", "code": "1", "lane": "monty"}"#, "bad `/lane` is `monty`…"),
        (
            "exec_sandbox",
            r#"{"language": "python", "code": "1", "inputs": ["a"], "lane": "monty"}"#,
            "bad `/lane` is `monty`…",
        ),
        (
            "exec_sandbox",
            r#"{"language": "python", "code": "1", "lane": "none"}"#,
            "bad `/lane` must be one of…",
        ),
        (
            "exec_sandbox",
            r#"{"language": "python", "code": "1", "env": {"A": "b"}, "lane": "monty"}"#,
            "bad `/lane` is `monty`…",
        ),
        (
            "exec_sandbox",
            r#"{"language": "python", "code": "1", "env": {"LD_PRELOAD": "/in/x.so"}}"#,
            "bad `/env/LD_PRELOAD` is a variable…",
        ),
        (
            "exec_sandbox",
            r#"{"language": "python", "code": "1", "env": {"https_proxy": "x"}}"#,
            "bad `/env/https_proxy` is a variable…",
        ),
        ("exec_sandbox", r#"{"language": "python", "code": "1", "env": {"A=B": "c"}}"#, "bad `/env` …"),
        (
            "exec_sandbox",
            r#"{"language": "python", "code": "1", "env": {"A": {"$secret": "h-1", "prefix": "x"}}}"#,
            "bad `/env/A` …",
        ),
        ("exec_shell", r#"{"command": "make test"}"#, "run shell `make test`"),
        ("run_shell", r#"{"command": "make test"}"#, "run shell `make test`"),
        ("exec_shell", r#"{"command": "a\u0000b"}"#, "bad `/command` must not hold NUL"),
    ]);
    assert_eq!(outcome("run_shell", r#"{"command": "ls"}"#).unwrap().tool.as_str(), "exec_shell");
}

#[test]
fn variables_of_a_run_are_part_of_what_it_does() {
    let digest = |env: &str| {
        let arguments = format!(r#"{{"language": "node", "code": "1", "env": {env}}}"#);
        outcome("exec_sandbox", &arguments).unwrap().effects
    };
    let handle = digest(r#"{"A": {"$secret": "h-1"}}"#);
    assert_eq!(handle, digest(r#"{"A": {"$secret": "h-1"}}"#));
    for other in [r#"{}"#, r#"{"A": {"$secret": "h-2"}}"#, r#"{"A": "h-1"}"#, r#"{"B": {"$secret": "h-1"}}"#]
    {
        assert_ne!(handle, digest(other), "{other}");
    }
}

#[test]
fn the_web_is_talked_to() {
    check(&[
        ("network_fetch", r#"{"url": "https://Example.org"}"#, "GET https://example.org/"),
        (
            "network_fetch",
            r#"{"url": "https://a.example/x?y", "method": "POST", "headers": {"X-B": "1", "Accept": "*/*"}, "body": "{}"}"#,
            "POST https://a.example/x?y accept x-b with body",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "headers": {"Authorization": {"$secret": "h-1"}}}"#,
            "GET https://a.example/ authorization",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "headers": {"A": {"$secret": "h-1", "x": "y"}}}"#,
            "bad `/headers/A` …",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "headers": {"A": 1}}"#,
            "bad `/headers/A` must be of type string, or must be of type object",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "headers": {"Host": "b.example"}}"#,
            "bad `/headers/Host` is a header that the gate sets itself",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "headers": {"proxy-authorization": "x"}}"#,
            "bad `/headers/proxy-authorization` is a header…",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "headers": {"X-HTTP-Method-Override": "DELETE"}}"#,
            "bad `/headers/X-HTTP-Method-Override` is a header…",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "headers": {"A": "x\r\nHost: b"}}"#,
            "bad `/headers/A` must be one line without control characters",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "headers": {"A\r\nB": "x"}}"#,
            "bad `/headers` has a key that must match…",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "headers": {"A": "x", "a": "y"}}"#,
            "bad `/headers/a` is given twice, in another case",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "body": "x"}"#,
            "bad `/body` does not go with GET; use POST, PUT or PATCH",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "method": "get"}"#,
            "bad `/method` must be one of…",
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "method": "TRACE"}"#,
            "bad `/method` must be one of…",
        ),
        (
            "network_fetch",
            r#"{"url": "file:///etc/passwd"}"#,
            "bad `/url` has the scheme `file`, expected `http` or `https`",
        ),
        (
            "network_fetch",
            r#"{"url": "https://u:p@a.example"}"#,
            "bad `/url` carries a user name or password",
        ),
    ]);
}

#[test]
fn a_text_never_passes_for_a_secret_handle() {
    let digest = |value: &str| {
        let arguments = format!(r#"{{"url": "https://a.example", "headers": {{"A": {value}}}}}"#);
        let classified = outcome("network_fetch", &arguments).unwrap();
        let effects: Vec<_> = classified.effects.iter().cloned().collect();
        let [Effect::Network(request)] = effects.as_slice() else { panic!("{effects:?}") };
        request.headers.clone()
    };
    assert_ne!(digest(r#"{"$secret": "h-1"}"#), digest(r#""secret:h-1""#));
    assert_ne!(digest(r#"{"$secret": "h-1"}"#), digest(r#""h-1""#));
    assert_ne!(digest(r#"{"$secret": "h-1"}"#), digest(r#"{"$secret": "h-2"}"#));
    assert_ne!(digest(r#"{"$secret": "h-1"}"#), digest(r#"{"$secret": "h-1", "prefix": "Bearer "}"#));
}

#[test]
fn repositories_are_looked_at_and_changed() {
    let pr = |rest: &str| {
        format!(r#"{{"repo": "o/n", "branch": "fix/a", "base": "main", "title": "T", "body": "B", {rest}}}"#)
    };
    let api = "https://api.github.com/repos";
    let changes = pr(r#""changes": [{"path": "a/b.txt", "content": "x"}, {"path": "c", "delete": true}]"#);
    check(&[
        ("github_list_prs", r#"{"repo": "o/n"}"#, &format!("look at o/n, GET {api}/o/n/pulls?state=open")),
        (
            "github_list_prs",
            r#"{"repo": "o/n", "state": "all", "base": "release/1+2", "limit": 10, "page": 2}"#,
            &format!("look at o/n, GET {api}/o/n/pulls?state=all&base=release%2F1%2B2&per_page=10&page=2"),
        ),
        ("github_get_pr", r#"{"repo": "o/n", "number": 7}"#, &format!("look at o/n, GET {api}/o/n/pulls/7")),
        ("github_get_pr", r#"{"repo": "o/n", "number": 0}"#, "bad `/number` must be at least 1"),
        (
            "github_list_files",
            r#"{"repo": "o/n", "number": 7}"#,
            &format!("look at o/n, GET {api}/o/n/pulls/7/files"),
        ),
        ("github_list_files", r#"{"repo": "o/n"}"#, &format!("look at o/n, GET {api}/o/n/contents/")),
        (
            "github_list_files",
            r#"{"repo": "o/n", "path": "a b/c", "ref": "v1"}"#,
            &format!("look at o/n, GET {api}/o/n/contents/a%20b/c?ref=v1"),
        ),
        ("github_list_files", r#"{"repo": "o/n", "path": "../../user"}"#, "bad `/path` must be relative…"),
        (
            "github_list_files",
            r#"{"repo": "o/n", "number": 7, "path": "a"}"#,
            "bad must have `number`, or `path` and `ref`, not both",
        ),
        ("github_create_pr", &changes, &format!("change o/n fix/a main, POST {api}/o/n/pulls with body")),
        ("github_create_pr", &pr(r#""changes": []"#), "bad `/changes` must have at least 1 items"),
        (
            "github_create_pr",
            &pr(r#""changes": [{"path": "a"}]"#),
            "bad `/changes/0` must have exactly one of…",
        ),
        (
            "github_create_pr",
            &pr(r#""changes": [{"path": "a", "content": "x", "delete": true}]"#),
            "bad `/changes/0` must have exactly one of…",
        ),
        (
            "github_create_pr",
            &pr(r#""changes": [{"path": "a", "delete": false}]"#),
            "bad `/changes/0/delete` must be true",
        ),
        (
            "github_create_pr",
            &pr(r#""changes": [{"path": "../a", "content": "x"}]"#),
            "bad `/changes/0/path` must be relative…",
        ),
        (
            "github_create_pr",
            &pr(r#""changes": [{"path": "/a", "content": "x"}]"#),
            "bad `/changes/0/path` must be relative…",
        ),
        (
            "github_create_pr",
            &pr(r#""changes": [{"path": ".GIT/hooks/x", "content": "x"}]"#),
            "bad `/changes/0/path` must be a plain path…",
        ),
        (
            "github_create_pr",
            &pr(r#""changes": [{"path": "a", "content": "x"}, {"path": "a", "content": "y"}]"#),
            "bad `/changes/1/path` must be a path that is not changed twice",
        ),
        (
            "github_add_comment",
            r#"{"repo": "o/n", "number": 7, "body": "thanks"}"#,
            &format!("change o/n, POST {api}/o/n/issues/7/comments with body"),
        ),
        (
            "github_add_comment",
            r#"{"repo": "o/..", "number": 7, "body": "x"}"#,
            "bad `/repo` must be `owner/name`…",
        ),
        ("github_add_comment", r#"{"repo": "o/n/x", "number": 7, "body": "x"}"#, "bad `/repo` must match…"),
        ("github_add_comment", r#"{"repo": "-o/n", "number": 7, "body": "x"}"#, "bad `/repo` must match…"),
    ]);
    let elsewhere = forge("https://forge.example/api/v3/");
    let got = say_of(classify::classify(
        &kit::call("github_get_pr", r#"{"repo": "o/n", "number": 7}"#),
        &elsewhere,
    ));
    assert_eq!(got, "look at o/n, GET https://forge.example/api/v3/repos/o/n/pulls/7");
}

#[test]
fn a_branch_is_what_git_takes_for_one() {
    let branch = |name: &str| {
        let name = serde_json::Value::from(name);
        let arguments = format!(
            r#"{{"repo": "o/n", "branch": {name}, "base": "main", "title": "T", "body": "", "changes": [{{"path": "a", "delete": true}}]}}"#
        );
        outcome("github_create_pr", &arguments).is_ok()
    };
    for good in [
        "fix",
        "fix/a-b_c.d",
        "é",
        "a@b",
        "user/fix#1",
        "1.0",
        "feature/größe",
        "fix/日本語",
        "feat/❤️",
        "feat/👩‍💻",
        "fix/می‌خواهم",
        "fix/क्ष‍",
        "fix/Δt-größe",
        "feat/ΔV",
        "fix/λcalc",
        "feat/Ωmega",
        "fix/№5",
    ] {
        assert!(branch(good), "{good}");
    }
    for bad in [
        "",
        "-f",
        "--force",
        "main",
        "a b",
        "a..b",
        "a~1",
        "a^",
        "a:b",
        "a?",
        "a*",
        "a[",
        "a\\b",
        "/a",
        "a/",
        "a//b",
        ".a",
        "a/.b",
        "a.lock",
        "a.lock/b",
        "a.",
        "@",
        "a@{b",
        "HEAD",
        "a\u{7f}",
        "a\nb",
        "+a:b",
        "+a",
        "refs/heads/a",
        "heads/a",
        "remotes/origin/a",
        "main\u{200b}",
        "main\u{202e}",
        "ｍａｉｎ",
        "mаin",
        "maın",
        "main\u{338}",
        "Main",
    ] {
        assert!(!branch(bad), "{bad}");
    }
}

#[test]
fn what_is_approved_of_a_pull_request_is_every_byte_of_it() {
    let content = |changes: &str, title: &str| {
        let arguments = format!(
            r#"{{"repo": "o/n", "branch": "b", "base": "main", "title": "{title}", "body": "", "changes": {changes}}}"#
        );
        outcome("github_create_pr", &arguments)
            .unwrap()
            .effects
            .iter()
            .map(|effect| format!("{effect:?}"))
            .collect::<String>()
    };
    let one = content(r#"[{"path": "a", "content": "x"}]"#, "T");
    assert_eq!(one, content(r#"[{"content": "x", "path": "a"}]"#, "T"));
    assert_eq!(one, content(r#"[{"path": "a", "content_base64": "eA=="}]"#, "T"));
    assert_ne!(one, content(r#"[{"path": "a", "content": "y"}]"#, "T"));
    assert_ne!(one, content(r#"[{"path": "b", "content": "x"}]"#, "T"));
    assert_ne!(one, content(r#"[{"path": "a", "delete": true}]"#, "T"));
    assert_ne!(one, content(r#"[{"path": "a", "content": "x"}]"#, "U"));
}

#[test]
fn every_text_comes_with_what_it_is_for() {
    type Passages = &'static [(Role, &'static str, &'static str)];
    let cases: &[(&str, &str, Passages)] = &[
        (
            "diff",
            r#"{"path": "a", "content": "b"}"#,
            &[(Role::Draft, "content", "b"), (Role::Path, "path", "a")],
        ),
        (
            "search_files",
            r#"{"path": "a", "pattern": "b", "glob": "c"}"#,
            &[(Role::Pattern, "glob", "c"), (Role::Path, "path", "a"), (Role::Pattern, "pattern", "b")],
        ),
        (
            "edit_file",
            r#"{"path": "a", "old": "b", "new": "c"}"#,
            &[(Role::Content, "new", "c"), (Role::Content, "old", "b"), (Role::Path, "path", "a")],
        ),
        (
            "write_file",
            r#"{"path": "a", "content_base64": "aGVsbG8="}"#,
            &[
                (Role::Content, "content_base64", "aGVsbG8="),
                (Role::Path, "path", "a"),
                (Role::Content, "content_base64 (decoded)", "hello"),
            ],
        ),
        (
            "exec_sandbox",
            r#"{"language": "go", "argv": ["go", "y"], "stdin": "in"}"#,
            &[
                (Role::Command, "argv[0]", "go"),
                (Role::Command, "argv[1]", "y"),
                (Role::Plain, "stdin", "in"),
            ],
        ),
        (
            "network_fetch",
            r#"{"url": "https://a.example", "headers": {"X.Y": "1"}}"#,
            &[
                (Role::Outbound, "headers[\"X.Y\"]", "X.Y"),
                (Role::Outbound, "headers[\"X.Y\"]", "1"),
                (Role::Outbound, "url", "https://a.example"),
            ],
        ),
        (
            "query_db",
            r#"{"database": "lite", "sql": "SELECT :n", "params": {"n": "v"}}"#,
            &[
                (Role::Plain, "database", "lite"),
                (Role::Statement, "params.n", "n"),
                (Role::Statement, "params.n", "v"),
                (Role::Statement, "sql", "SELECT :n"),
            ],
        ),
        ("memory_recall", r#"{"query": "q"}"#, &[(Role::Pattern, "query", "q")]),
        (
            "memory_store",
            r#"{"text": "q", "tags": ["t"]}"#,
            &[(Role::Plain, "tags[0]", "t"), (Role::Content, "text", "q")],
        ),
        ("exec_shell", r#"{"command": "ls"}"#, &[(Role::Command, "command", "ls")]),
        ("exec_sandbox", r#"{"language": "go", "code": "c"}"#, &[(Role::Code, "code", "c")]),
        // What a schema lists is nobody's words; the same words elsewhere are.
        (
            "network_fetch",
            r#"{"url": "https://a.example", "method": "PUT", "body": "PUT"}"#,
            &[(Role::Outbound, "body", "PUT"), (Role::Outbound, "url", "https://a.example")],
        ),
    ];
    for (tool, arguments, want) in cases {
        let got = passages(tool, arguments);
        let got: Vec<(Role, &str, &str)> =
            got.iter().map(|(role, place, text)| (*role, &**place, &**text)).collect();
        assert_eq!(&got, want, "{tool}");
    }
}

#[test]
fn every_tool_says_its_class_and_publishes_its_schema() {
    let catalogue = catalogue();
    assert_eq!(catalogue.tools().count(), 21);
    for tool in catalogue.tools() {
        assert!(catalogue.schema(tool).is_some() && catalogue.classes(tool).is_some(), "{tool}");
    }
    assert_eq!(catalogue.classes("github_create_pr"), Some([Class::Write, Class::Network].as_slice()));
    assert_eq!(catalogue.schema("run_shell"), catalogue.schema("exec_shell"));
    assert!(catalogue.schema("other.read_text").is_none());
}

#[test]
fn who_names_another_program_than_the_lane_has_is_told_which_it_has() {
    let hint = |arguments: &str| outcome("exec_sandbox", arguments).unwrap_err().hint();
    for program in ["ls", "node", "/opt/python3", "pip"] {
        let hint = hint(&format!(r#"{{"language": "python", "argv": ["{program}", "-l"]}}"#)).unwrap();
        assert!(hint.contains("`python3`") && hint.contains("shell"), "{program}: {hint}");
    }
    assert_eq!(hint(r#"{"language": "python", "argv": [""]}"#), None);
    assert!(outcome("exec_sandbox", r#"{"language": "python", "argv": ["python3", "-V"]}"#).is_ok());
    assert!(outcome("exec_sandbox", r#"{"language": "python", "argv": ["sh", "-c", "ls"]}"#).is_ok());
}
