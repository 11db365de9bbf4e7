//! The whole ledger, checked from its first entry to its last.
//!
//! One pass, in memory that does not grow with the ledger: every entry is read as it lies there, the tree
//! is built from nothing, and what the store keeps beside the entries is held against it.

use std::collections::{BTreeMap, HashMap};

use call::CallId;
use verify::checkpoint::Checkpoint;
use verify::tree::{Frontier, Hash};

use crate::store::{Edge, Store, StoreError};
use crate::{Entry, proofs};

/// Entries that are read at a time.
const AT_ONCE: usize = 4_096;

/// Problems that are named; a ledger with more is as bad as one with these.
const MOST_PROBLEMS: usize = 100;

/// A checkpoint that the ledger must agree with, and where it comes from.
#[derive(Clone, Debug)]
pub struct Known {
    /// The checkpoint; its signature is checked by whoever brings it.
    pub checkpoint: Checkpoint,
    /// Where it was kept.
    pub from: String,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Audited {
    /// How many entries there are.
    pub entries: u64,
    /// Their root.
    pub root: Hash,
    /// What is wrong, in order of the places.
    pub problems: Vec<Problem>,
    /// What is worth a look and proves nothing.
    pub notices: Vec<Notice>,
}

/// Something is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The first entry that it is about.
    pub place: u64,
    /// What it is.
    pub what: String,
}

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The entry.
    pub place: u64,
    /// What it is.
    pub what: String,
}

