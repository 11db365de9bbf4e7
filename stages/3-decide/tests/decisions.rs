//! What policy says to calls, one row a sentence.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod house;

use call::{Access, CallContext, Contraband, Effect, Effects, Family, Objection, Span, Weight};
use decide::{Deciding, decide};
use house::*;

const OPEN: &str = r#"
read_only = false
allow_shell = true
approval_required = ["delete_file", "run_shell"]
write_paths = ["src", "docs/*.md"]
deny = ["**/.env*", "**/.git/**", "~/.ssh", "/etc"]
allowed_roots = [".", "/data"]
[network]
enabled = true
allowlist = ["api.github.com", "*.example.org", "https://one.example:8443", "127.0.0.1:8080"]
denylist = ["bad.example.org"]
[databases.shop]
path = "shop.db"
read_only = false
write_tables = ["orders", "order log", "a.b"]
[databases.old]
path = "old.db"
[databases.far]
url = "postgres://h/d"
read_only = false
write_tables = ["Orders", "order log", "a.b", 'shop."a.b"']
[secrets]
allowed_scopes = ["ci"]
[secrets.ci]
provider = "env"
names = ["TOKEN"]
[github]
repositories = ["ada/engine"]
"#;

#[test]
fn a_line_for_a_shell_needs_a_person_whatever_the_lists_say() {
    let jail = "read_only = false\nallow_shell = true\napproval_required = []\n[lanes]\nwithout_approval = [\"monty\", \"jail\"]\n";
    let said = say(&policy(&[("policy.toml", jail)]), "exec_shell", "", vec![shell("ls")]);
    assert_eq!(said, "needs_approval approval_required");
}

