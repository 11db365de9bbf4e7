//! Handles: texts that stand for a credential without holding it.
//!
//! `tgh1:header:1770653101:<hash>:deploy:api/token` says what it is for, until when, and which credential. The
//! hash is made with a key that only gates of one home have, over all of that and over the session, so that a
//! handle can be shown to anybody: it works for one session, one use, and for a while.

use call::{Fault, Moment, SecretUse, SessionId, Sha256};

/// What a handle is good for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant<'a> {
    pub(super) session: &'a SessionId,
    pub(super) scope: &'a str,
    pub(super) name: &'a str,
    pub(super) reveal: SecretUse,
    pub(super) expires: Moment,
}

/// What every handle begins with.
const FORM: &str = call::HANDLE_FORM;

/// The longest handle.
const LONGEST: usize = 384;

/// Seconds since 1970, which is as fine as a handle tells time.
fn seconds(moment: Moment) -> u64 {
    moment.milliseconds() / 1_000
}

/// The spelling of a use.
pub(super) const fn word(reveal: SecretUse) -> &'static str {
    match reveal {
        SecretUse::Header => "header",
        SecretUse::Env => "env",
        SecretUse::File => "file",
    }
}

pub(super) fn make(key: &[u8; 32], grant: &Grant<'_>) -> String {
    let (reveal, expires) = (word(grant.reveal), seconds(grant.expires));
    let hash = hash(key, grant.session, reveal, expires, grant.scope, grant.name);
    // A handle may hold no slash, and no name holds a colon.
    format!("{FORM}:{reveal}:{expires}:{hash}:{}:{}", grant.scope, grant.name.replace('/', ":"))
}

/// Scope and name of the credential that a handle stands for, if it is one for this session and use, now.
pub(super) fn read(
    key: &[u8; 32],
    handle: &str,
    session: &SessionId,
    reveal: SecretUse,
    now: Moment,
) -> Result<(String, String), Fault> {
    let bad = || Fault::Failed {
        class: "bad_handle",
        message: "this is not a handle that `secrets_get` gave to this session".to_owned(),
        remedy: Some("ask `secrets_get` for one, in this session".to_owned()),
    };
    if handle.len() > LONGEST {
        return Err(bad());
    }
    let mut parts = handle.splitn(6, ':');
    let mut part = || parts.next().ok_or_else(bad);
    let (form, made_for, expires, given) = (part()?, part()?, part()?, part()?);
    let (scope, name) = (part()?, part()?.replace(':', "/"));
    let expires = expires.parse::<u64>().ok().filter(|number| number.to_string() == expires);
    let (Some(expires), Ok(given)) = (expires, given.parse::<Sha256>()) else { return Err(bad()) };
    let hash = hash(key, session, made_for, expires, scope, &name);
    if form != FORM || !is_same(&hash, &given) {
        return Err(bad());
    }
    if made_for != word(reveal) {
        return Err(Fault::Failed {
            class: "bad_handle",
            message: format!("this handle is for use as {made_for}, not as {}", word(reveal)),
            remedy: Some(format!("ask `secrets_get` for one with `use` `{}`", word(reveal))),
        });
    }
    if expires <= seconds(now) {
        return Err(Fault::Failed {
            class: "handle_expired",
            message: "this handle has expired".to_owned(),
            remedy: Some("ask `secrets_get` for another".to_owned()),
        });
    }
    Ok((scope.to_owned(), name))
}

/// The hash over everything that a handle is bound to. Lengths stand between the parts, so that no two
/// handles are bound by the same bytes.
fn hash(key: &[u8; 32], session: &SessionId, reveal: &str, expires: u64, scope: &str, name: &str) -> Sha256 {
    let expires = expires.to_string();
    let mut bytes = b"toolgate secret handle 1\n".to_vec();
    for part in [session.as_str(), reveal, &expires, scope, name] {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    Sha256::keyed(key, &bytes)
}

/// Compares without telling by its time how much is the same.
fn is_same(one: &Sha256, other: &Sha256) -> bool {
    one.as_bytes().iter().zip(other.as_bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}
