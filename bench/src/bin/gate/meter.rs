//! Counts what a gate has its ledger make durable, and how long that and its tools take.
//!
//! What is left of a call then is the gate's own work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use call::{Arguments, CallId, Done, Effects, Errand, Expected, Fault, Sha256, ToolName, Tools};
use record::Entry;
use record::store::{Census, Draft, Indexed, Misstep, Store, StoreError};
use secrecy::SecretSlice;

/// The counts.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    appends: AtomicU64,
    others: AtomicU64,
    durable: AtomicU64,
    tools: AtomicU64,
}

/// The counts at one moment, or between two.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// Transactions that appended events.
    pub(crate) appends: u64,
    /// Transactions beside the log.
    pub(crate) others: u64,
    /// Time in both.
    pub(crate) durable: Duration,
    /// Time in tools.
    pub(crate) tools: Duration,
}

impl Meter {
    pub(crate) fn read(&self) -> Reading {
        let time = |count: &AtomicU64| Duration::from_nanos(count.load(Ordering::Relaxed));
        Reading {
            appends: self.appends.load(Ordering::Relaxed),
            others: self.others.load(Ordering::Relaxed),
            durable: time(&self.durable),
            tools: time(&self.tools),
        }
    }
}

impl Reading {
    /// What came since.
    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            appends: self.appends - before.appends,
            others: self.others - before.others,
            durable: self.durable.saturating_sub(before.durable),
            tools: self.tools.saturating_sub(before.tools),
        }
    }
}

fn counted<T>(time: &AtomicU64, count: Option<&AtomicU64>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    time.fetch_add(nanoseconds, Ordering::Relaxed);
    if let Some(count) = count {
        count.fetch_add(1, Ordering::Relaxed);
    }
    done
}

/// Tools that are counted.
pub(crate) struct MeteredTools {
    pub(crate) tools: Arc<dyn Tools>,
    pub(crate) meter: Arc<Meter>,
}

impl Tools for MeteredTools {
    fn survey(&self, effects: &Effects) -> Result<Expected, Fault> {
        self.tools.survey(effects)
    }

    fn preview(
        &self,
        tool: &ToolName,
        arguments: &Arguments,
        effects: &Effects,
    ) -> Result<Option<String>, Fault> {
        self.tools.preview(tool, arguments, effects)
    }

    fn run(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        counted(&self.meter.tools, None, || self.tools.run(errand))
    }

    fn revealed(&self) -> Vec<(String, SecretSlice<u8>)> {
        self.tools.revealed()
    }
}

/// A store that is counted.
pub(crate) struct MeteredStore {
    pub(crate) store: Box<dyn Store>,
    pub(crate) meter: Arc<Meter>,
}

/// What only looks, and is handed on as it is.
macro_rules! handed_on {
    ($(fn $name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        $(fn $name(&mut self $(, $argument: $kind)*) -> Result<$result, StoreError> {
            self.store.$name($($argument),*)
        })*
    };
}

impl Store for MeteredStore {
    fn append(&mut self, bundles: &[Vec<Draft>]) -> Result<Vec<Result<u64, Misstep>>, StoreError> {
        counted(&self.meter.durable, Some(&self.meter.appends), || self.store.append(bundles))
    }

    fn save_checkpoint(&mut self, size: u64, note: &str) -> Result<(), StoreError> {
        counted(&self.meter.durable, None, || self.store.save_checkpoint(size, note))
    }

    fn keep_blob(&mut self, content: &[u8], at: i64) -> Result<Sha256, StoreError> {
        counted(&self.meter.durable, Some(&self.meter.others), || self.store.keep_blob(content, at))
    }

    fn drop_blob(&mut self, digest: Sha256, before: i64) -> Result<bool, StoreError> {
        counted(&self.meter.durable, Some(&self.meter.others), || self.store.drop_blob(digest, before))
    }

    handed_on! {
        fn size() -> u64;
        fn read(from: u64, most: usize) -> Vec<Entry>;
        fn read_indexed(from: u64, most: usize) -> Vec<Indexed>;
        fn census() -> Census;
        fn hold_still() -> ();
        fn let_go() -> ();
        fn search(from: u64, texts: &[&str], most: usize) -> Vec<Entry>;
        fn marked(mark: &str) -> Option<Entry>;
        fn all_marked(mark: &str, from: u64, most: usize) -> Vec<Entry>;
        fn of_call(call: CallId) -> Vec<Entry>;
        fn tile(level: u32, number: u64) -> Option<Vec<verify::tree::Hash>>;
        fn tile_roots(level: u32, from: u64, end: u64) -> Vec<verify::tree::Hash>;
        fn checkpoint() -> Option<String>;
        fn checkpoints(from: u64, most: usize) -> Vec<(u64, String)>;
        fn abandoned() -> Vec<CallId>;
        fn open_calls() -> Vec<CallId>;
        fn waiting() -> Vec<CallId>;
        fn blob(digest: Sha256) -> Option<Vec<u8>>;
        fn blobs_before(at: i64) -> Vec<Sha256>;
    }
}
