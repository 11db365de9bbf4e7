//! Lines that are said to whoever is at the other end of a pipe.
//!
//! Several have something to say, and none of them waits for another: a line goes to those that are still to be
//! said, and whoever has the pipe says all of them at once. So many answers are one write.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use tokio::sync::OwnedSemaphorePermit;

/// What is said, and what is still to be said.
pub(crate) struct Spoken<W> {
    lines: Mutex<Lines>,
    output: Mutex<W>,
    /// Nobody listens any more.
    is_over: AtomicBool,
}

#[derive(Default)]
struct Lines {
    text: Vec<u8>,
    /// Places of calls whose answers these are. A client that does not listen has only so many.
    places: Vec<OwnedSemaphorePermit>,
}

impl<W: Write> Spoken<W> {
    pub(crate) fn new(output: W) -> Self {
        Self { lines: Mutex::default(), output: Mutex::new(output), is_over: AtomicBool::new(false) }
    }

    /// Says the answer to a call, or leaves that to whoever has the pipe.
    pub(crate) fn answer(&self, line: &str, place: OwnedSemaphorePermit) {
        self.add(line).places.push(place);
        // Who lets go of the pipe looks once more afterwards, so that no line is left behind.
        while !hold(&self.lines).text.is_empty() {
            match self.output.try_lock() {
                Ok(output) => self.say(output),
                Err(TryLockError::Poisoned(output)) => self.say(output.into_inner()),
                Err(TryLockError::WouldBlock) => return,
            }
        }
    }

    /// Says a line and waits until it is said. Whether anybody listens.
    pub(crate) fn line(&self, line: &str) -> bool {
        drop(self.add(line));
        loop {
            // Whoever had the pipe before may have said it.
            self.say(hold(&self.output));
            if hold(&self.lines).text.is_empty() {
                break;
            }
        }
        !self.is_over.load(Ordering::Relaxed)
    }

    fn add(&self, line: &str) -> MutexGuard<'_, Lines> {
        let mut lines = hold(&self.lines);
        lines.text.extend_from_slice(line.as_bytes());
        lines.text.push(b'\n');
        lines
    }

    fn say(&self, mut output: MutexGuard<'_, W>) {
        let Lines { text, places } = std::mem::take(&mut *hold(&self.lines));
        if !text.is_empty() && output.write_all(&text).and_then(|()| output.flush()).is_err() {
            // A client that is gone is noticed elsewhere.
            self.is_over.store(true, Ordering::Relaxed);
        }
        drop(output);
        drop(places);
    }
}

fn hold<T: ?Sized>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
