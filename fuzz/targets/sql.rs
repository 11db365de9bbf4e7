//! Arbitrary text as a statement, in each dialect.
//!
//! A statement that reads changes nothing and one that changes says what; whoever does not know the
//! dialect understands only what means the same in both; a second statement is never accepted.
#![no_main]

use call::Access;
use classify::sql::{Dialect, read};

libfuzzer_sys::fuzz_target!(|sql: &str| {
    for dialect in [Dialect::Sqlite, Dialect::PostgreSql, Dialect::Unknown] {
        let outcome = read(sql, dialect);
        assert_eq!(outcome, read(sql, dialect), "the same statement does the same");
        match outcome {
            Ok(statement) => {
                let changes = statement.access == Access::Write;
                assert_eq!(changes, !statement.written.is_empty(), "{statement:?}");
                assert!(statement.read.iter().chain(&statement.written).all(|table| !table.is_empty()));
                for more in ["DROP TABLE t", "SELECT 1", "DELETE FROM t"] {
                    let two = format!("{sql}\n;{more}");
                    assert!(read(&two, dialect).is_err(), "two statements: {two:?}");
                }
            }
            Err(why) => {
                let text = why.to_string();
                assert!(!text.chars().any(char::is_control), "a refusal is one line: {text:?}");
                assert!(text.len() < 1_024, "a refusal does not repeat the statement: {} bytes", text.len());
            }
        }
    }
    if let Ok(common) = read(sql, Dialect::Unknown) {
        assert_eq!(read(sql, Dialect::Sqlite).as_ref(), Ok(&common));
        assert_eq!(read(sql, Dialect::PostgreSql).as_ref(), Ok(&common));
    }
});
