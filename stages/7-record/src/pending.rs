//! Events that were handed in, and are not known to be durable yet.

use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::NotRecorded;
use crate::queue::HandedIn;

/// Events on their way into the ledger: their places when they are durable. They are written down whether or not
/// anybody waits for this.
#[must_use = "who does not wait does not know whether anything is on record"]
pub struct Pending {
    /// Nothing where there was nothing to write.
    handed_in: Option<HandedIn>,
    count: u64,
}

impl Pending {
    pub(crate) const fn new(handed_in: Option<HandedIn>, count: u64) -> Self {
        Self { handed_in, count }
    }
}

impl Future for Pending {
    type Output = Result<Range<u64>, NotRecorded>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(handed_in) = &mut self.handed_in else { return Poll::Ready(Ok(0..0)) };
        handed_in.poll(context).map(|answer| {
            let first = answer.map_err(NotRecorded::Store)??;
            Ok(first..first + self.count)
        })
    }
}
