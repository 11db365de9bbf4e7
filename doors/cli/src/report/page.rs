//! What a report says, and in which order.
//!
//! Denied calls and violations stand first, then what failed, what is open, and what changed authority;
//! only then come the figures of everyday work. The end says how to check all of it.

mod authority;
mod source;
mod trouble;
mod work;

use super::block::{Block, Cell, Table};
use super::counts::{Counts, Newest};
use super::event::{CallLine, clock};
use super::figures::Figures;

pub(crate) use source::{Checked, Source};

/// The whole report. `open` are the newest calls without an end.
pub(crate) fn page(figures: &Figures, open: &[CallLine], source: &Source) -> Vec<Block> {
    let mut page = Page::default();
    page.0.push(Block::Title("Report of a toolgate ledger".to_owned()));
    page.summary(figures, source);
    page.denials(figures);
    page.failures(figures);
    page.open_calls(figures, open);
    page.policies(figures);
    page.approvals(figures);
    page.rulings(figures);
    page.flags(figures);
    page.gate(figures);
    page.source(source);
    page.0
}

#[derive(Default)]
struct Page(Vec<Block>);

impl Page {
    fn part(&mut self, text: &str) {
        self.0.push(Block::Part(text.to_owned()));
    }

    fn text(&mut self, text: impl Into<String>) {
        self.0.push(Block::Text(text.into()));
    }

    fn table(&mut self, caption: impl Into<String>, head: &[&str], rows: Vec<Vec<Cell>>) {
        let head = head.iter().map(|name| Cell::ours(*name)).collect();
        self.0.push(Block::Table(Table { caption: caption.into(), head, rows }));
    }

    fn counts(&mut self, caption: &str, of: &str, counts: &Counts) {
        let mut rows: Vec<Vec<Cell>> = counts
            .sorted()
            .into_iter()
            .map(|(name, count)| vec![Cell::theirs(name), Cell::Number(count)])
            .collect();
        if counts.others() > 0 {
            rows.push(vec![Cell::ours("others"), Cell::Number(counts.others())]);
        }
        self.table(caption, &[of, "calls"], rows);
    }

    /// The lines of a list, and plainly how many are not in it.
    fn listed<T>(
        &mut self,
        caption: &str,
        head: &[&str],
        lines: &Newest<T>,
        row: impl FnMut(&T) -> Vec<Cell>,
    ) {
        self.table(format!("{caption}, newest first"), head, lines.iter().map(row).collect());
        if lines.left_out() > 0 {
            self.text(left_out(lines.left_out()));
        }
    }

    fn summary(&mut self, figures: &Figures, source: &Source) {
        let period = match figures.covered {
            None => "No entry lies in the period.".to_owned(),
            Some((first, last)) => format!("Entries from {} to {} (UTC).", clock(first), clock(last)),
        };
        let asked_for = match (figures.period.since, figures.period.until) {
            (None, None) => "The whole log.".to_owned(),
            (since, until) => {
                let since = since.map_or_else(|| "the beginning".to_owned(), clock);
                let until =
                    until.map_or_else(|| "the end".to_owned(), |until| format!("before {}", clock(until)));
                format!("The period from {since} to {until} (UTC).")
            }
        };
        let Figures { n_asked, n_succeeded, n_entries, n_unreadable, .. } = figures;
        let (denied, failed, open) = (figures.denials.all, figures.failures.all, figures.n_open());
        let are_open = match open {
            0 => "No call is still open".to_owned(),
            1 => "1 call is still open".to_owned(),
            open => format!("{open} calls are still open"),
        };
        self.text(format!(
            "{asked_for} {period} {} asked for; of those that ended, {denied} denied, {failed} failed and \
             {n_succeeded} succeeded. {are_open} at the end of the log. The log has {}, {n_entries} of them \
             in the period.",
            calls(*n_asked),
            entries(source.size),
        ));
        if *n_unreadable > 0 {
            self.text(format!(
                "{} cannot be read or found, and nothing below counts them. `toolgate ledger verify` \
                 says which.",
                entries(*n_unreadable)
            ));
        }
    }
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn calls(number: u64) -> String {
    count(number, "call", "calls")
}

fn were(number: u64) -> String {
    count(number, "call was", "calls were")
}

fn entries(number: u64) -> String {
    count(number, "entry", "entries")
}

fn left_out(number: u64) -> String {
    let older = count(number, "older one is", "older ones are");
    format!("{older} counted above and not listed; `toolgate ledger query` finds them.")
}
