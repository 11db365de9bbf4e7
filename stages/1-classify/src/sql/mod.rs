//! What a statement would do to a database, told by parsing it.
//!
//! [`read`] accepts one statement of a kind that it knows to the last clause, and says which tables
//! are looked at and which are changed. Everything else is [`NotUnderstood`], with the construct
//! that stood in the way: an unknown function, a second statement, a lock, a pragma. It never runs
//! anything, and it is not the only barrier: whoever executes the statement opens the connection
//! read-only for a reading one.
//!
//! **Invariant:** never panics and never exhausts the stack, whatever the text: length and nesting
//! are bounded before the parser sees it.

mod functions;
mod names;
mod postgresql;
mod retold;
mod shape;
mod sqlite;
mod text;
mod upsert;

use std::collections::BTreeSet;

use call::Access;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use sqlite::Sqlite;

/// Bytes that a statement may have.
pub const LONGEST: usize = 64 * 1024;

/// How deeply the parser may call itself.
const RECURSION: usize = 64;

/// Whose SQL it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    PostgreSql,
    /// Nobody said. Only what means the same to both is understood.
    Unknown,
}

/// What a statement would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The tables that it looks at.
    pub read: BTreeSet<String>,
    /// The tables that it changes.
    pub written: BTreeSet<String>,
    /// Whether it changes anything.
    pub access: Access,
}

/// Why it cannot be said what a statement would do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{construct}; {remedy}")]
pub struct NotUnderstood {
    /// What stood in the way.
    pub construct: String,
    /// What to write instead.
    pub remedy: &'static str,
}

impl NotUnderstood {
    pub(crate) fn new(construct: impl Into<String>, remedy: &'static str) -> Self {
        Self { construct: construct.into(), remedy }
    }
}

/// Says what a statement would do.
///
/// ```
/// use classify::sql::{Dialect, read};
///
/// let statement = read("SELECT name FROM people WHERE id = ?", Dialect::Sqlite)?;
/// assert!(statement.read.contains("people"));
///
/// assert!(read("SELECT load_extension('evil')", Dialect::Sqlite).is_err());
/// # Ok::<(), classify::sql::NotUnderstood>(())
/// ```
///
/// # Errors
///
/// [`NotUnderstood`] names the construct and what to write instead.
pub fn read(sql: &str, dialect: Dialect) -> Result<Statement, NotUnderstood> {
    match dialect {
        Dialect::Sqlite => read_as(sql, Flavour::Sqlite),
        Dialect::PostgreSql => read_as(sql, Flavour::PostgreSql),
        Dialect::Unknown => {
            let (one, other) = (read_as(sql, Flavour::Sqlite)?, read_as(sql, Flavour::PostgreSql)?);
            if one == other {
                return Ok(one);
            }
            Err(NotUnderstood::new(
                "the statement means different things to different databases",
                "name a database that policy knows",
            ))
        }
    }
}

/// The two kinds of SQL that are parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flavour {
    Sqlite,
    PostgreSql,
}

fn read_as(sql: &str, flavour: Flavour) -> Result<Statement, NotUnderstood> {
    let tokens = text::tokens(sql, flavour)?;
    let parser = match flavour {
        Flavour::Sqlite => Parser::new(&Sqlite),
        Flavour::PostgreSql => Parser::new(&PostgreSqlDialect {}),
    };
    let mut parser = parser.with_recursion_limit(RECURSION).with_tokens_with_locations(tokens);
    let statements = parser.parse_statements().map_err(|error| {
        let tokens = text::tokens(sql, flavour).unwrap_or_default();
        NotUnderstood::new(does_not_parse(&error.to_string(), &tokens), PLAIN)
    })?;
    // The parser stops at END, as inside a block, and leaves the rest unread.
    if parser.peek_token().token != Token::EOF {
        return Err(NotUnderstood::new("something follows the statement", "send one statement a call"));
    }
    match statements.as_slice() {
        [statement] => shape::of(statement, flavour),
        [] => Err(NotUnderstood::new("there is no statement", "send one")),
        [_, _, ..] => Err(NotUnderstood::new(
            format!("there are {} statements", statements.len()),
            "send one statement a call",
        )),
    }
}

const PLAIN: &str =
    "write that part in plain SQL: one SELECT, VALUES, INSERT, UPDATE or DELETE is understood";

/// The parser's own words repeat parts of the statement, which may be long or secret. Of them only
/// the place is kept, and the word that stands there where it is one of SQL.
fn does_not_parse(error: &str, tokens: &[TokenWithSpan]) -> String {
    let place = error.rsplit_once(" at Line: ").and_then(|(_, place)| place.split_once(", Column: "));
    let place =
        place.and_then(|(line, column)| Some((line.parse::<u64>().ok()?, column.parse::<u64>().ok()?)));
    let Some((line, column)) = place else { return "the statement does not parse".to_owned() };
    let stands_there =
        |token: &&TokenWithSpan| (token.span.start.line, token.span.start.column) == (line, column);
    let here = format!("the statement does not parse from line {line}, column {column}");
    if let Some(Token::Word(word)) = tokens.iter().find(stands_there).map(|token| &token.token)
        && word.quote_style.is_none()
        && word.keyword != Keyword::NoKeyword
    {
        return format!("{here} on, where `{}` stands", word.value.to_ascii_uppercase());
    }
    format!("{here} on")
}
