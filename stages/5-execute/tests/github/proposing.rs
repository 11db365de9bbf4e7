//! Pull requests that are made, and branches that stay as they are.

use call::{Access, Content, RepositoryUse, Sha256};
use serde_json::{Value, json};

use crate::caller::{Caller, class};
use crate::server::Server;

fn wish(branch: &str, base: &str) -> Value {
    json!({
        "repo": "ada/engine", "branch": branch, "base": base, "title": "Fix it", "body": "Because ☕",
        "changes": [
            {"path": "README.md", "content": "hello, käse\n"},
            {"path": "tools/run.sh", "content": "#!/bin/sh\necho\n"},
            {"path": "tools/deep/er/new.bin", "content_base64": "AP8="},
            {"path": "old.txt", "delete": true},
        ],
    })
}

#[test]
fn a_pull_request_is_made_of_a_new_branch_with_one_commit() {
    for forgejo in [false, true] {
        let server = Server::start();
        let api = if forgejo { server.forgejo() } else { server.github() };
        let caller = Caller::new(&api, &["main", "release/*"]);
        let (main, develop) = (server.remote.head("main"), server.remote.head("develop"));
        let done = caller.call("github_create_pr", &wish("fix/käse #1", "main")).unwrap_err();
        assert_eq!(done.class(), "bad_request");
        let done = caller.call("github_create_pr", &wish("fix/käse#1", "main")).unwrap();
        assert!(done.untrusted);
        assert_eq!(done.artifacts, ["http://forge/ada/engine/pull/1"]);
        let Content::Data(data) = &done.content else { panic!("{done:?}") };
        let head = server.remote.head("fix/käse#1").unwrap();
        assert_eq!(data["commit"], json!(head));
        assert_eq!((server.remote.head("main"), server.remote.head("develop")), (main.clone(), develop));
        let listed = server.remote.git(
            &["-c", "core.quotePath=false", "ls-tree", "-r", "--format=%(objectmode) %(path)", &head],
            None,
        );
        assert_eq!(
            listed, "100644 README.md\n120000 link\n100644 tools/deep/er/new.bin\n100755 tools/run.sh",
            "{forgejo}"
        );
        assert_eq!(server.remote.git(&["show", &format!("{head}:README.md")], None), "hello, käse");
        assert_eq!(
            server.remote.git(&["log", "--format=%s %P", "-1", &head], None),
            format!("Fix it {}", main.unwrap())
        );
        let pulls = server.pulls();
        assert_eq!(pulls.len(), 1);
        assert_eq!((&pulls[0]["base"]["ref"], &pulls[0]["body"]), (&json!("main"), &json!("Because ☕")));
        let changing: Vec<String> = server
            .asked()
            .into_iter()
            .filter(|line| line.starts_with("PATCH") || line.starts_with("PUT"))
            .collect();
        assert_eq!(changing, Vec::<String>::new());
        assert!(!server.remote.refused());
    }
}

#[test]
fn no_protected_branch_is_written_to_under_any_name() {
    for forgejo in [false, true] {
        let server = Server::start();
        let api = if forgejo { server.forgejo() } else { server.github() };
        // The main branch is protected where no pattern says so too.
        let caller = Caller::new(&api, &["release/*", "develop"]);
        let before: Vec<_> =
            server.remote.branches().into_iter().map(|name| (server.remote.head(&name), name)).collect();
        for branch in [
            "main",
            "Main",
            "MAIN",
            "refs/heads/main",
            "heads/main",
            "develop",
            "Develop",
            "release/1",
            "RELEASE/2",
            "+main",
            "main:develop",
            "main~0",
            "refs/heads/release/1",
        ] {
            let answer = caller.call("github_create_pr", &wish(branch, "trunk"));
            assert!(
                matches!(class(&answer).as_str(), "branch_protected" | "bad_request"),
                "{branch}: {answer:?}"
            );
        }
        let answer = caller.call("github_create_pr", &wish("Fix", "fix"));
        assert_eq!(class(&answer), "branch_protected");
        let after: Vec<_> =
            server.remote.branches().into_iter().map(|name| (server.remote.head(&name), name)).collect();
        assert_eq!(before, after);
        assert!(!server.asked().iter().any(|line| !line.starts_with("GET")));
    }
}

