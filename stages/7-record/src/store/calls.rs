//! What the steps of a batch do to the calls that they are about.
//!
//! Pure: a keeper looks the calls of a batch up once, lets everybody's steps be held to here, and writes
//! once what became of them. The steps of one caller are taken together or not at all, and whoever comes
//! later in the batch meets the calls as those before have left them.

use std::collections::{BTreeMap, BTreeSet};

use call::CallId;

use super::{Draft, LARGEST_ENTRY, Misstep, Step};

/// How a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing was ever written about it.
    New,
    /// It is open, and a gate is at work on it.
    Worked {
        /// It is the gate that writes.
        own: bool,
    },
    /// It is open, and nobody is at work on it.
    Waiting,
    /// It is over, or it never began: nothing but its first event would need to know which.
    NotOpen,
}

/// The calls of a batch.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// As they were found, and as they are now.
    known: BTreeMap<CallId, (Standing, Standing)>,
}

/// The calls that a batch is about, and those that it begins.
pub(super) fn concerned(bundles: &[Vec<Draft>]) -> (BTreeSet<CallId>, BTreeSet<CallId>) {
    let steps = || bundles.iter().flatten().map(|draft| draft.step);
    let opens = |step| matches!(step, Step::Opens(_));
    (
        steps().filter_map(Step::call).collect(),
        steps().filter(|&step| opens(step)).filter_map(Step::call).collect(),
    )
}

impl Calls {
    /// Notes how a call was found.
    pub(super) fn found(&mut self, call: CallId, standing: Standing) {
        self.known.insert(call, (standing, standing));
    }

    /// Takes the steps of one caller; none of them when one must not be taken.
    pub(super) fn take(&mut self, bundle: &[Draft]) -> Result<(), Misstep> {
        let mut before = Vec::new();
        for draft in bundle {
            let size = draft.leaf().len();
            let taken =
                if size > LARGEST_ENTRY { Err(Misstep::TooLarge(size)) } else { self.step(draft.step) };
            match taken {
                Ok(undo) => before.extend(undo),
                Err(misstep) => {
                    before.into_iter().rev().for_each(|(call, standing)| self.stands(call, standing));
                    return Err(misstep);
                }
            }
        }
        Ok(())
    }

    /// Takes one step, and says what the call was before.
    fn step(&mut self, step: Step) -> Result<Option<(CallId, Standing)>, Misstep> {
        let Some(call) = step.call() else { return Ok(None) };
        let before = self.known.get(&call).map_or(Standing::NotOpen, |(_, now)| *now);
        let now = match (step, before) {
            (Step::Opens(_), Standing::New) => Standing::Worked { own: true },
            (Step::Opens(_), Standing::Worked { .. } | Standing::Waiting | Standing::NotOpen) => {
                return Err(Misstep::Known(call));
            }
            (_, Standing::New | Standing::NotOpen) => return Err(Misstep::NotOpen(call)),
            (Step::Takes(_) | Step::Answers(_), Standing::Worked { .. }) => return Err(Misstep::Taken(call)),
            (Step::Answers(_), Standing::Waiting) => Standing::Waiting,
            (Step::Takes(_), Standing::Waiting) | (Step::Continues(_), _) => Standing::Worked { own: true },
            (Step::Waits(_), _) => Standing::Waiting,
            (Step::Ends(_), _) => Standing::NotOpen,
            (Step::Apart, _) => return Ok(None),
        };
        self.stands(call, now);
        Ok(Some((call, before)))
    }

    fn stands(&mut self, call: CallId, standing: Standing) {
        self.known.entry(call).or_insert((Standing::NotOpen, standing)).1 = standing;
    }

    /// Calls whose row is to be written: it is not there yet, or says something else. Each with whether it
    /// waits.
    pub(super) fn opened(&self) -> impl Iterator<Item = (CallId, bool)> {
        self.changed().filter_map(|(call, now)| match now {
            Standing::Worked { .. } => Some((call, false)),
            Standing::Waiting => Some((call, true)),
            Standing::New | Standing::NotOpen => None,
        })
    }

    /// Calls whose row is to go.
    pub(super) fn closed(&self) -> impl Iterator<Item = CallId> {
        let had_row = |before| matches!(before, Standing::Worked { .. } | Standing::Waiting);
        let is_over = |now| matches!(now, Standing::New | Standing::NotOpen);
        let gone = self.known.iter().filter(move |(_, (before, now))| had_row(*before) && is_over(*now));
        gone.map(|(call, _)| *call)
    }

