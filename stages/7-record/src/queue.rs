//! Events of many callers, written together.
//!
//! Callers gather in a batch, and one of them leads: it writes the batch for everybody in it, and then the
//! batch that has gathered meanwhile. So batches are formed by what is waiting and not by a timer: a single
//! caller waits for nobody, and many callers share one commit and one awakening. Nothing has to be woken
//! up before the next batch is written. A leader that has served others for a while hands over to one who waits.
//!
//! Who has no thread to wait with hands drafts in, and is told when they are durable. They are written with the next
//! batch, at the latest when somebody asks about them: whoever hands in for many does so before it asks. Where
//! nobody leads who has a thread, one that is there for that does: the [`Scribe`].

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::{self, Thread};

use crate::scribe::Scribe;
use crate::store::{Draft, Misstep, Store, StoreError};

/// Batches that one caller writes before it may go: its own, and those of others.
const MOST_TURNS: usize = 4;

/// The answer to one caller: the place of its first draft.
pub(crate) type Answer = Result<Result<u64, Misstep>, Arc<StoreError>>;

/// The answers to a batch, or why there are none.
type Answers = Result<Vec<Result<u64, Misstep>>, Arc<StoreError>>;

/// What is done with the store whenever entries were written, by their places; before anybody hears of them.
pub(crate) type Afterwards = Box<dyn Fn(&mut dyn Store, Range<u64>) -> Result<(), StoreError> + Send + Sync>;

/// The store, and those who wait for it.
pub(crate) struct Queue {
    store: Mutex<Box<dyn Store>>,
    open: Mutex<Open>,
    /// The store failed once. What it holds is not known any more, so nothing is written again.
    broken: OnceLock<Arc<StoreError>>,
    batches: AtomicU64,
    afterwards: Afterwards,
    scribe: Scribe,
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
    /// The first in it that waits with a thread, unless it led from the beginning.
    first: OnceLock<Thread>,
    /// The first is to lead from now on.
    handed_over: AtomicBool,
    /// Those in it who are told.
    told: Mutex<Vec<Waker>>,
}

/// Drafts that were handed in. They are written whatever becomes of this.
pub(crate) struct HandedIn {
    queue: Arc<Queue>,
    batch: Arc<Batch>,
    place: usize,
    /// Where among those who are told, once this is.
    told: Option<usize>,
}

