//! What the trait promises, on each store.

use std::collections::BTreeSet;
use std::sync::Arc;

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
            assert_eq!(entry.leaf, event.draft(now(), &run(1)).0.leaf(), "{}", keeper.name());
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
            (Event::Asked(Arc::new(asked(1))), true),
            (Event::Asked(Arc::new(asked(1))), false),
            (ruled(1, "needs_approval"), true),
            (intent(1), true),
            (outcome(1), true),
            (outcome(1), false),
            (intent(1), false),
            (Event::Asked(Arc::new(asked(1))), false),
            (Event::Asked(Arc::new(asked(2))), true),
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
        let draft = |bytes: usize| vec![Draft::new(vec![b' '; bytes], Step::Apart, None)];
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
        let guard = Box::new(|text: &str| text.contains("hunter2") || text.contains(r"hun\ter2"));
        let ledger = record::Ledger::start(store, key(), guard, run(1), Default::default(), now()).unwrap();
        // The second has another spelling in JSON.
        for secret in ["use hunter2 here", r"use hun\ter2 here"] {
            let mut told = asked(1);
            told.purpose = Some(secret.to_owned());
            let answer = ledger.append(&Event::Asked(Arc::new(told)), now());
            assert!(matches!(answer, Err(NotRecorded::Secret("asked"))), "{answer:?}");
        }
        for content in [&b"hunter2"[..], b"\xffhunter2\xfe", br#"{"a":["hun\\ter2"]}"#] {
            assert!(matches!(ledger.keep_blob(content, now()), Err(NotRecorded::Secret(_))), "{content:?}");
        }
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
        living.append(&Event::Asked(Arc::new(asked(1))), now()).unwrap();
        let dying = keeper.ledger(2);
        for event in [Event::Asked(Arc::new(asked(2))), ruled(2, "allow"), intent(2)] {
            dying.append(&event, now()).unwrap();
        }
        // This one waits for a person, and goes on waiting.
        for event in [Event::Asked(Arc::new(asked(3))), ruled(3, "needs_approval")] {
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
        // Another gate looked at its clock a moment earlier, and was written a moment later.
        ledger.append(&whole(2)[0], "2026-03-01T12:00:05.5Z".parse().unwrap()).unwrap();
        drop(ledger);
        let audited = keeper.audit(&[]);
        assert_eq!(audited.problems, []);
        let places: BTreeSet<u64> = audited.notices.iter().map(|notice| notice.place).collect();
        assert_eq!(places, [2].into(), "{:?}", audited.notices);
        assert_eq!(audited.entries, 5);
    }
}

#[test]
fn the_last_policy_that_was_applied_is_found_without_reading_everything() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        assert_eq!(keeper.open(None).marked("policy_applied").unwrap(), None);
        assert_eq!(keeper.open(None).marked_at("policy_applied").unwrap(), None);
        for number in 0..3 {
            let policy = call::Sha256::of(&[number]);
            let applied = Applied { policy, before: None, risk: None, review: None, by: None };
            ledger.append(&Event::PolicyApplied(applied), now()).unwrap();
            whole(number.into()).iter().for_each(|event| {
                ledger.append(event, now()).unwrap();
            });
        }
        let found = keeper.open(None).marked("policy_applied").unwrap().unwrap();
        assert_eq!(keeper.open(None).marked_at("policy_applied").unwrap(), Some(found.place));
        assert_eq!(found.place, 10);
        assert_eq!(keeper.problems(&[]), [""; 0]);
        let applied = keeper.open(None).all_marked("policy_applied", 1, 9).unwrap();
        assert_eq!(applied.iter().map(|entry| entry.place).collect::<Vec<_>>(), [5, 10]);
        assert_eq!(keeper.open(None).all_marked("policy_applied", 0, 2).unwrap().len(), 2);
        let name = keeper.name();
        keeper.tamper("UPDATE marks SET place = 7 WHERE place = 5");
        let said = ["5 is `policy_applied`, and not kept as such"];
        let behind = "10 comes behind entries that are kept as `policy_applied` and are not";
        assert_eq!(keeper.problems(&[]), [said[0], behind], "{name}");
        keeper.tamper("UPDATE marks SET place = 5 WHERE place = 7; DELETE FROM marks WHERE place = 10");
        let older = "an older policy cannot be passed off as the last one";
        assert_eq!(keeper.problems(&[]), ["10 is `policy_applied`, and not kept as such"], "{name}: {older}");
        keeper.tamper("INSERT INTO marks VALUES ('policy_applied', 10), ('policy_applied', 12)");
        assert_eq!(keeper.problems(&[]), ["12 is kept as `policy_applied`, and is not"], "{name}");
    }
}

