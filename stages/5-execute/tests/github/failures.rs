//! What forges say when they say no, and what stands afterwards.

use std::sync::atomic::Ordering;

use call::Fault;
use serde_json::{Value, json};

use crate::caller::{Caller, class};
use crate::server::Server;

fn wish() -> Value {
    json!({
        "repo": "ada/engine", "branch": "fix", "base": "main", "title": "t", "body": "b",
        "changes": [{"path": "x.txt", "content": "x"}, {"path": "y.bin", "content_base64": "AP8="}],
    })
}

#[test]
fn every_refusal_has_a_class_and_never_the_credential() {
    for (status, headers, body, expected) in [
        (401, "", r#"{"message": "Bad credentials tg-very-secret-value"}"#, "unauthorized"),
        (403, "", r#"{"message": "Resource not accessible by Bearer tg-very-secret-value"}"#, "forbidden"),
        (
            403,
            "x-ratelimit-remaining: 0\r\nx-ratelimit-reset: 1770000000\r\n",
            r#"{"message": "API rate limit exceeded"}"#,
            "rate_limited",
        ),
        (
            403,
            "retry-after: 60\r\n",
            r#"{"message": "You have exceeded a secondary rate limit"}"#,
            "rate_limited",
        ),
        (429, "", "", "rate_limited"),
        (404, "", r#"{"message": "Not Found"}"#, "not_found"),
        (409, "", r#"{"message": "Git Repository is empty."}"#, "conflict"),
        (
            422,
            "",
            r#"{"message": "Validation Failed", "errors": [{"message": "a"}, "b", {"code": 1}]}"#,
            "rejected",
        ),
        (500, "", "<html>oops", "forge_error"),
        (
            301,
            "location: http://127.0.0.1:1/repositories/1\r\n",
            r#"{"message": "Moved Permanently"}"#,
            "moved",
        ),
        (307, "location: http://127.0.0.1:1/\r\n", "", "moved"),
        (200, "", "<html>a page to log in</html>", "forge_error"),
        (200, "", "[]", "forge_error"),
        (200, "", r#"{"full_name": "eve/engine", "default_branch": "main"}"#, "moved"),
        (0, "", "", "connection"),
    ] {
        let server = Server::start();
        server.answer_instead("GET /api/v3/repos/ada/engine", status, headers, body);
        let caller = Caller::new(&server.github(), &["main"]);
        let answer = caller.call("github_create_pr", &wish());
        assert_eq!(class(&answer), expected, "{status} {answer:?}");
        assert_eq!(server.remote.branches(), ["develop", "main"]);
    }
}

#[test]
fn the_words_of_the_forge_are_passed_on_in_one_line() {
    let server = Server::start();
    let body =
        r#"{"message": "Validation\nFailed", "errors": [{"message": "title is too long"}, "and more"]}"#;
    server.answer_instead("POST /api/v3/repos/ada/engine/pulls", 422, "", body);
    let fault = Caller::new(&server.github(), &["main"]).call("github_create_pr", &wish()).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "the forge does not take this (status 422): Validation Failed; title is too long; and more"
    );
}

#[test]
fn a_branch_whose_pull_request_fails_is_deleted_again() {
    for (forgejo, status) in [(false, 422), (false, 0), (true, 422), (true, 500)] {
        let server = Server::start();
        let api = if forgejo { server.forgejo() } else { server.github() };
        let version = if forgejo { "v1" } else { "v3" };
        server.answer_instead(&format!("POST /api/{version}/repos/ada/engine/pulls"), status, "", "{}");
        let answer = Caller::new(&api, &["main"]).call("github_create_pr", &wish());
        assert!(matches!(class(&answer).as_str(), "rejected" | "connection" | "forge_error"), "{answer:?}");
        assert_eq!(server.remote.branches(), ["develop", "main"]);
    }
}

#[test]
fn a_branch_whose_making_was_not_answered_is_deleted_again() {
    let server = Server::start();
    server.answer_instead("POST /api/v3/repos/ada/engine/git/refs", 1, "", "");
    let answer = Caller::new(&server.github(), &["main"]).call("github_create_pr", &wish());
    assert_eq!(class(&answer), "connection");
    assert_eq!(server.remote.branches(), ["develop", "main"]);
}

#[test]
fn a_branch_that_cannot_be_deleted_again_is_named() {
    let server = Server::start();
    server.answer_instead("POST /api/v3/repos/ada/engine/pulls", 403, "", "{}");
    server.answer_instead("DELETE", 403, "", "{}");
    let fault = Caller::new(&server.github(), &["main"]).call("github_create_pr", &wish()).unwrap_err();
    let head = server.remote.head("fix").unwrap();
    assert!(
        fault.to_string().contains(&format!("the branch `fix` at `{head}` was made and stands")),
        "{fault}"
    );
    assert_eq!(fault.class(), "forbidden");
}

#[test]
fn steps_that_fail_before_the_branch_leave_nothing() {
    for step in ["git/blobs", "git/trees", "git/commits", "git/refs"] {
        let server = Server::start();
        server.answer_instead(&format!("POST /api/v3/repos/ada/engine/{step}"), 500, "", "{}");
        let answer = Caller::new(&server.github(), &["main"]).call("github_create_pr", &wish());
        assert_eq!(class(&answer), "forge_error", "{step}");
        assert_eq!(server.remote.branches(), ["develop", "main"], "{step}");
    }
    let server = Server::start();
    server.answer_instead("POST /api/v1/repos/ada/engine/contents", 1, "", "");
    let fault = Caller::new(&server.forgejo(), &["main"]).call("github_create_pr", &wish()).unwrap_err();
    assert!(fault.to_string().contains("whether the branch `fix` was made is not known"), "{fault}");
}

#[test]
fn a_call_that_is_cancelled_half_way_takes_its_branch_away_again() {
    let server = Server::start();
    let mut caller = Caller::new(&server.github(), &["main"]);
    caller.cancel_after("/git/refs");
    assert!(matches!(caller.call("github_create_pr", &wish()), Err(Fault::Cancelled)));
    assert!(server.asked().iter().any(|line| line.starts_with("POST") && line.ends_with("/git/refs")));
    assert_eq!(server.remote.branches(), ["develop", "main"]);
    assert!(server.pulls().is_empty());
}

#[test]
fn a_call_that_nobody_wants_asks_nothing() {
    let server = Server::start();
    let caller = Caller::new(&server.github(), &["main"]);
    caller.cancelled.store(true, Ordering::Relaxed);
    assert!(matches!(caller.call("github_create_pr", &wish()), Err(Fault::Cancelled)));
    assert_eq!(server.asked(), Vec::<String>::new());
    for api in ["ftp://forge", "https://user:word@forge", "https://forge/api/v3?x=1", "nonsense"] {
        let answer = Caller::new(api, &[]).call("github_list_prs", &json!({"repo": "ada/engine"}));
        assert_eq!(class(&answer), "bad_forge_address");
    }
}
