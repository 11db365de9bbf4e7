//! `memory_store`.

use call::{Content, Done, Errand, Fault, Sha256};
use rusqlite::{OptionalExtension as _, params};
use serde::Deserialize;
use serde_json::json;

use super::{Memory, SHARED, own_namespace};
use crate::files::take;

/// Bytes of one text.
const LONGEST_TEXT: usize = 1 << 20;

/// Texts of one agent, or of all together.
const MOST_TEXTS: i64 = 10_000;

/// Bytes of all texts of one agent, or of all together.
const MOST_BYTES: i64 = 64 << 20;

#[derive(Deserialize)]
struct Store {
    text: String,
    #[serde(default)]
    tags: Vec<String>,
}

/// How a text came to be in the memory.
enum Stored {
    New(i64),
    Known(i64),
    Full,
}

impl Memory {
    /// Keeps a text: for the agent, or for all when one of its tags is `shared`. A text that is there with
    /// these tags is not stored again, and is as young as the last time it came.
    ///
    /// # Errors
    /// When it is too large, the memory is full, or it cannot be used.
    pub fn memory_store(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let mut store: Store = take(errand.arguments)?;
        if store.text.len() > LONGEST_TEXT {
            return Err(Fault::failed(
                "too_large",
                format!(
                    "the text has {} bytes, more than the {LONGEST_TEXT} that are kept",
                    store.text.len()
                ),
            ));
        }
        store.tags.sort();
        store.tags.dedup();
        let is_shared = store.tags.iter().any(|tag| tag == SHARED);
        let namespace = if is_shared { SHARED.to_owned() } else { own_namespace(&errand.actor.agent) };
        let tags = json!(store.tags).to_string();
        let digest = Sha256::of(json!([store.text, store.tags]).to_string().as_bytes());
        let now = errand.now.microseconds();
        let stored = self.write(|connection| {
            self.expire(connection, errand.now)?;
            let known: Option<i64> = connection
                .query_row(
                    "UPDATE texts SET stored = max(stored, ?3) WHERE namespace = ?1 AND digest = ?2 RETURNING id",
                    params![namespace, digest.as_bytes(), now],
                    |row| row.get(0),
                )
                .optional()?;
            if let Some(id) = known {
                return Ok(Stored::Known(id));
            }
            let (texts, bytes): (i64, i64) = connection.query_row(
                "SELECT count(*), coalesce(sum(octet_length(text)), 0) FROM texts WHERE namespace = ?1",
                params![namespace],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            let more = i64::try_from(store.text.len()).unwrap_or(i64::MAX);
            if texts >= MOST_TEXTS || bytes.saturating_add(more) > MOST_BYTES {
                return Ok(Stored::Full);
            }
            connection.execute(
                "INSERT INTO texts (namespace, digest, agent, stored, tags, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![namespace, digest.as_bytes(), errand.actor.agent.as_str(), now, tags, store.text],
            )?;
            Ok(Stored::New(connection.last_insert_rowid()))
        })?;
        let (id, summary) = match stored {
            Stored::New(id) => (id, format!("kept as text {id}")),
            Stored::Known(id) => (id, format!("kept already, as text {id}")),
            Stored::Full => {
                return Err(Fault::Failed {
                    class: "memory_full",
                    message: format!("the memory holds {MOST_TEXTS} texts or {MOST_BYTES} bytes already"),
                    remedy: Some("whoever runs the gate can shorten how long texts are kept".to_owned()),
                });
            }
        };
        Ok(Done {
            summary: if is_shared { format!("{summary}, for all agents") } else { summary },
            content: Content::Data(json!({ "id": id })),
            artifacts: vec![format!("memory:{id}")],
            ..Done::default()
        })
    }
}
