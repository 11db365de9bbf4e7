//! The secrets that are known, and what is known by them about calls that wait.
//!
//! What the texts of a call carry follows from its words, the mappings of the policy and the secrets that are
//! known, and from nothing else. A call that waits is asked for again in the same words, mostly while the rest
//! is the same too, so it is kept for a while and looked for only once. Whoever finds another policy or other
//! secrets than there were looks again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use call::Objection;
use screen::KnownSecrets;

use crate::Incoming;
use crate::standing::Standing;

/// The secrets that are known by now, which turn up nowhere. Whoever guards the ledger and whoever looks
/// over results has the same knowledge.
#[derive(Debug, Default)]
pub struct Knowledge {
    known: RwLock<Arc<KnownSecrets>>,
    waiting: Mutex<VecDeque<Kept>>,
}

/// Calls that wait of which it is kept what they carry, and the most bytes that the arguments of one may have.
const MOST: usize = 32;
const LARGEST: usize = 128 * 1024;

/// What the texts of a call carry, and all that it follows from.
struct Kept {
    incoming: Incoming,
    standing: Weak<Standing>,
    known: Weak<KnownSecrets>,
    objections: Vec<Objection>,
}

/// Shows nothing of the call.
impl std::fmt::Debug for Kept {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Kept").finish_non_exhaustive()
    }
}

impl Knowledge {
    /// What is known now.
    #[must_use]
    pub fn now(&self) -> Arc<KnownSecrets> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Knows these as well from now on.
    pub fn learn(&self, more: &KnownSecrets) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        *known = Arc::new(known.with(more));
    }

    /// Keeps what was found in a call that waits from now on, by this policy and these secrets.
    pub(crate) fn keep_objections(
        &self,
        incoming: &Incoming,
        standing: &Arc<Standing>,
        known: &Arc<KnownSecrets>,
        objections: &[Objection],
    ) {
        if incoming.arguments.len() > LARGEST {
            return;
        }
        let kept = Kept {
            incoming: incoming.clone(),
            standing: Arc::downgrade(standing),
            known: Arc::downgrade(known),
            objections: objections.to_vec(),
        };
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.truncate(MOST - 1);
        waiting.push_front(kept);
    }

    /// What was found in these very words by this very policy and these very secrets, if that is kept.
    pub(crate) fn objections_to(
        &self,
        incoming: &Incoming,
        standing: &Arc<Standing>,
        known: &Arc<KnownSecrets>,
    ) -> Option<Vec<Objection>> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // The places are held, also when what was there is gone, so nothing else can have come there.
        let is_same = |kept: &&Kept| {
            kept.standing.as_ptr() == Arc::as_ptr(standing)
                && kept.known.as_ptr() == Arc::as_ptr(known)
                && kept.incoming == *incoming
        };
        waiting.iter().find(is_same).map(|kept| kept.objections.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use call::{CallContext, Contraband, Family, Objection, Reason, ReasonCode, Sha256, Span, Weight};
    use screen::KnownSecrets;

    use super::{Knowledge, LARGEST, MOST};
    use crate::{Incoming, Standing};

    fn incoming(arguments: &str) -> Incoming {
        Incoming {
            tool: "write_file".to_owned(),
            purpose: Some("note it".to_owned()),
            arguments: arguments.to_owned(),
            not_text: None,
            agent: "writer".to_owned(),
            session: "s1".to_owned(),
            skill: None,
            context: CallContext::Agent,
        }
    }

    fn standing() -> Arc<Standing> {
        let reason = Reason { code: ReasonCode::NO_POLICY, message: String::new(), rule: None, remedy: None };
        Arc::new(Standing::Closed { reason, policy: Sha256::of(b"") })
    }

    fn objections() -> Vec<Objection> {
        let found = Contraband { span: Span::new(0, 3), family: Family::Override, kind: "override" };
        vec![Objection { argument: "content".to_owned(), found, weight: Weight::Flag }]
    }

    #[test]
    fn what_was_found_holds_for_the_same_words_policy_and_secrets_alone() {
        let knowledge = Knowledge::default();
        let (words, policy, known) = (incoming("{}"), standing(), knowledge.now());
        assert_eq!(knowledge.objections_to(&words, &policy, &known), None);
        knowledge.keep_objections(&words, &policy, &known, &objections());
        assert_eq!(knowledge.objections_to(&words, &policy, &known), Some(objections()));

        let others = [
            incoming("{ }"),
            Incoming { purpose: None, ..words.clone() },
            Incoming { agent: "reader".to_owned(), ..words.clone() },
        ];
        for other in others {
            assert_eq!(knowledge.objections_to(&other, &policy, &known), None, "{other:?}");
        }
        assert_eq!(knowledge.objections_to(&words, &standing(), &known), None, "another policy");
        knowledge.learn(&KnownSecrets::new([("ci", "tk-9f8e7d6c5b4a3210")]));
        assert_eq!(knowledge.objections_to(&words, &policy, &knowledge.now()), None, "one more secret");
        drop((policy, known));
        // Others that come to be where those were are others.
        for _ in 0..100 {
            assert_eq!(knowledge.objections_to(&words, &standing(), &knowledge.now()), None);
        }
    }

    #[test]
    fn only_so_much_is_kept() {
        let knowledge = Knowledge::default();
        let (policy, known) = (standing(), knowledge.now());
        let words: Vec<Incoming> = (0..=MOST).map(|number| incoming(&number.to_string())).collect();
        for one in &words {
            knowledge.keep_objections(one, &policy, &known, &[]);
        }
        let kept = |one: &Incoming| knowledge.objections_to(one, &policy, &known).is_some();
        assert_eq!(words.iter().map(kept).filter(|kept| *kept).count(), MOST);
        assert!(!kept(&words[0]), "the oldest goes first");
        let large = incoming(&"x".repeat(LARGEST + 1));
        knowledge.keep_objections(&large, &policy, &known, &[]);
        assert!(!kept(&large));
    }
}
