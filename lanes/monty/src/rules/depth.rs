//! How deep the tree of a program can become, counted on its tokens before anything builds it.
//!
//! The parser counts its own recursion, but `a+a+a` and `a.b.c` are loops to it, and the tree that they
//! leave is as deep as they are long: whatever walks or drops it would overflow the stack.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};

/// The deepest tree that is looked at. Honest programs stay far below: nesting counts by tens, and the
/// longest chain that people write by hand is a text of some hundred parts.
const MAX_DEPTH: u32 = 1_000;

/// One pair of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Links of the chain that is being read.
    chain: u32,
    /// The deepest bracket in it.
    inner: u32,
    /// The deepest of the chains that have ended.
    deepest: u32,
}

impl Level {
    fn end_chain(&mut self) {
        self.deepest = self.depth();
        self.chain = 0;
        self.inner = 0;
    }

    fn depth(&self) -> u32 {
        self.deepest.max(self.chain + self.inner)
    }
}

/// The line, from 1, in which the program becomes too deep.
pub(super) fn too_deep(source: &str) -> Option<u32> {
    if !is_too_deep(source) {
        return None;
    }
    // The lexer does not tell places to others, so the place is found by asking about beginnings.
    let ends: Vec<usize> = source.match_indices('\n').map(|(end, _)| end + 1).collect();
    let lines = ends.partition_point(|end| !source.get(..*end).is_some_and(is_too_deep));
    u32::try_from(lines + 1).ok()
}

fn is_too_deep(source: &str) -> bool {
    let mut lexer = lexer::lex(source, Mode::Module);
    let mut around: Vec<Level> = Vec::new();
    let mut level = Level::default();
    // Links of the chains around this bracket.
    let mut outside = 0;
    loop {
        let kind = lexer.next_token();
        if kind.is_eof() {
            return false;
        }
        if opens(kind) {
            level.chain += 1;
            outside += level.chain;
            around.push(std::mem::take(&mut level));
        } else if closes(kind) {
            let inner = level.depth() + 1;
            level = around.pop().unwrap_or_default();
            outside = outside.saturating_sub(level.chain);
            level.inner = level.inner.max(inner);
        } else if links(kind) {
            level.chain += 1;
        } else if parts(kind) {
            level.end_chain();
        }
        if outside + level.depth() > MAX_DEPTH {
            return true;
        }
    }
}

fn opens(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Lpar
            | TokenKind::Lsqb
            | TokenKind::Lbrace
            | TokenKind::FStringStart
            | TokenKind::TStringStart
    )
}

fn closes(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace | TokenKind::FStringEnd | TokenKind::TStringEnd
    )
}

/// What makes the tree one deeper at its left or right end, for as long as the chain goes on.
fn links(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Dot
            | TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::DoubleStar
            | TokenKind::Slash
            | TokenKind::DoubleSlash
            | TokenKind::Percent
            | TokenKind::At
            | TokenKind::Amper
            | TokenKind::Vbar
            | TokenKind::CircumFlex
            | TokenKind::LeftShift
            | TokenKind::RightShift
            | TokenKind::Tilde
            | TokenKind::Not
            | TokenKind::Await
            | TokenKind::Lambda
            | TokenKind::If
            | TokenKind::Else
    )
}

/// What stands between two chains, neither of which is inside the other.
fn parts(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Comma
            | TokenKind::Semi
            | TokenKind::Newline
            | TokenKind::Equal
            | TokenKind::And
            | TokenKind::Or
            | TokenKind::In
            | TokenKind::Is
            | TokenKind::EqEqual
            | TokenKind::NotEqual
            | TokenKind::Less
            | TokenKind::LessEqual
            | TokenKind::Greater
            | TokenKind::GreaterEqual
    )
}
