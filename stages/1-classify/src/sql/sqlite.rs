//! SQLite's SQL, as SQLite reads it: the parser's own dialect, and what it leaves out.
//!
//! Every answer of the parser's dialect is passed on by name. One that a later version adds is not,
//! until it is written down here; then a statement is refused that could have been read.

use std::any::TypeId;
use std::collections::BTreeSet;

use sqlparser::ast::{Expr, Statement};
use sqlparser::dialect::{Dialect, SQLiteDialect};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// The dialect.
#[derive(Debug)]
pub(super) struct Sqlite;

const PARSERS: SQLiteDialect = SQLiteDialect {};

impl Dialect for Sqlite {
    fn dialect(&self) -> TypeId {
        PARSERS.dialect()
    }

    // `a << 1`
    fn supports_bitwise_shift_operators(&self) -> bool {
        true
    }

    fn is_delimited_identifier_start(&self, ch: char) -> bool {
        PARSERS.is_delimited_identifier_start(ch)
    }

    fn identifier_quote_style(&self, identifier: &str) -> Option<char> {
        PARSERS.identifier_quote_style(identifier)
    }

    fn is_identifier_start(&self, ch: char) -> bool {
        PARSERS.is_identifier_start(ch)
    }

    fn is_identifier_part(&self, ch: char) -> bool {
        PARSERS.is_identifier_part(ch)
    }

    fn parse_statement(&self, parser: &mut Parser<'_>) -> Option<Result<Statement, ParserError>> {
        PARSERS.parse_statement(parser)
    }

    fn parse_infix(
        &self,
        parser: &mut Parser<'_>,
        expr: &Expr,
        precedence: u8,
    ) -> Option<Result<Expr, ParserError>> {
        PARSERS.parse_infix(parser, expr, precedence)
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        PARSERS.supports_filter_during_aggregation()
    }

    fn supports_start_transaction_modifier(&self) -> bool {
        PARSERS.supports_start_transaction_modifier()
    }

    fn supports_in_empty_list(&self) -> bool {
        PARSERS.supports_in_empty_list()
    }

    fn supports_limit_comma(&self) -> bool {
        PARSERS.supports_limit_comma()
    }

    fn supports_asc_desc_in_column_definition(&self) -> bool {
        PARSERS.supports_asc_desc_in_column_definition()
    }

    fn supports_dollar_placeholder(&self) -> bool {
        PARSERS.supports_dollar_placeholder()
    }

    fn supports_notnull_operator(&self) -> bool {
        PARSERS.supports_notnull_operator()
    }

    fn supports_comma_separated_trim(&self) -> bool {
        PARSERS.supports_comma_separated_trim()
    }

    fn supports_numeric_literal_underscores(&self) -> bool {
        PARSERS.supports_numeric_literal_underscores()
    }
}

/// The tokens without `INDEXED BY name`, which says how a table is searched and not what is done.
/// These words stand beside each other nowhere else.
pub(super) fn without_index_names(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let written: Vec<usize> = (0..tokens.len())
        .filter(|&place| !matches!(at(&tokens, place), Some(Token::Whitespace(_))))
        .collect();
    let mut left_out = BTreeSet::new();
    for three in written.windows(3) {
        let &[indexed, by, name] = three else { continue };
        let is_name = matches!(at(&tokens, name), Some(Token::Word(_)));
        if is_word(&tokens, indexed, "indexed") && is_word(&tokens, by, "by") && is_name {
            left_out.extend(three.iter().copied());
        }
    }
    let kept = tokens.into_iter().enumerate().filter(|(place, _)| !left_out.contains(place));
    kept.map(|(_, token)| token).collect()
}

fn at(tokens: &[TokenWithSpan], place: usize) -> Option<&Token> {
    tokens.get(place).map(|token| &token.token)
}

fn is_word(tokens: &[TokenWithSpan], place: usize, word: &str) -> bool {
    matches!(at(tokens, place), Some(Token::Word(written))
        if written.quote_style.is_none() && written.value.eq_ignore_ascii_case(word))
}
