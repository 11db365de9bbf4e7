//! What is proved about pairs of policies, with the real solver.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot be set up fails"
)]

use std::path::{Path, PathBuf};

use call::{AbsolutePath, Moment};
use decide::compare::compare;
use decide::{Ground, Policy, PolicyFiles};
use proof::{Direction, Inquiry, Proof, ProofError, prove};

/// A workspace that is nowhere on a disk.
struct Nowhere(AbsolutePath, AbsolutePath);

impl Ground for Nowhere {
    fn workspace(&self) -> &AbsolutePath {
        &self.0
    }

    fn user_home(&self) -> Option<&AbsolutePath> {
        Some(&self.1)
    }

    fn real(&self, path: &AbsolutePath) -> AbsolutePath {
        path.clone()
    }
}

fn ground() -> Nowhere {
    Nowhere(AbsolutePath::parse("/w").unwrap(), AbsolutePath::parse("/home/ada").unwrap())
}

fn policy(files: &[(&str, &str)]) -> Policy {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let loaded = Policy::load(&PolicyFiles(files.collect()), &ground());
    loaded.policy.unwrap_or_else(|| panic!("{:?}", loaded.findings))
}

fn home(text: &str) -> Policy {
    policy(&[("policy.toml", text)])
}

/// A home in which these paths may be written to.
fn writes(paths: &str) -> String {
    format!("read_only = false\nallowed_roots = [\"/a\"]\nwrite_paths = [{paths}]")
}

fn inquire(solver: &Path, old: &Policy, new: &Policy, now: Moment) -> Result<Proof, ProofError> {
    let known = compare(old, new, now);
    prove(solver, Inquiry { old, new, known: &known, now, out_of_time: &|| false })
}

fn proved(old: &Policy, new: &Policy) -> Proof {
    let now = Moment::from_civil((2026, 3, 1), (12, 0, 0)).unwrap();
    let solver = std::env::var_os("CVC5").map_or_else(|| PathBuf::from("cvc5"), PathBuf::from);
    inquire(&solver, old, new, now).unwrap()
}

/// What was added: the name that covers it, and the example.
fn added(proof: &Proof) -> Vec<(String, String)> {
    let added = proof.changes.iter().filter(|(_, change)| change.is_added());
    let shown = added.map(|(name, change)| (name.clone().unwrap_or_default(), change.probe.example.clone()));
    shown.collect()
}

#[test]
fn a_narrower_policy_is_proved_to_add_nothing() {
    let pairs = [
        // wide, narrow: the second allows nothing that the first does not
        ("allowed_roots = [\"/a\"]", "allowed_roots = [\"/a/b\"]"),
        (&writes("\"/a/**\""), &writes("\"/a/*.rs\", \"/a/b/c\"")),
        (&writes("\"/a/[a-f]*/**\""), &writes("\"/a/{b,cd}/*.md\"")),
        ("allowed_roots = [\"/a\"]\ndeny = []", "allowed_roots = [\"/a\"]\ndeny = [\"/a/b\"]"),
        ("allowed_roots = [\"/a\"]\ndeny = []", "allowed_roots = [\"/a\"]"),
        (
            "allowed_roots = [\"/a\"]\ndeny = [\"/a/b\"]",
            "allowed_roots = [\"/a\"]\ndeny = [\"/a/b\", \"**/*.key\"]",
        ),
        ("allowed_roots = [\"/a\"]\ndeny = [\"**/.ssh\"]", "allowed_roots = [\"/a\"]\ndeny = [\"**/.ssh*\"]"),
        (
            "read_only = false\nallowed_roots = [\"/a\"]\nwrite_paths = [\"/a\"]",
            "read_only = true\nallowed_roots = [\"/a\"]\nwrite_paths = [\"/a\"]",
        ),
        (
            "[network]\nenabled = true\nallowlist = [\"*.example.org\"]",
            "[network]\nenabled = true\nallowlist = [\"api.example.org\", \"https://a.b.example.org\"]",
        ),
        ("[lanes]\nwithout_approval = [\"monty\", \"jail\"]", "[lanes]\nwithout_approval = [\"monty\"]"),
    ];
    for (wide, narrow) in pairs {
        let proof = proved(&home(wide), &home(narrow));
        let open = proof.open.iter().filter(|open| open.direction == Direction::Added);
        assert_eq!((added(&proof), open.count()), (Vec::new(), 0), "{narrow}: {:?}", proof.open);
        assert!(proof.asked > 0, "{narrow}");
        let back = proved(&home(narrow), &home(wide));
        assert!(!added(&back).is_empty(), "{narrow}: {:?}", back.open);
    }
}

