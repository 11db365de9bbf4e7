//! What went wrong, and what has no end yet.

use super::super::block::{Block, Cell};
use super::super::event::CallLine;
use super::super::figures::Figures;
use super::{Page, calls, count, left_out, were};

impl Page {
    pub(super) fn denials(&mut self, figures: &Figures) {
        self.part("Denied calls and violations");
        match figures.denials.all {
            0 => self.text("No call was denied."),
            all => {
                self.text(format!("{} denied.", were(all)));
                self.counts(
                    "Denied calls by reason; a call counts once for each of its reasons",
                    "reason",
                    &figures.denial_reasons,
                );
                let head = ["time", "agent", "tool", "reasons", "flags", "purpose", "call"];
                self.listed("Denied calls", &head, &figures.denials, |line| {
                    vec![
                        Cell::ours(&line.at),
                        Cell::theirs(&line.agent),
                        Cell::theirs(&line.tool),
                        Cell::Several(line.reasons.clone()),
                        Cell::Several(line.flags.clone()),
                        Cell::theirs(&line.purpose),
                        Cell::theirs(&line.call),
                    ]
                });
            }
        }
        self.0.push(Block::Head("Flagged calls that were not denied".to_owned()));
        if figures.violations.all == 0 {
            return self.text("None.");
        }
        self.text(format!("{} flagged, and ended without a denial.", were(figures.violations.all)));
        let head = ["time", "agent", "tool", "flags", "ended", "purpose", "call"];
        self.listed("Flagged calls", &head, &figures.violations, |line| {
            vec![
                Cell::ours(&line.at),
                Cell::theirs(&line.agent),
                Cell::theirs(&line.tool),
                Cell::Several(line.flags.clone()),
                Cell::theirs(&line.status),
                Cell::theirs(&line.purpose),
                Cell::theirs(&line.call),
            ]
        });
    }

    pub(super) fn failures(&mut self, figures: &Figures) {
        self.part("Calls that failed");
        if figures.failures.all == 0 {
            return self.text("No call ended in an error, a timeout or an interruption.");
        }
        self.text(format!(
            "{} ended in an error, a timeout or an interruption.",
            calls(figures.failures.all)
        ));
        self.counts("Failed calls by class of error", "class", &figures.failure_classes);
        let head = ["time", "agent", "tool", "ended", "class", "verdict", "flags", "milliseconds", "call"];
        self.listed("Failed calls", &head, &figures.failures, |line| {
            vec![
                Cell::ours(&line.at),
                Cell::theirs(&line.agent),
                Cell::theirs(&line.tool),
                Cell::theirs(&line.status),
                Cell::theirs(&line.error_class),
                Cell::theirs(&line.decision),
                Cell::Several(line.flags.clone()),
                Cell::Number(line.elapsed_ms),
                Cell::theirs(&line.call),
            ]
        });
    }

    pub(super) fn open_calls(&mut self, figures: &Figures, open: &[CallLine]) {
        self.part("Calls still open");
        let all = figures.n_open();
        if all == 0 {
            return self.text("Every call of the log has its end.");
        }
        let have = count(all, "call of the whole log has", "calls of the whole log have");
        self.text(format!("{have} no end on record."));
        let head = ["time", "agent", "tool", "verdict", "reasons", "flags", "purpose", "call"];
        let row = |line: &CallLine| {
            vec![
                Cell::ours(&line.at),
                Cell::theirs(&line.agent),
                Cell::theirs(&line.tool),
                Cell::theirs(&line.decision),
                Cell::Several(line.reasons.clone()),
                Cell::Several(line.flags.clone()),
                Cell::theirs(&line.purpose),
                Cell::theirs(&line.call),
            ]
        };
        self.table("Open calls, newest first", &head, open.iter().map(row).collect());
        let missing = all.saturating_sub(open.len() as u64);
        if missing > 0 {
            self.text(left_out(missing));
        }
    }
}
