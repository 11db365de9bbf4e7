//! PostgreSQL's SQL, where the parser's own dialect leaves something out.

use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Leaves out `ONLY` in front of a table, and the brackets that may stand around the table then.
///
/// The parser takes the word for the table and the table for its alias. In PostgreSQL it can be no name
/// without quotes, and says that tables which inherit from this one are not meant; the table is the same.
pub(super) fn without_only(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut kept: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut before: Option<Token> = None;
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let is_blank = matches!(token.token, Token::Whitespace(_));
        if !(is_word(&token.token, "ONLY") && before.as_ref().is_some_and(opens_a_table)) {
            if !is_blank {
                before = Some(token.token.clone());
            }
            kept.push(token);
            continue;
        }
        while rest.next_if(|next| matches!(next.token, Token::Whitespace(_))).is_some() {}
        if rest.next_if(|next| next.token == Token::LParen).is_some() {
            let inside = |next: &TokenWithSpan| {
                matches!(next.token, Token::Word(_) | Token::Period | Token::Whitespace(_))
            };
            while let Some(next) = rest.next_if(inside) {
                kept.push(next);
            }
            // Anything else does not parse, here or there.
            rest.next_if(|next| next.token == Token::RParen);
        }
        before = None;
    }
    kept
}

/// Whether a table may stand behind it. (`FETCH FIRST ROW ONLY` is something else.)
fn opens_a_table(token: &Token) -> bool {
    *token == Token::Comma
        || *token == Token::LParen
        || ["FROM", "UPDATE", "JOIN", "USING"].iter().any(|word| is_word(token, word))
}

fn is_word(token: &Token, word: &str) -> bool {
    matches!(token, Token::Word(found) if found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word))
}
