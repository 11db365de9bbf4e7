//! The tools that look, and the one that comments.

use call::Content;
use serde_json::{Value, json};

use crate::caller::{Caller, class};
use crate::server::Server;

fn data(caller: &Caller, tool: &str, arguments: &Value) -> Value {
    let done = caller.call(tool, arguments).unwrap();
    assert!(done.untrusted);
    match done.content {
        Content::Data(data) => data,
        Content::Nothing | Content::Text(_) => panic!("no data"),
    }
}

fn with_two_pulls(forgejo: bool) -> (Server, Caller) {
    let server = Server::start();
    let api = if forgejo { server.forgejo() } else { server.github() };
    let caller = Caller::new(&api, &["main"]);
    for (branch, base) in [("one", "main"), ("two", "develop")] {
        let wish = json!({
            "repo": "ada/engine", "branch": branch, "base": base, "title": branch, "body": "text",
            "changes": [{"path": "new.txt", "content": "x"}],
        });
        caller.call("github_create_pr", &wish).unwrap();
    }
    (server, caller)
}

#[test]
fn pull_requests_are_listed_and_shown() {
    for forgejo in [false, true] {
        let (_server, caller) = with_two_pulls(forgejo);
        let list =
            data(&caller, "github_list_prs", &json!({"repo": "ada/engine", "state": "all", "limit": 2}));
        assert_eq!((list["pull_requests"].as_array().unwrap().len(), &list["more"]), (2, &json!(true)));
        let list = data(&caller, "github_list_prs", &json!({"repo": "ada/engine", "base": "develop"}));
        assert_eq!(
            (&list["pull_requests"][0]["title"], &list["pull_requests"][1]),
            (&json!("two"), &Value::Null)
        );
        let pull = data(&caller, "github_get_pr", &json!({"repo": "ada/engine", "number": 2}));
        assert_eq!(
            (&pull["author"], &pull["body"], &pull["head"]["branch"]),
            (&json!("agent"), &json!("text"), &json!("two"))
        );
        assert_eq!(pull.get("node_id"), None);
        assert_eq!(
            class(&caller.call("github_get_pr", &json!({"repo": "ada/engine", "number": 3}))),
            "not_found"
        );
    }
}

#[test]
fn files_of_pull_requests_and_folders_are_listed_to_the_end() {
    for (forgejo, n_files) in [(false, 107), (true, 60)] {
        let (_server, caller) = with_two_pulls(forgejo);
        let files = data(&caller, "github_list_files", &json!({"repo": "ada/engine", "number": 1}));
        assert_eq!((files["files"].as_array().unwrap().len(), &files["truncated"]), (n_files, &json!(false)));
        let files = data(
            &caller,
            "github_list_files",
            &json!({"repo": "ada/engine", "path": "tools", "ref": "main"}),
        );
        assert_eq!(
            files,
            json!({"files": [{"path": "tools/run.sh", "type": "file", "size": 10, "sha": "1"}]})
        );
        let answer = caller.call("github_list_files", &json!({"repo": "ada/engine", "path": "nowhere"}));
        assert_eq!(class(&answer), "not_found");
    }
}

#[test]
fn a_comment_goes_to_a_pull_request_and_to_nothing_else() {
    for forgejo in [false, true] {
        let (server, caller) = with_two_pulls(forgejo);
        let done = data(
            &caller,
            "github_add_comment",
            &json!({"repo": "ada/engine", "number": 1, "body": "good ☕"}),
        );
        assert_eq!(done, json!({"id": 5, "url": "http://forge/c/5"}));
        assert_eq!(server.comments(), [(1, "good ☕".to_owned())]);
        let answer =
            caller.call("github_add_comment", &json!({"repo": "ada/engine", "number": 9, "body": "x"}));
        assert_eq!(class(&answer), "not_found");
        assert_eq!(server.comments().len(), 1);
    }
}
