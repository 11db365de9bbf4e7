//! What is said in the end, in words and as an exit code.

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use verify::key::BadKey;

use crate::arguments::BadUsage;

/// What was found out.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) verdict: Verdict,
}

/// Whether everything that was asked about holds. The numbers are promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Verdict {
    Holds = 0,
    DoesNotHold = 2,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        Self::from(verdict as u8)
    }
}

/// Why nothing was found out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CouldNot {
    #[error("the arguments are not understood")]
    Usage(#[source] BadUsage),
    #[error("`--key` is not a key")]
    Key(#[source] BadKey),
    #[error("`{}` is not a file that can be read", .path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("`{}` does not exist", .0.display())]
    NoFile(PathBuf),
    #[error("`{}` has no file `checkpoint`: it is not the folder of a log", .0.display())]
    NoLog(PathBuf),
}

impl CouldNot {
    /// The error, its causes, and what to do next.
    pub(crate) fn message(&self) -> String {
        let hint = match self {
            Self::Usage(_) => "\nhint: toolgate-verify --help\n",
            Self::Key(_) => "\nhint: give the key as `NAME+HASH+BASE64`, or its file as `@FILE`\n",
            Self::File { .. } | Self::NoFile(_) | Self::NoLog(_) => "",
        };
        format!("error: {}\n{hint}", shown(&with_causes(self)))
    }
}

impl Answer {
    /// An answer without lines, which holds until one does not.
    pub(crate) const fn new() -> Self {
        Self { text: String::new(), verdict: Verdict::Holds }
    }

    /// Adds something that holds.
    pub(crate) fn holds(&mut self, what: &str) {
        self.line("ok", what);
    }

    /// Adds something that does not.
    pub(crate) fn does_not_hold(&mut self, what: &str) {
        self.verdict = Verdict::DoesNotHold;
        self.line("not ok", what);
    }

    fn line(&mut self, verdict: &str, what: &str) {
        let _ = writeln!(self.text, "{verdict}: {}", shown(what));
    }
}

/// An error and its causes, in one line.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = write!(message, ": {error}");
        cause = error.source();
    }
    message
}

/// `text` in one line, with what draws on a terminal, or hides, spelled out: what strangers wrote could
/// otherwise forge a line of the answer.
fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\'' | '"' | '\\' => shown.push(character),
            _ => shown.extend(character.escape_debug()),
        }
    }
    shown
}
