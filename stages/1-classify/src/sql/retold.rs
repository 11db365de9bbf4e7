//! The same statement in words that the parser has.
//!
//! Databases have spellings that the parser does not know: `x IS 5`, `x IN people`, `AS MATERIALIZED`. Here
//! each is written as one that it knows, for telling what a statement touches and for nothing else: what is
//! run is what was sent.
//!
//! A spelling is told by the words beside it, where the database can read them in one way only. What is put
//! instead names every table that stood there. What is left out names none, and calls nothing: hints, how
//! the rows of a window are counted, a negation. So no table and no function is lost on the way, and a
//! statement that comes out odd is not understood, as before.

use std::collections::BTreeMap;

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{Flavour, upsert};

/// The statement as the parser reads it.
pub(super) fn retold(tokens: Vec<TokenWithSpan>, flavour: Flavour) -> Vec<TokenWithSpan> {
    let tokens = each(tokens, upsert::spelling);
    each(tokens, |view| view.spelling(flavour))
}

/// The tokens with other words where a spelling stands.
fn each(tokens: Vec<TokenWithSpan>, spelling: impl Fn(&View<'_>) -> Option<Spelling>) -> Vec<TokenWithSpan> {
    let is_solid = |token: &TokenWithSpan| !matches!(token.token, Token::Whitespace(_) | Token::EOF);
    let solid = tokens.iter().enumerate().filter(|(_, token)| is_solid(token));
    let (places, words): (Vec<usize>, Vec<&Token>) =
        solid.map(|(place, token)| (place, &token.token)).unzip();
    let mut changed: BTreeMap<usize, Vec<Token>> = BTreeMap::new();
    let mut from = 0;
    while from < words.len() {
        let Some((length, instead)) = spelling(&View { words: &words, from }) else {
            from += 1;
            continue;
        };
        let mut left_out = places.iter().skip(from).take(length);
        if let Some(&first) = left_out.next() {
            changed.insert(first, instead);
        }
        changed.extend(left_out.map(|&place| (place, Vec::new())));
        from += length.max(1);
    }
    if changed.is_empty() {
        return tokens;
    }
    let mut told = Vec::with_capacity(tokens.len());
    for (place, token) in tokens.into_iter().enumerate() {
        match changed.remove(&place) {
            None => told.push(token),
            // Whatever is wrong with it stands where the spelling does.
            Some(words) => told.extend(words.into_iter().map(|word| TokenWithSpan::new(word, token.span))),
        }
    }
    told
}

/// How many words are one spelling, and what the parser is told instead of them.
pub(super) type Spelling = (usize, Vec<Token>);

/// The words of a statement, looked at from one of them on.
pub(super) struct View<'a> {
    words: &'a [&'a Token],
    from: usize,
}

