//! What holds for every policy and every call.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod house;

use call::Effect;
use decide::Policy;
use house::*;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

const PATHS: [&str; 10] =
    [".", "src", "src/a", "srcs", "docs/*.md", "**/.env*", "src/**", "**/b/**", "/data", "~/.ssh"];
const HOSTS: [&str; 6] =
    ["a.example", "*.example.org", "https://b.example", "c.example:8443", "127.0.0.1", "localhost:80"];
const FORBIDS: [&str; 6] = [
    "forbid (principal, action == Action::\"read\", resource) when { context.caller == \"agent\" };",
    "forbid (principal, action, resource) when { context.tool like \"write*\" };",
    "forbid (principal, action == Action::\"network\", resource) when { context.method == \"GET\" };",
    "forbid (principal in Skill::\"s\", action, resource);",
    "forbid (principal, action in [Action::\"write\", Action::\"delete\"], resource in Path::\"/w/src\");",
    "@approval(\"required\") forbid (principal, action == Action::\"read\", resource) unless { context.approved };",
];

fn lists() -> impl Strategy<Value = (Vec<&'static str>, Vec<&'static str>, Vec<&'static str>, bool, bool)> {
    let paths = || subsequence(PATHS.to_vec(), 0..5);
    (paths(), paths(), subsequence(HOSTS.to_vec(), 1..5), any::<bool>(), any::<bool>())
}

fn toml(list: &[&str]) -> String {
    format!("{list:?}")
}

fn home((write, deny, hosts, read_only, shell): &(Vec<&str>, Vec<&str>, Vec<&str>, bool, bool)) -> String {
    format!(
        "read_only = {read_only}\nallow_shell = {shell}\nwrite_paths = {}\ndeny = {}\n[network]\nenabled = true\nallowlist = {}\n",
        toml(write),
        toml(&deny.iter().copied().filter(|entry| !matches!(*entry, ".")).collect::<Vec<_>>()),
        toml(hosts)
    )
}

fn effects() -> impl Strategy<Value = (&'static str, Effect)> {
    let path = select(vec![
        "/w",
        "/w/src",
        "/w/src/a",
        "/w/src/a/b/c",
        "/w/srcs/x",
        "/w/docs/x.md",
        "/w/.env",
        "/data/x",
        "/elsewhere",
    ]);
    let url = select(vec![
        "https://a.example/",
        "http://a.example:81/",
        "https://x.example.org/",
        "https://b.example/",
        "http://c.example:8443/",
        "http://127.0.0.1/",
        "http://localhost/",
    ]);
    prop_oneof![
        path.clone().prop_map(|path| ("read_file", read(path))),
        path.clone().prop_map(|path| ("write_file", write(path))),
        path.prop_map(|path| ("delete_file", delete(path))),
        (select(vec!["GET", "POST"]), url).prop_map(|(method, url)| ("network_fetch", fetch(method, url))),
        Just(("exec_shell", shell("ls"))),
        Just(("exec_sandbox", python())),
        Just(("exec_sandbox", node())),
        Just(("status", Effect::Status)),
    ]
}

fn rank(said: &str) -> u8 {
    match said.split(' ').next() {
        Some("allow") => 2,
        Some("needs_approval") => 1,
        _ => 0,
    }
}

fn with(home: &str, cedar: &[&str]) -> Policy {
    let cedar = cedar.join("\n");
    let skill = manifest(
        "s",
        ALL_TOOLS,
        ALL_FILES,
        r#"{"enabled": true, "allowlist": ["a.example"], "denylist": []}"#,
    );
    policy(&[("policy.toml", home), ("skills/s/PERMISSIONS.json", &skill), ("policies/own.cedar", &cedar)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_more_forbid_never_loosens(
        lists in lists(),
        rules in subsequence(FORBIDS.to_vec(), 1..4),
        (tool, effect) in effects(),
        skill in select(vec!["", "s"]),
    ) {
        let home = home(&lists);
        let fewer = with(&home, &rules[1..]);
        let more = with(&home, &rules);
        let before = say(&fewer, tool, skill, vec![effect.clone()]);
        let after = say(&more, tool, skill, vec![effect]);
        prop_assert!(rank(&after) <= rank(&before), "{before} became {after}");
    }

    #[test]
    fn the_order_of_rules_does_not_matter(
        lists in lists(),
        rules in Just(FORBIDS.to_vec()).prop_shuffle(),
        (tool, effect) in effects(),
    ) {
        let (mut write, mut deny, mut hosts, read_only, shell) = lists;
        let one = with(&home(&(write.clone(), deny.clone(), hosts.clone(), read_only, shell)), &FORBIDS);
        write.reverse();
        deny.reverse();
        hosts.reverse();
        let other = with(&home(&(write, deny, hosts, read_only, shell)), &rules);
        let verdict = |policy| rank(&say(policy, tool, "s", vec![effect.clone()]));
        prop_assert_eq!(verdict(&one), verdict(&other));
    }

    #[test]
    fn the_strictest_effect_decides(lists in lists(), calls in prop::collection::vec(effects(), 1..4)) {
        let policy = with(&home(&lists), &[]);
        let alone = calls.iter().map(|(_, effect)| rank(&say(&policy, "status", "", vec![effect.clone()]))).min();
        let together = calls.iter().map(|(_, effect)| effect.clone()).collect();
        prop_assert_eq!(Some(rank(&say(&policy, "status", "", together))), alone);
    }

    #[test]
    fn a_chain_of_skills_has_what_each_allows(lists in lists(), (tool, effect) in effects()) {
        let home = home(&lists);
        let narrow = manifest("n", r#"{"allow": ["read_file", "status"], "deny": []}"#, r#"{"read_paths": ["src"], "write_paths": [], "deny_paths": ["src/a"]}"#, NO_NETWORK);
        let wide = manifest("s", ALL_TOOLS, ALL_FILES, r#"{"enabled": true, "allowlist": ["a.example"], "denylist": []}"#);
        let policy = policy(&[("policy.toml", &home), ("skills/s/PERMISSIONS.json", &wide), ("skills/n/PERMISSIONS.json", &narrow)]);
        let said = |skills: &str| rank(&say(&policy, tool, skills, vec![effect.clone()]));
        let least = said("s").min(said("n"));
        prop_assert_eq!(said("s/n"), least);
        prop_assert_eq!(said("n/s"), least);
        prop_assert!(said("s") <= said(""), "a skill has more than the home");
    }
}

#[test]
fn what_is_unknown_is_never_allowed() {
    let policy = policy(&[("policy.toml", "read_only = false\n")]);
    assert_eq!(say(&policy, "read_file", "", vec![]), "deny unknown_effect");
    assert_eq!(say(&policy, "read_file", "nobody", vec![read("/w/a")]).split(' ').next(), Some("deny"));
    for bad in [
        "allow_everything = true",
        "read_only = \"no\"",
        "allowed_roots = \".\"",
        "[network]\nenabled = true",
        "[lanes]\nminimum = \"none\"",
        "[approvals]\nquorum = 0",
        "read_only = true\nread_only = false",
        "max_file_chars = 0",
        "max_file_chars = -1",
        "not toml at all",
        "deny = [\"a\", 1]",
    ] {
        let loaded = load(&[("policy.toml", bad)]);
        assert!(loaded.policy.is_none(), "{bad}");
        assert!(loaded.findings.iter().any(|found| found.finding.is_error()), "{bad}");
    }
    assert!(load(&[]).policy.is_none());
}