    fn changed(&self) -> impl Iterator<Item = (CallId, Standing)> {
        self.known.iter().filter(|(_, (before, now))| before != now).map(|(call, (_, now))| (*call, *now))
    }
}

#[cfg(test)]
mod tests {
    use call::{CallId, Moment};

    use super::{Calls, Standing, concerned};
    use crate::store::{Draft, LARGEST_ENTRY, Misstep, Step};

    fn id() -> CallId {
        CallId::new(Moment::from_civil((2026, 3, 1), (12, 0, 0)).unwrap(), [1; 10])
    }

    fn bundle(steps: &[Step]) -> Vec<Draft> {
        steps.iter().map(|step| Draft::new(b"{}".to_vec(), *step, None)).collect()
    }

    #[test]
    fn a_step_is_taken_only_from_where_it_may_be() {
        let call = id();
        let (own, other) = (Standing::Worked { own: true }, Standing::Worked { own: false });
        let (known, not_open, taken) = (Misstep::Known(call), Misstep::NotOpen(call), Misstep::Taken(call));
        let standings = [Standing::New, own, other, Standing::Waiting, Standing::NotOpen];
        let rows = [
            // the step, and what comes of it from each standing
            (Step::Opens(call), [Ok(own), Err(known), Err(known), Err(known), Err(known)]),
            (Step::Continues(call), [Err(not_open), Ok(own), Ok(own), Ok(own), Err(not_open)]),
            (Step::Takes(call), [Err(not_open), Err(taken), Err(taken), Ok(own), Err(not_open)]),
            (
                Step::Answers(call),
                [Err(not_open), Err(taken), Err(taken), Ok(Standing::Waiting), Err(not_open)],
            ),
            (
                Step::Waits(call),
                [
                    Err(not_open),
                    Ok(Standing::Waiting),
                    Ok(Standing::Waiting),
                    Ok(Standing::Waiting),
                    Err(not_open),
                ],
            ),
            (
                Step::Ends(call),
                [
                    Err(not_open),
                    Ok(Standing::NotOpen),
                    Ok(Standing::NotOpen),
                    Ok(Standing::NotOpen),
                    Err(not_open),
                ],
            ),
        ];
        for (step, wanted) in rows {
            for (standing, want) in standings.into_iter().zip(wanted) {
                let mut calls = Calls::default();
                calls.found(call, standing);
                let got = calls.take(&bundle(&[step])).map(|()| calls.known[&call].1);
                assert_eq!(got, want, "{step:?} from {standing:?}");
            }
        }
    }

    #[test]
    fn the_steps_of_one_caller_are_taken_together_or_not_at_all() {
        let call = id();
        let mut calls = Calls::default();
        calls.found(call, Standing::New);
        let whole = [Step::Opens(call), Step::Waits(call), Step::Takes(call), Step::Ends(call)];
        let twice = [whole.as_slice(), &[Step::Opens(call)]].concat();
        assert_eq!(calls.take(&bundle(&twice)), Err(Misstep::Known(call)));
        let mut large = bundle(&whole);
        large.push(Draft::new(vec![b' '; LARGEST_ENTRY + 1], Step::Apart, None));
        assert_eq!(calls.take(&large), Err(Misstep::TooLarge(LARGEST_ENTRY + 1)));
        assert_eq!((calls.opened().count(), calls.closed().count()), (0, 0), "nothing is left of them");
        assert_eq!(calls.take(&bundle(&whole[..2])), Ok(()));
        assert_eq!(calls.opened().collect::<Vec<_>>(), [(call, true)]);
        assert_eq!(calls.take(&bundle(&whole[2..])), Ok(()));
        assert_eq!((calls.opened().count(), calls.closed().count()), (0, 0), "it came and went");
    }

    #[test]
    fn only_calls_that_a_batch_begins_are_looked_for_in_all_entries() {
        let call = id();
        let (all, begun) =
            concerned(&[bundle(&[Step::Apart]), bundle(&[Step::Takes(call), Step::Ends(call)])]);
        assert_eq!((all, begun), ([call].into(), [].into()));
        let (all, begun) = concerned(&[bundle(&[Step::Opens(call)])]);
        assert_eq!((all, begun), ([call].into(), [call].into()));
    }
}
