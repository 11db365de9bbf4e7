//! The gate's side: workers that stand ready, and the clock that ends a run.
//!
//! A worker serves one run at a time and at most a number of them, then another takes its place. One that
//! died, was killed or said something odd is never used again. Nothing of a run is there in the next:
//! the interpreter is made anew for each.

mod child;
mod exchange;
mod last_words;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::OwnedFd;

use crate::outcome::Outcome;
use crate::wire::{self, MAX_REQUEST, Request};
use child::Child;

/// How workers are kept.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The binary that calls [`crate::worker::serve_if_asked`] first of all. `/proc/self/exe` is the one
    /// that runs, even when its file was replaced meanwhile.
    pub executable: PathBuf,
    /// How many workers there are at once, and so how many runs.
    pub workers: usize,
    /// After so many runs a worker is replaced.
    pub runs_per_worker: u32,
    /// The longest time that a run can ask for.
    pub longest: Duration,
    /// The most memory that a run can ask for, in bytes.
    pub most_memory: usize,
}

impl Settings {
    /// Two workers of a binary, for runs of at most a minute and half a gigabyte.
    pub fn new(executable: impl Into<PathBuf>) -> Self {
        Self {
            executable: executable.into(),
            workers: 2,
            runs_per_worker: 100,
            longest: Duration::from_secs(60),
            most_memory: 512 * 1024 * 1024,
        }
    }
}

/// Why a program was not run. The lane is not there, and nothing weaker takes its place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// The process could not be started.
    #[error("a worker could not be started")]
    Start(#[source] std::io::Error),
    /// It started, and a layer around it is missing.
    #[error("a worker refused to serve: {0}")]
    NotConfined(String),
    /// It started, and said nothing sensible in time.
    #[error("a worker did not answer as one: {0}")]
    NotAWorker(String),
    /// The request cannot be passed on.
    #[error("the request is not one for this lane: {0}")]
    Request(String),
    /// The pool was closed.
    #[error("the pool is closed")]
    Closed,
}

/// Ends a run from another thread.
#[derive(Clone, Debug)]
pub struct Cancel(Arc<OwnedFd>);

impl Cancel {
    /// One that has not been used.
    ///
    /// # Errors
    ///
    /// No descriptor is left.
    pub fn new() -> std::io::Result<Self> {
        Ok(Self(Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)))
    }

    /// Ends the run that has it, now or as soon as it starts.
    pub fn cancel(&self) {
        // A counter that is full was counted up before, which is all there is to say.
        let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }
}

/// Workers that stand ready.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    keeper: Option<JoinHandle<()>>,
    orders: Sender<Order>,
}

#[derive(Debug)]
struct Shared {
    settings: Settings,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    idle: VecDeque<Child>,
    /// Why the last worker that was ordered did not come.
    failed: VecDeque<PoolError>,
    /// How many of them somebody was told of, and nobody ordered again.
    given_up: usize,
    /// How many wait for a worker.
    waiting: usize,
}

enum Order {
    Start,
    Close,
}

impl Pool {
    /// Starts the workers, and waits until one is ready.
    ///
    /// # Errors
    ///
    /// None can be started, or a layer around it is missing.
    pub fn start(settings: Settings) -> Result<Self, PoolError> {
        let workers = settings.workers.max(1);
        let shared = Arc::new(Shared { settings, state: Mutex::default(), changed: Condvar::new() });
        let (orders, ordered) = channel();
        // The kernel ends a worker when the thread that started it ends, so one thread starts them all.
        let keeper = std::thread::Builder::new().name("monty-keeper".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || keep(&shared, &ordered)
        });
        let pool = Self { shared, keeper: Some(keeper.map_err(PoolError::Start)?), orders };
        for _ in 0..workers {
            pool.order()?;
        }
        let first = pool.take()?;
        pool.give_back(first);
        Ok(pool)
    }

    /// Runs one program and waits for its end.
    ///
    /// # Errors
    ///
    /// The program was not run. What a program does wrong is part of the outcome.
    pub fn run(&self, request: &Request, cancel: Option<&Cancel>) -> Result<Outcome, PoolError> {
        let settings = &self.shared.settings;
        let mut request = request.clone();
        request.limits.time = request.limits.time.min(settings.longest);
        request.limits.memory = request.limits.memory.min(settings.most_memory);
        let frame = wire::framed(&request).map_err(|error| PoolError::Request(error.to_string()))?;
        if frame.len() > MAX_REQUEST {
            return Err(PoolError::Request(format!("it has {} bytes, more than {MAX_REQUEST}", frame.len())));
        }
        let mut worker = self.take()?;
        let start = Instant::now();
        let (ended, usable) =
            exchange::run(&mut worker, &frame, &request.limits, cancel.map(|cancel| cancel.0.as_ref()));
        let duration = start.elapsed();
        worker.ran(duration);
        let layers = worker.layers.clone();
        let worn = worker.runs >= settings.runs_per_worker || worker.worked >= settings.longest;
        if usable && !worn {
            self.give_back(worker);
        } else {
            drop(worker);
            // What this run came to is known; that there are no more workers is told to the next.
            let _ = self.order();
        }
        let (result, prints) = ended;
        let exit = result.as_ref().err().map_or(crate::Exit::Exited, |failure| failure.kind.exit());
        Ok(Outcome { exit, result, prints, duration, layers })
    }

    /// The layers that are around a run.
    ///
    /// # Errors
    ///
    /// There is no worker to be had.
    pub fn layers(&self) -> Result<Vec<String>, PoolError> {
        let worker = self.take()?;
        let layers = worker.layers.clone();
        self.give_back(worker);
        Ok(layers)
    }

    /// A worker that is ready. One that died while it waited is replaced.
    fn take(&self) -> Result<Child, PoolError> {
        let mut state = self.shared.lock();
        // Who asks again tries again.
        for _ in 0..std::mem::take(&mut state.given_up) {
            self.order()?;
        }
        loop {
            while let Some(mut worker) = state.idle.pop_front() {
                if worker.lives() {
                    return Ok(worker);
                }
                self.order()?;
            }
            if let Some(error) = state.failed.pop_front() {
                // Somebody has to be told. Whoever else waits has another worker to wait for.
                if state.waiting > 0 {
                    self.order()?;
                } else {
                    state.given_up += 1;
                }
                return Err(error);
            }
            state.waiting += 1;
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    fn give_back(&self, worker: Child) {
        self.shared.lock().idle.push_front(worker);
        self.shared.changed.notify_one();
    }

    /// Has a worker started in place of one that is gone.
    fn order(&self) -> Result<(), PoolError> {
        self.orders.send(Order::Start).map_err(|_| PoolError::Closed)
    }
}

impl Drop for Pool {
    /// Ends the workers and waits for them.
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Close);
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
        self.shared.lock().idle.clear();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a worker for each order. It lives as long as the pool, and its workers no longer.
fn keep(shared: &Shared, orders: &Receiver<Order>) {
    while let Ok(Order::Start) = orders.recv() {
        let started = Child::start(&shared.settings);
        let mut state = shared.lock();
        match started {
            Ok(worker) => state.idle.push_back(worker),
            Err(error) => state.failed.push_back(error),
        }
        drop(state);
        shared.changed.notify_one();
    }
}
