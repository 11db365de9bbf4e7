//! `memory_recall`.

use std::time::Duration;

use call::{Content, Done, Errand, Fault, Moment};
use rusqlite::{Connection, Row, params};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Memory, SHARED, own_namespace};
use crate::files::{counted, take};

/// Texts that come back when nobody says how many.
const RESULTS: u32 = 10;

/// Texts that come back at most.
const MOST_RESULTS: u32 = 100;

/// Words of a query that are searched for.
const WORDS: usize = 64;

#[derive(Deserialize)]
struct Recall {
    query: String,
    limit: Option<u32>,
}

const COLUMNS: &str = "texts.id, texts.stored, texts.agent, texts.tags, texts.text";

impl Memory {
    /// Finds texts of the agent and those of all, the best first. Where the index has none, texts are
    /// searched for the query as it stands: not every script puts blanks between words.
    ///
    /// # Errors
    /// When the memory cannot be used.
    pub fn memory_recall(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let recall: Recall = take(errand.arguments)?;
        let own = own_namespace(&errand.actor.agent);
        let most = recall.limit.unwrap_or(RESULTS).min(MOST_RESULTS);
        let oldest = self.oldest(errand.now);
        let found = self.with(|connection| {
            let words = words(&recall.query);
            let found =
                if words.is_empty() { Vec::new() } else { by_words(connection, &words, &own, oldest, most)? };
            if found.is_empty() { by_text(connection, &recall.query, &own, oldest, most) } else { Ok(found) }
        })?;
        Ok(Done {
            summary: format!("{} found", counted(found.len() as u64, "text")),
            content: Content::Data(Value::Array(found)),
            untrusted: true,
            labels: vec!["memory".to_owned()],
            ..Done::default()
        })
    }
}

/// The words of a query, each as a string of the index.
fn words(query: &str) -> String {
    let words = query.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    let quoted: Vec<String> = words.take(WORDS).map(|word| format!("\"{word}\"")).collect();
    quoted.join(" OR ")
}

fn by_words(
    connection: &Connection,
    words: &str,
    own: &str,
    oldest: i64,
    most: u32,
) -> rusqlite::Result<Vec<Value>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM words JOIN texts ON texts.id = words.rowid \
         WHERE words MATCH ?1 AND texts.namespace IN (?2, ?3) AND texts.stored >= ?4 \
         ORDER BY words.rank, texts.id DESC LIMIT ?5"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_map(params![words, own, SHARED, oldest, most], text)?.collect()
}

fn by_text(
    connection: &Connection,
    query: &str,
    own: &str,
    oldest: i64,
    most: u32,
) -> rusqlite::Result<Vec<Value>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM texts WHERE namespace IN (?2, ?3) AND stored >= ?4 \
         AND instr(lower(text), lower(?1)) > 0 ORDER BY id DESC LIMIT ?5"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_map(params![query.trim(), own, SHARED, oldest, most], text)?.collect()
}

fn text(row: &Row<'_>) -> rusqlite::Result<Value> {
    let (id, stored, agent): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let (tags, text): (String, String) = (row.get(3)?, row.get(4)?);
    let since = Duration::from_micros(u64::try_from(stored).unwrap_or(0));
    let time = Moment::since_epoch(since).map(Moment::milliseconds_text);
    let tags: Value = serde_json::from_str(&tags).unwrap_or_default();
    Ok(json!({"id": id, "time": time, "agent": agent, "tags": tags, "text": text}))
}
