//! A call whose end is on its way into the ledger.
//!
//! Many calls share a commit, and one that only waits for it needs no thread. What it has to say is handed over
//! when the ledger has it, and not before: there is no other way to the answer.

use std::pin::Pin;
use std::task::{Context, Poll};

use record::Pending;

use super::{Cleaned, Refused};
use crate::docket::End;
use crate::{Halt, Reply};

/// A call that was begun.
#[must_use = "the answer is still to come"]
pub enum Begun {
    /// It is over, and on record.
    Answered(Reply),
    /// All that is left is for the ledger to take its end.
    Recording(Recording),
}

/// A call that is over, and on record soon, whoever waits for that: its answer when it is.
#[must_use = "the answer is still to come"]
pub struct Recording {
    /// Nothing once it was handed over.
    last: Option<Last>,
    pending: Pending,
}

/// What a call has to say at its end.
enum Last {
    Ran(Box<Cleaned>, Box<End>),
    Refused(Box<Refused>),
}

impl Recording {
    pub(super) fn ran(cleaned: Cleaned, end: End, pending: Pending) -> Self {
        Self { last: Some(Last::Ran(Box::new(cleaned), Box::new(end))), pending }
    }

    pub(super) fn refused(refused: Refused, pending: Pending) -> Self {
        Self { last: Some(Last::Refused(Box::new(refused))), pending }
    }
}

impl Future for Recording {
    type Output = Result<Reply, Halt>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Poll::Ready(written) = Pin::new(&mut self.pending).poll(context) else { return Poll::Pending };
        let written = written.map(|mut places| places.next_back());
        Poll::Ready(match self.last.take() {
            Some(Last::Ran(cleaned, end)) => Ok(cleaned.reply(*end, written?)),
            Some(Last::Refused(refused)) => refused.answered(written),
            // It was answered, and nobody may ask twice.
            None => return Poll::Pending,
        })
    }
}