/// Checks the whole ledger against these checkpoints, and says how far it has come now and then.
///
/// # Errors
/// When the store fails; what is merely wrong is in the answer.
pub fn audit(
    store: &mut dyn Store,
    known: &[Known],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Audited, StoreError> {
    run(Auditor::default(), store, known, progress)
}

/// Checks what came behind a checkpoint that is trusted. What lies before it is only held against its root
/// by the hashes that the store keeps, and calls that began before it are not known here.
///
/// # Errors
/// When the store fails; what is merely wrong is in the answer.
pub fn audit_since(
    store: &mut dyn Store,
    trusted: &Known,
    known: &[Known],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Audited, StoreError> {
    let (from, size) = (trusted.checkpoint.size(), store.size()?);
    let known: Vec<Known> = known.iter().chain([trusted]).cloned().collect();
    if from > size {
        // It is enough to say so.
        return run(Auditor::default(), store, &known, progress);
    }
    let peaks = proofs::peaks(store, from)?;
    let frontier = Frontier::new(from, peaks).map_err(|error| StoreError::Damaged(error.to_string()))?;
    let edge = Edge::load(from, |level, first, end| match level.checked_sub(1) {
        None => {
            let count = usize::try_from(end - first).unwrap_or_default();
            Ok::<_, StoreError>(
                store.read(first, count)?.iter().map(|entry| Hash::of_leaf(&entry.leaf)).collect(),
            )
        }
        Some(below) => store.tile_roots(below, first, end),
    })?;
    run(Auditor { frontier, edge, since: from, ..Auditor::default() }, store, &known, progress)
}

fn run(
    mut auditor: Auditor,
    store: &mut dyn Store,
    known: &[Known],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Audited, StoreError> {
    let size = store.size()?;
    let mut by_size: BTreeMap<u64, Vec<&Known>> = BTreeMap::new();
    for known in known {
        by_size.entry(known.checkpoint.size()).or_default().push(known);
    }
    auditor.compare(&by_size);
    while auditor.frontier.size() < size {
        let entries = store.read(auditor.frontier.size(), AT_ONCE)?;
        if entries.is_empty() {
            break;
        }
        for entry in &entries {
            if !auditor.entry(entry, store)? {
                break;
            }
            auditor.compare(&by_size);
        }
        if auditor.lost {
            break;
        }
        progress(auditor.frontier.size(), size);
    }
    auditor.end(&by_size, store)
}

#[derive(Default)]
struct Auditor {
    frontier: Frontier,
    edge: Edge,
    open: HashMap<CallId, u64>,
    last: String,
    /// The last policy that was put in force.
    applied: Option<u64>,
    problems: Vec<Problem>,
    notices: Vec<Notice>,
    /// Entries are missing: what comes behind has no place.
    lost: bool,
    /// The first entry that is looked at; calls that are older are not known.
    since: u64,
}

impl Auditor {
    fn problem(&mut self, place: u64, what: String) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(Problem { place, what });
        }
    }

    /// One more entry; not, when it is not the next one.
    fn entry(&mut self, entry: &Entry, store: &mut dyn Store) -> Result<bool, StoreError> {
        let place = self.frontier.size();
        if entry.place != place {
            self.lost = true;
            self.problem(place, format!("missing: the next entry is {}", entry.place));
            return Ok(false);
        }
        let leaf = Hash::of_leaf(&entry.leaf);
        self.frontier.push(leaf);
        for tile in self.edge.push(leaf) {
            let kept = store.tile(tile.level, tile.number)?;
            let kept: Option<Vec<u8>> =
                kept.map(|kept| kept.iter().flat_map(|hash| *hash.as_bytes()).collect());
            if kept.as_ref() != Some(&tile.hashes) {
                let first = first_difference(kept.as_deref().unwrap_or_default(), &tile.hashes);
                let width = 256_u64.saturating_pow(tile.level);
                let at = (tile.number * 256 + first).saturating_mul(width);
                let what = "changed: the hash that was kept when it was written is another one";
                self.problem(at, what.to_owned());
            }
            // New entries are put to the tree by these, so a wrong one would spoil every root to come.
            if store.tile_roots(tile.level, tile.number, tile.number + 1)? != [tile.root] {
                let first = tile.number.saturating_mul(256_u64.saturating_pow(tile.level + 1));
                self.problem(first, "changed: the root that is kept of its tile is another one".to_owned());
            }
        }
        self.event(entry, place);
        Ok(true)
    }

    /// Holds an entry to the rules about calls.
    fn event(&mut self, entry: &Entry, place: u64) {
        let Some(header) = entry.header() else {
            return self.problem(place, "is not an event".to_owned());
        };
        if *header.at < *self.last {
            let what = format!("the clock went back: {} comes behind {}", header.at, self.last);
            if self.notices.len() < MOST_PROBLEMS {
                self.notices.push(Notice { place, what });
            }
        }
        self.last.clear();
        self.last.push_str(&header.at);
        if header.event == "policy_applied" {
            self.applied = Some(place);
        }
        let Some(name) = &header.call else { return };
        let Some(call) = header.call_id() else {
            return self.problem(place, format!("is about `{name}`, which is no call"));
        };
        if header.event == "asked" {
            return self.opened(call, place);
        }
        let known = match header.is_terminal() {
            true => self.open.remove(&call).is_some(),
            false => self.open.contains_key(&call),
        };
        if !known && self.since == 0 {
            self.problem(place, format!("`{}` of the call {call}, which is not open", header.event));
        }
    }

    fn opened(&mut self, call: CallId, place: u64) {
        if let Some(before) = self.open.insert(call, place) {
            self.problem(place, format!("the call {call} was asked for before, at {before}"));
        }
    }

    /// Holds the tree against the checkpoints of its size.
    fn compare(&mut self, by_size: &BTreeMap<u64, Vec<&Known>>) {
        let size = self.frontier.size();
        let Some(known) = by_size.get(&size) else { return };
        let root = self.frontier.root();
        for known in known.iter().filter(|known| known.checkpoint.root() != root) {
            let what = format!(
                "forked or changed: the first {size} entries are not those of the checkpoint from {}",
                known.from
            );
            self.problem(0, what);
        }
    }

    fn end(
        mut self,
        by_size: &BTreeMap<u64, Vec<&Known>>,
        store: &mut dyn Store,
    ) -> Result<Audited, StoreError> {
        let size = self.frontier.size();
        for (more, known) in by_size.range(size + 1..) {
            for known in known {
                let what = format!(
                    "truncated or rolled back: the checkpoint from {} covers {more} entries, and there are {size}",
                    known.from
                );
                self.problem(size, what);
            }
        }
        let applied = store.marked("policy_applied")?.map(|entry| entry.place);
        if applied.filter(|place| *place >= self.since) != self.applied {
            let place = self.applied.unwrap_or(size);
            self.problem(place, "is the last policy that was put in force, and not kept as such".to_owned());
        }
        // The table by which a gate finds what another one left open.
        let kept = store.open_calls()?;
        for call in &kept {
            if self.open.contains_key(call) || self.since > 0 {
                continue;
            }
            self.problem(size, format!("the call {call} is kept as open, and is not"));
        }
        let mut open: Vec<(CallId, u64)> = self.open.iter().map(|(call, place)| (*call, *place)).collect();
        open.sort_by_key(|(_, place)| *place);
        for (call, place) in open {
            if kept.binary_search(&call).is_err() {
                self.problem(place, format!("the call {call} is open, and not kept as such"));
            }
        }
        self.problems.sort_by_key(|problem| problem.place);
        Ok(Audited {
            entries: size,
            root: self.frontier.root(),
            problems: self.problems,
            notices: self.notices,
        })
    }
}

/// The first hash in which two tiles differ.
fn first_difference(kept: &[u8], made: &[u8]) -> u64 {
    let same = kept.chunks(Hash::BYTES).zip(made.chunks(Hash::BYTES)).take_while(|(one, other)| one == other);
    same.count() as u64
}
