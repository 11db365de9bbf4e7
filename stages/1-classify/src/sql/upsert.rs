//! `ON CONFLICT` with more than columns in its target.
//!
//! The parser knows `ON CONFLICT (a, b)`. Databases also take expressions there, and a condition behind it:
//! `ON CONFLICT (lower(a)) WHERE b > 1 DO NOTHING`. For telling what a statement touches, both are moved to
//! where the parser takes any expression: `ON CONFLICT (target) DO UPDATE SET target = (lower(a)), …`. They
//! are kept word for word, so whatever they call or look at is seen.

use sqlparser::tokenizer::Token;

use super::retold::{Spelling, View, told};

/// The clause from `ON` to `DO NOTHING` or `DO UPDATE SET`, if it has more than columns.
pub(super) fn spelling(view: &View<'_>) -> Option<Spelling> {
    if !view.reads(&["ON", "CONFLICT"]) || view.ahead(2) != Some(&Token::LParen) {
        return None;
    }
    let (target, mut length) = until(view, 3, |_, token| *token == Token::RParen)?;
    let is_plain = target.iter().all(|token| matches!(token, Token::Word(_) | Token::Comma));
    let mut moved = vec![target];
    if view.at(length).reads(&["WHERE"]) {
        let is_end = |view: &View<'_>, _: &Token| {
            view.reads(&["DO", "NOTHING"]) || view.reads(&["DO", "UPDATE", "SET"])
        };
        let (condition, end) = until(view, length + 1, is_end)?;
        moved.push(condition);
        // What ends it belongs to the rest.
        length = end - 1;
    } else if is_plain {
        return None;
    }
    let goes_on = view.at(length).reads(&["DO", "UPDATE", "SET"]);
    if !goes_on && !view.at(length).reads(&["DO", "NOTHING"]) {
        return None;
    }
    let column = told(&["target"]);
    let mut instead = told(&["ON", "CONFLICT"]);
    instead.push(Token::LParen);
    instead.extend(column.clone());
    instead.push(Token::RParen);
    instead.extend(told(&["DO", "UPDATE", "SET"]));
    for (number, words) in moved.into_iter().enumerate() {
        if number > 0 {
            instead.push(Token::Comma);
        }
        instead.extend(column.clone());
        instead.extend([Token::Eq, Token::LParen]);
        instead.extend(words);
        instead.push(Token::RParen);
    }
    if goes_on {
        instead.push(Token::Comma);
    }
    Some((length + if goes_on { 3 } else { 2 }, instead))
}

/// The words from one on up to the one that ends them outside of brackets, and how many there are with it.
/// A second clause of this kind ends the search, so that no text is gone over again and again.
fn until(
    view: &View<'_>,
    from: usize,
    ends: impl Fn(&View<'_>, &Token) -> bool,
) -> Option<(Vec<Token>, usize)> {
    let mut words = Vec::new();
    let mut depth = 0_usize;
    for count in from.. {
        let here = view.at(count);
        let token = here.ahead(0)?;
        if here.reads(&["ON", "CONFLICT"]) {
            return None;
        }
        if depth == 0 && ends(&here, token) {
            return Some((words, count + 1));
        }
        if *token == Token::LParen {
            depth += 1;
        } else if *token == Token::RParen {
            depth = depth.checked_sub(1)?;
        }
        words.push(token.clone());
    }
    None
}
