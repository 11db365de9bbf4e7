//! SQLite's SQL, as SQLite reads it: the parser's own dialect, and operators that it leaves out.
//!
//! Every answer of the parser's dialect is passed on by name. One that a later version adds is not,
//! until it is written down here; then a statement is refused that could have been read.

use std::any::TypeId;

use sqlparser::ast::{Expr, Statement};
use sqlparser::dialect::{Dialect, SQLiteDialect};
use sqlparser::parser::{Parser, ParserError};

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