#[test]
fn events_of_one_caller_are_written_all_or_none_and_one_behind_the_other() {
    for keeper in both() {
        let (ledger, name) = (keeper.ledger(1), keeper.name());
        assert_eq!(ledger.append_all(&[], now()).unwrap(), [0; 0], "{name}");
        assert_eq!(ledger.append_all(&whole(1), now()).unwrap(), [0, 1, 2, 3], "{name}");
        let [first, second, third, last] = whole(2);
        for bad in [
            vec![first.clone(), second.clone(), whole(1)[3].clone()],
            vec![whole(1)[0].clone(), first.clone()],
            vec![first.clone(), first.clone()],
            vec![first.clone(), last.clone(), first.clone()],
            vec![first.clone(), last.clone(), third.clone()],
        ] {
            let answer = ledger.append_all(&bad, now());
            assert!(matches!(answer, Err(NotRecorded::Misstep(_))), "{name}: {answer:?}");
            assert_eq!(ledger.size().unwrap(), 4, "{name}");
        }
        assert_eq!(ledger.append_all(&[first, second, third], now()).unwrap(), [4, 5, 6], "{name}");
        assert_eq!(keeper.open(None).open_calls().unwrap(), [call(2)], "{name}");
        assert_eq!(ledger.append(&last, now()).unwrap(), 7, "{name}");
        assert_eq!(ledger.batches(), 8, "one transaction for each: {name}");
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn a_misstep_of_one_caller_is_nobody_elses_loss() {
    for keeper in both() {
        let mut store = keeper.open(Some(run(1)));
        let drafts = |events: &[Event]| -> Vec<Draft> {
            events.iter().map(|event| event.draft(now(), &run(1)).0).collect()
        };
        let [first, second, third, last] = whole(3);
        let answers = store.append(&[
            drafts(&whole(1)),
            drafts(&[first.clone(), second.clone(), outcome(2)]),
            drafts(&[first, second]),
            drafts(&[whole(1)[0].clone()]),
            drafts(&[third, last.clone()]),
            drafts(&[last]),
        ]);
        let (ended, known) = (Misstep::NotOpen(call(2)), Misstep::Known(call(1)));
        let wanted = [Ok(0), Err(ended), Ok(4), Err(known), Ok(6), Err(Misstep::NotOpen(call(3)))];
        assert_eq!(answers.unwrap(), wanted, "{}", keeper.name());
        assert_eq!(store.size().unwrap(), 8, "{}", keeper.name());
        assert_eq!(store.open_calls().unwrap(), [], "{}", keeper.name());
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn one_secret_among_several_events_keeps_all_of_them_out() {
    for keeper in both() {
        let store = keeper.open(Some(run(1)));
        let guard = Box::new(|text: &str| text.contains("hunter2"));
        let ledger = record::Ledger::start(store, key(), guard, run(1), Default::default(), now()).unwrap();
        let mut told = asked(2);
        told.purpose = Some("hunter2".to_owned());
        let answer = ledger.append_all(&[whole(1)[0].clone(), Event::Asked(Arc::new(told))], now());
        assert!(matches!(answer, Err(NotRecorded::Secret("asked"))), "{answer:?}");
        assert_eq!(ledger.size().unwrap(), 0, "{}", keeper.name());
    }
}

#[test]
fn a_checkpoint_is_signed_also_when_several_events_pass_its_size() {
    for keeper in both() {
        let store = keeper.open(Some(run(1)));
        let settings = record::Settings { checkpoint_every: 6 };
        let ledger =
            record::Ledger::start(store, key(), Box::new(|_| false), run(1), settings, now()).unwrap();
        for (number, signed) in [(1, None), (2, Some(8)), (3, Some(12)), (4, Some(12)), (5, Some(20))] {
            ledger.append_all(&whole(number), now()).unwrap();
            let note = keeper.open(None).checkpoint().unwrap();
            assert_eq!(note.map(|note| kept(&note).checkpoint.size()), signed, "{} {number}", keeper.name());
        }
    }
}

#[test]
fn of_gates_that_race_for_a_waiting_call_one_takes_it() {
    for keeper in both() {
        let gates: Vec<_> = (1..5).map(|number| keeper.ledger(number)).collect();
        for number in 0..10 {
            let begun = [Event::Asked(Arc::new(asked(number))), ruled(number, "needs_approval")];
            gates[0].append_all(&begun, now()).unwrap();
            assert_eq!(keeper.open(None).waiting().unwrap(), [call(number)], "{}", keeper.name());
            let take = [Event::Consumed { call: call(number), approval: None }, intent(number)];
            let taken: Vec<_> = std::thread::scope(|scope| {
                let race = |gate: &'_ record::Ledger| gate.append_all(&take, now());
                let racing: Vec<_> = gates.iter().map(|gate| scope.spawn(move || race(gate))).collect();
                racing.into_iter().map(|gate| gate.join().unwrap()).collect()
            });
            let late = |answer: &Result<_, _>| matches!(answer, Err(NotRecorded::Misstep(Misstep::Taken(taken))) if *taken == call(number));
            assert_eq!(taken.iter().filter(|answer| answer.is_ok()).count(), 1, "{}", keeper.name());
            assert_eq!(taken.iter().filter(|answer| late(answer)).count(), 3, "{taken:?}");
            assert_eq!(keeper.open(None).waiting().unwrap(), [], "{}", keeper.name());
            gates[0].append(&outcome(number), now()).unwrap();
            let over = gates[1].append(&Event::Consumed { call: call(number), approval: None }, now());
            assert!(matches!(over, Err(NotRecorded::Misstep(Misstep::NotOpen(_)))), "{over:?}");
        }
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn a_call_that_a_dead_gate_had_taken_is_ended_and_one_that_waits_is_not() {
    for keeper in both() {
        let dying = keeper.ledger(1);
        for number in [1, 2] {
            let begun = [Event::Asked(Arc::new(asked(number))), ruled(number, "needs_approval")];
            dying.append_all(&begun, now()).unwrap();
        }
        dying.append(&Event::Consumed { call: call(1), approval: None }, now()).unwrap();
        drop(dying);
        let next = keeper.ledger(2);
        assert_eq!(keeper.open(None).waiting().unwrap(), [call(2)], "{}", keeper.name());
        assert_eq!(keeper.open(None).open_calls().unwrap(), [call(2)], "{}", keeper.name());
        next.append_all(&[Event::Consumed { call: call(2), approval: None }, intent(2), outcome(2)], now())
            .unwrap();
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}