#[test]
fn two_ways_of_writing_a_policy_are_proved_equal() {
    let pairs = [
        (writes("\"/a\""), writes("\"/a/**\"")),
        (writes("\"/a/b\", \"/a/c\""), writes("\"/a/{b,c}/**\"")),
        (writes("\"/a\", \"/a/b\""), writes("\"/a\"")),
    ];
    for (one, other) in pairs {
        let proof = proved(&home(&one), &home(&other));
        assert!(proof.asked > 0 && proof.changes.is_empty() && proof.open.is_empty(), "{other}: {proof:?}");
    }
}

#[test]
fn what_is_added_is_shown_by_a_call() {
    let cases = [
        // old, new, a name that covers it, a part of the call that shows it
        ("allowed_roots = [\"/a\"]", "allowed_roots = [\"/a\", \"/b/c\"]", "Path::\"/b/c\"", "/b/c"),
        (&writes("\"/a/*.rs\""), &writes("\"/a/*.r?\""), "Glob::\"/a/*.r?\"", "write_file"),
        ("allowed_roots = [\"/a\"]\ndeny = [\"/a/b\"]", "allowed_roots = [\"/a\"]", "Path::\"/a/b\"", "/a/b"),
        ("allow_shell = false", "allow_shell = true", "", "exec_shell"),
        (
            "[network]\nenabled = true\nallowlist = [\"a.example\"]",
            "[network]\nenabled = true\nallowlist = [\"a.example\", \"a.example:8443\"]",
            "Host::\"a.example:8443\"",
            "a.example:8443",
        ),
    ];
    for (old, new, name, part) in cases {
        let proof = proved(&home(old), &home(new));
        let added = added(&proof);
        assert!(added.iter().any(|(within, call)| within == name && call.contains(part)), "{new}: {proof:?}");
    }
}

#[test]
fn what_only_the_largest_calls_may_do_is_not_overlooked() {
    let base = writes("\"/a\"");
    let conditions = ["context.bytes > 16500000", "context.binary && context.bytes > 13000000"];
    for condition in conditions {
        let text = format!(
            "@id(\"x\") forbid (principal, action == Action::\"write\", resource) when {{ {condition} }};"
        );
        let old = policy(&[("policy.toml", &base), ("policies/own.cedar", &text)]);
        let proof = proved(&old, &home(&base));
        let added = proof.open.iter().any(|open| open.direction == Direction::Added);
        assert!(added || proof.changes.iter().any(|(_, change)| change.is_added()), "{condition}: {proof:?}");
    }
}

#[test]
fn rules_of_the_organisation_are_proved_too() {
    let base = ("policy.toml", "allowed_roots = [\"/a\"]");
    let late = "@id(\"late\") forbid (principal, action == Action::\"read\", resource)\n\
                when { context.time > datetime(\"2027-01-01\") };";
    let later = "@id(\"late\") forbid (principal, action == Action::\"read\", resource)\n\
                 when { context.time > datetime(\"2028-01-01\") };";
    // Corner points are asked about today, and see no difference.
    let proof = proved(
        &policy(&[base, ("policies/time.cedar", late)]),
        &policy(&[base, ("policies/time.cedar", later)]),
    );
    let open = proof.open.iter().filter(|open| open.direction == Direction::Added);
    assert_eq!(open.count(), 1, "{proof:?}");
    let back = proved(
        &policy(&[base, ("policies/time.cedar", later)]),
        &policy(&[base, ("policies/time.cedar", late)]),
    );
    assert!(back.open.iter().all(|open| open.direction == Direction::Removed), "{back:?}");
}

#[test]
fn equal_policies_ask_nothing() {
    let text = "allowed_roots = [\"/a\"]\ndeny = [\"/a/b\"]";
    let proof = proved(&home(text), &home(text));
    assert_eq!((proof.asked, proof.changes.len(), proof.open.len()), (0, 0, 0));
}

#[test]
fn without_a_solver_nothing_is_proved() {
    let (old, new) = (home("allowed_roots = [\"/a\"]"), home("allowed_roots = [\"/b\"]"));
    let now = Moment::from_civil((2026, 3, 1), (12, 0, 0)).unwrap();
    let missing = PathBuf::from("/nowhere/cvc5");
    let error = inquire(&missing, &old, &new, now).unwrap_err();
    assert!(error.to_string().contains("/nowhere/cvc5"), "{error}");
    // A program that is no solver is no proof either.
    let proof = inquire(&PathBuf::from("/bin/true"), &old, &new, now).unwrap();
    assert!(!proof.open.is_empty(), "{proof:?}");
}
