//! Durable appends by many callers.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use record::store::SqliteStore;
use record::{Ledger, Settings};
use tempfile::TempDir;

use crate::bare::Bare;
use crate::events::{event, key, now, run};
use crate::{Plan, told};

/// What one number of callers came to, in events a second: each round of the ledger, of the bare program
/// with the batches that the ledger had formed in that round, and of the bare program with as many callers.
pub(crate) struct Appended {
    pub(crate) callers: usize,
    pub(crate) batch: f64,
    pub(crate) ledger: Vec<f64>,
    pub(crate) bare: Vec<f64>,
    pub(crate) called: Vec<f64>,
}

pub(crate) fn measure(plan: &Plan) -> Result<Vec<Appended>, String> {
    plan.callers.iter().map(|&callers| appended(callers, plan)).collect()
}

fn appended(callers: usize, plan: &Plan) -> Result<Appended, String> {
    let folder = TempDir::new().map_err(told)?;
    SqliteStore::create(folder.path()).map_err(told)?;
    let store = SqliteStore::open(folder.path(), Some(run(1))).map_err(told)?;
    let settings = Settings { checkpoint_every: u64::MAX };
    let ledger = Ledger::start(Box::new(store), key()?, Box::new(|_| false), run(1), settings, now());
    let ledger = ledger.map_err(told)?;
    let bare = Bare::new()?;
    let (mut ours, mut theirs, mut called, mut batch) = (Vec::new(), Vec::new(), Vec::new(), 1.0);
    for _ in 0..plan.rounds {
        let before = ledger.batches();
        let (events, seconds) = many(&ledger, callers, plan.each)?;
        ours.push(events as f64 / seconds);
        batch = events as f64 / (ledger.batches() - before).max(1) as f64;
        theirs.push(bare.round(batch.round().max(1.0) as u64, plan.each)?);
        called.push(bare.called(callers, plan.each)?);
    }
    Ok(Appended { callers, batch, ledger: ours, bare: theirs, called })
}

/// So many callers, each with one event behind the other.
fn many(ledger: &Ledger, callers: usize, long: Duration) -> Result<(u64, f64), String> {
    let (stop, written) = (AtomicBool::new(false), AtomicU64::new(0));
    let start = Instant::now();
    std::thread::scope(|scope| {
        let work = || {
            let event = event(1);
            while !stop.load(Ordering::Relaxed) {
                ledger.append(&event, now()).map_err(told)?;
                written.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<(), String>(())
        };
        let workers: Vec<_> = (0..callers).map(|_| scope.spawn(work)).collect();
        std::thread::sleep(long);
        stop.store(true, Ordering::Relaxed);
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| "a caller panicked".to_owned())?)
    })?;
    Ok((written.into_inner(), start.elapsed().as_secs_f64()))
}
