//! People with keys, a call, and answers to it.

#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses a part of it, and a test may panic")]

use std::collections::BTreeSet;

use approve::{
    Answer, Approval, Approvers, Asked, Binding, NAMESPACE, Proposal, Risk, Scope, Signed, Subject,
};
use call::{
    AbsolutePath, CallId, Change, Effect, Effects, Expected, FileKind, Located, Moment, PathPlace, RiskFlag,
    Sha256, Target, TargetState,
};
use ssh_key::private::Ed25519Keypair;
use ssh_key::{HashAlg, LineEnding, PrivateKey};

pub(crate) fn moment(text: &str) -> Moment {
    text.parse().unwrap()
}

/// Ten o'clock, so many seconds later.
pub(crate) fn at(seconds: u32) -> Moment {
    moment("2026-11-18T10:00:00Z").later_by(seconds)
}

pub(crate) fn path(text: &str) -> AbsolutePath {
    AbsolutePath::parse(text).unwrap()
}

pub(crate) fn located(text: &str) -> Located {
    Located::new(text.to_owned(), PathPlace::Below { path: path(text), kind: FileKind::File })
}

pub(crate) fn write(to: &str, content: &[u8]) -> Effect {
    let (sha256, bytes) = (Sha256::of(content), content.len() as u64);
    Effect::Write {
        path: located(to),
        change: Change::Content { sha256, bytes, binary: false, create_dirs: false },
    }
}

pub(crate) fn one(effect: Effect) -> Effects {
    Effects::new(vec![effect])
}

pub(crate) fn expected() -> Expected {
    let state = TargetState::File { sha256: Sha256::of(b"old"), bytes: 3 };
    Expected::new(vec![Target { path: path("/srv/app/a.txt"), state }])
}

pub(crate) fn binding() -> Binding {
    Binding::new(
        Subject::Call(CallId::new(moment("2026-11-18T09:59:00Z"), [7; 10])),
        "write_file".parse().unwrap(),
        &one(write("/srv/app/a.txt", b"new")),
        Sha256::of(b"policy"),
        Sha256::of(b"definition"),
        &expected(),
    )
}

/// Asked at ten, for half an hour.
pub(crate) fn asked() -> Asked {
    Asked {
        binding: binding(),
        risk: Risk::Medium,
        asked_by: vec!["robot".into()],
        at: at(0),
        expires: at(1_800),
    }
}

pub(crate) fn key(seed: u8) -> PrivateKey {
    PrivateKey::from(Ed25519Keypair::from_seed(&[seed; 32]))
}

pub(crate) fn public(seed: u8) -> String {
    key(seed).public_key().to_openssh().unwrap()
}

/// Ada, Bob and Eve, with one key each.
pub(crate) fn approvers() -> Approvers {
    let text = [("ada", 1), ("bob", 2), ("eve", 3)]
        .map(|(name, seed)| format!("{name}@example.org namespaces=\"{NAMESPACE}\" {}\n", public(seed)))
        .concat();
    Approvers::parse(&text).unwrap()
}

/// What this person says at this moment about the call.
pub(crate) fn approval(name: &str, when: Moment) -> Approval {
    Approval {
        answer: Answer::Approve,
        proposal: Proposal {
            action: "write".into(),
            target: vec!["/srv/app/a.txt".into()],
            summary: "-old\n+new\n".into(),
            purpose: "Update the file".into(),
            verification: "the file is read again and compared".into(),
        },
        expected: expected(),
        approver: name.parse().unwrap(),
        at: when,
        expires: when.later_by(600),
        reason: "looks right".into(),
        binding: binding(),
        scope: Scope::Once,
    }
}

pub(crate) fn sign_text(text: &[u8], seed: u8) -> String {
    key(seed).sign(NAMESPACE, HashAlg::Sha512, text).unwrap().to_pem(LineEnding::LF).unwrap()
}

pub(crate) fn signed(approval: &Approval, seed: u8) -> Signed {
    let text = approval.canonical();
    let signature = sign_text(&text, seed);
    Signed { text, signature }
}

pub(crate) fn flags(flags: &[RiskFlag]) -> BTreeSet<RiskFlag> {
    flags.iter().cloned().collect()
}