/// The rule and the remedy of the one reason for which this is refused.
fn refused(tool: &str, skills: &str, effect: Effect, objections: &[Objection]) -> (String, String) {
    let network = r#"{"enabled": true, "allowlist": ["a.example.org"], "denylist": []}"#;
    let files = r#"{"read_paths": ["src"], "write_paths": ["src/gen"], "deny_paths": []}"#;
    let narrow = manifest("narrow", r#"{"allow": ["*"], "deny": []}"#, files, network);
    let policy = policy(&[("policy.toml", OPEN), ("skills/narrow/PERMISSIONS.json", &narrow)]);
    let (tool, actor) = (tool.parse().unwrap(), actor(skills, CallContext::Agent));
    let (effects, now) = (Effects::new(vec![effect]), "2026-11-16T10:00:00Z".parse().unwrap());
    let call = Deciding { tool: &tool, actor: &actor, effects: &effects, objections, now };
    let ruled = decide(&policy, &call);
    let reasons: &[call::Reason; 1] = ruled.ruling.reasons().try_into().unwrap();
    let [reason] = reasons;
    (reason.rule.clone().unwrap_or_default(), reason.remedy.clone().unwrap_or_default())
}

#[test]
fn a_refusal_that_no_rule_spoke_names_the_list_and_who_may_add_to_it() {
    let cases = [
        // tool, skill, effect -> rule, part of the remedy
        ("read_file", "", read("/elsewhere"), "policy.toml#allowed_roots", "`.`, `/data`"),
        ("write_file", "", write("/w/README"), "policy.toml#write_paths", "`src`, `docs/*.md`"),
        (
            "network_fetch",
            "",
            fetch("GET", "https://x.example/"),
            "policy.toml#network.allowlist",
            "`api.github.com`",
        ),
        (
            "read_file",
            "narrow",
            read("/w/README"),
            "skills/narrow/PERMISSIONS.json#filesystem.read_paths",
            "`src`",
        ),
        (
            "network_fetch",
            "narrow",
            fetch("GET", "https://b.example.org/"),
            "skills/narrow/PERMISSIONS.json#network.allowlist",
            "`a.example.org`",
        ),
        ("query_db", "", query(Access::Read, "none", &["t"]), "policy.toml#databases", "far, old, shop"),
    ];
    for (tool, skills, effect, rule, remedy) in cases {
        let (named, said) = refused(tool, skills, effect, &[]);
        assert_eq!(named, rule);
        assert!(said.contains(remedy) && said.contains("whoever owns"), "{rule}: {said}");
    }
    // What is always blocked is no rule of the policy, and nothing of a deny list is told.
    let found = Contraband { span: Span::new(0, 1), family: Family::Injection, kind: "piped_download" };
    let objection = Objection { argument: "command".to_owned(), found, weight: Weight::Refuse };
    let (named, _) = refused("read_file", "", read("/w/a"), &[objection]);
    assert_eq!(named, "toolgate#always_blocked.shell_injection");
    let (named, said) = refused("read_file", "", read("/w/.env"), &[]);
    assert!(named.starts_with("policy.toml#deny[") && !said.contains(".env"), "{named}: {said}");
}

#[test]
fn the_defaults_deny_writes_shell_network_and_secrets() {
    let policy = policy(&[("policy.toml", "read_only = true\n")]);
    let cases = [
        ("read_file", read("/w/a"), "allow"),
        ("read_file", read("/elsewhere"), "deny path_outside_allowed_roots"),
        ("write_file", write("/w/a"), "deny write_blocked_read_only"),
        ("delete_file", delete("/w/a"), "deny write_blocked_read_only"),
        ("exec_shell", shell("ls"), "deny shell_blocked"),
        ("network_fetch", fetch("GET", "https://example.org/"), "deny network_disabled"),
        ("secrets_get", secret("ci"), "deny secret_context_denied"),
        ("exec_sandbox", python(), "allow"),
        ("exec_sandbox", node(), "needs_approval approval_required"),
        ("status", Effect::Status, "allow"),
        ("query_db", query(Access::Read, "shop", &["t"]), "deny database_not_allowed"),
        ("x", Effect::Unknown { why: "?".to_owned() }, "deny unknown_effect"),
    ];
    for (tool, effect, want) in cases {
        assert_eq!(say(&policy, tool, "", vec![effect.clone()]), want, "{tool} {effect:?}");
    }
}

#[test]
fn an_open_policy_allows_what_it_lists_and_nothing_more() {
    let policy = policy(&[("policy.toml", OPEN)]);
    let cases = [
        ("read_file", read("/data/x"), "allow"),
        ("read_file", read("/database/x"), "deny path_outside_allowed_roots"),
        ("read_file", read("/w/.env"), "deny path_denied"),
        ("read_file", read("/w/deep/.env.local/key"), "deny path_denied"),
        ("read_file", read("/data/.env"), "deny path_denied"),
        ("read_file", read("/w/.git"), "deny path_denied"),
        ("read_file", read("/w/.git/config"), "deny path_denied"),
        ("read_file", read("/w/.github/x"), "allow"),
        ("read_file", read("/w/environment"), "allow"),
        ("write_file", write("/w/src/a/b"), "allow"),
        ("write_file", write("/w/srcs/a"), "deny path_not_allowed"),
        ("write_file", write("/w/docs/a.md"), "allow"),
        ("write_file", write("/w/docs/a/b.md"), "deny path_not_allowed"),
        ("write_file", write("/data/x"), "deny path_not_allowed"),
        ("delete_file", delete("/w/src/a"), "needs_approval approval_required"),
        ("delete_file", delete("/w/src/.env"), "deny path_denied"),
        ("exec_shell", shell("ls"), "needs_approval approval_required"),
        ("network_fetch", fetch("GET", "https://api.github.com/x"), "allow"),
        ("network_fetch", fetch("POST", "https://api.github.com/x"), "allow"),
        ("network_fetch", fetch("GET", "https://api.github.com:444/x"), "deny domain_not_allowed"),
        ("network_fetch", fetch("GET", "https://api.github.com.evil.example/x"), "deny domain_not_allowed"),
        ("network_fetch", fetch("GET", "https://example.org/"), "deny domain_not_allowed"),
        ("network_fetch", fetch("GET", "https://a.b.example.org/"), "allow"),
        ("network_fetch", fetch("GET", "https://bad.example.org/"), "deny domain_denied"),
        ("network_fetch", fetch("GET", "https://one.example:8443/"), "allow"),
        ("network_fetch", fetch("GET", "http://one.example:8443/"), "deny domain_not_allowed"),
        ("network_fetch", fetch("GET", "http://127.0.0.1:8080/"), "allow"),
        ("network_fetch", fetch("GET", "http://127.0.0.1:8081/"), "deny private_address"),
        ("network_fetch", fetch("GET", "http://169.254.169.254/"), "deny private_address"),
        ("network_fetch", fetch("GET", "http://[::ffff:127.0.0.1]:8080/"), "deny private_address"),
        ("network_fetch", fetch("GET", "http://localhost:8080/"), "deny private_address"),
        ("query_db", query(Access::Read, "shop", &["orders", "users"]), "allow"),
        ("query_db", query(Access::Read, "shop", &[]), "allow"),
        ("execute_db", query(Access::Write, "shop", &["Orders"]), "deny table_not_allowed"),
        ("execute_db", query(Access::Write, "shop", &[r#""order log""#]), "needs_approval approval_required"),
        ("execute_db", query(Access::Write, "shop", &[r#""a.b""#]), "needs_approval approval_required"),
        ("execute_db", query(Access::Write, "shop", &["a.b"]), "deny table_not_allowed"),
        ("execute_db", query(Access::Write, "shop", &["order log"]), "deny table_not_allowed"),
        ("execute_db", query(Access::Write, "far", &["Orders"]), "needs_approval approval_required"),
        ("execute_db", query(Access::Write, "far", &["orders"]), "deny table_not_allowed"),
        ("execute_db", query(Access::Write, "far", &[r#""order log""#]), "needs_approval approval_required"),
        ("execute_db", query(Access::Write, "far", &["a.b"]), "needs_approval approval_required"),
        ("execute_db", query(Access::Write, "far", &[r#""a.b""#]), "deny table_not_allowed"),
        ("execute_db", query(Access::Write, "far", &[r#"shop."a.b""#]), "needs_approval approval_required"),
        ("execute_db", query(Access::Write, "shop", &["orders", "users"]), "deny table_not_allowed"),
        ("execute_db", query(Access::Write, "old", &["orders"]), "deny write_blocked_read_only"),
    ];
    for (tool, effect, want) in cases {
        assert_eq!(say(&policy, tool, "", vec![effect.clone()]), want, "{tool} {effect:?}");
    }
    let secret = |scope, context| say_in(&policy, "secrets_get", "", context, vec![secret(scope)]);
    assert_eq!(secret("ci", CallContext::Operator), "allow");
    assert_eq!(secret("other", CallContext::Operator), "deny secret_scope_denied");
    assert_eq!(secret("ci", CallContext::Webhook), "deny secret_context_denied");
}

#[test]
fn a_skill_has_only_what_it_and_the_home_both_allow() {
    let files =
        r#"{"read_paths": ["src", "docs"], "write_paths": ["src/gen"], "deny_paths": ["src/secret"]}"#;
    let tools = r#"{"allow": ["read_file", "write_file", "network_fetch"], "deny": ["delete_file"]}"#;
    let network = r#"{"enabled": true, "allowlist": ["a.example.org"], "denylist": []}"#;
    let narrow = manifest("narrow", tools, files, network);
    let wide = manifest(
        "wide",
        ALL_TOOLS,
        ALL_FILES,
        r#"{"enabled": true, "allowlist": ["evil.example"], "denylist": []}"#,
    );
    let policy = policy(&[
        ("policy.toml", OPEN),
        ("skills/narrow/PERMISSIONS.json", &narrow),
        ("skills/wide/PERMISSIONS.json", &wide),
    ]);
    let cases = [
        ("read_file", "narrow", read("/w/src/a"), "allow"),
        ("read_file", "narrow", read("/w/README.md"), "deny path_not_allowed"),
        ("read_file", "narrow", read("/w/src/secret/a"), "deny path_denied"),
        ("read_file", "narrow", read("/w/src/.env"), "deny path_denied"),
        ("write_file", "narrow", write("/w/src/gen/a"), "allow"),
        ("write_file", "narrow", write("/w/src/a"), "deny path_not_allowed"),
        ("delete_file", "narrow", delete("/w/src/gen/a"), "deny tool_denied"),
        ("search_files", "narrow", read("/w/src/a"), "deny tool_denied"),
        ("network_fetch", "narrow", fetch("GET", "https://a.example.org/"), "allow"),
        ("network_fetch", "narrow", fetch("GET", "https://b.example.org/"), "deny domain_not_allowed"),
        ("network_fetch", "wide", fetch("GET", "https://evil.example/"), "deny domain_not_allowed"),
        ("read_file", "wide", read("/w/README.md"), "allow"),
        ("read_file", "wide", read("/data/x"), "deny path_not_allowed"),
        ("read_file", "wide/narrow", read("/w/README.md"), "deny path_not_allowed"),
        ("read_file", "narrow/wide", read("/w/README.md"), "deny path_not_allowed"),
        ("read_file", "narrow/wide", read("/w/src/a"), "allow"),
        ("read_file", "missing", read("/w/src/a"), "deny no_permissions_defined"),
    ];
    for (tool, skills, effect, want) in cases {
        assert_eq!(say(&policy, tool, skills, vec![effect.clone()]), want, "{tool} {skills} {effect:?}");
    }
}

#[test]
fn what_to_do_about_an_unknown_effect_is_what_whoever_did_not_know_it_says() {
    for (why, remedy) in [
        ("the statement does not parse; write plain SQL", "write plain SQL"),
        ("`a; b` is no function; it may load code; leave it out", "leave it out"),
        ("nothing says what this does", "say it in a way the gate understands"),
    ] {
        let effect = Effect::Unknown { why: why.to_owned() };
        assert_eq!(refused("query_db", "", effect, &[]).1, remedy, "{why}");
    }
}
