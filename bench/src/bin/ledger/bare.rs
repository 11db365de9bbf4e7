//! What one would write with SQLite alone: one table, no hashes, no index.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use tempfile::TempDir;

use crate::events::{draft, run};
use crate::told;

pub(crate) struct Bare {
    connection: Connection,
    leaf: Vec<u8>,
    _folder: TempDir,
}

/// A row, and whom to tell when it is on the disk.
type Row = (Vec<u8>, Sender<()>);

impl Bare {
    pub(crate) fn new() -> Result<Self, String> {
        let folder = TempDir::new().map_err(told)?;
        let connection = Connection::open(folder.path().join("bare.db")).map_err(told)?;
        let setup = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                     CREATE TABLE entries (place INTEGER PRIMARY KEY, leaf BLOB NOT NULL);";
        connection.execute_batch(setup).map_err(told)?;
        Ok(Self { connection, leaf: draft(1, &run(2)).leaf().to_vec(), _folder: folder })
    }

    /// One thread that commits batches of this size, for nobody. Events a second.
    pub(crate) fn round(&self, batch: u64, long: Duration) -> Result<f64, String> {
        let start = Instant::now();
        let mut written = 0_u64;
        while start.elapsed() < long {
            self.commit((0..batch).map(|_| self.leaf.as_slice()))?;
            written += batch;
        }
        Ok(written as f64 / start.elapsed().as_secs_f64())
    }

    /// One thread that commits what is waiting, for so many callers, each with a thread of its own that
    /// goes on when its row is on the disk. Events a second.
    pub(crate) fn called(&self, callers: usize, long: Duration) -> Result<f64, String> {
        let (stop, written) = (AtomicBool::new(false), AtomicU64::new(0));
        let (rows, waiting) = channel::<Row>();
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..callers {
                let (rows, leaf) = (rows.clone(), &self.leaf);
                let (stop, written) = (&stop, &written);
                scope.spawn(move || {
                    let (done, told) = channel();
                    while !stop.load(Ordering::Relaxed) {
                        if rows.send((leaf.clone(), done.clone())).is_err() || told.recv().is_err() {
                            return;
                        }
                        written.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            drop(rows);
            scope.spawn(|| {
                std::thread::sleep(long);
                stop.store(true, Ordering::Relaxed);
            });
            self.serve(&waiting)
        })?;
        Ok(written.into_inner() as f64 / start.elapsed().as_secs_f64())
    }

    fn serve(&self, waiting: &Receiver<Row>) -> Result<(), String> {
        while let Ok(first) = waiting.recv() {
            let batch: Vec<Row> = std::iter::once(first).chain(waiting.try_iter()).collect();
            self.commit(batch.iter().map(|(leaf, _)| leaf.as_slice()))?;
            // A caller that is gone needs no answer.
            batch.iter().for_each(|(_, done)| {
                let _ = done.send(());
            });
        }
        Ok(())
    }

    fn commit<'l>(&self, leaves: impl Iterator<Item = &'l [u8]>) -> Result<(), String> {
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(told)?;
        for leaf in leaves {
            let sql = "INSERT INTO entries (leaf) VALUES (?1)";
            self.connection.prepare_cached(sql).map_err(told)?.execute(params![leaf]).map_err(told)?;
        }
        self.connection.execute_batch("COMMIT").map_err(told)
    }
}
