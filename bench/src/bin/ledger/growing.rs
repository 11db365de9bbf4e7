//! A ledger as it grows: what an append, a proof, a look and a check cost, and what lies on disk.

use std::path::Path;
use std::time::Instant;

use record::store::{SqliteStore, Store};
use record::{SigningKey, audit, proofs};
use tempfile::TempDir;

use crate::events::{draft, run};
use crate::{Plan, told};

/// Drafts of one transaction while the ledger is filled.
const AT_ONCE: u64 = 512;

/// How often each thing is done.
const TIMES: u64 = 60;

/// One size. Times in microseconds, medians.
pub(crate) struct Grown {
    pub(crate) entries: u64,
    /// An append of 16 events.
    pub(crate) append: f64,
    pub(crate) prove: f64,
    pub(crate) show: f64,
    /// Entries a second of a check of the whole ledger.
    pub(crate) verify: f64,
    /// The most memory that the process had by then, in megabytes.
    pub(crate) memory: f64,
    /// Bytes on disk for each byte of canonical events, while a gate works with it and after it has closed it.
    pub(crate) disk: f64,
    pub(crate) closed: f64,
}

pub(crate) fn measure(plan: &Plan) -> Result<Vec<Grown>, String> {
    let folder = TempDir::new().map_err(told)?;
    SqliteStore::create(folder.path()).map_err(told)?;
    let mut bytes = 0;
    plan.sizes
        .iter()
        .map(|&entries| {
            let mut store = SqliteStore::open(folder.path(), Some(run(1))).map_err(told)?;
            fill(&mut store, entries, &mut bytes)?;
            let grown = grown(&mut store, folder.path(), &mut bytes)?;
            drop(store);
            Ok(Grown { closed: on_disk(folder.path(), bytes), ..grown })
        })
        .collect()
}

/// Bytes that lie there for each byte of canonical events.
fn on_disk(folder: &Path, bytes: u64) -> f64 {
    let files = ["ledger.db", "ledger.db-wal"].map(|name| std::fs::metadata(folder.join(name)));
    let lengths = files.into_iter().flatten().map(|file| file.len());
    lengths.sum::<u64>() as f64 / bytes.max(1) as f64
}

fn fill(store: &mut SqliteStore, entries: u64, bytes: &mut u64) -> Result<(), String> {
    let mut next = store.size().map_err(told)?;
    while next < entries {
        let end = (next + AT_ONCE).min(entries);
        append(store, next..end, bytes)?;
        next = end;
    }
    Ok(())
}

fn append(store: &mut SqliteStore, numbers: std::ops::Range<u64>, bytes: &mut u64) -> Result<(), String> {
    let run = run(1);
    let drafts: Vec<_> = numbers.map(|number| vec![draft(number, &run)]).collect();
    *bytes += drafts.iter().flatten().map(|draft| draft.leaf().len() as u64).sum::<u64>();
    store.append(&drafts).map(drop).map_err(told)
}

fn grown(store: &mut SqliteStore, folder: &Path, bytes: &mut u64) -> Result<Grown, String> {
    let size = store.size().map_err(told)?;
    let mut place = 0x9E37_79B9_u64;
    let mut any = || {
        place = place.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (place >> 33) % size
    };
    let show = median(|| store.read(any(), 1).map(drop).map_err(told))?;
    let prove = median(|| proofs::inclusion(store, any(), size).map(drop).map_err(told))?;
    let key = SigningKey::new("example.com/ledger", [7; 32]).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let audited = audit(store, key.public(), &[], &mut |_, _| {}).map_err(told)?;
    let verify = audited.entries as f64 / start.elapsed().as_secs_f64();
    if !audited.problems.is_empty() {
        return Err(format!("the ledger does not hold: {:?}", audited.problems));
    }
    let mut next = size;
    let append = median(|| {
        append(store, next..next + 16, bytes)?;
        next += 16;
        Ok(())
    })?;
    let disk = on_disk(folder, *bytes);
    Ok(Grown { entries: size, append, prove, show, verify, memory: most_memory(), disk, closed: disk })
}

fn median(mut work: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64() * 1e6)
}

/// As the kernel tells it.
fn most_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or_default() / 1e3
}
