//! A thread that leads the queue for callers who do not wait.
//!
//! It begins with the first of them, sleeps while there is nothing to write, and ends with the queue. Whatever was
//! handed in before is written by then.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle, Thread};

use crate::queue::Queue;

#[derive(Default)]
pub(crate) struct Scribe {
    /// Nothing where the system gives no thread.
    thread: OnceLock<Option<Thread>>,
    ends: Mutex<Option<JoinHandle<()>>>,
    called: AtomicBool,
    put_down: AtomicBool,
}

impl Scribe {
    /// Leads from now on, until nobody waits.
    pub(crate) fn takes_over(&self, queue: &Arc<Queue>) {
        match self.is_called(queue) {
            Some(thread) => thread.unpark(),
            // Whoever calls leads.
            None => queue.lead(usize::MAX),
        }
    }

    /// The thread that leads as soon as it is woken up, and in any case before it ends.
    pub(crate) fn is_called(&self, queue: &Arc<Queue>) -> Option<&Thread> {
        self.called.store(true, Ordering::Release);
        self.thread.get_or_init(|| self.begin(queue)).as_ref()
    }

    fn begin(&self, queue: &Arc<Queue>) -> Option<Thread> {
        let queue = Arc::clone(queue);
        let begun =
            thread::Builder::new().name("ledger".to_owned()).spawn(move || queue.scribe().work(&queue));
        let begun = begun.ok()?;
        let thread = begun.thread().clone();
        *self.ends.lock().unwrap_or_else(PoisonError::into_inner) = Some(begun);
        Some(thread)
    }

    fn work(&self, queue: &Arc<Queue>) {
        loop {
            // Looked at first: who called it before it was put down is not left behind.
            let ends = self.put_down.load(Ordering::Acquire);
            if self.called.swap(false, Ordering::Acquire) {
                queue.lead(usize::MAX);
            } else if ends {
                return;
            } else {
                thread::park();
            }
        }
    }

    /// Ends the thread, and waits until it has.
    pub(crate) fn put_down(&self) {
        self.put_down.store(true, Ordering::Release);
        let Some(thread) = self.ends.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        thread.thread().unpark();
        // The last to let go of the ledger may be somebody whom this very thread has told something.
        if thread.thread().id() != thread::current().id() {
            let _ = thread.join();
        }
    }
}
