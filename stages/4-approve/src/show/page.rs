//! Lines of a page: ours as they are, others' behind a bar, none wider than the page.

use super::visible::{self, OF_BLOCK, OF_LINE, Piece};
use crate::glyph;

/// The least that a line has room for.
const NARROWEST: usize = 40;

/// A page that is being written.
pub(super) struct Page {
    width: usize,
    text: String,
}

impl Page {
    pub(super) fn new(width: usize) -> Self {
        Self { width: width.max(NARROWEST), text: String::new() }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// A line above others.
    pub(super) fn heading(&mut self, words: &str) {
        self.text.push('\n');
        self.own(0, words);
    }

    /// Our own words. They are broken between words, and never hold anything from outside that was not made
    /// visible.
    pub(super) fn own(&mut self, indent: usize, words: &str) {
        self.words(&" ".repeat(indent), words);
    }

    /// What a reader should look at twice.
    pub(super) fn warn(&mut self, words: &str) {
        self.words("  ! ", words);
    }

    /// A value from outside that has one line.
    pub(super) fn theirs(&mut self, label: &str, value: &str) {
        self.boxed(label, visible::pieces(value, OF_LINE));
        self.warnings(value);
    }

    /// A text from outside, line by line.
    pub(super) fn block(&mut self, text: &str) {
        for line in text.split('\n') {
            self.boxed("", visible::pieces(line, OF_BLOCK));
        }
        self.warnings(text);
    }

    fn boxed(&mut self, label: &str, pieces: Vec<Piece>) {
        let head = if label.is_empty() { "  ".to_owned() } else { format!("  {label} ") };
        // A label is ours and short; but nothing here relies on it.
        let room = self.width.saturating_sub(head.chars().count() + 2).max(16);
        let mut bar = '|';
        let mut line = String::new();
        let mut columns = 0;
        let mut flush = |line: &mut String, bar: char| {
            let head = if bar == '|' { head.clone() } else { " ".repeat(head.chars().count()) };
            self.text.push_str(&head);
            self.text.push(bar);
            if !line.is_empty() {
                self.text.push(' ');
                self.text.push_str(line);
            }
            self.text.push('\n');
            line.clear();
        };
        for Piece { text, columns: wide } in pieces {
            if columns + wide > room && columns > 0 {
                flush(&mut line, bar);
                bar = '\\';
                columns = 0;
            }
            line.push_str(&text);
            columns += wide;
        }
        flush(&mut line, bar);
    }

    /// Says what letters may make a reader see something else.
    fn warnings(&mut self, value: &str) {
        if let Some(word) = glyph::deceptive_word(value) {
            self.warn("letters that look like others, or of several scripts in one word:");
            self.boxed("spelled out", visible::spelled_pieces(word));
        }
        if let Some(line) = value.split('\n').find(|line| line.chars().any(glyph::runs_leftwards)) {
            self.warn("letters that run from right to left; in the order in which they stand:");
            self.boxed("spelled out", visible::spelled_pieces(line));
        }
    }

    fn words(&mut self, head: &str, words: &str) {
        let margin = head.chars().count();
        let mut columns = margin;
        self.text.push_str(head);
        for (place, word) in words.split(' ').enumerate() {
            let wide: usize = visible::pieces(word, OF_LINE).iter().map(|piece| piece.columns).sum();
            if place > 0 && columns + 1 + wide > self.width {
                self.text.push('\n');
                self.text.push_str(&" ".repeat(margin));
                columns = margin;
            } else if place > 0 {
                self.text.push(' ');
                columns += 1;
            }
            self.text.push_str(word);
            columns += wide;
        }
        self.text.push('\n');
    }
}
