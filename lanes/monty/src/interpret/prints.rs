//! What a program prints, up to its limit, sent on as it comes.
//!
//! A program that is ended from outside should still have said what it said until then.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use monty_types::{ExcType, MontyException, PrintWriterCallback};

use crate::outcome::{Failure, FailureKind};
use crate::wire::Answer;

/// What is kept back at most, in bytes and by the clock.
const CHUNK: usize = 8 * 1024;
const WAIT: Duration = Duration::from_millis(50);

pub(super) struct Printer<'s> {
    say: &'s mut dyn FnMut(Answer),
    pending: String,
    since: Option<Instant>,
    limit: usize,
    left: usize,
    over: bool,
}

impl<'s> Printer<'s> {
    pub(super) fn new(limit: usize, say: &'s mut dyn FnMut(Answer)) -> Self {
        Self { say, pending: String::new(), since: None, limit, left: limit, over: false }
    }

    /// Sends what is left, and says whether the limit was met.
    pub(super) fn finish(&mut self) -> Option<Failure> {
        self.send();
        self.over.then(|| {
            let message = format!("more than {} bytes were printed", self.limit);
            Failure::new(FailureKind::Output, message)
        })
    }

    fn send(&mut self) {
        self.since = None;
        if !self.pending.is_empty() {
            (self.say)(Answer::Prints(std::mem::take(&mut self.pending)));
        }
    }

    fn add(&mut self, text: &str) -> Result<(), MontyException> {
        let fits = if text.len() <= self.left && !self.over {
            text
        } else {
            self.over = true;
            text.get(..text.floor_char_boundary(self.left)).unwrap_or_default()
        };
        self.left -= fits.len();
        self.pending.push_str(fits);
        self.since.get_or_insert_with(Instant::now);
        if self.pending.len() >= CHUNK {
            self.send();
        }
        if self.over {
            // A program can catch this and go on, but prints nothing more and has no value in the end.
            let message = format!("more than {} bytes were printed", self.limit);
            return Err(MontyException::new(ExcType::MemoryError, Some(message)));
        }
        Ok(())
    }
}

impl PrintWriterCallback for Printer<'_> {
    fn stdout_write(&mut self, output: Cow<'_, str>) -> Result<(), MontyException> {
        self.add(&output)
    }

    fn stdout_push(&mut self, end: char) -> Result<(), MontyException> {
        self.add(end.encode_utf8(&mut [0; 4]))
    }

    fn poll_flush(&mut self) -> Result<(), MontyException> {
        if self.since.is_some_and(|since| since.elapsed() >= WAIT) {
            self.send();
        }
        Ok(())
    }
}
