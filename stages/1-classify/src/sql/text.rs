//! The text of a statement, before anything recursive sees it.
//!
//! Two kinds of text stop here: what is too long or too deep, and what this parser and the database
//! could read differently, because a statement that is judged in one reading and run in another is
//! not judged at all.

use sqlparser::dialect::{Dialect, PostgreSqlDialect};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Whitespace};

use super::postgresql::without_only;
use super::retold::retold;
use super::sqlite::Sqlite;
use super::{Flavour, LONGEST, NotUnderstood};

/// Brackets inside brackets.
const DEEPEST: usize = 32;

/// Operators, keywords and brackets below each other. Walking a tree takes stack for each level of
/// it, and a thread may have two megabytes.
const DEEPEST_TREE: usize = 400;

const SHORTER: &str = "send a shorter or flatter statement";
const PLAINER: &str = "leave it out";

/// The tokens of a statement that is fit to be parsed.
pub(super) fn tokens(sql: &str, flavour: Flavour) -> Result<Vec<TokenWithSpan>, NotUnderstood> {
    if sql.len() > LONGEST {
        return Err(NotUnderstood::new(format!("the statement is longer than {LONGEST} bytes"), SHORTER));
    }
    if sql.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(NotUnderstood::new("the statement holds a control character", PLAINER));
    }
    let dialect: &dyn Dialect = match flavour {
        Flavour::Sqlite => &Sqlite,
        Flavour::PostgreSql => &PostgreSqlDialect {},
    };
    let tokens = Tokenizer::new(dialect, sql).tokenize_with_location().map_err(|_| {
        NotUnderstood::new("the statement has a quote or comment that does not end", "close it")
    })?;
    check_comments(&tokens)?;
    check_blanks(sql, &tokens)?;
    check_verb(&tokens)?;
    let tokens = match flavour {
        Flavour::Sqlite => tokens,
        Flavour::PostgreSql => without_only(tokens),
    };
    let tokens = retold(tokens, flavour);
    // Of what the parser is told, which may hang deeper than what was sent.
    check_nesting(&tokens)?;
    Ok(tokens)
}

/// Comments that some database runs, or ends at another place.
fn check_comments(tokens: &[TokenWithSpan]) -> Result<(), NotUnderstood> {
    for token in tokens {
        if let Token::Whitespace(Whitespace::MultiLineComment(comment)) = &token.token {
            if comment.starts_with('!') || comment.contains("/*!") {
                return Err(NotUnderstood::new(
                    "a comment that begins with `/*!` is run by some databases",
                    PLAINER,
                ));
            }
            if comment.contains("/*") {
                return Err(NotUnderstood::new("a comment stands inside a comment", PLAINER));
            }
        }
        if let Token::Whitespace(Whitespace::SingleLineComment { comment, prefix }) = &token.token {
            if prefix != "--" {
                return Err(NotUnderstood::new(
                    format!("a comment begins with `{prefix}`"),
                    "begin it with `--`",
                ));
            }
            if comment.trim_end_matches(['\r', '\n']).contains('\r') {
                return Err(NotUnderstood::new("a comment holds a carriage return", PLAINER));
            }
        }
    }
    Ok(())
}

/// Blanks that are not ASCII divide words for this parser and belong to words for a database. Inside
/// quotes and comments they are text like any other.
fn check_blanks(sql: &str, tokens: &[TokenWithSpan]) -> Result<(), NotUnderstood> {
    let count = |text: &str| text.chars().filter(|c| c.is_whitespace() && !c.is_ascii()).count();
    let all = count(sql);
    if all == 0 {
        return Ok(());
    }
    let quoted: usize = tokens.iter().map(|token| count(&token.token.to_string())).sum();
    if all > quoted {
        return Err(NotUnderstood::new("a blank that is not a plain space", "write plain spaces"));
    }
    Ok(())
}

/// What a statement may begin with. Whatever else a parser would know never gets there.
fn check_verb(tokens: &[TokenWithSpan]) -> Result<(), NotUnderstood> {
    const VERBS: [&str; 8] = ["SELECT", "VALUES", "WITH", "EXPLAIN", "INSERT", "REPLACE", "UPDATE", "DELETE"];
    let solid = |token: &&Token| !matches!(token, Token::Whitespace(_) | Token::LParen);
    let Some(Token::Word(word)) = tokens.iter().map(|token| &token.token).find(solid) else { return Ok(()) };
    let verb = word.value.to_ascii_uppercase();
    if word.quote_style.is_none() && VERBS.contains(&verb.as_str()) {
        return Ok(());
    }
    let verb: String = verb.chars().filter(char::is_ascii_alphanumeric).take(24).collect();
    Err(NotUnderstood::new(
        format!("{verb} is not a statement that is understood"),
        "use SELECT, VALUES, INSERT, UPDATE or DELETE",
    ))
}

/// Bounds the depth of the tree that these tokens can make, from above.
///
/// Between two commas of one bracket level every operator, keyword and bracket can at worst hang
/// below the one before it, and whatever is in the deepest bracket below all of them. What stands on
/// both sides of a comma hangs beside each other.
fn check_nesting(tokens: &[TokenWithSpan]) -> Result<(), NotUnderstood> {
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    for token in tokens {
        match weight(&token.token) {
            Weight::None => {}
            Weight::Open => {
                if outer.len() == DEEPEST {
                    let construct = format!("brackets are nested more than {DEEPEST} deep");
                    return Err(NotUnderstood::new(construct, SHORTER));
                }
                outer.push(std::mem::take(&mut level));
            }
            Weight::Close => {
                let inner = level.depth();
                // A bracket that closes nothing does not parse, and counts as one more level here.
                level = outer.pop().unwrap_or_default();
                level.chain += 1;
                level.inner = level.inner.max(inner);
            }
            Weight::Beside => level = Level { beside: level.depth(), ..Level::default() },
            Weight::Below => level.chain += 1,
        }
        if level.depth() > DEEPEST_TREE {
            return Err(NotUnderstood::new("too many operators hang below each other", SHORTER));
        }
    }
    Ok(())
}

/// What one level of brackets can amount to.
#[derive(Default)]
struct Level {
    /// Operators, keywords and brackets since the last comma.
    chain: usize,
    /// The deepest bracket since the last comma.
    inner: usize,
    /// The deepest that stands before the last comma.
    beside: usize,
}

impl Level {
    fn depth(&self) -> usize {
        self.beside.max(self.chain + self.inner)
    }
}

/// What a token can do to the depth of a tree.
enum Weight {
    None,
    Open,
    Close,
    Beside,
    Below,
}

fn weight(token: &Token) -> Weight {
    if matches!(token, Token::LParen | Token::LBracket | Token::LBrace) {
        return Weight::Open;
    }
    if matches!(token, Token::RParen | Token::RBracket | Token::RBrace) {
        return Weight::Close;
    }
    if matches!(token, Token::Comma) {
        return Weight::Beside;
    }
    if let Token::Word(word) = token {
        return if word.keyword == Keyword::NoKeyword { Weight::None } else { Weight::Below };
    }
    let plain = matches!(
        token,
        Token::Whitespace(_)
            | Token::Number(..)
            | Token::SingleQuotedString(_)
            | Token::Placeholder(_)
            | Token::EOF
    );
    if plain { Weight::None } else { Weight::Below }
}
