//! Programs that read secrets and print or send them, in the languages that agents write.
//!
//! A light reading, line by line and from top to bottom: where a secret is read (an environment
//! variable with the name of one, the whole environment, a file of secrets), which variable holds
//! it, and whether it ends up in a call that prints or sends. Asking whether it is set, how long it
//! is, or putting it into the header that is made for it is ordinary work.

mod assigned;
mod chained;
mod handed;
mod names_only;
mod near;
mod proper;
mod reads;
mod renamed;
mod searched;
mod sinks;
mod started;
mod words;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use call::{Family, Span};
use regex::bytes::Regex;

use crate::act::kept::Kept;
use crate::act::{Act, Setting, compiled};
pub(super) use assigned::assignment;
use assigned::{assign, each_name};
use reads::{Read, is_text_only, looks_up, reads};
pub(super) use searched::{FILES, VALUES, WORDS, is_posted};
pub(super) use sinks::arguments_end;
use sinks::{judge, sinks};
use words::is_whole_use;
pub(super) use words::{mentions, words};

/// All such programs in `text`, which stands at `offset` of what is reported.
pub(super) fn find(text: &str, offset: usize, setting: Setting, found: &mut Vec<Act>) {
    let mut held: BTreeSet<String> = BTreeSet::new();
    let mut held_whole: BTreeSet<String> = BTreeSet::new();
    let mut each: BTreeSet<String> = BTreeSet::new();
    let started = started::find(text);
    let reads = reads(text, setting, &started);
    let sinks = sinks(text);
    let shows = started.into_iter().filter(|started| started.shows);
    found.extend(shows.map(|started| Act {
        family: Family::Exfiltration,
        kind: "secret_printed",
        span: Span::new(offset + started.span.start, offset + started.span.end),
        mention: is_text_only(text, started.span.start),
    }));
    if sinks.is_empty() && reads.is_empty() {
        return;
    }
    let mut sinks = sinks.into_iter().peekable();
    let mut reads_left = reads.as_slice();
    let mut start = 0;
    let mut kept = Kept::default();
    let any_whole = reads.iter().any(|read| read.whole || read.names);
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let here = reads_left.partition_point(|read| read.start < end);
        let (reads_here, rest) = reads_left.split_at_checked(here).unwrap_or((reads_left, &[]));
        assign(line, start, reads_here, &mut held, &mut held_whole);
        each.extend(each_name(line, reads_here, &held_whole));
        if any_whole
            && looks_up(line)
            && let Some((name, _)) = assignment(line)
        {
            held.insert(name.to_owned());
        }
        if !reads.is_empty() {
            let known = Held { reads: &reads, held: &held, whole: &held_whole, any_whole };
            kept.read_line(text, Span::new(start, end), &known);
            if kept.is_read_in(line)
                && let Some((name, _)) = assignment(line)
            {
                held.insert(name.to_owned());
            }
        }
        if let Some(line_kind) = sends_kept_by_shell(line, &kept) {
            let span = Span::new(offset + start, offset + end);
            found.push(Act {
                family: Family::Exfiltration,
                kind: line_kind,
                span,
                mention: is_comment(line),
            });
        }
        let walked =
            reads_here.iter().find(|read| read.whole && is_walked(text, read.end)).map(|read| read.end);
        while let Some(sink) = sinks.next_if(|sink| sink.start < end) {
            let walked = walked.filter(|walked| sink.start > *walked).map(|_| "secret_printed");
            let arguments = text.get(sink.arguments..sink.end).unwrap_or_default();
            let from_file = if sink.sends { kept.is_named_in(arguments) } else { kept.is_read_in(arguments) };
            let by_name = (from_file || (any_whole && looks_up(arguments))).then_some(if sink.sends {
                "secret_sent"
            } else {
                "secret_printed"
            });
            let kind = judge(text, &sink, &reads, &held, &held_whole, &each).or(walked).or(by_name);
            if let Some(kind) = kind {
                let span = Span::new(offset + sink.start, offset + sink.end);
                found.push(Act { family: Family::Exfiltration, kind, span, mention: is_comment(line) });
            }
        }
        reads_left = rest;
        start = end;
    }
}

/// Is everything that was read gone through, one by one? `Object.entries(process.env).forEach(…`
fn is_walked(text: &str, end: usize) -> bool {
    let behind = text.get(end..text.floor_char_boundary(end.saturating_add(40))).unwrap_or_default();
    let behind = behind.trim_start_matches([')', ' ']);
    [".forEach(", ".map(", ".each", "{ |", "do |", "| ForEach-Object", "| %"]
        .iter()
        .any(|walk| behind.starts_with(walk))
}

pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["#", "//", "*", "/*", "--", ";", "%"].iter().any(|sign| line.starts_with(sign))
}

/// `os.system("curl -d @out.txt …")`, of a file that holds secrets.
fn sends_kept_by_shell(line: &str, kept: &Kept) -> Option<&'static str> {
    static SENDERS: OnceLock<Option<Regex>> = OnceLock::new();
    let senders = compiled(&SENDERS, r"\b(?:curl|wget|scp|rsync|nc|ncat|ftp|sendmail)\b")?;
    (!kept.is_empty() && senders.is_match(line.as_bytes()) && kept.is_named_in(line)).then_some("secret_sent")
}

/// Where secrets stand in a program: what reads them, and the variables that hold them.
pub(super) struct Held<'h> {
    reads: &'h [Read],
    held: &'h BTreeSet<String>,
    whole: &'h BTreeSet<String>,
    // All of it, or its names, are read somewhere.
    any_whole: bool,
}

impl Held<'_> {
    /// Does one of them stand here?
    pub(super) fn stands_in(&self, text: &str, span: Span) -> bool {
        let first = self.reads.partition_point(|read| read.start < span.start);
        let mut reads = self.reads.get(first..).unwrap_or_default().iter();
        let read = reads.find(|read| !read.names).is_some_and(|read| read.start < span.end);
        let arguments = span.of(text).unwrap_or_default();
        let held = mentions(arguments, self.held).is_some();
        let whole = mentions(arguments, self.whole).is_some_and(|place| is_whole_use(arguments, place));
        read || held || whole || (self.any_whole && looks_up(arguments))
    }
}
