//! What the ledger has about the calls of one session, and of no other.

use record::store::Store;
use serde_json::Value;

/// Entries from the end of the ledger that are looked at.
const LATEST: u64 = 20_000;

/// The last entries about calls of a session, newest last.
pub(super) fn of_session(ledger: &mut dyn Store, session: &str, most: usize) -> Vec<Value> {
    let text = format!("\"session\":{}", Value::from(session));
    let mut found = Vec::new();
    let mut from = ledger.size().unwrap_or_default().saturating_sub(LATEST);
    while let Ok(entries) = ledger.search(from, &[&text], 1_000) {
        let Some(last) = entries.last() else { break };
        from = last.place + 1;
        for entry in &entries {
            let Some(mut event) = entry.value() else { continue };
            if event.get("session").and_then(Value::as_str) == Some(session)
                && let Some(fields) = event.as_object_mut()
            {
                fields.insert("entry".to_owned(), entry.place.into());
                found.push(event);
            }
        }
        found.drain(..found.len().saturating_sub(most));
    }
    found
}
