//! Which session belongs to which token.
//!
//! A session is known by an id that travels in a header, and ids can be seen by others. So an id is worth
//! nothing without the token that began the session.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Sessions {
    most: usize,
    owners: Mutex<HashMap<String, Owner>>,
}

#[derive(Debug)]
struct Owner {
    token: String,
    used: Instant,
    /// When the protocol's library heard of it for the last time.
    heard: Instant,
}

impl Sessions {
    pub(crate) fn new(most: usize) -> Self {
        Self { most: most.max(1), owners: Mutex::new(HashMap::new()) }
    }

    /// Whether the session is one of this token's.
    pub(crate) fn belongs(&self, session: &str, token: &str, now: Instant) -> bool {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        match owners.get_mut(session) {
            Some(owner) if owner.token == token => {
                owner.used = now;
                true
            }
            Some(_) | None => false,
        }
    }

    /// Whether a request may pass by the protocol's library, which ends sessions that it does not hear of. One
    /// that may not is heard by it.
    pub(crate) fn may_pass(&self, session: &str, now: Instant, quiet: Duration) -> bool {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(owner) = owners.get_mut(session) else { return false };
        let may = now.saturating_duration_since(owner.heard) < quiet;
        if !may {
            owner.heard = now;
        }
        may
    }

    /// A session has begun. Comes back with one that must end for it, where the token has too many.
    pub(crate) fn begin(&self, session: String, token: &str, now: Instant) -> Option<String> {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        let of_token = || owners.iter().filter(|(_, owner)| owner.token == token);
        let oldest = of_token().min_by_key(|(_, owner)| owner.used).map(|(session, _)| session.clone());
        let ended = oldest.filter(|_| of_token().count() >= self.most);
        if let Some(ended) = &ended {
            owners.remove(ended);
        }
        owners.insert(session, Owner { token: token.to_owned(), used: now, heard: now });
        ended
    }

    /// The sessions of these tokens have ended. Comes back with them.
    pub(crate) fn end_of(&self, tokens: &[String]) -> Vec<String> {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = owners.extract_if(|_, owner| tokens.contains(&owner.token));
        ended.map(|(session, _)| session).collect()
    }

    /// A session has ended.
    pub(crate) fn end(&self, session: &str) {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Sessions;

    #[test]
    fn a_session_is_worth_nothing_without_its_token() {
        let (sessions, now) = (Sessions::new(2), Instant::now());
        assert_eq!(sessions.begin("one".into(), "a", now), None);
        assert!(sessions.belongs("one", "a", now));
        assert!(!sessions.belongs("one", "b", now));
        assert!(!sessions.belongs("two", "a", now));
        assert_eq!(sessions.begin("two".into(), "a", now + Duration::from_secs(1)), None);
        assert_eq!(sessions.begin("other".into(), "b", now), None);
        assert_eq!(sessions.begin("three".into(), "a", now + Duration::from_secs(2)), Some("one".into()));
        assert!(!sessions.belongs("one", "a", now));
        let (quiet, soon) = (Duration::from_secs(5), now + Duration::from_secs(6));
        assert!(!sessions.may_pass("two", soon, quiet), "the library must hear of it");
        assert!(sessions.may_pass("two", soon, quiet));
        assert!(!sessions.may_pass("nobodys", soon, quiet));
        assert_eq!(sessions.end_of(&["b".to_owned(), "nobody".to_owned()]), ["other"]);
        assert!(!sessions.belongs("other", "b", soon));
        assert!(sessions.belongs("two", "a", soon));
        sessions.end("two");
        assert!(!sessions.belongs("two", "a", now));
    }
}
