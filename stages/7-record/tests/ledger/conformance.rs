//! What the trait promises, on each store.

use std::collections::BTreeSet;

use record::store::{Draft, Misstep, Step};
use record::{Applied, Event, NotRecorded, proofs};
use verify::tree::{Hash, check_consistency, check_inclusion};

use crate::events::{asked, call, intent, outcome, ruled, whole};
use crate::keepers::{both, kept, key, now, run};

#[test]
fn entries_have_places_without_gaps_and_come_back_as_they_were() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        let events: Vec<Event> = (0..200).flat_map(whole).collect();
        for (place, event) in events.iter().enumerate() {
            assert_eq!(ledger.append(event, now()).unwrap(), place as u64);
        }
        drop(ledger);
        let mut store = keeper.open(None);
        assert_eq!(store.size().unwrap(), 800);
        for (entry, event) in store.read(0, 1_000).unwrap().iter().zip(&events) {
            assert_eq!(entry.leaf, event.draft(now(), &run(1)).0.leaf, "{}", keeper.name());
        }
        assert_eq!(store.read(795, 10).unwrap().len(), 5);
        assert_eq!(
            store.of_call(call(7)).unwrap().iter().map(|entry| entry.place).collect::<Vec<_>>(),
            [28, 29, 30, 31]
        );
        let found = store.search(0, &["\"event\":\"intent\"", &call(9).to_string()], 10).unwrap();
        assert_eq!(found.iter().map(|entry| entry.place).collect::<Vec<_>>(), [38]);
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn a_call_has_one_beginning_and_one_end() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        let missteps = [
            // what is written, whether it is
            (ruled(1, "allow"), false),
            (outcome(1), false),
            (Event::Asked(Box::new(asked(1))), true),
            (Event::Asked(Box::new(asked(1))), false),
            (ruled(1, "needs_approval"), true),
            (intent(1), true),
            (outcome(1), true),
            (outcome(1), false),
            (intent(1), false),
            (Event::Asked(Box::new(asked(1))), false),
            (Event::Asked(Box::new(asked(2))), true),
        ];
        for (row, (event, want)) in missteps.iter().enumerate() {
            let answer = ledger.append(event, now());
            assert_eq!(answer.is_ok(), *want, "{} {row}: {answer:?}", keeper.name());
            let misstep = matches!(answer, Ok(_) | Err(NotRecorded::Misstep(_)));
            assert!(misstep, "{} {row}: {answer:?}", keeper.name());
        }
        assert_eq!(ledger.size().unwrap(), 5);
        drop(ledger);
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn an_entry_that_no_log_can_hold_is_refused_and_the_next_one_is_not() {
    for keeper in both() {
        let mut store = keeper.open(Some(run(1)));
        let draft = |bytes: usize| Draft { leaf: vec![b' '; bytes], step: Step::Apart, mark: None };
        let answers = store.append(&[draft(65_536), draft(65_535)]).unwrap();
        assert_eq!(answers, [Err(Misstep::TooLarge(65_536)), Ok(0)], "{}", keeper.name());
    }
}

#[test]
fn what_is_too_large_for_an_entry_is_kept_beside_the_log() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        let witness = "x".repeat(1_000_000);
        let large = Event::CheckpointWitnessed { witness: witness.clone(), size: 7, root: String::new() };
        ledger.append(&large, now()).unwrap();
        drop(ledger);
        let mut store = keeper.open(None);
        let entry = store.read(0, 1).unwrap()[0].value().unwrap();
        assert_eq!((entry["size"].as_u64(), entry.get("witness")), (Some(7), None));
        let digest = entry["moved"].as_str().unwrap().parse().unwrap();
        let moved: serde_json::Value = serde_json::from_slice(&store.blob(digest).unwrap().unwrap()).unwrap();
        assert_eq!(moved["witness"].as_str(), Some(witness.as_str()));
    }
}

#[test]
fn a_secret_is_never_written_down() {
    for keeper in both() {
        let store = keeper.open(Some(run(1)));
        let guard = Box::new(|text: &str| text.contains("hunter2"));
        let ledger = record::Ledger::start(store, key(), guard, run(1), Default::default(), now()).unwrap();
        let mut told = asked(1);
        told.purpose = Some("use hunter2 here".to_owned());
        let answer = ledger.append(&Event::Asked(Box::new(told)), now());
        assert!(matches!(answer, Err(NotRecorded::Secret("asked"))), "{answer:?}");
        assert!(matches!(ledger.keep_blob(b"hunter2", now()), Err(NotRecorded::Secret(_))));
        assert_eq!(ledger.size().unwrap(), 0);
    }
}

