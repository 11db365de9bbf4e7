//! The requests of each session that are not answered yet, by their ids.
//!
//! The protocol says that a client gives no id twice. With one that does, the answer to the first request
//! would find its way to the second, and somebody would wait for ever.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

/// A session, and an id in it.
type Key = (String, Value);

#[derive(Clone, Debug, Default)]
pub(crate) struct Underway(Arc<Mutex<HashMap<Key, Arc<AtomicBool>>>>);

/// A request that waits for its answer. Dropped with the answer.
#[derive(Debug)]
pub(crate) struct Waits {
    underway: Underway,
    key: Key,
    cancelled: Arc<AtomicBool>,
}

impl Waits {
    /// Whether the client has taken it back.
    pub(crate) fn cancelled(&self) -> &Arc<AtomicBool> {
        &self.cancelled
    }

    /// Its id.
    pub(crate) const fn id(&self) -> &Value {
        &self.key.1
    }
}

impl Underway {
    /// A request has come. Nothing when one of this id waits already.
    pub(crate) fn begin(&self, session: &str, id: Value) -> Option<Waits> {
        let key = (session.to_owned(), id);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match all.entry(key) {
            Entry::Occupied(_) => None,
            Entry::Vacant(free) => {
                let (key, cancelled) = (free.key().clone(), Arc::default());
                free.insert(Arc::clone(&cancelled));
                Some(Waits { underway: self.clone(), key, cancelled })
            }
        }
    }

    /// The client takes a request back. Nothing happens to one that was answered.
    pub(crate) fn cancel(&self, session: &str, id: Value) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cancelled) = all.get(&(session.to_owned(), id)) {
            cancelled.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.underway.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use serde_json::json;

    use super::{Underway, Waits};

    #[test]
    fn an_id_waits_once_in_its_session_and_is_free_afterwards() {
        let underway = Underway::default();
        let first = underway.begin("one", json!(1));
        assert!(first.is_some());
        assert!(underway.begin("one", json!(1)).is_none());
        // A text is another id than the number, and another session another matter.
        let others = [underway.begin("one", json!("1")), underway.begin("two", json!(1))];
        assert!(others.iter().all(Option::is_some));
        underway.cancel("two", json!(1));
        underway.cancel("one", json!(2));
        let taken_back = |waits: &Option<Waits>| waits.as_ref().unwrap().cancelled().load(Ordering::Relaxed);
        assert_eq!([&first, &others[0], &others[1]].map(taken_back), [false, false, true]);
        drop(first);
        assert!(underway.begin("one", json!(1)).is_some());
    }
}
