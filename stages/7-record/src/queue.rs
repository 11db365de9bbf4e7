//! Events of many callers, written together.
//!
//! Whoever comes first writes what is waiting, its own event included; whoever comes meanwhile waits, and
//! one of them writes the next batch. So batches are formed by what is waiting and not by a timer: a
//! single caller waits for nobody, and many callers share one commit.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

use crate::store::{Draft, Misstep, Store, StoreError};

/// Drafts that are written in one transaction at most.
const LARGEST_BATCH: usize = 512;

/// The answer to one caller.
pub(crate) type Answer = Result<Result<u64, Misstep>, Arc<StoreError>>;

/// The store, and those who wait for it.
pub(crate) struct Queue {
    store: Mutex<Box<dyn Store>>,
    line: Mutex<Line>,
    batches: AtomicU64,
}

#[derive(Default)]
struct Line {
    waiting: VecDeque<(Draft, Arc<Ticket>)>,
    /// Somebody writes.
    busy: bool,
    /// The store failed once. What it holds is not known any more, so nothing is written again.
    broken: Option<Arc<StoreError>>,
}

/// One caller's place in the line.
struct Ticket {
    state: Mutex<State>,
    caller: Thread,
}

enum State {
    Waiting,
    /// It is this caller's turn to write.
    Leads,
    Done(Answer),
}

impl Queue {
    pub(crate) fn new(store: Box<dyn Store>) -> Self {
        Self { store: Mutex::new(store), line: Mutex::default(), batches: AtomicU64::new(0) }
    }

    /// How many batches were written.
    pub(crate) fn batches(&self) -> u64 {
        self.batches.load(Ordering::Relaxed)
    }

    /// The store, for anything but appending.
    pub(crate) fn store(&self) -> MutexGuard<'_, Box<dyn Store>> {
        hold(&self.store)
    }

    /// Writes a draft; returns when it is durable, or known not to be written.
    pub(crate) fn append(&self, draft: Draft) -> Answer {
        let ticket = Arc::new(Ticket { state: Mutex::new(State::Waiting), caller: thread::current() });
        let mut line = hold(&self.line);
        if let Some(why) = &line.broken {
            return Err(Arc::clone(why));
        }
        line.waiting.push_back((draft, Arc::clone(&ticket)));
        let leads = !std::mem::replace(&mut line.busy, true);
        drop(line);
        if leads {
            self.write_batch();
        }
        loop {
            let mut state = hold(&ticket.state);
            match std::mem::replace(&mut *state, State::Waiting) {
                State::Done(answer) => return answer,
                State::Leads => {
                    drop(state);
                    self.write_batch();
                }
                State::Waiting => {
                    drop(state);
                    thread::park();
                }
            }
        }
    }

    /// Writes what is waiting, and lets the next one write what came meanwhile. The caller's own draft is
    /// at the front of the line, so it is in the batch.
    fn write_batch(&self) {
        let mut line = hold(&self.line);
        let count = line.waiting.len().min(LARGEST_BATCH);
        let (drafts, tickets): (Vec<Draft>, Vec<Arc<Ticket>>) = line.waiting.drain(..count).unzip();
        let broken = line.broken.clone();
        drop(line);
        let answers = match broken {
            Some(why) => Err(why),
            None => hold(&self.store).append(&drafts).map_err(Arc::new),
        };
        self.batches.fetch_add(1, Ordering::Relaxed);
        let mut line = hold(&self.line);
        if let Err(why) = &answers {
            line.broken.get_or_insert_with(|| Arc::clone(why));
        }
        match line.waiting.front() {
            Some((_, next)) => next.tell(State::Leads),
            None => line.busy = false,
        }
        drop(line);
        match answers {
            Ok(answers) => {
                let answers = answers.into_iter().map(Ok);
                tickets.iter().zip(answers).for_each(|(ticket, answer)| ticket.tell(State::Done(answer)));
            }
            Err(why) => {
                tickets.iter().for_each(|ticket| ticket.tell(State::Done(Err(Arc::clone(&why)))));
            }
        }
    }
}

impl Ticket {
    fn tell(&self, state: State) {
        *hold(&self.state) = state;
        self.caller.unpark();
    }
}

/// Nothing here panics while it holds a lock; if something did, what is inside is still whole.
fn hold<T: ?Sized>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
