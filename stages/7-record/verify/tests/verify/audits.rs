//! One pass over a log, against checkpoints of any age.

use verify::audit::{Audit, Standing};
use verify::checkpoint::Checkpoint;
use verify::tree::Hash;

use crate::made::{entries, head, root};

#[test]
fn a_log_stands_to_each_checkpoint_as_it_should() {
    let log = entries(20);
    let mut other = log.clone();
    other[7] = b"{}".to_vec();
    let of = |entries: &[Vec<u8>]| head("example.com/ledger", entries);
    let changed = |count: usize| Standing::Changed { root: of(&log[..count]).root() };
    let cases = [
        // checkpoint of -> standing
        (of(&log), Standing::Holds),
        (of(&log[..0]), Standing::Holds),
        (of(&log[..1]), Standing::Holds),
        (of(&log[..13]), Standing::Holds),
        (of(&log[..13]), Standing::Holds),
        (of(&other[..7]), Standing::Holds),
        (of(&other[..8]), changed(8)),
        (of(&other), changed(20)),
        (of(&entries(21)), Standing::Truncated { entries: 20 }),
        (Checkpoint::new(name(), u64::MAX, Hash::of_nothing()), Standing::Truncated { entries: 20 }),
        (Checkpoint::new(name(), 0, Hash::of_leaf(b"")), changed(0)),
    ];
    let mut audit = Audit::of(cases.iter().map(|(checkpoint, _)| checkpoint.clone()));
    log.iter().for_each(|entry| assert_eq!(audit.push(entry), Hash::of_leaf(entry)));
    assert_eq!((audit.size(), audit.root()), (20, of(&log).root()));
    assert_eq!(audit.end(), cases);
}

#[test]
fn a_log_without_entries_has_a_root_too() {
    let audit = Audit::of([Checkpoint::new(name(), 0, root(&[]))]);
    assert!(audit.end().iter().all(|(_, standing)| *standing == Standing::Holds));
}

fn name() -> verify::key::KeyName {
    "example.com/ledger".parse().unwrap()
}
