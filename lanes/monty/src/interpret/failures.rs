//! Errors of the interpreter, told apart by whose they are.

use std::sync::Arc;

use monty_types::{ExcType, MontyException, StackFrame};

use crate::outcome::{Failure, FailureKind};
use crate::rules::Refusal;

/// Longest message and traceback that are passed on. A program chooses their text.
const MAX_MESSAGE: usize = 4 * 1024;
const MAX_TRACEBACK: usize = 32 * 1024;

/// What the program is called in tracebacks.
pub(super) const FILE: &str = "program.py";

/// How the program was run.
pub(super) enum Source<'s> {
    /// By itself.
    Alone,
    /// After a prelude, with edits; this is how it came.
    Second(&'s str),
}

pub(super) fn refused(refusals: Vec<Refusal>) -> Failure {
    let first = refusals.first();
    let syntax = first.is_some_and(|first| first.message.starts_with("SyntaxError"));
    let kind = if syntax { FailureKind::Syntax } else { FailureKind::Refused };
    let message = first.map(ToString::to_string).unwrap_or_default();
    Failure { refusals, ..Failure::new(kind, message) }
}

/// An exception that ended a program. `ran` is whether anything of it was run, `lacking` whether it was
/// told that this interpreter does not have something.
pub(super) fn raised(error: &MontyException, source: &Source<'_>, ran: bool, lacking: bool) -> Failure {
    let message = error.message().unwrap_or_default();
    let is = |kind: ExcType| error.exc_type() == kind;
    if is(ExcType::SyntaxError) && !ran {
        let frame = error.traceback().first();
        let (line, column) = frame.map_or((1, 1), |frame| (frame.start.line, frame.start.column));
        let message = format!("SyntaxError: {}", cut(message, MAX_MESSAGE));
        return refused(vec![Refusal { line, column, message, hint: "correct the syntax".to_owned() }]);
    }
    let kind = if is(ExcType::TimeoutError) && message.starts_with("time limit exceeded") {
        FailureKind::Time
    } else if is(ExcType::MemoryError) && message.starts_with("memory limit exceeded") {
        FailureKind::Memory
    } else if is(ExcType::RecursionError) {
        FailureKind::Recursion
    } else if !ran || (lacking && is(ExcType::NameError) && message.ends_with("does not have it")) {
        FailureKind::Unsupported
    } else {
        FailureKind::Python
    };
    let short = MontyException::with_traceback(
        error.exc_type(),
        error.message().map(|message| cut(message, MAX_MESSAGE)),
        error.traceback().iter().map(|frame| placed(frame, source)).collect(),
    );
    Failure {
        traceback: Some(cut(&short.to_string(), MAX_TRACEBACK)),
        ..Failure::new(kind, one_line(&short.summary()))
    }
}

/// A frame with the name and the line that the program has to whoever wrote it.
fn placed(frame: &StackFrame, source: &Source<'_>) -> StackFrame {
    let mut frame = frame.clone();
    let Source::Second(text) = source else {
        return frame;
    };
    // So the interpreter calls its second source.
    if frame.filename != "<python-input-1>" {
        frame.filename = "<uuid>".to_owned();
        return frame;
    }
    frame.filename = FILE.to_owned();
    if frame.start.line == frame.end.line {
        let line = usize::try_from(frame.start.line).ok().and_then(|line| line.checked_sub(1));
        let original = line.and_then(|line| text.lines().nth(line));
        frame.preview_line = original.map(Arc::from).or(frame.preview_line);
    }
    frame
}

/// A message can have as many lines as the program likes; the traceback has them all.
fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn cut(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(longest);
    format!("{}...", text.get(..end).unwrap_or_default())
}
