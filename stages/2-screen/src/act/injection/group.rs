//! Commands that share one input: between braces or parentheses, or in a loop or a condition.

use super::Source;
use crate::act::shell::{Command, Word};

/// Commands that share one input: between braces or parentheses, or in a loop or a condition.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) source: Source,
    // How many parentheses are open in it, and how many words that something must close.
    pub(super) depth: usize,
    pub(super) open: usize,
}

impl Group {
    /// The group that begins with `command`, which stands behind a pipe at this depth.
    pub(super) fn begin(command: &Command, before: usize, source: Source) -> Option<Self> {
        let by_word = opened(command) > 0;
        let by_sign = command.depth > before;
        (by_word || by_sign).then_some(Self {
            source,
            depth: if by_sign { command.depth } else { 0 },
            open: 0,
        })
    }

    /// The same behind the first words of `command`; nothing when they close it.
    pub(super) fn with(mut self, command: &Command) -> Option<Self> {
        self.open += opened(command);
        if command.words.first().is_some_and(|word| matches!(&*word.text, "}" | "done" | "fi" | "esac")) {
            self.open = self.open.saturating_sub(1);
        }
        let inside = self.open > 0 || (self.depth > 0 && command.depth >= self.depth);
        inside.then_some(self)
    }
}

/// How many groups the first words of a command open.
fn opened(command: &Command) -> usize {
    let keyword = |word: &&Word| {
        matches!(
            &*word.text,
            "{" | "while"
                | "until"
                | "if"
                | "for"
                | "case"
                | "select"
                | "do"
                | "then"
                | "else"
                | "elif"
                | "!"
        )
    };
    let opens =
        |word: &&Word| matches!(&*word.text, "{" | "while" | "until" | "if" | "for" | "case" | "select");
    command.words.iter().take(8).take_while(keyword).filter(opens).count()
}
