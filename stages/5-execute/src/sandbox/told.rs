//! What is told of a run.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use call::{Content, Done, ExitReason, Fault, Lane};
use lanes::{Limits, Ran};
use serde_json::{Value, json};

use crate::key_block;

/// Bytes of one output that are shown.
const SHOWN: u64 = 64 * 1024;

/// Bytes of all outputs that are shown.
const SHOWN_TOGETHER: u64 = 256 * 1024;

/// Characters of what a program said last, where it failed, and the line that they begin in.
const LAST_WORDS: usize = 1_000;

/// The result of a run that ended by itself; a failure of one that did not.
pub(super) fn tell(
    lane: Lane,
    ran: &Ran,
    outputs: &Path,
    left_out: &[String],
    limits: &Limits,
) -> Result<Done, Fault> {
    let (stdout, stderr) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    let said = if stderr.trim().is_empty() { &stdout } else { &stderr };
    ended(ran.ending.reason, limits, said)?;
    let mut left = SHOWN_TOGETHER;
    let files: Vec<Value> = ran
        .artifacts
        .iter()
        .map(|artifact| {
            let mut told = json!({
                "path": format!("/out/{}", artifact.path),
                "bytes": artifact.bytes,
                "sha256": artifact.sha256.to_string(),
            });
            let text =
                (artifact.bytes <= SHOWN.min(left)).then(|| read(&outputs.join(&artifact.path))).flatten();
            if let (Some(text), Value::Object(told)) = (text, &mut told) {
                left -= artifact.bytes.min(left);
                told.insert("text".to_owned(), Value::String(text));
            }
            told
        })
        .collect();
    let mut data = json!({
        "exit_code": ran.ending.code,
        "exit_reason": ran.ending.reason.as_str(),
        "stdout": stdout,
        "stderr": stderr,
        "lane": lane.as_str(),
        "seconds": ran.runtime.as_secs_f64(),
    });
    let mut more = |name: &str, list: Vec<Value>| {
        if let (false, Value::Object(data)) = (list.is_empty(), &mut data) {
            data.insert(name.to_owned(), Value::Array(list));
        }
    };
    more("outputs", files);
    let unwanted =
        ran.unwanted.iter().map(|left| json!({ "path": format!("/out/{}", left.path), "why": left.why }));
    more("not_taken", unwanted.collect());
    more("inputs_left_out", left_out.iter().map(|path| Value::String(path.clone())).collect());
    let destinations = ran.destinations.iter().map(|reached| {
        json!({
            "host": reached.host,
            "port": reached.port,
            "address": reached.address.map(|address| address.to_string()),
            "refused": reached.refused,
            "sent": reached.sent,
            "received": reached.received,
        })
    });
    more("network", destinations.collect());
    let reached = ran.destinations.iter().filter(|reached| reached.refused.is_none());
    let artifacts = ran
        .artifacts
        .iter()
        .map(|artifact| format!("/out/{} sha256:{}", artifact.path, artifact.sha256))
        .chain(reached.map(|reached| format!("{}:{}", reached.host, reached.port)));
    Ok(Done {
        summary: summary(lane, ran.ending.code, ran.ending.reason, ran.artifacts.len()),
        content: Content::Data(data),
        artifacts: artifacts.collect(),
        untrusted: true,
        labels: vec!["program_output".to_owned()],
        lane: Some((lane, ran.layers.clone())),
        failed: failed(ran.ending.code),
        ..Done::default()
    })
}

/// What is on record of a program that ended with this code: whoever calls it is told as much as by a shell.
pub(super) fn failed(code: i32) -> Option<&'static str> {
    (code != 0).then_some("program_failed")
}

pub(super) fn summary(lane: Lane, code: i32, reason: ExitReason, files: usize) -> String {
    let how = match reason {
        ExitReason::Signal => format!("was ended by a signal (exit code {code})"),
        ExitReason::Exited
        | ExitReason::TimeLimit
        | ExitReason::MemoryLimit
        | ExitReason::ProcessLimit
        | ExitReason::DiskLimit
        | ExitReason::FileLimit
        | ExitReason::OutputLimit
        | ExitReason::Cancelled => format!("ended with exit code {code}"),
    };
    let left = match files {
        0 => String::new(),
        1 => " and left one file".to_owned(),
        many => format!(" and left {many} files"),
    };
    format!("the program {how} in the lane `{}`{left}", lane.as_str())
}

/// A run that was ended is no run that ended.
pub(super) fn ended(reason: ExitReason, limits: &Limits, said: &str) -> Result<(), Fault> {
    let megabytes = |bytes: u64| bytes / 1024 / 1024;
    let (class, what) = match reason {
        ExitReason::Exited | ExitReason::Signal => return Ok(()),
        ExitReason::Cancelled => return Err(Fault::Cancelled),
        ExitReason::TimeLimit => {
            let message =
                format!("the program did not end within {} s{}", limits.time.as_secs(), last_words(said));
            return Err(Fault::TimedOut { message });
        }
        ExitReason::MemoryLimit => ("memory_limit", format!("{} MB of memory", megabytes(limits.memory))),
        ExitReason::ProcessLimit => ("process_limit", format!("{} processes", limits.processes)),
        ExitReason::DiskLimit => ("disk_limit", format!("{} MB of disk", megabytes(limits.disk))),
        ExitReason::FileLimit => ("file_limit", format!("{} files", limits.files)),
        ExitReason::OutputLimit => ("output_limit", format!("{} KB of output", limits.output / 1024)),
    };
    let message = format!("the program needed more than {what}{}", last_words(said));
    Err(Fault::failed(class, message))
}

/// What a program said last: often it says what took so long. Whole lines, because half a line could be half a
/// secret that nobody recognises any more.
fn last_words(said: &str) -> String {
    let said = key_block::masked(said.trim());
    let skipped = said.chars().count().saturating_sub(LAST_WORDS);
    let from = said.char_indices().nth(skipped).map_or(said.len(), |(at, _)| at);
    let line = said.get(..from).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let last = said.get(line..).unwrap_or_default();
    if last.is_empty() { String::new() } else { format!("; its last words: {last}") }
}

/// A small output, if it is text.
fn read(path: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(SHOWN).read_to_string(&mut text).ok()?;
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    (!text.contains(odd)).then_some(text)
}
