//! Many calls in flight for a while, and then one look at the ledger: each call has one end, and no more.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::gate::{Gate, Served};
use crate::wire::Connection as _;

const SESSIONS: usize = 50;
const IN_FLIGHT: usize = 20;

pub(crate) fn run(program: &Path, long: Duration) -> Result<(), String> {
    let gate = Gate::new(program)?;
    let served = Served::gate(&gate)?;
    let mut connections = Vec::new();
    for _ in 0..SESSIONS {
        let first = served.connect()?;
        let session = first.session().ok_or("no session")?.to_owned();
        for number in 1..IN_FLIGHT as u64 {
            let mut more = served.join(&session)?;
            more.count_from(number << 32);
            connections.push(more);
        }
        connections.push(first);
    }
    println!("{} calls in flight on {SESSIONS} sessions for {} s", connections.len(), long.as_secs());
    let until = Instant::now() + long;
    let done = Arc::new(AtomicU64::new(0));
    let callers = connections.into_iter().map(|mut connection| {
        let done = Arc::clone(&done);
        let work = move || {
            while Instant::now() < until {
                connection.call()?;
                done.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<(), String>(())
        };
        std::thread::Builder::new().stack_size(256 << 10).spawn(work)
    });
    let callers: Vec<_> = callers.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let step = (long / 10).max(Duration::from_secs(1));
    while Instant::now() < until {
        std::thread::sleep(step.min(until.saturating_duration_since(Instant::now())));
        let memory = served.memory().unwrap_or_default();
        println!("{:>10} calls  {:>8} KiB in memory", done.load(Ordering::Relaxed), memory);
    }
    for caller in callers {
        caller.join().map_err(|_| "a caller panicked".to_owned())??;
    }
    println!("all callers have their answers; looking at the ledger");
    drop(served);
    let answered = done.load(Ordering::Relaxed);
    let (asked, ends) = ends(&gate)?;
    gate.verify()?;
    let lost = asked.saturating_sub(ends.len() as u64);
    let doubled = ends.values().filter(|count| **count > 1).count();
    println!(
        "answered {answered}, asked {asked}, lost {lost}, doubled {doubled}; `ledger verify` is content"
    );
    if lost == 0 && doubled == 0 && asked >= answered {
        Ok(())
    } else {
        Err("calls without one end".to_owned())
    }
}

/// How many calls were asked for, and how many ends each has.
fn ends(gate: &Gate) -> Result<(u64, BTreeMap<String, u64>), String> {
    let (mut asked, mut ends) = (0, BTreeMap::new());
    for event in ["asked", "outcome", "refused"] {
        let said =
            gate.said(&["ledger", "query", "--event", event, "--limit", "1000000000", "--format", "json"])?;
        for line in said.lines() {
            let Ok(entry) = serde_json::from_str::<Value>(line) else { continue };
            if event == "asked" {
                asked += 1;
            } else if let Some(call) = entry.pointer("/event/call").and_then(Value::as_str) {
                *ends.entry(call.to_owned()).or_insert(0) += 1;
            }
        }
    }
    Ok((asked, ends))
}
