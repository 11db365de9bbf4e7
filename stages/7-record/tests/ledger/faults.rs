//! Writes that fail, both ways round: what was to be written is lost, or it is there after all.

use std::sync::{Arc, Mutex};

use call::{CallId, Sha256};
use record::store::{Census, Draft, Indexed, Misstep, Store, StoreError};
use record::{Beside, Entry, NotRecorded};
use verify::tree::Hash;

use crate::events::{call, whole};
use crate::handed_in::told;
use crate::keepers::{Stores, ledger, now, run};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Break {
    Lost,
    KeptButFailed,
    Panics,
}

/// A store whose appends fail from one of them on.
struct Breaking {
    inner: Box<dyn Store>,
    left: Arc<Mutex<(usize, Break)>>,
}

impl Store for Breaking {
    fn append(&mut self, bundles: &[Vec<Draft>]) -> Result<Vec<Result<u64, Misstep>>, StoreError> {
        let mut left = self.left.lock().unwrap();
        match *left {
            (0, Break::Lost) => Err(StoreError::Failed("the disk is full".to_owned())),
            (0, Break::KeptButFailed) => {
                left.1 = Break::Lost;
                self.inner.append(bundles)?;
                Err(StoreError::Failed("the answer got lost".to_owned()))
            }
            (0, Break::Panics) => {
                drop(left);
                panic!("a bug in the store")
            }
            (count, how) => {
                *left = (count - 1, how);
                self.inner.append(bundles)
            }
        }
    }

    fn size(&mut self) -> Result<u64, StoreError> {
        self.inner.size()
    }
    fn read(&mut self, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        self.inner.read(from, most)
    }
    fn read_indexed(&mut self, from: u64, most: usize) -> Result<Vec<Indexed>, StoreError> {
        self.inner.read_indexed(from, most)
    }
    fn census(&mut self) -> Result<Census, StoreError> {
        self.inner.census()
    }
    fn hold_still(&mut self) -> Result<(), StoreError> {
        self.inner.hold_still()
    }
    fn let_go(&mut self) -> Result<(), StoreError> {
        self.inner.let_go()
    }
    fn search(&mut self, from: u64, texts: &[&str], most: usize) -> Result<Vec<Entry>, StoreError> {
        self.inner.search(from, texts, most)
    }
    fn marked(&mut self, mark: &str) -> Result<Option<Entry>, StoreError> {
        self.inner.marked(mark)
    }
    fn all_marked(&mut self, mark: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        self.inner.all_marked(mark, from, most)
    }
    fn of_call(&mut self, call: CallId) -> Result<Vec<Entry>, StoreError> {
        self.inner.of_call(call)
    }
    fn tile(&mut self, level: u32, number: u64) -> Result<Option<Vec<Hash>>, StoreError> {
        self.inner.tile(level, number)
    }
    fn tile_roots(&mut self, level: u32, from: u64, end: u64) -> Result<Vec<Hash>, StoreError> {
        self.inner.tile_roots(level, from, end)
    }
    fn save_checkpoint(&mut self, size: u64, note: &str) -> Result<(), StoreError> {
        self.inner.save_checkpoint(size, note)
    }
    fn checkpoint(&mut self) -> Result<Option<String>, StoreError> {
        self.inner.checkpoint()
    }
    fn checkpoints(&mut self, from: u64, most: usize) -> Result<Vec<(u64, String)>, StoreError> {
        self.inner.checkpoints(from, most)
    }
    fn abandoned(&mut self) -> Result<Vec<CallId>, StoreError> {
        self.inner.abandoned()
    }
    fn open_calls(&mut self) -> Result<Vec<CallId>, StoreError> {
        self.inner.open_calls()
    }
    fn waiting(&mut self) -> Result<Vec<CallId>, StoreError> {
        self.inner.waiting()
    }
    fn keep_blob(&mut self, content: &[u8], at: i64) -> Result<Sha256, StoreError> {
        self.inner.keep_blob(content, at)
    }
    fn blob(&mut self, digest: Sha256) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.blob(digest)
    }
    fn blobs_before(&mut self, at: i64) -> Result<Vec<Sha256>, StoreError> {
        self.inner.blobs_before(at)
    }
    fn drop_blob(&mut self, digest: Sha256, before: i64) -> Result<bool, StoreError> {
        self.inner.drop_blob(digest, before)
    }
}