#[test]
fn many_callers_and_two_gates_make_one_order() {
    for keeper in both() {
        let gates = [keeper.ledger(1), keeper.ledger(2)];
        let mut places: Vec<u64> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..8_u32)
                .map(|worker| {
                    let gate = &gates[worker as usize % 2];
                    scope.spawn(move || {
                        let events = (0..25).flat_map(|number| whole(worker * 1_000 + number));
                        events.map(|event| gate.append(&event, now()).unwrap()).collect::<Vec<u64>>()
                    })
                })
                .collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        places.sort_unstable();
        assert_eq!(places, (0..800).collect::<Vec<u64>>(), "{}", keeper.name());
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn what_a_living_gate_works_on_is_left_to_it_and_what_a_dead_one_left_is_ended() {
    for keeper in both() {
        let living = keeper.ledger(1);
        living.append(&Event::Asked(Box::new(asked(1))), now()).unwrap();
        let dying = keeper.ledger(2);
        for event in [Event::Asked(Box::new(asked(2))), ruled(2, "allow"), intent(2)] {
            dying.append(&event, now()).unwrap();
        }
        // This one waits for a person, and goes on waiting.
        for event in [Event::Asked(Box::new(asked(3))), ruled(3, "needs_approval")] {
            dying.append(&event, now()).unwrap();
        }
        drop(dying);
        let next = keeper.ledger(3);
        let ends = next.of_call(call(2)).unwrap();
        let last = ends.last().unwrap().value().unwrap();
        assert_eq!(
            (last["event"].as_str(), last["result_status"].as_str(), last["error_class"].as_str()),
            (Some("outcome"), Some("error"), Some("interrupted")),
            "{}",
            keeper.name()
        );
        assert_eq!((last["agent"].as_str(), last["tool"].as_str()), (Some("writer"), Some("read_file")));
        assert_eq!(next.of_call(call(1)).unwrap().len(), 1);
        assert_eq!(next.of_call(call(3)).unwrap().len(), 2);
        let recovered = keeper.open(None).search(0, &["gate_recovered"], 9).unwrap();
        assert_eq!(recovered.len(), 1);
        // Nothing is left to recover, and nothing is recovered twice.
        assert_eq!(keeper.open(None).abandoned().unwrap(), []);
        drop(keeper.ledger(4));
        assert_eq!(keeper.open(None).search(0, &["gate_recovered"], 9).unwrap().len(), 1);
        assert_eq!(keeper.problems(&[]), [""; 0]);
        living.append(&outcome(1), now()).unwrap();
    }
}

#[test]
fn proofs_from_the_store_convince_whoever_only_has_a_checkpoint() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        let mut notes = Vec::new();
        for number in 0..150 {
            for event in whole(number) {
                ledger.append(&event, now()).unwrap();
            }
            if [0, 63, 64, 100, 149].contains(&number) {
                notes.push(ledger.checkpoint().unwrap());
            }
        }
        drop(ledger);
        let mut store = keeper.open(None);
        let checkpoints: Vec<_> = notes.iter().map(|note| kept(note).checkpoint).collect();
        assert_eq!(store.checkpoint().unwrap().as_ref(), notes.last());
        for new in &checkpoints {
            for place in [0, 1, 2, 3, 255, 256, 258, new.size() - 1] {
                if place >= new.size() {
                    assert!(proofs::inclusion(&mut *store, place, new.size()).is_err());
                    continue;
                }
                let leaf = Hash::of_leaf(&store.read(place, 1).unwrap()[0].leaf);
                let proof = proofs::inclusion(&mut *store, place, new.size()).unwrap();
                check_inclusion(leaf, place, new.size(), &proof, new.root()).unwrap();
            }
            for old in checkpoints.iter().filter(|old| old.size() <= new.size()) {
                let proof = proofs::consistency(&mut *store, old.size(), new.size()).unwrap();
                check_consistency((old.size(), old.root()), (new.size(), new.root()), &proof).unwrap();
            }
        }
    }
}

#[test]
fn what_is_kept_beside_the_log_is_kept_by_its_digest_and_leaves_it_behind() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        let early = "2026-01-01T00:00:00Z".parse().unwrap();
        let old = ledger.keep_blob(b"old diff", early).unwrap();
        let new = ledger.keep_blob(b"new diff", now()).unwrap();
        assert_eq!(ledger.keep_blob(b"new diff", early).unwrap(), new);
        let before = "2026-02-01T00:00:00Z".parse().unwrap();
        assert_eq!(ledger.drop_blobs_before(before, now()).unwrap(), 1);
        drop(ledger);
        let mut store = keeper.open(None);
        assert_eq!(store.blob(old).unwrap(), None);
        assert_eq!(store.blob(new).unwrap().as_deref(), Some(b"new diff".as_slice()));
        let told = store.search(0, &["blob_removed", &old.to_string()], 9).unwrap();
        assert_eq!(told.len(), 1);
    }
}

#[test]
fn a_clock_that_goes_back_is_noticed_and_nothing_is_lost() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        let times =
            ["2026-03-01T12:00:00Z", "2026-03-01T12:00:05Z", "2026-02-28T00:00:00Z", "2026-03-01T12:00:06Z"];
        for (event, time) in whole(1).iter().zip(times) {
            ledger.append(event, time.parse().unwrap()).unwrap();
        }
        drop(ledger);
        let audited = keeper.audit(&[]);
        assert_eq!(audited.problems, []);
        let places: BTreeSet<u64> = audited.notices.iter().map(|notice| notice.place).collect();
        assert_eq!(places, [2].into(), "{:?}", audited.notices);
        assert_eq!(audited.entries, 4);
    }
}

#[test]
fn the_last_policy_that_was_applied_is_found_without_reading_everything() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        assert_eq!(keeper.open(None).marked("policy_applied").unwrap(), None);
        for number in 0..3 {
            let policy = call::Sha256::of(&[number]);
            let applied = Applied { policy, before: None, risk: None, review: None, by: None };
            ledger.append(&Event::PolicyApplied(applied), now()).unwrap();
            whole(number.into()).iter().for_each(|event| {
                ledger.append(event, now()).unwrap();
            });
        }
        let found = keeper.open(None).marked("policy_applied").unwrap().unwrap();
        assert_eq!(found.place, 10);
        assert_eq!(keeper.problems(&[]), [""; 0]);
        keeper.tamper("UPDATE marks SET place = 5");
        assert_eq!(keeper.problems(&[]).len(), 1, "an older policy cannot be passed off as the last one");
    }
}
