//! Refusals that are remembered, so that nobody is asked the same again and again.

use std::collections::BTreeMap;

use call::{Moment, SessionId, Sha256};

/// What was refused, by session and by what it would have done.
///
/// Only the effects count: a refused call that is worded anew, or made under another name, is the same call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusals(BTreeMap<(SessionId, Sha256), Remembered>);

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Who said no.
    pub by: String,
    /// Why, in their words; may be empty.
    pub reason: String,
    /// When.
    pub at: Moment,
    /// From when on they may be asked again.
    pub until: Moment,
}

impl Refusals {
    /// Remembers a refusal. A later one takes the place of an earlier one.
    pub fn remember(&mut self, session: SessionId, effects: Sha256, refusal: Remembered) {
        self.0.insert((session, effects), refusal);
    }

    /// The refusal of these effects in this session, while it is remembered.
    #[must_use]
    pub fn of(&self, session: &SessionId, effects: Sha256, now: Moment) -> Option<&Remembered> {
        self.0.get(&(session.clone(), effects)).filter(|refusal| now < refusal.until)
    }

    /// Forgets what need not be remembered any more.
    pub fn forget_old(&mut self, now: Moment) {
        self.0.retain(|_, refusal| now < refusal.until);
    }

    /// How many are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use call::{Moment, SessionId, Sha256};

    use super::{Refusals, Remembered};

    #[test]
    fn a_refusal_is_remembered_for_its_session_and_its_effects_until_it_ends() {
        let moment = |text: &str| -> Moment { text.parse().unwrap() };
        let session = |text: &str| -> SessionId { text.parse().unwrap() };
        let refusal = Remembered {
            by: "ada@example.org".into(),
            reason: "not today".into(),
            at: moment("2026-11-18T10:00:00Z"),
            until: moment("2026-11-18T10:10:00Z"),
        };
        let mut refusals = Refusals::default();
        refusals.remember(session("s1"), Sha256::of(b"a"), refusal.clone());
        let cases = [
            ("s1", b"a", "2026-11-18T10:09:59Z", true),
            ("s1", b"a", "2026-11-18T10:10:00Z", false),
            ("s2", b"a", "2026-11-18T10:00:00Z", false),
            ("s1", b"b", "2026-11-18T10:00:00Z", false),
        ];
        for (name, effects, now, want) in cases {
            let found = refusals.of(&session(name), Sha256::of(effects), moment(now));
            assert_eq!(found, want.then_some(&refusal), "{name} {now}");
        }
        refusals.forget_old(moment("2026-11-18T10:10:00Z"));
        assert!(refusals.is_empty());
    }
}
