//! `read_file` of a small file: one call behind the other, and many callers at once.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bench::Clean;
use call::{CallId, Content};
use gate::{Incoming, Status};
use serde_json::json;

use crate::figures::{Figures, timed};
use crate::home::{Home, incoming, now, wanted};
use crate::twin::Twin;
use crate::{Plan, told};

/// Bytes of the file.
pub(crate) const BYTES: usize = 4 * 1024;

/// Both sides, in microseconds.
#[derive(Default)]
pub(crate) struct ReadFile {
    pub(crate) gate: Figures,
    /// Of this: durable, and in the tool.
    pub(crate) durable: Figures,
    pub(crate) tool: Figures,
    pub(crate) own: Figures,
    /// Open, read, close, and one append.
    pub(crate) bare: Figures,
    pub(crate) appended: Figures,
}

/// What one number of callers came to, in calls a second.
pub(crate) struct Called {
    pub(crate) callers: usize,
    pub(crate) gate: Figures,
    pub(crate) ledger: Figures,
}

struct Sides {
    home: Home,
    twin: Twin,
    call: Incoming,
    path: PathBuf,
}

impl Sides {
    fn new() -> Result<Self, String> {
        let home = Home::make()?;
        let path = home.workspace.join("notes/backups.md");
        std::fs::create_dir_all(home.workspace.join("notes")).map_err(told)?;
        std::fs::write(&path, Clean::Markdown.text(BYTES)).map_err(told)?;
        let call = incoming("read_file", &json!({ "path": "notes/backups.md" }));
        let twin = Twin::new(&home, &call, path.display().to_string())?;
        let sides = Self { home, twin, call, path };
        sides.twin.must_be_alike(&sides.home.gate.ledger, sides.through_the_gate()?)?;
        Ok(sides)
    }

    fn through_the_gate(&self) -> Result<CallId, String> {
        let reply = self.home.gate.handle(&self.call, &wanted()).map_err(told)?;
        match (reply.status, &reply.content, reply.call) {
            (Status::Success, Content::Text(text), Some(call)) if text.len() == BYTES => Ok(call),
            (..) => Err(format!("the file was not read: {reply:?}")),
        }
    }
}

fn bare_read(path: &Path) -> Result<(), String> {
    let mut text = String::new();
    File::open(path).map_err(told)?.read_to_string(&mut text).map_err(told)?;
    if text.len() == BYTES { Ok(()) } else { Err("the file was not read".to_owned()) }
}

pub(crate) fn one_by_one(plan: &Plan) -> Result<ReadFile, String> {
    let sides = Sides::new()?;
    let mut read = ReadFile::default();
    for number in 0..plan.reads + plan.reads / 10 {
        let before = sides.home.meter.read();
        let (_, gate) = timed(|| sides.through_the_gate())?;
        let part = sides.home.meter.read().since(before);
        // What is written down is at hand; the bare side only writes it.
        let (_, events) = sides.twin.events()?;
        let ((), opened) = timed(|| bare_read(&sides.path))?;
        let (_, appended) = timed(|| sides.twin.ledger.append_all(&events, now()).map_err(told))?;
        // The first ones warm up.
        if number >= plan.reads / 10 {
            read.gate.push_microseconds(gate);
            read.durable.push_microseconds(part.durable);
            read.tool.push_microseconds(part.tools);
            read.own.push_microseconds(gate.saturating_sub(part.durable + part.tools));
            read.bare.push_microseconds(opened + appended);
            read.appended.push_microseconds(appended);
        }
    }
    Ok(read)
}

pub(crate) fn all_at_once(plan: &Plan) -> Result<Vec<Called>, String> {
    let sides = Sides::new()?;
    let mut all = Vec::new();
    for &callers in plan.callers {
        let mut called = Called { callers, gate: Figures::default(), ledger: Figures::default() };
        for _ in 0..plan.rounds {
            called.gate.push(many(callers, plan.each, || sides.through_the_gate().map(drop))?);
            let append = || {
                let (_, events) = sides.twin.events()?;
                sides.twin.ledger.append_all(&events, now()).map(drop).map_err(told)
            };
            called.ledger.push(many(callers, plan.each, append)?);
        }
        all.push(called);
    }
    Ok(all)
}

/// So many callers, each with one call behind the other. Calls a second.
fn many(callers: usize, long: Duration, call: impl Fn() -> Result<(), String> + Sync) -> Result<f64, String> {
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let start = Instant::now();
    std::thread::scope(|scope| {
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                call()?;
                done.fetch_add(1, Ordering::Relaxed);
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
    Ok(done.into_inner() as f64 / start.elapsed().as_secs_f64())
}