#[test]
fn a_write_that_failed_stops_the_call_and_the_next_start_ends_it_once() {
    let cases = [
        // which append breaks, how; entries left behind; and after the next start: entries, how it ended
        (0, Break::Lost, 0, 0, None),
        (0, Break::KeptButFailed, 1, 3, Some("interrupted")),
        (1, Break::Lost, 1, 3, Some("interrupted")),
        (1, Break::KeptButFailed, 2, 4, Some("interrupted")),
        (2, Break::Lost, 2, 4, Some("interrupted")),
        (2, Break::KeptButFailed, 3, 5, Some("interrupted")),
        (3, Break::Lost, 3, 5, Some("interrupted")),
        // The end is on record: nothing is added to it.
        (3, Break::KeptButFailed, 4, 4, None),
    ];
    let stores = Stores::start();
    for (number, (broken, how, left_behind, after, class)) in cases.into_iter().enumerate() {
        for keeper in stores.both() {
            let row = format!("{} {broken} {how:?}", keeper.name());
            let number = u8::try_from(number).unwrap();
            let left = Arc::new(Mutex::new((broken, how)));
            let store = Breaking { inner: keeper.open(Some(run(number))), left };
            let gate = ledger(Box::new(store), number);
            let mut failed = false;
            for event in whole(1) {
                let answer = gate.append(&event, now());
                failed |= matches!(answer, Err(NotRecorded::Store(_)));
                assert_eq!(answer.is_err(), failed, "{row}: once it failed, nothing is written again");
            }
            assert!(failed, "{row}");
            assert_eq!(gate.size().unwrap(), left_behind, "{row}");
            drop(gate);
            let next = keeper.ledger(100);
            assert_eq!(next.size().unwrap(), after, "{row}");
            let ends = next.of_call(call(1)).unwrap();
            let last = ends.last().and_then(Entry::value);
            let got = last.as_ref().and_then(|last| last.get("error_class")?.as_str());
            assert_eq!(got, class, "{row}");
            let terminal = ends.iter().filter(|entry| entry.header().unwrap().is_terminal()).count();
            assert_eq!(terminal, usize::from(after > 0), "{row}");
            assert_eq!(keeper.problems(&[]), [""; 0], "{row}");
        }
    }
}

#[test]
fn a_store_that_panics_leaves_nobody_waiting() {
    for keeper in Stores::start().both() {
        let left = Arc::new(Mutex::new((0, Break::Panics)));
        let gate = ledger(Box::new(Breaking { inner: keeper.open(Some(run(1))), left }), 1);
        let written: usize = std::thread::scope(|scope| {
            let begin = |number| gate.append(&whole(number)[0], now());
            let callers: Vec<_> = (0..16).map(|number| scope.spawn(move || begin(number).is_ok())).collect();
            callers.into_iter().map(|caller| usize::from(caller.join().unwrap())).sum()
        });
        assert_eq!(u64::try_from(written).unwrap(), gate.size().unwrap(), "{}", keeper.name());
        let said = gate.append(&whole(99)[0], now()).unwrap_err().to_string();
        assert!(said.contains("it stopped in the middle of a write"), "{} {said}", keeper.name());
        drop(gate);
        drop(keeper.ledger(2));
        assert_eq!(keeper.problems(&[]), [""; 0]);
    }
}

#[test]
fn a_write_that_fails_is_told_to_those_who_do_not_wait_too() {
    for (how, said) in [(Break::Lost, "the disk is full"), (Break::Panics, "it stopped in the middle")] {
        for keeper in Stores::start().both() {
            let left = Arc::new(Mutex::new((1, how)));
            let gate = ledger(Box::new(Breaking { inner: keeper.open(Some(run(1))), left }), 1);
            let hand_in = |number| gate.hand_in(&whole(number), &Beside::default(), now()).unwrap();
            assert_eq!(told(hand_in(1)).unwrap(), 0..4, "{}", keeper.name());
            let pending: Vec<_> = (2..20).map(hand_in).collect();
            for one in pending {
                let error = told(one).unwrap_err().to_string();
                assert!(error.contains(said), "{} {error}", keeper.name());
            }
            assert!(gate.append(&whole(99)[0], now()).is_err(), "{}", keeper.name());
            assert_eq!(gate.size().unwrap(), 4, "{}", keeper.name());
        }
    }
}
