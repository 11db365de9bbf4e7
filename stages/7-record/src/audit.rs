//! The whole ledger, checked from its first entry to its last.
//!
//! One pass, in memory that does not grow with the ledger: every entry is read as it lies there, the tree
//! is built from nothing, and everything that the store keeps beside the entries is held against it. The
//! store holds still meanwhile, so that a gate at work is not taken for a forger.

mod marks;
mod own;

use std::collections::{BTreeMap, HashMap};

use call::{CallId, Moment, Sha256};
use verify::checkpoint::Checkpoint;
use verify::key::VerifierKey;
use verify::tree::{Frontier, Hash};

use self::marks::Marks;
use self::own::OwnCheckpoints;
use crate::entry::Header;
use crate::proofs;
use crate::store::{Edge, Indexed, Store, StoreError, TILE_WIDTH};

/// Entries that are read at a time.
const AT_ONCE: usize = 1_024;

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
    /// How many of them the ledger's own checkpoints cover. Behind these, nothing but the store says what was
    /// written.
    pub signed: u64,
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

/// Checks the whole ledger against its own checkpoints, which this key has signed, and against these, and
/// says how far it has come now and then.
///
/// # Errors
/// When the store fails; what is merely wrong is in the answer.
pub fn audit(
    store: &mut dyn Store,
    key: &VerifierKey,
    known: &[Known],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Audited, StoreError> {
    held(store, &mut |store| run(Auditor::default(), store, key, known, progress))
}

/// Checks what came behind a checkpoint that is trusted. What lies before it is only held against its root
/// by the hashes that the store keeps, and calls that began before it are not known here.
///
/// # Errors
/// When the store fails; what is merely wrong is in the answer.
pub fn audit_since(
    store: &mut dyn Store,
    key: &VerifierKey,
    trusted: &Known,
    known: &[Known],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Audited, StoreError> {
    let known: Vec<Known> = known.iter().chain([trusted]).cloned().collect();
    held(store, &mut |store| {
        let from = trusted.checkpoint.size();
        if from > store.size()? {
            // It is enough to say so.
            return run(Auditor::default(), store, key, &known, progress);
        }
        let peaks = proofs::peaks(store, from)?;
        let frontier = Frontier::new(from, peaks).map_err(|error| StoreError::Damaged(error.to_string()))?;
        let edge = Edge::at(store, from)?;
        run(
            Auditor { frontier, edge, since: from, signed: from, ..Auditor::default() },
            store,
            key,
            &known,
            progress,
        )
    })
}

/// Checks a store that holds still.
fn held(
    store: &mut dyn Store,
    check: &mut dyn FnMut(&mut dyn Store) -> Result<Audited, StoreError>,
) -> Result<Audited, StoreError> {
    store.hold_still()?;
    let audited = check(store);
    store.let_go().and(audited)
}

fn run(
    mut auditor: Auditor,
    store: &mut dyn Store,
    key: &VerifierKey,
    known: &[Known],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Audited, StoreError> {
    let size = store.size()?;
    let mut by_size: BTreeMap<u64, Vec<&Known>> = BTreeMap::new();
    for known in known {
        by_size.entry(known.checkpoint.size()).or_default().push(known);
    }
    let mut own = OwnCheckpoints::since(auditor.since, key);
    auditor.compare(&by_size, &mut own, store)?;
    while auditor.frontier.size() < size && !auditor.lost {
        let entries = store.read_indexed(auditor.frontier.size(), AT_ONCE)?;
        if entries.is_empty() {
            let place = auditor.frontier.size();
            auditor.problem(place, format!("missing: there should be {size} entries"));
            break;
        }
        for indexed in &entries {
            if auditor.frontier.size() == size || !auditor.entry(indexed, store)? {
                break;
            }
            auditor.compare(&by_size, &mut own, store)?;
        }
        progress(auditor.frontier.size(), size);
    }
    auditor.end(&by_size, own, store)
}

#[derive(Default)]
struct Auditor {
    frontier: Frontier,
    edge: Edge,
    open: HashMap<CallId, u64>,
    /// Contents beside the log that are gone, and the last entries that name them.
    gone: HashMap<Sha256, u64>,
    last: String,
    /// How far the ledger's own checkpoints go.
    signed: u64,
    marks: Marks,
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
    fn entry(&mut self, indexed: &Indexed, store: &mut dyn Store) -> Result<bool, StoreError> {
        let (entry, place) = (&indexed.entry, self.frontier.size());
        if entry.place != place {
            self.lost = true;
            self.problem(place, format!("missing: the next entry is {}", entry.place));
            return Ok(false);
        }
        let leaf = Hash::of_leaf(&entry.leaf);
        self.frontier.push(leaf);
        for tile in self.edge.push(leaf) {
            let kept = match store.tile(tile.level, tile.number) {
                Ok(kept) => kept,
                // One that is no tile at all is as wrong as one that has other hashes.
                Err(StoreError::Damaged(_)) => None,
                Err(error) => return Err(error),
            };
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
        match entry.header() {
            None => self.problem(place, "is not an event".to_owned()),
            Some(header) => {
                // Whoever asks for a call is shown what is kept under its name.
                if indexed.call.as_deref() != header.call.as_deref() {
                    let what = "is kept under the name of another call, or of none";
                    self.problem(place, what.to_owned());
                }
                self.contents(&header, place, store)?;
                if let Some(what) = self.marks.entry(&header.event, place, self.since, store)? {
                    self.problem(place, what);
                }
                self.event(&header, place);
            }
        }
        Ok(true)
    }

    /// Notes contents beside the log that an entry names and that are not there, until an event says why.
    fn contents(&mut self, header: &Header<'_>, place: u64, store: &mut dyn Store) -> Result<(), StoreError> {
        if let Some(digest) = header.moved.as_ref().and_then(|digest| digest.parse().ok())
            && store.blob(digest)?.is_none()
        {
            self.gone.insert(digest, place);
        }
        if header.event == "blob_removed"
            && let Some(digest) = header.blob.as_ref().and_then(|digest| digest.parse().ok())
        {
            self.gone.remove(&digest);
        }
        Ok(())
    }

    /// Holds an entry to the rules about calls.
    fn event(&mut self, header: &Header<'_>, place: u64) {
        if *header.at < *self.last && went_back(&header.at, &self.last) {
            let what = format!("the clock went back: {} comes behind {}", header.at, self.last);
            if self.notices.len() < MOST_PROBLEMS {
                self.notices.push(Notice { place, what });
            }
        }
        self.last.clear();
        self.last.push_str(&header.at);
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

    /// Holds the tree against the checkpoints of its size, those of others and the ledger's own.
    fn compare(
        &mut self,
        by_size: &BTreeMap<u64, Vec<&Known>>,
        own: &mut OwnCheckpoints<'_>,
        store: &mut dyn Store,
    ) -> Result<(), StoreError> {
        let size = self.frontier.size();
        let mut roots: Vec<(Hash, &str)> = Vec::new();
        for known in by_size.get(&size).into_iter().flatten() {
            roots.push((known.checkpoint.root(), &known.from));
        }
        match own.at(size, store)? {
            None => {}
            Some(Ok(checkpoint)) => {
                self.signed = checkpoint.size();
                roots.push((checkpoint.root(), OWN));
            }
            Some(Err(why)) => self.problem(0, why),
        }
        if roots.is_empty() {
            return Ok(());
        }
        let root = self.frontier.root();
        for (_, from) in roots.iter().filter(|(other, _)| *other != root) {
            let what = format!(
                "forked or changed: the first {size} entries are not those of the checkpoint from {from}"
            );
            self.problem(0, what);
        }
        Ok(())
    }

    fn end(
        mut self,
        by_size: &BTreeMap<u64, Vec<&Known>>,
        own: OwnCheckpoints<'_>,
        store: &mut dyn Store,
    ) -> Result<Audited, StoreError> {
        let size = self.frontier.size();
        let mut cut = |more: u64, from: &str| {
            let what = format!(
                "truncated or rolled back: the checkpoint from {from} covers {more} entries, and there are {size}"
            );
            self.problem(size, what);
        };
        for (more, known) in by_size.range(size + 1..) {
            known.iter().for_each(|known| cut(*more, &known.from));
        }
        if let Some(more) = own.beyond(size, store)? {
            cut(more, OWN);
        }
        self.census(store)?;
        for (digest, place) in std::mem::take(&mut self.gone) {
            let what = format!("its content {digest} is gone or changed, and no event says why");
            self.problem(place, what);
        }
        for (place, what) in std::mem::take(&mut self.marks).left(self.since, store)? {
            self.problem(place, what);
        }
        // The table by which a gate finds what another one left open.
        let kept = match store.open_calls() {
            Ok(kept) => kept,
            Err(StoreError::Damaged(why)) => {
                self.problem(size, why);
                Vec::new()
            }
            Err(error) => return Err(error),
        };
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
            signed: self.signed,
            root: self.frontier.root(),
            problems: self.problems,
            notices: self.notices,
        })
    }
}

impl Auditor {
    /// Holds what is kept beside the entries to what they need, no more and no less.
    fn census(&mut self, store: &mut dyn Store) -> Result<(), StoreError> {
        let (census, size) = (store.census()?, self.frontier.size());
        if census.astray > 0 && !self.lost {
            let what = format!("{} entries lie at places that nobody reads in order", census.astray);
            self.problem(size, what);
        }
        let width = TILE_WIDTH as u64;
        let full = std::iter::successors(Some(size / width), |below| Some(below / width));
        let needed: u64 = full.take_while(|&count| count > 0).sum();
        if census.tiles > needed && !self.lost {
            self.problem(size, format!("{} tiles are kept, and the entries make {needed}", census.tiles));
        }
        Ok(())
    }
}

/// How the ledger's own checkpoints are spoken of.
const OWN: &str = "the ledger itself";

/// Whether a clock was set back. Of gates that write at once, one may look at its clock first and be written
/// second; that is no sign of anything.
fn went_back(at: &str, last: &str) -> bool {
    const A_SECOND: i64 = 1_000_000;
    let moment = |text: &str| text.parse::<Moment>().ok().map(Moment::microseconds);
    match (moment(at), moment(last)) {
        (Some(at), Some(last)) => last.saturating_sub(at) >= A_SECOND,
        (None, _) | (_, None) => true,
    }
}

/// The first hash in which two tiles differ.
fn first_difference(kept: &[u8], made: &[u8]) -> u64 {
    let same = kept.chunks(Hash::BYTES).zip(made.chunks(Hash::BYTES)).take_while(|(one, other)| one == other);
    same.count() as u64
}
