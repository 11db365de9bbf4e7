//! The requests of each session that are not answered yet, by their ids.
//!
//! The protocol says that a client gives no id twice. With one that does, the answer to the first request
//! would find its way to the second, and somebody would wait for ever.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

/// A session, and an id in it.
type Key = (String, Value);

#[derive(Clone, Debug, Default)]
pub(crate) struct Underway(Arc<Mutex<HashSet<Key>>>);

/// A request that waits for its answer. Dropped with the answer.
#[derive(Debug)]
pub(crate) struct Waits {
    underway: Underway,
    key: Key,
}

impl Underway {
    /// A request has come. Nothing when one of this id waits already.
    pub(crate) fn begin(&self, session: &str, id: Value) -> Option<Waits> {
        let key = (session.to_owned(), id);
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        is_new.then(|| Waits { underway: self.clone(), key })
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.underway.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Underway;

    #[test]
    fn an_id_waits_once_in_its_session_and_is_free_afterwards() {
        let underway = Underway::default();
        let first = underway.begin("one", json!(1));
        assert!(first.is_some());
        assert!(underway.begin("one", json!(1)).is_none());
        // A text is another id than the number, and another session another matter.
        let others = [underway.begin("one", json!("1")), underway.begin("two", json!(1))];
        assert!(others.iter().all(Option::is_some));
        drop(first);
        assert!(underway.begin("one", json!(1)).is_some());
    }
}
