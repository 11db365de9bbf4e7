//! One run over documents: check them on all cores, move what was rejected, print, and keep count.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use call::{Clock as _, Moment};
use document::Profile;
use serde::Serialize;

use crate::checker::{Checker, Examined};
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::find::Candidate;
use crate::ordered::in_order;
use crate::outcome::{Answer, Outcome};
use crate::printer::Printer;
use crate::quarantine::{Moved, NotMoved, Quarantine};
use crate::read::Unreadable;
use crate::terminal::{Lost, show_progress, wants_progress};
use crate::visible::{visible, visible_json, visible_path};

/// Work that takes no longer than this says nothing of its progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// One run over documents.
#[derive(Debug)]
pub(crate) struct Session {
    /// How documents are checked.
    pub(crate) checker: Checker,
    /// Where rejected ones go.
    pub(crate) quarantine: Option<Quarantine>,
    /// Where answers go.
    pub(crate) printer: Printer,
    /// How many documents are checked at once.
    pub(crate) workers: usize,
    /// What came out so far.
    pub(crate) tally: Tally,
}

/// What came out so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    pub(crate) n_accepted: usize,
    pub(crate) n_rejected: usize,
    pub(crate) n_errors: usize,
    pub(crate) exit: Exit,
}

/// The reasons that are left beside a document in quarantine.
#[derive(Serialize)]
struct Reasons<'a> {
    #[serde(flatten)]
    outcome: &'a Outcome,
    checked_utc: String,
    profile: &'static str,
}

impl Session {
    /// Checks all candidates, in their order. `enough` ends the work early.
    pub(crate) fn check(
        &mut self,
        candidates: &[Candidate],
        vanishing: Vanishing,
        enough: impl Fn() -> bool,
    ) -> Result<(), Lost> {
        let clock = SystemClock;
        let (now, mut progress) = (clock.now(), Progress::new(clock.tick(), candidates.len()));
        let Self { checker, quarantine, printer, workers, tally } = self;
        let checker = &*checker;
        let mut end = Ok(());
        in_order(
            candidates,
            *workers,
            |candidate, buffer| checker.examine(candidate, now, buffer),
            |candidate| checker.unreadable(candidate, &Unreadable::Broken),
            |mut examined| {
                progress.one_more(clock);
                if examined.gone && vanishing == Vanishing::IsFine {
                    return ControlFlow::Continue(());
                }
                if let Some(quarantine) = quarantine {
                    set_aside(&mut examined, quarantine, checker, now);
                }
                tally.add(&examined.outcome);
                if !examined.talk.is_empty() {
                    progress.hide();
                }
                end = printer.answer(&examined);
                if end.is_err() || enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        progress.hide();
        end
    }
}

/// Whether a file that has gone before it could be read is worth a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vanishing {
    /// Somebody named it, and it is not there.
    IsAnError,
    /// It was seen in a folder, and somebody took it away again.
    IsFine,
}

/// Moves a rejected document to quarantine, and says so.
fn set_aside(examined: &mut Examined, quarantine: &Quarantine, checker: &Checker, now: Moment) {
    let Some(rejected) = examined.rejected.take() else {
        return;
    };
    let profile = match checker.profile {
        Profile::Strict => "strict",
        Profile::ThreegateV1 => "threegate-v1",
    };
    let reasons = Reasons { outcome: &examined.outcome, checked_utc: now.to_string(), profile };
    let json = visible_json(serde_json::to_string_pretty(&reasons).unwrap_or_default()) + "\n";
    let path = visible_path(&rejected.path);
    let talk = match quarantine.admit(&rejected, &json) {
        Ok(Moved { document, reasons }) => {
            let (to, reasons) = (visible_path(&document), visible_path(&reasons));
            examined.outcome.moved_to = Some(document.to_string_lossy().into_owned());
            format!("moved {path} to {to}, reasons in {reasons}\n")
        }
        Err(error @ NotMoved::Already) => format!("{path}: {error}\n"),
        Err(error) => {
            examined.outcome.not_moved(error.to_string());
            format!("ERROR: {path}: {} [IO005]\n", visible(&error.to_string()))
        }
    };
    if checker.talks {
        examined.talk.push_str(&talk);
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self { n_accepted: 0, n_rejected: 0, n_errors: 0, exit: Exit::Done }
    }
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        match outcome.verdict {
            Answer::Accept => self.n_accepted += 1,
            Answer::Reject => self.n_rejected += 1,
            Answer::Error => self.n_errors += 1,
        }
        self.exit = self.exit.worst(outcome.exit());
    }
}

/// Shows a person how far the work has come, once it takes longer than they would wait in silence.
struct Progress {
    start: Instant,
    shown: Option<Instant>,
    on_screen: bool,
    n_done: usize,
    n_all: usize,
    wanted: bool,
}

impl Progress {
    fn new(start: Instant, n_all: usize) -> Self {
        Self { start, shown: None, on_screen: false, n_done: 0, n_all, wanted: wants_progress() }
    }

    fn one_more(&mut self, clock: SystemClock) {
        self.n_done += 1;
        if !self.wanted {
            return;
        }
        let now = clock.tick();
        let due = match self.shown {
            Some(shown) => now.duration_since(shown) > PATIENCE / 10,
            None => now.duration_since(self.start) > PATIENCE,
        };
        if due {
            show_progress(&format!("checked {} of {}", self.n_done, self.n_all));
            self.shown = Some(now);
            self.on_screen = true;
        }
    }

    fn hide(&mut self) {
        if self.on_screen {
            show_progress("");
            self.on_screen = false;
        }
    }
}
