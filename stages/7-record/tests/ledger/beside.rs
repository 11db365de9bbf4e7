//! Content beside the log: it comes and goes with the events that say so, or not at all.

use std::sync::Arc;

use record::{Beside, Event, Ledger, NotRecorded, Ruling};

use crate::events::{asked, call, intent, outcome, ruled};
use crate::keepers::{both, now};

fn arrival(number: u32) -> Event {
    Event::Asked(Arc::new(asked(number)))
}

/// Puts on record that a call waits, and keeps its words.
fn put_off(ledger: &Ledger, number: u32) -> call::Sha256 {
    let held = ledger.attachment(format!("the words of {number}").into_bytes(), now()).unwrap();
    let (digest, beside) = (held.digest(), Beside { keep: vec![held], drop: Vec::new() });
    let Event::Ruled(ruling) = ruled(number, "needs_approval") else { panic!("it is a ruling") };
    let ruling = Event::Ruled(Box::new(Ruling { held: Some(digest), ..*ruling }));
    ledger.append_with(&[arrival(number), ruling], &beside, now()).unwrap();
    digest
}

#[test]
fn content_is_kept_and_goes_with_its_events_or_not_at_all() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        let (one, two) = (put_off(&ledger, 1), put_off(&ledger, 2));
        assert_eq!(ledger.blob(one).unwrap().as_deref(), Some(&b"the words of 1"[..]));
        let misstep = |answer| matches!(answer, Err(NotRecorded::Misstep(_)));

        let other = ledger.attachment(b"other words".to_vec(), now()).unwrap();
        let beside = Beside { keep: vec![other.clone()], drop: vec![two] };
        assert!(misstep(ledger.append_with(&[arrival(1)], &beside, now())), "{}", keeper.name());
        assert_eq!(ledger.blob(other.digest()).unwrap(), None, "{}", keeper.name());
        assert!(ledger.blob(two).unwrap().is_some(), "{}", keeper.name());
        assert!(ledger.append_with(&[], &beside, now()).unwrap().is_empty());
        assert_eq!(ledger.blob(other.digest()).unwrap(), None, "without events, nothing happens");

        let consumed = Event::Consumed { call: call(1), approval: None };
        let removed = Event::BlobRemoved { blob: one, why: "the call has ended".to_owned() };
        let beside = Beside { keep: Vec::new(), drop: vec![one] };
        ledger.append_with(&[consumed, removed, outcome(1)], &beside, now()).unwrap();
        assert_eq!(ledger.blob(one).unwrap(), None, "{}", keeper.name());
        drop(ledger);
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn what_was_kept_of_a_call_goes_when_the_gate_that_ran_it_is_dead() {
    for keeper in both() {
        let dying = keeper.ledger(1);
        let (taken, waits) = (put_off(&dying, 1), put_off(&dying, 2));
        let consumed = Event::Consumed { call: call(1), approval: None };
        dying.append_all(&[consumed, intent(1)], now()).unwrap();
        drop(dying);
        let next = keeper.ledger(2);
        assert_eq!(next.blob(taken).unwrap(), None, "{}", keeper.name());
        assert!(next.blob(waits).unwrap().is_some(), "{}", keeper.name());
        let told = keeper.open(None).search(0, &["blob_removed", &taken.to_string()], 9).unwrap();
        assert_eq!(told.len(), 1, "{}", keeper.name());
        drop(next);
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}