#[test]
fn a_branch_that_exists_is_neither_moved_nor_deleted() {
    for forgejo in [false, true] {
        let server = Server::start();
        let api = if forgejo { server.forgejo() } else { server.github() };
        let caller = Caller::new(&api, &["main"]);
        let develop = server.remote.head("develop");
        assert_eq!(class(&caller.call("github_create_pr", &wish("develop", "main"))), "branch_exists");
        assert_eq!(server.remote.head("develop"), develop);
        // Somebody makes it between the look and the leap.
        let hidden = if forgejo {
            "GET /api/v1/repos/ada/engine/branches/develop"
        } else {
            "GET /api/v3/repos/ada/engine/git/ref/heads/develop"
        };
        server.answer_instead(hidden, 404, "", "{}");
        let answer = caller.call("github_create_pr", &wish("develop", "main"));
        assert!(matches!(class(&answer).as_str(), "conflict" | "rejected"), "{answer:?}");
        assert_eq!(server.remote.head("develop"), develop);
        assert!(server.pulls().is_empty());
    }
}

#[test]
fn only_what_was_decided_about_and_is_authorised_is_touched() {
    let server = Server::start();
    let caller = Caller::new(&server.github(), &["main"]);
    let mut other = wish("fix", "main");
    other["repo"] = "eve/engine".into();
    assert_eq!(class(&caller.call("github_create_pr", &other)), "repository_not_allowed");
    for tool in ["github_list_prs", "github_list_files"] {
        assert_eq!(class(&caller.call(tool, &json!({"repo": "ada/engine2"}))), "repository_not_allowed");
    }
    let decided = |branch: &str, base: &str, access| RepositoryUse {
        repository: "ada/engine".to_owned(),
        access,
        branch: Some(branch.to_owned()),
        base: Some(base.to_owned()),
        content: Sha256::of(b""),
    };
    for used in [
        decided("fix2", "main", Access::Write),
        decided("fix", "develop", Access::Write),
        decided("fix", "main", Access::Read),
    ] {
        let answer = caller.call_decided("github_create_pr", &wish("fix", "main"), used);
        assert_eq!(class(&answer), "unknown_effect");
    }
    assert_eq!(server.asked(), Vec::<String>::new());
}

#[test]
fn changes_that_cannot_be_are_told_before_anything_is_made() {
    for forgejo in [false, true] {
        let server = Server::start();
        let api = if forgejo { server.forgejo() } else { server.github() };
        let caller = Caller::new(&api, &["main"]);
        for (changes, expected) in [
            (json!([{"path": "missing.txt", "delete": true}]), "not_found"),
            (json!([{"path": "no/such.txt", "delete": true}]), "not_found"),
            (json!([{"path": "README.md/x", "content": "x"}]), "not_a_folder"),
            (json!([{"path": "link/x", "content": "x"}]), "not_a_folder"),
            (json!([{"path": "link", "content": "x"}]), "not_a_file"),
            (json!([{"path": "tools", "content": "x"}]), "not_a_file"),
            (json!([{"path": "../x", "content": "x"}]), "bad_request"),
            (json!([{"path": ".git/config", "content": "x"}]), "bad_request"),
            (json!([{"path": "a/.GIT/config", "content": "x"}]), "bad_request"),
            (json!([{"path": "/x", "content": "x"}]), "bad_request"),
            (json!([{"path": "x", "content": "x"}, {"path": "x", "delete": true}]), "bad_request"),
            (json!([{"path": "x", "content": "x", "delete": true}]), "bad_request"),
            (json!([{"path": "x", "content_base64": "?"}]), "bad_request"),
            (json!([{"path": "x"}]), "bad_request"),
            (json!([]), "bad_request"),
        ] {
            let mut wish = wish("fix", "main");
            wish["changes"] = changes.clone();
            assert_eq!(class(&caller.call("github_create_pr", &wish)), expected, "{changes}");
        }
        assert_eq!(class(&caller.call("github_create_pr", &wish("fix", "nowhere"))), "not_found");
        assert!(!server.asked().iter().any(|line| !line.starts_with("GET")), "{:?}", server.asked());
        // A link itself may go.
        let mut wish = wish("fix", "main");
        wish["changes"] = json!([{"path": "link", "delete": true}]);
        caller.call("github_create_pr", &wish).unwrap();
    }
    let server = Server::start();
    let mut wish = wish("fix", "main");
    wish["changes"] = json!([{"path": "README.md", "content": "hello\n"}]);
    let answer = Caller::new(&server.github(), &["main"]).call("github_create_pr", &wish);
    assert_eq!(class(&answer), "no_change");
    assert_eq!(server.remote.branches(), ["develop", "main"]);
}
