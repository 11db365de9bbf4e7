//! One worker process, from its start to its end.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::exchange::{self, Heard};
use super::{PoolError, Settings};
use crate::outcome::{Failure, FailureKind};
use crate::wire::Answer;
use crate::worker::ARGUMENT;

/// How long a worker may take to confine itself. On a machine that is busy that is not soon.
const START: Duration = Duration::from_secs(20);

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

impl Child {
    /// Starts a worker and waits until it is confined.
    pub(super) fn start(settings: &Settings) -> Result<Self, PoolError> {
        // No worker works longer than two of the longest runs.
        let processor = settings.longest.as_secs().saturating_mul(2).saturating_add(5);
        let space = u64::try_from(settings.most_memory).unwrap_or(u64::MAX).saturating_add(SPACE);
        let mut process = Command::new(&settings.executable)
            .args([ARGUMENT, &processor.to_string(), &space.to_string()])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(PoolError::Start)?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            let _ = process.kill();
            let _ = process.wait();
            return Err(PoolError::Start(io::Error::other("its input or output is missing")));
        };
        let mut worker = Self { process, input, output, layers: Vec::new(), runs: 0, worked: Duration::ZERO };
        let nonblocking = rustix::io::ioctl_fionbio(&worker.input, true)
            .and_then(|()| rustix::io::ioctl_fionbio(&worker.output, true));
        nonblocking.map_err(|error| PoolError::Start(error.into()))?;
        match exchange::hear(&mut worker, MAX_READY, Instant::now() + START) {
            Heard::Answer(Answer::Ready { layers }) => {
                worker.layers = layers;
                Ok(worker)
            }
            Heard::Answer(Answer::NotReady { why }) => Err(PoolError::NotConfined(why)),
            Heard::Answer(Answer::Prints(_) | Answer::Done { .. } | Answer::Failed(_)) | Heard::Odd => {
                Err(PoolError::NotAWorker("it said something else".to_owned()))
            }
            Heard::Ended => Err(PoolError::NotAWorker(worker.end().message)),
            Heard::Late | Heard::Cancelled => Err(PoolError::NotAWorker("it said nothing".to_owned())),
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
