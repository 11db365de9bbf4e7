//! What passes between the gate and a worker: a length, then JSON.
//!
//! Neither side believes a length before it is compared with a bound. The worker has run programs of
//! agents, so the gate reads its answers as it would read those of a stranger.

use std::io::{self, Read, Write};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::outcome::Failure;

/// The largest request: a program and its inputs.
pub(crate) const MAX_REQUEST: usize = 16 * 1024 * 1024;

/// Bytes in front of each message: its length, little end first.
pub(crate) const HEAD: usize = 4;

/// One program to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The program.
    pub source: String,
    /// Modules that policy adds to those that every program may import.
    pub modules: Vec<String>,
    /// Variables that the program is given, by name.
    pub inputs: serde_json::Map<String, serde_json::Value>,
    /// What it may use.
    pub limits: Limits,
}

/// What a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Time by the clock.
    pub time: Duration,
    /// Bytes of memory, beyond what a worker has before it runs anything.
    pub memory: usize,
    /// Bytes that are printed.
    pub prints: usize,
    /// Bytes of the value, as JSON.
    pub value: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(30),
            memory: 512 * 1024 * 1024,
            prints: 1024 * 1024,
            value: 1024 * 1024,
        }
    }
}

/// What a worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// First of all: it is confined, by these layers.
    Ready { layers: Vec<String> },
    /// First of all, and then it ends: a layer is missing.
    NotReady { why: String },
    /// What was printed since the last time.
    Prints(String),
    /// The end of a run.
    Done { json: String, exact: bool },
    /// The end of a run.
    Failed(Failure),
}

/// A message with its length in front.
pub(crate) fn framed(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; HEAD];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - HEAD).map_err(io::Error::other)?;
    if let Some(head) = frame.first_chunk_mut::<HEAD>() {
        *head = length.to_le_bytes();
    }
    Ok(frame)
}

/// The length that a message has, if it is within the bound.
pub(crate) fn length(head: [u8; HEAD], bound: usize) -> io::Result<usize> {
    let length = usize::try_from(u32::from_le_bytes(head)).map_err(io::Error::other)?;
    if length > bound {
        return Err(io::Error::other(format!("a message of {length} bytes, more than {bound}")));
    }
    Ok(length)
}

/// Reads one message; nothing when the other side has closed. What is no message is told apart from an
/// input that cannot be read.
pub(crate) fn read<M: DeserializeOwned>(
    from: &mut impl Read,
    bound: usize,
) -> io::Result<Option<serde_json::Result<M>>> {
    let mut head = [0; HEAD];
    match from.read_exact(&mut head) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut body = vec![0; length(head, bound)?];
    from.read_exact(&mut body)?;
    Ok(Some(serde_json::from_slice(&body)))
}

/// Writes one message.
pub(crate) fn write(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    to.write_all(&framed(message)?)
}
