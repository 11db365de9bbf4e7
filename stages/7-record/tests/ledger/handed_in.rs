//! Callers who do not wait: what they hand in is written all the same, beside those who do.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use record::store::Misstep;
use record::{Beside, Ledger, NotRecorded};

use crate::events::{call, outcome, whole};
use crate::keepers::{Stores, both, key, now, run, sqlite};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for something that is told.
pub(crate) fn told<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return value;
        }
        thread::park();
    }
}

#[test]
fn events_that_were_handed_in_are_told_of_when_they_are_durable() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        for number in 0..20_u64 {
            let pending = ledger.hand_in(&whole(u32::try_from(number).unwrap()), &Beside::default(), now());
            let places = told(pending.unwrap()).unwrap();
            assert_eq!(places, number * 4..number * 4 + 4, "{}", keeper.name());
            assert_eq!(keeper.open(None).size().unwrap(), places.end, "{}", keeper.name());
        }
        assert_eq!(told(ledger.hand_in(&[], &Beside::default(), now()).unwrap()).unwrap(), 0..0);
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn a_misstep_of_one_who_does_not_wait_is_told_too() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        let hand_in = |events: &[_]| told(ledger.hand_in(events, &Beside::default(), now()).unwrap());
        assert_eq!(hand_in(&whole(1)).unwrap(), 0..4);
        for bad in [vec![outcome(1)], whole(1).to_vec()] {
            let answer = hand_in(&bad);
            let (again, over) = (Misstep::Known(call(1)), Misstep::NotOpen(call(1)));
            assert!(
                matches!(&answer, Err(NotRecorded::Misstep(step)) if [again, over].contains(step)),
                "{} {answer:?}",
                keeper.name()
            );
        }
        assert_eq!(hand_in(&whole(2)).unwrap(), 4..8);
    }
}

#[test]
fn a_secret_is_not_handed_in() {
    for keeper in both() {
        let store = keeper.open(Some(run(1)));
        let guard = Box::new(|text: &str| text.contains("hunter2"));
        let ledger = Ledger::start(store, key(), guard, run(1), Default::default(), now()).unwrap();
        let mut asked = crate::events::asked(2);
        asked.purpose = Some("hunter2".to_owned());
        let answer = ledger.hand_in(&[record::Event::Asked(Arc::new(asked))], &Beside::default(), now());
        assert!(matches!(answer, Err(NotRecorded::Secret("asked"))), "{}", keeper.name());
        assert_eq!(ledger.size().unwrap(), 0, "{}", keeper.name());
    }
}

#[test]
fn those_who_wait_and_those_who_do_not_are_written_together_each_once() {
    const CALLERS: u32 = 16;
    const EACH: u32 = 30;
    for keeper in both() {
        let ledger = keeper.ledger(1);
        let begin = Barrier::new(CALLERS as usize);
        let mut places: Vec<u64> = thread::scope(|scope| {
            let work = |caller: u32| {
                begin.wait();
                let calls = (0..EACH).map(|number| caller * 1_000 + number);
                let mut places: Vec<u64> = Vec::new();
                let mut pending = Vec::new();
                for number in calls {
                    let events = whole(number);
                    // Some wait, some look later, some never do.
                    match caller % 3 {
                        0 => places.extend(ledger.append_all(&events, now()).unwrap()),
                        1 => pending.push(ledger.hand_in(&events, &Beside::default(), now()).unwrap()),
                        _ => places.extend(
                            told(ledger.hand_in(&events, &Beside::default(), now()).unwrap()).unwrap(),
                        ),
                    }
                }
                places.extend(pending.into_iter().flat_map(|one| told(one).unwrap()));
                places
            };
            let callers: Vec<_> = (0..CALLERS).map(|caller| scope.spawn(move || work(caller))).collect();
            callers.into_iter().flat_map(|caller| caller.join().unwrap()).collect()
        });
        places.sort_unstable();
        let all: Vec<u64> = (0..u64::from(CALLERS * EACH * 4)).collect();
        assert_eq!(places, all, "{}", keeper.name());
        assert!(ledger.batches() < u64::from(CALLERS * EACH), "{}", keeper.name());
        drop(ledger);
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn what_was_handed_in_is_written_before_the_ledger_is_let_go_of() {
    for keeper in Stores::start().both() {
        for round in 0..10_u8 {
            let ledger = keeper.ledger(round);
            for number in 0..10 {
                let number = u32::from(round) * 100 + number;
                drop(ledger.hand_in(&whole(number), &Beside::default(), now()).unwrap());
            }
            drop(ledger);
            let size = keeper.open(None).size().unwrap();
            assert_eq!(size, (u64::from(round) + 1) * 40, "{}", keeper.name());
        }
        // Its lock is free too: the next gate finds nobody at work.
        drop(keeper.ledger(9));
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn what_is_asked_about_while_the_ledger_is_let_go_of_is_written_before_it_is_gone() {
    const EACH: u32 = 6;
    let keeper = sqlite();
    for round in 0..150_u8 {
        let ledger = keeper.ledger(round);
        let begin = Barrier::new(2);
        // The scribe is at work already in some of the rounds.
        if round % 2 == 0 {
            let first = u32::from(round) * 100 + 99;
            told(ledger.hand_in(&whole(first), &Beside::default(), now()).unwrap()).unwrap();
        }
        let numbers = (0..EACH).map(|number| u32::from(round) * 100 + number);
        let hand_in = |number| ledger.hand_in(&whole(number), &Beside::default(), now()).unwrap();
        let pending: Vec<_> = numbers.map(hand_in).collect();
        thread::scope(|scope| {
            let (asks, begin) = (round % 3 == 0, &begin);
            scope.spawn(move || {
                begin.wait();
                (0..u32::from(round) * 7 % 400).for_each(|_| std::hint::spin_loop());
                for one in pending {
                    if asks {
                        told(one).unwrap();
                    }
                }
            });
            begin.wait();
            drop(ledger);
            let written = u64::from(round + 1) * u64::from(EACH) + u64::from(round / 2) + 1;
            assert_eq!(keeper.open(None).size().unwrap(), written * 4, "round {round}");
        });
    }
    assert_eq!(keeper.problems(&[]), [""; 0]);
}

/// Whoever fails when it is told.
struct Fails(AtomicBool);

impl Wake for Fails {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
        panic!("a bug in whoever waits");
    }
}

#[test]
fn one_who_fails_when_it_is_told_leaves_nobody_waiting() {
    for keeper in both() {
        let ledger = Arc::new(keeper.ledger(1));
        let fails = Arc::new(Fails(AtomicBool::new(false)));
        let waker = Waker::from(Arc::clone(&fails));
        let mut pending = pin!(ledger.hand_in(&whole(1), &Beside::default(), now()).unwrap());
        assert!(pending.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        let end = Instant::now() + Duration::from_secs(10);
        while !fails.0.load(Ordering::Acquire) {
            assert!(Instant::now() < end, "{}: nobody is told", keeper.name());
            thread::sleep(Duration::from_millis(1));
        }
        let (done, is_done) = channel();
        let others = Arc::clone(&ledger);
        thread::spawn(move || {
            let waits = others.append_all(&whole(2), now()).unwrap();
            let does_not = told(others.hand_in(&whole(3), &Beside::default(), now()).unwrap()).unwrap();
            done.send((waits, does_not)).unwrap();
        });
        let others = is_done.recv_timeout(Duration::from_secs(10));
        assert_eq!(others.unwrap(), (vec![4, 5, 6, 7], 8..12), "{}", keeper.name());
        assert_eq!(told(pending).unwrap(), 0..4, "{}", keeper.name());
    }
}
