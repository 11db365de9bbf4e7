//! What the report was made of, and how that can be checked.

use call::Moment;

use super::super::block::{Block, Cell};
use super::super::event::clock;
use super::{Page, entries};

/// What the report was made of.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// When it was made.
    pub(crate) made: Moment,
    /// By which version.
    pub(crate) version: &'static str,
    /// How many entries the log had.
    pub(crate) size: u64,
    /// The root of the entries as they were read.
    pub(crate) root: String,
    /// What signatures are checked by.
    pub(crate) key: String,
    /// The last checkpoint that the ledger keeps, and what became of it.
    pub(crate) checkpoint: Option<(String, Checked)>,
}

/// Whether the entries are those of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    /// The first so many entries have its root.
    Agrees(u64),
    /// They do not, or there are fewer.
    Differs(u64),
    /// It is not signed by the key of the ledger.
    NotSigned,
}

impl Page {
    pub(super) fn source(&mut self, source: &Source) {
        self.part("How to check this report");
        self.text(format!(
            "Made on {} (UTC) by toolgate {} of {}. The report itself is not signed: the ledger is what \
             counts.",
            clock(source.made),
            source.version,
            entries(source.size)
        ));
        let rows = vec![
            vec![Cell::ours("entries"), Cell::ours(source.size.to_string())],
            vec![Cell::ours("root"), Cell::theirs(&source.root)],
            vec![Cell::ours("key"), Cell::theirs(&source.key)],
        ];
        self.table("The log that was read", &["what", "value"], rows);
        self.text("In the home of the gate, this checks every entry and prints the root:");
        self.0.push(Block::Lines("toolgate ledger verify".to_owned()));
        let Some((note, checked)) = &source.checkpoint else {
            return self.text("The ledger keeps no checkpoint yet; `toolgate ledger checkpoint` signs one.");
        };
        self.text(match checked {
            Checked::Agrees(size) => format!(
                "The last checkpoint covers {}; it is signed by the key, and the log agrees with it:",
                entries(*size)
            ),
            Checked::Differs(size) => format!(
                "WARNING: the last checkpoint covers {}, and the log does NOT agree with it. It was cut, put \
                 back or changed:",
                entries(*size)
            ),
            Checked::NotSigned => {
                "WARNING: the last checkpoint is NOT signed by the key of the ledger:".to_owned()
            }
        });
        self.0.push(Block::Lines(note.trim_end().to_owned()));
        self.text("Saved as a file, it is held against a log that has grown since:");
        self.0.push(Block::Lines("toolgate ledger verify --against checkpoint".to_owned()));
    }
}