impl Queue {
    pub(crate) fn new(store: Box<dyn Store>, afterwards: Afterwards) -> Self {
        Self {
            store: Mutex::new(store),
            open: Mutex::default(),
            broken: OnceLock::new(),
            batches: AtomicU64::new(0),
            afterwards,
            scribe: Scribe::default(),
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
    pub(crate) fn append(self: &Arc<Self>, bundle: Vec<Draft>) -> Answer {
        let mut open = hold(&self.open);
        let place = open.bundles.len();
        open.bundles.push(bundle);
        let leads = !std::mem::replace(&mut open.led, true);
        let is_first = !leads && open.batch.first.get().is_none();
        if is_first {
            open.batch.first.get_or_init(thread::current);
        }
        let batch = Arc::clone(&open.batch);
        drop(open);
        if leads || is_first && batch.is_handed_over() {
            self.lead(MOST_TURNS);
        }
        batch.answers.wait();
        batch.answer(place).unwrap_or_else(|| Err(Arc::new(unanswered())))
    }

    /// Takes drafts of one caller, all or none, and does not wait for them.
    pub(crate) fn hand_in(self: &Arc<Self>, bundle: Vec<Draft>) -> HandedIn {
        let mut open = hold(&self.open);
        let place = open.bundles.len();
        open.bundles.push(bundle);
        HandedIn { queue: Arc::clone(self), batch: Arc::clone(&open.batch), place, told: None }
    }

    /// Has the batch written that one can still join, if it is this one and nobody leads.
    fn have_written(self: &Arc<Self>, batch: &Arc<Batch>) {
        let mut open = hold(&self.open);
        let leads = Arc::ptr_eq(&open.batch, batch) && !std::mem::replace(&mut open.led, true);
        // Called before anybody can close the queue: whoever does waits for a scribe that was called.
        let scribe = leads.then(|| self.scribe.is_called(self));
        drop(open);
        match scribe {
            Some(Some(thread)) => thread.unpark(),
            Some(None) => self.lead(usize::MAX),
            None => {}
        }
    }

    /// Writes what has gathered, again and again; so many times where others can go on.
    pub(crate) fn lead(self: &Arc<Self>, turns: usize) {
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
            if turn >= turns {
                let batch = Arc::clone(&open.batch);
                drop(open);
                if !batch.hand_over() {
                    self.scribe.takes_over(self);
                }
                return;
            }
        }
    }

    /// Writes a batch for everybody in it.
    fn write(&self, batch: &Batch, bundles: &[Vec<Draft>]) {
        let mut store = hold(&self.store);
        let answers = match self.broken.get() {
            Some(why) => Err(Arc::clone(why)),
            None => self.written(&mut **store, bundles).map_err(|why| {
                let why = Arc::new(why);
                Arc::clone(self.broken.get_or_init(|| why))
            }),
        };
        drop(store);
        self.batches.fetch_add(1, Ordering::Relaxed);
        batch.answers.get_or_init(|| answers);
        batch.wake_first();
        // Who comes later finds the answers.
        let told = std::mem::take(&mut *hold(&batch.told));
        for waker in told {
            // Whoever fails at being told is nobody else's loss: the next batch is still to be written.
            let _ = catch_unwind(AssertUnwindSafe(|| waker.wake()));
        }
    }

    /// Writes a batch. Whoever waits is answered also when the store panics: it has failed then, for good.
    fn written(
        &self,
        store: &mut dyn Store,
        bundles: &[Vec<Draft>],
    ) -> Result<Vec<Result<u64, Misstep>>, StoreError> {
        let write = || {
            let answers = store.append(bundles)?;
            if answers.len() != bundles.len() {
                return Err(unanswered());
            }
            let all = answers.iter().zip(bundles);
            let mut all = all.filter_map(|(answer, bundle)| Some((answer.ok()?, bundle.len() as u64)));
            if let Some((first, count)) = all.next() {
                let end = all.next_back().map_or(first + count, |(last, count)| last + count);
                (self.afterwards)(store, first..end)?;
            }
            Ok(answers)
        };
        catch_unwind(AssertUnwindSafe(write))
            .unwrap_or_else(|_| Err(StoreError::Failed("it stopped in the middle of a write".to_owned())))
    }

    pub(crate) const fn scribe(&self) -> &Scribe {
        &self.scribe
    }

    /// Ends what works for the queue. What was handed in is written first.
    pub(crate) fn close(self: &Arc<Self>) {
        let mut open = hold(&self.open);
        let leads = !open.bundles.is_empty() && !std::mem::replace(&mut open.led, true);
        drop(open);
        if leads {
            self.lead(usize::MAX);
        }
        self.scribe.put_down();
    }
}

impl HandedIn {
    /// What became of the drafts, once that is known. Whoever asks before is told when it is.
    pub(crate) fn poll(&mut self, context: &Context<'_>) -> Poll<Answer> {
        if let Some(answer) = self.batch.answer(self.place) {
            return Poll::Ready(answer);
        }
        let mut told = hold(&self.batch.told);
        // Between the two looks it may have become known, and whoever was to be told was then.
        if let Some(answer) = self.batch.answer(self.place) {
            return Poll::Ready(answer);
        }
        match self.told.and_then(|place| told.get_mut(place)) {
            Some(waker) => waker.clone_from(context.waker()),
            None => {
                self.told = Some(told.len());
                told.push(context.waker().clone());
            }
        }
        drop(told);
        self.queue.have_written(&self.batch);
        Poll::Pending
    }
}

impl Drop for HandedIn {
    fn drop(&mut self) {
        if self.batch.answers.get().is_none() {
            self.queue.have_written(&self.batch);
        }
    }
}

impl Batch {
    /// The answer to one in it, once there is one.
    fn answer(&self, place: usize) -> Option<Answer> {
        Some(match self.answers.get()? {
            // There are as many answers as callers.
            Ok(answers) => answers.get(place).copied().ok_or_else(|| Arc::new(unanswered())),
            Err(why) => Err(Arc::clone(why)),
        })
    }

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

    /// Whether there is one in it that leads from now on.
    fn hand_over(&self) -> bool {
        let Some(first) = self.first.get() else { return false };
        self.handed_over.store(true, Ordering::Release);
        first.unpark();
        true
    }

    fn wake_first(&self) {
        self.first.get().into_iter().for_each(Thread::unpark);
    }
}

const UNANSWERED: &str = "not everybody has an answer";

fn unanswered() -> StoreError {
    StoreError::Failed(UNANSWERED.to_owned())
}

/// What is inside a lock is whole even where somebody panicked: the store undoes what was not committed.
fn hold<T: ?Sized>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
