//! Refused calls, on record.
//!
//! Until there is a ledger, they are lines of JSON in the home's own state folder. A violation is
//! written before the refusal is given.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use call::{Moment, Sha256};
use serde::Serialize;

use crate::weigh::{Typed, Weighed};

#[derive(Serialize)]
struct Line<'a> {
    at: String,
    agent: &'a str,
    session: &'a str,
    tool: &'a str,
    reasons: Vec<&'a str>,
    /// Of the text as it came, which need not be JSON.
    arguments: String,
    policy: String,
}

fn place(home: &Path) -> std::path::PathBuf {
    home.join("state").join("violations.jsonl")
}

/// Writes one line. When this returns without an error, it survives a power cut.
pub(crate) fn record(home: &Path, typed: &Typed, weighed: &Weighed, now: Moment) -> io::Result<()> {
    let line = Line {
        at: now.to_string(),
        agent: &typed.agent,
        session: &typed.session,
        tool: &typed.tool,
        reasons: weighed.ruled.ruling.reasons().iter().map(|reason| reason.code.as_str()).collect(),
        arguments: format!("sha256:{}", Sha256::of(typed.arguments.as_bytes())),
        policy: weighed.ruled.policy.to_string(),
    };
    let mut text = serde_json::to_string(&line).map_err(io::Error::other)?;
    text.push('\n');
    let mut options = fs::OpenOptions::new();
    let mut file = options.append(true).create(true).mode(0o600).open(place(home))?;
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// Everything on record, as it was written.
pub(crate) fn all(home: &Path) -> io::Result<Vec<serde_json::Value>> {
    match fs::read_to_string(place(home)) {
        Ok(text) => Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
