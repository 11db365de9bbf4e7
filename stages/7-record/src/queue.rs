//! Events of many callers, written together.
//!
//! Callers gather in a batch, and one of them leads: it writes the batch for everybody in it, and then the
//! batch that has gathered meanwhile. So batches are formed by what is waiting and not by a timer: a single
//! caller waits for nobody, and many callers share one commit and one awakening. Nothing has to be woken
//! up before the next batch is written. A leader that has served others for a while hands over to one who waits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};

use crate::store::{Draft, Misstep, Store, StoreError};

/// Batches that one caller writes before it may go: its own, and those of others.
const MOST_TURNS: usize = 4;

/// The answer to one caller: the place of its first draft.
pub(crate) type Answer = Result<Result<u64, Misstep>, Arc<StoreError>>;

/// The answers to a batch, or why there are none.
type Answers = Result<Vec<Result<u64, Misstep>>, Arc<StoreError>>;

/// The store, and those who wait for it.
pub(crate) struct Queue {
    store: Mutex<Box<dyn Store>>,
    open: Mutex<Open>,
    /// The store failed once. What it holds is not known any more, so nothing is written again.
    broken: OnceLock<Arc<StoreError>>,
    batches: AtomicU64,
}

/// The batch that one can still join.
#[derive(Default)]
struct Open {
    bundles: Vec<Vec<Draft>>,
    batch: Arc<Batch>,
    /// Somebody leads, or was told to. Nobody does only while nobody waits.
    led: bool,
}

/// What became of a batch.
#[derive(Default)]
struct Batch {
    answers: OnceLock<Answers>,
    /// The first in it, unless it led from the beginning.
    first: OnceLock<Thread>,
    /// The first is to lead from now on.
    handed_over: AtomicBool,
}

impl Queue {
    pub(crate) fn new(store: Box<dyn Store>) -> Self {
        Self {
            store: Mutex::new(store),
            open: Mutex::default(),
            broken: OnceLock::new(),
            batches: AtomicU64::new(0),
        }
    }

    /// How many batches were written.
    pub(crate) fn batches(&self) -> u64 {
        self.batches.load(Ordering::Relaxed)
    }

    /// The store, for anything but appending.
    pub(crate) fn store(&self) -> MutexGuard<'_, Box<dyn Store>> {
        hold(&self.store)
    }

    /// Writes drafts of one caller, all or none; returns when they are durable, or known not to be written.
    pub(crate) fn append(&self, bundle: Vec<Draft>) -> Answer {
        let (batch, place, leads) = self.join(bundle);
        if leads || place == 0 && batch.is_handed_over() {
            self.lead();
        }
        let answers = batch.answers.wait().as_ref().map_err(Arc::clone)?;
        // There are as many answers as callers.
        answers.get(place).copied().ok_or_else(|| Arc::new(StoreError::Failed(UNANSWERED.to_owned())))
    }

    /// The batch that the drafts are in, their place there, and whether nobody leads but who asks.
    fn join(&self, bundle: Vec<Draft>) -> (Arc<Batch>, usize, bool) {
        let mut open = hold(&self.open);
        let place = open.bundles.len();
        open.bundles.push(bundle);
        let leads = !std::mem::replace(&mut open.led, true);
        if place == 0 && !leads {
            open.batch.first.get_or_init(thread::current);
        }
        (Arc::clone(&open.batch), place, leads)
    }

    /// Writes what has gathered, again and again.
    fn lead(&self) {
        for turn in 1.. {
            let mut open = hold(&self.open);
            let (batch, bundles) = (std::mem::take(&mut open.batch), std::mem::take(&mut open.bundles));
            drop(open);
            self.write(&batch, &bundles);
            let mut open = hold(&self.open);
            if open.bundles.is_empty() {
                open.led = false;
                return;
            }
            if turn >= MOST_TURNS {
                open.batch.hand_over();
                return;
            }
        }
    }

    /// Writes a batch for everybody in it.
    fn write(&self, batch: &Batch, bundles: &[Vec<Draft>]) {
        let mut store = hold(&self.store);
        let answers = match self.broken.get() {
            Some(why) => Err(Arc::clone(why)),
            None => written(&mut **store, bundles).map_err(|why| {
                let why = Arc::new(why);
                Arc::clone(self.broken.get_or_init(|| why))
            }),
        };
        drop(store);
        self.batches.fetch_add(1, Ordering::Relaxed);
        batch.answers.get_or_init(|| answers);
        batch.wake_first();
    }
}

impl Batch {
    /// Waits until this is answered, which is `false`, or until whoever was first in it is to lead.
    fn is_handed_over(&self) -> bool {
        loop {
            if self.handed_over.load(Ordering::Acquire) {
                return true;
            }
            if self.answers.get().is_some() {
                return false;
            }
            thread::park();
        }
    }

    fn hand_over(&self) {
        self.handed_over.store(true, Ordering::Release);
        self.wake_first();
    }

    fn wake_first(&self) {
        self.first.get().into_iter().for_each(Thread::unpark);
    }
}

const UNANSWERED: &str = "not everybody has an answer";

/// Writes a batch. Whoever waits is answered also when the store panics: it has failed then, for good.
fn written(store: &mut dyn Store, bundles: &[Vec<Draft>]) -> Result<Vec<Result<u64, Misstep>>, StoreError> {
    match catch_unwind(AssertUnwindSafe(|| store.append(bundles))) {
        Ok(Ok(answers)) if answers.len() != bundles.len() => Err(StoreError::Failed(UNANSWERED.to_owned())),
        Ok(answers) => answers,
        Err(_) => Err(StoreError::Failed("it stopped in the middle of a write".to_owned())),
    }
}

/// What is inside a lock is whole even where somebody panicked: the store undoes what was not committed.
fn hold<T: ?Sized>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
