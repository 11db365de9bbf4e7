//! One request and its answers, by the clock of the gate.
//!
//! Neither reading nor writing waits for a worker longer than the deadline, and a worker that says more
//! than it may, or what it may not, is not heard to the end.

use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};

use super::child::Child;
use crate::outcome::{Failure, FailureKind, Value};
use crate::wire::{Answer, HEAD, Limits, length};

/// The interpreter ends most programs itself, with a traceback. It gets this much longer to say so.
const GRACE: Duration = Duration::from_millis(100);

/// What an answer has beside prints and value: names of fields, a traceback, refusals. Texts in JSON are
/// up to six times as long as they are.
const BESIDE: usize = 512 * 1024;

/// What came of waiting for an answer.
pub(super) enum Heard {
    Answer(Answer),
    /// The worker ended.
    Ended,
    /// What it said is no answer.
    Odd,
    /// The deadline passed.
    Late,
    /// Whoever asked does not want it any more.
    Cancelled,
}

/// Runs a request. With the result: what was printed, and whether the worker can be used again.
pub(super) fn run(
    worker: &mut Child,
    frame: &[u8],
    limits: &Limits,
    cancel: Option<&OwnedFd>,
) -> ((Result<Value, Failure>, String), bool) {
    let deadline = Instant::now() + limits.time + GRACE;
    let longest = limits.prints.max(limits.value).saturating_mul(6).saturating_add(BESIDE);
    let mut prints = String::new();
    let mut heard = tell(worker, frame, deadline, cancel);
    loop {
        let failed = match heard.take().unwrap_or_else(|| listen(worker, longest, deadline, cancel)) {
            // Each has something, so that there is an end to them.
            Heard::Answer(Answer::Prints(text))
                if !text.is_empty() && prints.len() + text.len() <= limits.prints =>
            {
                prints.push_str(&text);
                continue;
            }
            Heard::Answer(Answer::Done { json, exact }) if is_json(&json) && json.len() <= limits.value => {
                return ((Ok(Value { json, exact }), prints), true);
            }
            Heard::Answer(Answer::Failed(failure)) => return ((Err(failure), prints), true),
            Heard::Answer(
                Answer::Prints(_) | Answer::Done { .. } | Answer::Ready { .. } | Answer::NotReady { .. },
            )
            | Heard::Odd => {
                worker.kill();
                Failure::new(FailureKind::Crashed, "the worker said what it may not")
            }
            Heard::Ended => worker.end(),
            Heard::Late => {
                worker.kill();
                let message = format!("the program did not end within {:?}", limits.time);
                Failure::new(FailureKind::Time, message)
            }
            Heard::Cancelled => {
                worker.kill();
                Failure::new(FailureKind::Cancelled, "whoever asked ended the run")
            }
        };
        return ((Err(failed), prints), false);
    }
}

/// Waits for one answer.
pub(super) fn hear(worker: &mut Child, longest: usize, deadline: Instant) -> Heard {
    listen(worker, longest, deadline, None)
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Passes the request on; something only when that did not work.
fn tell(worker: &mut Child, frame: &[u8], deadline: Instant, cancel: Option<&OwnedFd>) -> Option<Heard> {
    let mut rest = frame;
    while !rest.is_empty() {
        match worker.input.write(rest) {
            Ok(0) => return Some(Heard::Ended),
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if let Some(stopped) = wait(worker.input.as_fd(), PollFlags::OUT, deadline, cancel) {
                    return Some(stopped);
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Some(Heard::Ended),
        }
    }
    None
}

fn listen(worker: &mut Child, longest: usize, deadline: Instant, cancel: Option<&OwnedFd>) -> Heard {
    let mut head = [0; HEAD];
    if let Some(stopped) = fill(worker, &mut head, deadline, cancel) {
        return stopped;
    }
    let Ok(length) = length(head, longest) else {
        return Heard::Odd;
    };
    let mut body = vec![0; length];
    if let Some(stopped) = fill(worker, &mut body, deadline, cancel) {
        return stopped;
    }
    serde_json::from_slice(&body).map_or(Heard::Odd, Heard::Answer)
}

/// Reads as much as there is place; something only when that did not work.
fn fill(worker: &mut Child, place: &mut [u8], deadline: Instant, cancel: Option<&OwnedFd>) -> Option<Heard> {
    let mut filled = 0;
    while let Some(rest) = place.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match worker.output.read(rest) {
            Ok(0) => return Some(Heard::Ended),
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if let Some(stopped) = wait(worker.output.as_fd(), PollFlags::IN, deadline, cancel) {
                    return Some(stopped);
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Some(Heard::Ended),
        }
    }
    None
}

/// Waits until the worker is ready for it; something when the deadline or the end came first.
fn wait(
    worker: BorrowedFd<'_>,
    ready: PollFlags,
    deadline: Instant,
    cancel: Option<&OwnedFd>,
) -> Option<Heard> {
    // Without any time left, it is looked at once: whoever stood still first hears what was said meanwhile.
    let left = deadline.saturating_duration_since(Instant::now());
    let timeout = Timespec::try_from(left).ok();
    let mut waited = vec![PollFd::from_borrowed_fd(worker, ready)];
    waited.extend(cancel.map(|cancel| PollFd::new(cancel, PollFlags::IN)));
    match poll(&mut waited, timeout.as_ref()) {
        Ok(0) => Some(Heard::Late),
        Ok(_) => {
            let cancelled = waited.get(1).is_some_and(|cancel| !cancel.revents().is_empty());
            cancelled.then_some(Heard::Cancelled)
        }
        Err(rustix::io::Errno::INTR) => None,
        Err(_) => Some(Heard::Ended),
    }
}
