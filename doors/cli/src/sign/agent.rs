//! Speaks to ssh-agent: which keys it holds, and a signature by one of them.
//!
//! Two questions of its protocol, and no more. The agent is the person's own, and still nothing that it says
//! is believed beyond its length.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::NotSigned;
use super::envelope::string;

/// A key in hardware waits for a touch.
const PATIENCE: Duration = Duration::from_secs(120);

/// Bytes of the longest answer, as OpenSSH has it.
const LONGEST: u32 = 256 * 1024;

const FAILURE: u8 = 5;
const LIST: u8 = 11;
const LISTED: u8 = 12;
const SIGN: u8 = 13;
const SIGNED: u8 = 14;

/// Asks for SHA-512 where the key is an RSA key; without it, agents take SHA-1.
const SHA512: u32 = 4;

/// A connection to an agent.
pub(super) struct Agent(UnixStream);

impl Agent {
    pub(super) fn connect(path: &Path) -> Result<Self, NotSigned> {
        let stream = UnixStream::connect(path).map_err(NotSigned::AgentLost)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(NotSigned::AgentLost)?;
        stream.set_write_timeout(Some(PATIENCE)).map_err(NotSigned::AgentLost)?;
        Ok(Self(stream))
    }

    /// A signature by the first of these that the agent holds.
    pub(super) fn sign(&mut self, candidates: &[&[u8]], message: &[u8]) -> Result<Vec<u8>, NotSigned> {
        let (kind, body) = self.ask(&[LIST])?;
        let held = if kind == LISTED { keys(&body) } else { None };
        let held = held.ok_or(NotSigned::AgentOdd)?;
        let Some(key) = candidates.iter().find(|key| held.iter().any(|held| held == *key)) else {
            return Err(NotSigned::NotInAgent(fingerprint(candidates.last().copied().unwrap_or_default())));
        };
        let question = [&[SIGN][..], &string(key), &string(message), &SHA512.to_be_bytes()].concat();
        match self.ask(&question)? {
            (SIGNED, body) => {
                let signature = Cursor(&body).string().ok_or(NotSigned::AgentOdd)?;
                let algorithm = Cursor(signature).string().ok_or(NotSigned::AgentOdd)?;
                // SHA-1, by an agent that is too old to know better: nobody would take it.
                if algorithm == b"ssh-rsa" { Err(NotSigned::AgentOdd) } else { Ok(signature.to_vec()) }
            }
            (FAILURE, _) => Err(NotSigned::AgentRefused),
            (_, _) => Err(NotSigned::AgentOdd),
        }
    }

    fn ask(&mut self, question: &[u8]) -> Result<(u8, Vec<u8>), NotSigned> {
        self.0.write_all(&string(question)).map_err(NotSigned::AgentLost)?;
        let mut length = [0; 4];
        self.0.read_exact(&mut length).map_err(NotSigned::AgentLost)?;
        let length = u32::from_be_bytes(length);
        if length == 0 || length > LONGEST {
            return Err(NotSigned::AgentOdd);
        }
        let mut answer = vec![0; usize::try_from(length).map_err(|_| NotSigned::AgentOdd)?];
        self.0.read_exact(&mut answer).map_err(NotSigned::AgentLost)?;
        let (&kind, body) = answer.split_first().ok_or(NotSigned::AgentOdd)?;
        Ok((kind, body.to_vec()))
    }
}

/// The keys in an answer, each without its remark.
fn keys(body: &[u8]) -> Option<Vec<&[u8]>> {
    let mut cursor = Cursor(body);
    let count = cursor.number()?;
    let mut keys = Vec::new();
    for _ in 0..count {
        keys.push(cursor.string()?);
        cursor.string()?;
    }
    Some(keys)
}

fn fingerprint(key: &[u8]) -> String {
    let digest = call::Sha256::of(key);
    format!("SHA256:{}", data_encoding::BASE64_NOPAD.encode(digest.as_bytes()))
}

/// Takes one thing after the other from the front.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.bytes(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn string(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.bytes(usize::try_from(length).ok()?)
    }
}