impl View<'_> {
    /// The same, from some words further on.
    pub(super) fn at(&self, count: usize) -> View<'_> {
        View { words: self.words, from: self.from + count }
    }

    pub(super) fn ahead(&self, count: usize) -> Option<&Token> {
        self.words.get(self.from + count).copied()
    }

    fn before(&self) -> Option<&Token> {
        self.words.get(self.from.checked_sub(1)?).copied()
    }

    /// Whether these words stand here.
    pub(super) fn reads(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(count, word)| self.ahead(count).is_some_and(|token| is(token, word)))
    }

    fn spelling(&self, flavour: Flavour) -> Option<Spelling> {
        // `:is` is a parameter.
        if matches!(self.before(), Some(Token::Colon | Token::AtSign)) {
            return None;
        }
        let both = self.exclude().or_else(|| self.is_null());
        match flavour {
            Flavour::PostgreSql => both.or_else(|| self.hint()),
            Flavour::Sqlite => both
                .or_else(|| self.materialized())
                .or_else(|| self.index())
                .or_else(|| self.inserted())
                .or_else(|| self.is_same())
                .or_else(|| self.not_alike())
                .or_else(|| self.in_table()),
        }
    }

    /// `EXCLUDE TIES` and its kin, where the frame of a window ends.
    fn exclude(&self) -> Option<Spelling> {
        const ENDINGS: [&[&str]; 4] = [
            &["EXCLUDE", "NO", "OTHERS"],
            &["EXCLUDE", "CURRENT", "ROW"],
            &["EXCLUDE", "GROUP"],
            &["EXCLUDE", "TIES"],
        ];
        let length = ENDINGS.iter().find(|words| self.reads(words))?.len();
        let before = self.before()?;
        let in_frame = ["ROW", "PRECEDING", "FOLLOWING"].iter().any(|word| is(before, word));
        (in_frame && self.ahead(length) == Some(&Token::RParen)).then(|| (length, Vec::new()))
    }

    /// `x ISNULL`; a function or a column of that name is something else.
    fn is_null(&self) -> Option<Spelling> {
        let is_name = self.ahead(1) == Some(&Token::LParen)
            || self.before().is_none_or(|before| *before == Token::Period || is(before, "AS"));
        (self.reads(&["ISNULL"]) && !is_name).then(|| (1, told(&["IS", "NULL"])))
    }

    /// `AS MATERIALIZED (…)`: when a common table is worked out.
    fn materialized(&self) -> Option<Spelling> {
        let length = if self.reads(&["MATERIALIZED"]) {
            1
        } else if self.reads(&["NOT", "MATERIALIZED"]) {
            2
        } else {
            return None;
        };
        let is_hint =
            self.before().is_some_and(|token| is(token, "AS")) && self.ahead(length) == Some(&Token::LParen);
        is_hint.then(|| (length, Vec::new()))
    }

    /// `INDEXED BY name` and `NOT INDEXED` behind a table, which say how it is searched. (`WHERE NOT indexed`
    /// is about a column.)
    fn index(&self) -> Option<Spelling> {
        if self.reads(&["INDEXED", "BY"]) && matches!(self.ahead(2), Some(Token::Word(_))) {
            return Some((3, Vec::new()));
        }
        let is_hint = self.reads(&["NOT", "INDEXED"]) && self.before().is_some_and(is_name);
        is_hint.then(|| (2, Vec::new()))
    }

    /// `INSERT INTO t AS x`, where `x` is another name for the table, and `WITH … REPLACE INTO t`.
    fn inserted(&self) -> Option<Spelling> {
        if self.reads(&["REPLACE", "INTO"]) && self.before() == Some(&Token::RParen) {
            return Some((1, told(&["INSERT"])));
        }
        if !self.reads(&["INTO"]) {
            return None;
        }
        let has_schema = self.ahead(2) == Some(&Token::Period);
        let length = if has_schema { 4 } else { 2 };
        let is_alias = matches!(self.ahead(length - 1), Some(Token::Word(_)))
            && self.ahead(length).is_some_and(|token| is(token, "AS"))
            && matches!(self.ahead(length + 1), Some(Token::Word(_)));
        let kept = self.words.get(self.from..self.from + length)?;
        is_alias.then(|| (length + 2, kept.iter().map(|&token| token.clone()).collect()))
    }

    /// Words of PostgreSQL that change which rows are meant or where a value comes from, and name nothing.
    fn hint(&self) -> Option<Spelling> {
        if self.reads(&["BETWEEN", "SYMMETRIC"]) || self.reads(&["BETWEEN", "ASYMMETRIC"]) {
            return Some((2, told(&["BETWEEN"])));
        }
        if self.reads(&["GROUP", "BY", "DISTINCT"]) {
            return Some((3, told(&["GROUP", "BY"])));
        }
        let overriding =
            self.reads(&["OVERRIDING", "SYSTEM", "VALUE"]) || self.reads(&["OVERRIDING", "USER", "VALUE"]);
        overriding.then(|| (3, Vec::new()))
    }

    /// `x IS 5`, `x IS NOT y`: equal, and nothing is equal to nothing.
    fn is_same(&self) -> Option<Spelling> {
        let length = if self.reads(&["IS", "NOT"]) {
            2
        } else if self.reads(&["IS"]) {
            1
        } else {
            return None;
        };
        let next = self.ahead(length)?;
        let is_known = ["NULL", "TRUE", "FALSE"].iter().any(|word| is(next, word))
            || is(next, "DISTINCT") && self.ahead(length + 1).is_some_and(|token| is(token, "FROM"));
        (!is_known).then(|| (length, vec![Token::Eq]))
    }

    /// `x NOT GLOB 'a*'`: what it looks at is what it looks at without the word.
    fn not_alike(&self) -> Option<Spelling> {
        let alike = self.reads(&["NOT", "GLOB"]) || self.reads(&["NOT", "MATCH"]);
        alike.then(|| (1, Vec::new()))
    }

    /// `x IN people`: a query for all of the table.
    fn in_table(&self) -> Option<Spelling> {
        if !self.reads(&["IN"]) {
            return None;
        }
        let first = self.ahead(1).filter(|token| is_name(token))?.clone();
        let mut table = vec![first];
        if let (Some(Token::Period), Some(second)) = (self.ahead(2), self.ahead(3)) {
            if !is_name(second) {
                return None;
            }
            table.extend([Token::Period, second.clone()]);
        }
        let length = 1 + table.len();
        // A function that gives a table, or a name of more parts than a table has.
        if matches!(self.ahead(length), Some(Token::LParen | Token::Period)) {
            return None;
        }
        let mut instead = told(&["IN"]);
        instead.push(Token::LParen);
        instead.extend(told(&["SELECT"]));
        instead.push(Token::Mul);
        instead.extend(told(&["FROM"]));
        instead.extend(table);
        instead.push(Token::RParen);
        Some((length, instead))
    }
}

pub(super) fn told(words: &[&str]) -> Vec<Token> {
    words.iter().map(|word| Token::make_keyword(word)).collect()
}

fn is(token: &Token, word: &str) -> bool {
    matches!(token, Token::Word(found) if found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word))
}

/// Whether it can only be a name in SQLite: in quotes, or no word of the language.
fn is_name(token: &Token) -> bool {
    let Token::Word(word) = token else { return false };
    word.quote_style.is_some()
        || !KEYWORDS
            .iter()
            .flat_map(|row| row.split_ascii_whitespace())
            .any(|keyword| word.value.eq_ignore_ascii_case(keyword))
}

/// Every keyword of SQLite.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY CASCADE",
    "CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME",
    "CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH ELSE END ESCAPE",
    "EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL GENERATED GLOB GROUP",
    "GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN",
    "KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL NULLS OF OFFSET ON OR ORDER OTHERS",
    "OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE RECURSIVE REFERENCES REGEXP REINDEX RELEASE",
    "RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO",
    "TRANSACTION TRIGGER UNBOUNDED UNION UNIQUE UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHOUT",
    "WITHIN",
];
