//! A connection that ends when its time is over or nobody wants it any more.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use call::Fault;

use super::Budget;

/// How often somebody who waits looks at the clock.
pub(super) const TICK: Duration = Duration::from_millis(50);

impl Budget<'_> {
    /// Whether there is time left, and somebody who wants it.
    pub(super) fn check(&self) -> Result<(), Fault> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Fault::Cancelled);
        }
        if Instant::now() >= self.deadline {
            let message = format!("the server did not answer in full within {} s", self.time.as_secs());
            return Err(Fault::TimedOut { message });
        }
        Ok(())
    }

    /// What an error of a connection means: that its time was over, or what was wrong with it.
    pub(super) fn fault(&self, class: &'static str, what: &str, error: &io::Error) -> Fault {
        match self.check() {
            Err(fault) => fault,
            Ok(()) => Fault::failed(class, format!("{what}: {error}")),
        }
    }
}

/// A connection with a budget.
pub(super) struct Line<'a> {
    stream: TcpStream,
    budget: &'a Budget<'a>,
}

impl<'a> Line<'a> {
    pub(super) fn new(stream: TcpStream, budget: &'a Budget<'a>) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(TICK))?;
        stream.set_write_timeout(Some(TICK))?;
        // A small request should not wait for more of it. Some streams have no such thing.
        let _ = stream.set_nodelay(true);
        Ok(Self { stream, budget })
    }

    fn patiently<T>(&mut self, mut act: impl FnMut(&mut TcpStream) -> io::Result<T>) -> io::Result<T> {
        loop {
            if self.budget.check().is_err() {
                // Whoever sees this asks the budget again for the reason.
                return Err(io::Error::from(ErrorKind::TimedOut));
            }
            match act(&mut self.stream) {
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                    ) => {}
                other => return other,
            }
        }
    }
}

impl Read for Line<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.patiently(|stream| stream.read(bytes))
    }
}

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.patiently(|stream| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
