//! One worker process, from its start to its end.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::exchange::{self, Heard};
use super::{PoolError, Settings, last_words};
use crate::outcome::{Failure, FailureKind};
use crate::wire::Answer;
use crate::worker::ARGUMENT;

/// How long a worker may take to confine itself. On a machine that is busy that is not soon.
const START: Duration = Duration::from_secs(20);

/// How long it is until a worker that crashed is started again.
const BETWEEN: Duration = Duration::from_millis(50);

/// The longest first answer.
const MAX_READY: usize = 16 * 1024;

/// Address space beside a run's own memory: the binary, the stack, and what the allocator keeps back.
const SPACE: u64 = 1024 * 1024 * 1024;

/// A worker. Dropped, it is ended and waited for, so that nothing of it is left.
#[derive(Debug)]
pub(super) struct Child {
    process: std::process::Child,
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
    pub(super) layers: Vec<String>,
    pub(super) runs: u32,
    pub(super) worked: Duration,
}

/// Why there is no worker.
enum Unborn {
    /// It will not be there the next time either.
    ForGood(PoolError),
    /// It ended before it said anything, or the machine had no room for it just then.
    ByChance(PoolError),
}

impl Child {
    /// Starts a worker and waits until it is confined. One that crashed on its way is started once more;
    /// one that says what is missing is believed.
    pub(super) fn start(settings: &Settings) -> Result<Self, PoolError> {
        match Self::try_start(settings) {
            Ok(worker) => return Ok(worker),
            Err(Unborn::ForGood(error)) => return Err(error),
            Err(Unborn::ByChance(_)) => std::thread::sleep(BETWEEN),
        }
        Self::try_start(settings).map_err(|unborn| match unborn {
            Unborn::ByChance(PoolError::NotAWorker(how)) => {
                PoolError::NotAWorker(format!("{how} (as it did when it was started before)"))
            }
            Unborn::ForGood(error) | Unborn::ByChance(error) => error,
        })
    }

    fn try_start(settings: &Settings) -> Result<Self, Unborn> {
        // No worker works longer than two of the longest runs.
        let processor = settings.longest.as_secs().saturating_mul(2).saturating_add(5);
        let space = u64::try_from(settings.most_memory).unwrap_or(u64::MAX).saturating_add(SPACE);
        let mut process = Command::new(&settings.executable)
            .args([ARGUMENT, &processor.to_string(), &space.to_string()])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(not_started)?;
        let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(input), Some(output), Some(words)) = pipes else {
            let _ = process.kill();
            let _ = process.wait();
            return Err(not_started(io::Error::other("its input or output is missing")));
        };
        let mut worker = Self { process, input, output, layers: Vec::new(), runs: 0, worked: Duration::ZERO };
        let nonblocking = rustix::io::ioctl_fionbio(&worker.input, true)
            .and_then(|()| rustix::io::ioctl_fionbio(&worker.output, true));
        nonblocking.map_err(|error| not_started(error.into()))?;
        // A worker that is ready has nobody any more who hears its errors: its end is dropped here.
        match exchange::hear(&mut worker, MAX_READY, Instant::now() + START) {
            Heard::Answer(Answer::Ready { layers }) => {
                worker.layers = layers;
                Ok(worker)
            }
            Heard::Answer(Answer::NotReady { why }) => Err(Unborn::ForGood(PoolError::NotConfined(why))),
            Heard::Answer(Answer::Prints(_) | Answer::Done { .. } | Answer::Failed(_)) | Heard::Odd => {
                Err(Unborn::ForGood(PoolError::NotAWorker("it said something else".to_owned())))
            }
            Heard::Ended => {
                let ended = worker.end().message;
                Err(Unborn::ByChance(PoolError::NotAWorker(with_words(ended, words))))
            }
            Heard::Late | Heard::Cancelled => {
                let late = format!("it was not ready within {START:?}");
                Err(Unborn::ForGood(PoolError::NotAWorker(with_words(late, words))))
            }
        }
    }

    /// Whether it is still there.
    pub(super) fn lives(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    pub(super) fn ran(&mut self, duration: Duration) {
        self.runs += 1;
        self.worked += duration;
    }

    /// Ends it at once.
    pub(super) fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Why it ended by itself.
    pub(super) fn end(&mut self) -> Failure {
        match self.process.wait() {
            Ok(status) => told(status),
            Err(error) => Failure::new(FailureKind::Crashed, error.to_string()),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Was there no room for a process, or was its file just being written?
fn not_started(error: io::Error) -> Unborn {
    let passes = [libc::EAGAIN, libc::ENOMEM, libc::ETXTBSY];
    let by_chance = error.raw_os_error().is_some_and(|number| passes.contains(&number));
    let error = PoolError::Start(error);
    if by_chance { Unborn::ByChance(error) } else { Unborn::ForGood(error) }
}

/// What happened, and what the worker said of it.
fn with_words(what: String, words: ChildStderr) -> String {
    match last_words::heard(words) {
        Some(words) => format!("{what}; it said: {words}"),
        None => what,
    }
}

/// What the end of a worker says about the run that it had.
fn told(status: ExitStatus) -> Failure {
    let crashed = |message: String| Failure::new(FailureKind::Crashed, message);
    match (status.code(), status.signal()) {
        (Some(monty_types::OOM_EXIT_CODE), _) => {
            Failure::new(FailureKind::Memory, "more memory was asked for at once than there is")
        }
        (_, Some(libc::SIGXCPU)) => Failure::new(FailureKind::Time, "the processor time is used up"),
        (_, Some(signal @ (libc::SIGSEGV | libc::SIGABRT | libc::SIGBUS))) => {
            let message =
                format!("the interpreter ended by signal {signal}, as from nesting that is too deep");
            Failure::new(FailureKind::Recursion, message)
        }
        (_, Some(libc::SIGSYS)) => crashed("the interpreter asked the system for what it may not".to_owned()),
        (_, Some(signal)) => crashed(format!("the interpreter ended by signal {signal}")),
        (Some(code), None) => crashed(format!("the interpreter ended with code {code}")),
        (None, None) => crashed("the interpreter ended".to_owned()),
    }
}
