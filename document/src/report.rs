//! A Tool Result that is still to be written down.
//!
//! What a program printed, how it named its files and what a request says are other people's words. A
//! result is data, so none of them may come back as an order, a secret or something made to be run. The
//! page is therefore written, held to the very rules that results are checked by, and written again
//! without whatever they object to, until they object to nothing. **Invariant:** what comes out is
//! accepted by [`crate::check`], whatever went in.

mod page;
mod stream;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use call::{ExitReason, Finding, Lane, Moment, Sha256, Span};

use crate::checked::{Source, Verdict, check};
use crate::profile::Profile;
use crate::rules;
use page::{Page, Piece};

/// Everything that a result says.
#[derive(Clone, Debug)]
pub struct Report {
    /// The request that it answers.
    pub request_id: String,
    /// The canonical digest of that request.
    pub request_sha256: Sha256,
    /// When it is written, in whole seconds.
    pub created: Moment,
    /// Who ran the request.
    pub executor: String,
    /// `ERA` or `monty`.
    pub backend: String,
    /// What the program ended with.
    pub exit_code: i64,
    /// Why it is not running any more.
    pub exit_reason: ExitReason,
    /// How long it ran.
    pub runtime: Duration,
    /// Whether it had a network at all.
    pub network: bool,
    /// Whom it reached.
    pub destinations: Vec<String>,
    /// What it left below `/out`.
    pub artifacts: Vec<ReportArtifact>,
    /// What it printed.
    pub stdout: ReportStream,
    /// What it printed as errors.
    pub stderr: ReportStream,
    /// Where it ran.
    pub lane: Lane,
    /// The walls that were really there.
    pub layers: Vec<String>,
    /// The entry of the ledger that says that it was about to run.
    pub ledger_entry: Option<u64>,
    /// What happened, a sentence each.
    pub summary: Vec<String>,
    /// How it came about: labels and values.
    pub provenance: Vec<(&'static str, String)>,
    /// What nobody expected, a sentence each.
    pub unexpected: Vec<String>,
    /// What the program did with the network, in a sentence.
    pub network_confirmation: String,
}

/// A file below `/out`.
#[derive(Clone, Debug)]
pub struct ReportArtifact {
    /// Its path, with `/out/` in front.
    pub path: String,
    /// The digest of its content.
    pub sha256: Sha256,
    /// What the request says that it holds.
    pub description: Option<String>,
}

/// What a program printed.
#[derive(Clone, Debug)]
pub struct ReportStream {
    /// The text, as much as is known of it; secrets that only the gate knows are out of it already.
    pub text: Vec<u8>,
    /// The digest of the file that keeps it whole.
    pub sha256: Sha256,
    /// The name of that file: `stdout.txt` or `stderr.txt`.
    pub file: &'static str,
}

/// A result that cannot be written so that it keeps the rules.
#[derive(Debug, thiserror::Error)]
#[error("the result cannot be written so that it keeps the rules of results: {first}")]
pub struct Unwritable {
    /// What is said of its first fault.
    pub first: String,
}

/// After so many rounds, a page is written without any of the words of others.
const ROUNDS: usize = 24;

impl Report {
    /// The id, which the file is named after.
    #[must_use]
    pub fn id(&self) -> String {
        format!("TS-{}-{}", self.created.to_string().replace([':', '-'], ""), self.request_id)
    }

    /// The document.
    ///
    /// # Errors
    /// When it cannot be made to keep the rules: the id is none, or the time is.
    pub fn to_markdown(&self) -> Result<String, Unwritable> {
        let (out, err) = (stream::shown(&self.stdout.text), stream::shown(&self.stderr.text));
        let mut withheld = Withheld::default();
        let mut first = None;
        for round in 0..=ROUNDS + Level::ALL.len() {
            if round >= ROUNDS {
                withheld.raise();
            }
            let page = Page::write(self, &out, &err, &withheld);
            let errors = errors(&self.id(), &page.text, self.created);
            let Some(error) = errors.first() else { return Ok(page.text) };
            first.get_or_insert_with(|| error.message.clone());
            if !withheld.take_out(&errors, &page.pieces) {
                withheld.raise();
            }
        }
        Err(Unwritable { first: first.unwrap_or_default() })
    }
}

fn errors(id: &str, text: &str, now: Moment) -> Vec<Finding> {
    let checked = check(&Source { stem: Some(id), bytes: text.as_bytes() }, Profile::Strict, now);
    match checked {
        Ok(checked) if checked.verdict() == Verdict::Accept => Vec::new(),
        Ok(checked) => checked.findings.into_iter().filter(Finding::is_error).collect(),
        // A text is put together from texts.
        Err(_) => Vec::new(),
    }
}

/// Which words of others are left out.
#[derive(Clone, Debug, Default)]
struct Withheld {
    pieces: BTreeMap<Piece, &'static str>,
    level: Level,
}

/// How much is left out whatever the findings say, because they no longer say where the fault is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    #[default]
    Nothing,
    /// What the program printed.
    Streams,
    /// All words of others.
    Everything,
}

impl Level {
    const ALL: [Self; 3] = [Self::Nothing, Self::Streams, Self::Everything];
}

impl Withheld {
    /// Why this is left out; nothing when it is not.
    fn why(&self, piece: Piece) -> Option<&'static str> {
        let by_level = match piece {
            Piece::Stdout(_) | Piece::Stderr(_) => self.level >= Level::Streams,
            Piece::Artifact(_) | Piece::Description(_) | Piece::Summary(_) | Piece::Provenance(_) => {
                self.level >= Level::Everything
            }
            Piece::Unexpected(_) | Piece::Destination(_) => self.level >= Level::Everything,
        };
        self.pieces.get(&piece).copied().or_else(|| by_level.then_some(INSTRUCTION))
    }

    fn raise(&mut self) {
        self.level = match self.level {
            Level::Nothing => Level::Streams,
            Level::Streams | Level::Everything => Level::Everything,
        };
    }

    /// Leaves out what these findings are about; false when that is nothing new.
    fn take_out(&mut self, errors: &[Finding], pieces: &[(Span, Piece)]) -> bool {
        let before = self.pieces.len();
        let mut seen = BTreeSet::new();
        for error in errors {
            let touched = pieces.iter().filter(|(span, _)| touches(error.span, *span));
            for (_, piece) in touched {
                if seen.insert(*piece) {
                    self.pieces.entry(*piece).or_insert(reason(error));
                }
            }
        }
        self.pieces.len() > before
    }
}

fn touches(one: Span, other: Span) -> bool {
    one.start.max(other.start) < one.end.min(other.end)
        || one.start == one.end && (other.start..=other.end).contains(&one.start)
}

const INSTRUCTION: &str = "instruction-like text";

/// Why a line is not shown.
fn reason(error: &Finding) -> &'static str {
    if error.rule.code == rules::SECRET.code {
        "secret"
    } else if error.rule.code == rules::RESULT_PAYLOAD.code {
        "executable payload"
    } else {
        INSTRUCTION
    }
}
