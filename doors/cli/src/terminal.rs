//! What the program knows of the terminal, and how it speaks to it.
//!
//! Data goes to standard output, talk to standard error. A reader who has gone away (`| head`) ends
//! the program quietly; talk that nobody can hear is dropped.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};

/// Why standard output takes no more.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Lost {
    /// The reader has gone away, which is its right.
    #[error("standard output was closed")]
    Closed,
    /// The output could not be written.
    #[error("standard output cannot be written: {}", reason(.0))]
    Failed(io::Error),
}

/// Standard output, buffered.
#[derive(Debug)]
pub(crate) struct Output(BufWriter<io::Stdout>);

impl Output {
    pub(crate) fn new() -> Self {
        Self(BufWriter::with_capacity(64 * 1024, io::stdout()))
    }

    /// Writes `text`, and a line feed behind it.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Lost> {
        self.text(text)?;
        self.text("\n")
    }

    /// Writes `text` as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Lost> {
        self.0.write_all(text.as_bytes()).map_err(Lost::from)
    }

    /// Sends everything on its way.
    pub(crate) fn flush(&mut self) -> Result<(), Lost> {
        self.0.flush().map_err(Lost::from)
    }
}

impl From<io::Error> for Lost {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Failed(error) }
    }
}

/// Says `text` on standard error, with a line feed behind it.
pub(crate) fn say(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(format!("{text}\n").as_bytes());
}

/// Says on standard error what went wrong, and the one next thing to do.
pub(crate) fn say_error(message: &str, hint: Option<&str>) {
    let message = crate::visible::visible(message);
    match hint {
        Some(hint) => say(&format!("error: {message}\n\nhint: {hint}")),
        None => say(&format!("error: {message}")),
    }
}

/// Whether standard error may be coloured.
pub(crate) fn colour() -> bool {
    let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !forbidden && !dumb && io::stderr().is_terminal()
}

/// Whether a person sits there who can be asked.
pub(crate) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks on standard error and takes one line of standard input; nothing when it has ended.
pub(crate) fn ask_line(question: &str) -> Option<String> {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "{question} ");
    let _ = stderr.flush();
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line).ok()?;
    (read > 0).then(|| line.trim().to_owned())
}

/// Whether a person sees standard error, but no verdicts that would show how far it has come.
pub(crate) fn wants_progress() -> bool {
    io::stderr().is_terminal() && !io::stdout().is_terminal()
}

/// Whether a person sees standard error. For work that prints nothing before it is done.
pub(crate) fn on_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Shows how far the work has come, in place of what this showed before.
pub(crate) fn show_progress(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "\r\x1b[2K{text}");
    let _ = stderr.flush();
}

/// An error and its causes, in one line.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// What the system says, the way our messages are written: lower case and without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => String::from("unknown reason"),
    }
}
