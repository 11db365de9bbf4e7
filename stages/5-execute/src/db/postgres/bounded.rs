//! A stream that gives no more than it should: one row of an answer can have a gigabyte.
//!
//! The driver makes room for a message as soon as it sees how long it is going to be, so the length is looked at
//! here, before the driver sees it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes that a session receives at most.
const MOST: u64 = 64 * 1024 * 1024;

/// Bytes that one message of the server, which is one row, has at most.
const MOST_MESSAGE: u64 = 16 * 1024 * 1024;

/// What may still be received.
#[derive(Clone)]
pub(super) struct Allowance(Arc<AtomicU64>);

impl Allowance {
    pub(super) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(MOST)))
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    fn use_up(&self, bytes: u64) {
        let left = self.0.load(Ordering::Relaxed).saturating_sub(bytes);
        self.0.store(left, Ordering::Relaxed);
    }
}

/// Whatever carries the bytes.
pub(super) trait Carrier: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Carrier for T {}

pub(super) struct Bounded {
    inner: Box<dyn Carrier>,
    allowance: Allowance,
    frame: Frame,
}

impl Bounded {
    pub(super) fn new(inner: Box<dyn Carrier>, allowance: Allowance) -> Self {
        Self { inner, allowance, frame: Frame::default() }
    }
}

/// Where in a message of the server the stream is: one byte for its kind, four for its length, and the rest.
#[derive(Default)]
struct Frame {
    /// Bytes of the kind and the length that were seen.
    n_seen: u8,
    /// The length so far, which counts its own four bytes.
    length: u64,
    /// Bytes of the rest that are still to come.
    left: u64,
}

impl Frame {
    /// Passes over some bytes; gives the length of the longest message that begins or goes on in them.
    fn pass(&mut self, mut bytes: &[u8]) -> u64 {
        let mut longest = 0;
        while let Some((&byte, rest)) = bytes.split_first() {
            if self.left > 0 {
                let n_passed = self.left.min(bytes.len() as u64);
                self.left -= n_passed;
                bytes = bytes.get(usize::try_from(n_passed).unwrap_or(usize::MAX)..).unwrap_or_default();
                continue;
            }
            if self.n_seen > 0 {
                self.length = self.length << 8 | u64::from(byte);
            }
            self.n_seen += 1;
            if self.n_seen == 5 {
                longest = longest.max(self.length);
                *self = Self { left: self.length.saturating_sub(4), ..Self::default() };
            }
            bytes = rest;
        }
        longest
    }
}

impl AsyncRead for Bounded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        let this = &mut *self;
        let new = buffer.filled().get(before..).unwrap_or_default();
        let longest = this.frame.pass(new);
        this.allowance.use_up(new.len() as u64);
        if longest > MOST_MESSAGE {
            this.allowance.use_up(MOST);
        }
        if this.allowance.is_used_up() {
            return Poll::Ready(Err(io::Error::other("the answer is too large")));
        }
        polled
    }
}

impl AsyncWrite for Bounded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::Frame;

    #[test]
    fn lengths_are_seen_however_the_bytes_come() {
        let mut stream = Vec::new();
        for length in [4_u32, 9, 5, 70_000, 4] {
            stream.push(b'D');
            stream.extend(length.to_be_bytes());
            stream.extend(vec![0xff; length as usize - 4]);
        }
        stream.extend([b'D', 0x7f, 0xff, 0xff, 0xff]);
        for piece in [1, 2, 3, 7, 4_096, stream.len()] {
            let mut frame = Frame::default();
            let (most, last) = stream.split_at(stream.len() - 5);
            assert_eq!(most.chunks(piece).map(|bytes| frame.pass(bytes)).max(), Some(70_000));
            assert_eq!(last.chunks(piece).map(|bytes| frame.pass(bytes)).max(), Some(0x7fff_ffff));
        }
    }
}
