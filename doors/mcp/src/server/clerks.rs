//! A few threads that carry many brief calls.
//!
//! A call that is over in a moment is less work than waking a thread up for it. So such calls stand in a line, and
//! as long as there are any, a few threads carry one after the other. None of them waits for the ledger, which
//! tells the call itself when it is on record. What is left to do about several is done together, when none is in
//! line any more: so they are written together. A thread may still be held up, by a disk that does not answer or
//! by a client that does not listen: where the line has not moved for a while, others take over.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;

/// The most threads that carry while none is held up. What they carry goes into one ledger.
const MOST: usize = 8;

/// How long the line may stand still.
const HELD_UP: Duration = Duration::from_millis(20);

/// Of how many calls the rest is done together, at most.
const TOGETHER: usize = 32;

/// Something to carry. It may block for a moment.
type Errand = Box<dyn FnOnce() + Send>;

/// The line, and those who carry.
#[derive(Clone)]
pub(crate) struct Clerks {
    line: Arc<Mutex<Line>>,
    /// How many threads carry as long as none is held up: one for each processor, and one while another waits for a
    /// file. More would only be in each other's way.
    usual: usize,
    runtime: Handle,
}

#[derive(Default)]
struct Line {
    errands: VecDeque<Errand>,
    /// What is left to do about those that were carried.
    rest: Vec<Errand>,
    /// Threads that carry, but for those that are held up.
    clerks: usize,
    /// How often all of them were held up so far, and others came.
    shift: u64,
    /// How often somebody took something up so far.
    taken: u64,
    /// Whether somebody looks whether it moves.
    watched: bool,
}

/// What a clerk does next.
enum Next {
    Errand(Errand),
    Rest(Vec<Errand>),
    Nothing,
}

/// One that fails is nobody else's loss. Whoever waits for it sees that it is gone.
fn done(errand: Errand) {
    let _ = catch_unwind(AssertUnwindSafe(errand));
}

impl Line {
    fn is_empty(&self) -> bool {
        self.errands.is_empty() && self.rest.is_empty()
    }
}

impl Clerks {
    pub(crate) fn new(runtime: Handle) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self { line: Arc::default(), usual: processors.saturating_add(1).min(MOST), runtime }
    }

    /// Has something done when no more errands stand in line. Of use only to whoever was just sent on one.
    pub(crate) fn afterwards(&self, rest: impl FnOnce() + Send + 'static) {
        self.line().rest.push(Box::new(rest));
    }

    /// Has something carried.
    pub(crate) fn send(&self, errand: impl FnOnce() + Send + 'static) {
        let mut line = self.line();
        line.errands.push_back(Box::new(errand));
        let one_more = line.clerks < self.usual;
        line.clerks += usize::from(one_more);
        let watch = !one_more && !std::mem::replace(&mut line.watched, true);
        let shift = line.shift;
        drop(line);
        if one_more {
            self.begin(shift);
        } else if watch {
            let clerks = self.clone();
            self.runtime.spawn(async move {
                while clerks.waits() {
                    let before = clerks.line().taken;
                    tokio::time::sleep(HELD_UP).await;
                    clerks.help(before);
                }
            });
        }
    }

    /// One more carries, who is counted already.
    fn begin(&self, mut shift: u64) {
        let clerks = self.clone();
        self.runtime.spawn_blocking(move || {
            loop {
                match clerks.next(&mut shift) {
                    Next::Errand(errand) => done(errand),
                    Next::Rest(rest) => rest.into_iter().for_each(done),
                    Next::Nothing => return,
                }
            }
        });
    }

    /// What is to be done next by somebody of this shift. The thread goes where that is nothing.
    fn next(&self, shift: &mut u64) -> Next {
        let mut line = self.line();
        line.taken += 1;
        if line.shift != *shift {
            // It was held up, and there may be enough others by now. They may be held up too: what it has left to
            // do is not left to them.
            if line.clerks >= self.usual {
                return match std::mem::take(&mut line.rest) {
                    rest if rest.is_empty() => Next::Nothing,
                    rest => Next::Rest(rest),
                };
            }
            *shift = line.shift;
            line.clerks += 1;
        }
        let together = line.rest.len() >= TOGETHER;
        if let Some(errand) = line.errands.pop_front_if(|_| !together) {
            return Next::Errand(errand);
        }
        if line.rest.is_empty() {
            line.clerks -= 1;
            return Next::Nothing;
        }
        Next::Rest(std::mem::take(&mut line.rest))
    }

    /// Whether anything stands in line. Nobody looks after it any more where nothing does.
    fn waits(&self) -> bool {
        let mut line = self.line();
        line.watched = !line.is_empty();
        line.watched
    }

    /// Another comes where nobody has taken up anything meanwhile: all of those who carry are held up.
    fn help(&self, before: u64) {
        let mut line = self.line();
        if line.is_empty() || line.taken != before {
            return;
        }
        line.shift += 1;
        line.clerks = 1;
        let shift = line.shift;
        drop(line);
        self.begin(shift);
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use super::{Clerks, HELD_UP};

    /// Sends somebody on an errand that takes until it is let go of.
    fn held_up(clerks: &Clerks, then: impl FnOnce() + Send + 'static) -> Sender<()> {
        let (let_go, held): (Sender<()>, Receiver<()>) = channel();
        clerks.send(move || {
            let _ = held.recv();
            then();
        });
        let_go
    }

    #[test]
    fn what_is_left_by_one_that_was_held_up_is_done_while_all_others_are() {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let clerks = Clerks::new(runtime.handle().clone());
        let (done, is_done) = channel();
        let at_the_end = clerks.clone();
        let rest = move || at_the_end.afterwards(move || done.send(()).unwrap());
        let first = held_up(&clerks, rest);
        let mut others = Vec::new();
        let mut hold_up = |count| {
            others.extend((0..count).map(|_| held_up(&clerks, || ())));
            std::thread::sleep(HELD_UP * 10);
        };
        // All of a shift, one more for whom others come, and all of those.
        hold_up(clerks.usual);
        hold_up(clerks.usual - 1);
        let line = clerks.line();
        assert_eq!((line.shift, line.clerks, line.watched), (1, clerks.usual, false));
        drop(line);
        first.send(()).unwrap();
        is_done.recv_timeout(Duration::from_secs(10)).unwrap();
        drop(others);
    }
}
