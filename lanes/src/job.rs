//! What is to run, and how far it may go.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use call::Language;

use crate::Reach;

/// A program with everything that it may touch.
#[derive(Debug)]
pub struct Job {
    /// What it is written in.
    pub language: Language,
    /// What is started.
    pub program: Program,
    /// Files that it finds below `/in`.
    pub inputs: Vec<Input>,
    /// What it can read from its standard input.
    pub stdin: Vec<u8>,
    /// Variables beside the few that every program has.
    pub environment: Vec<(String, String)>,
    /// How far it may go.
    pub limits: Limits,
    /// Whom it may reach.
    pub network: Network,
    /// Set by whoever does not want it any more.
    pub cancelled: Arc<AtomicBool>,
}

/// What is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// The runtime of the language, with these arguments. The first is the runtime's own name.
    Arguments(Vec<String>),
    /// The runtime of the language, with a file that holds this.
    Code(String),
}

/// A file that the program finds below `/in`.
#[derive(Debug)]
pub struct Input {
    /// Its name there; with `/`, it lies in folders.
    pub name: String,
    /// Its content, from the beginning. What is run with is what this descriptor gives when the run
    /// begins, whatever happens to the file later.
    pub content: File,
}

/// How far a program may go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// By the clock on the wall.
    pub time: Duration,
    /// Bytes of memory, of all its processes together.
    pub memory: u64,
    /// Processors.
    pub cpus: f64,
    /// Processes and threads.
    pub processes: u32,
    /// Bytes below `/out` and below `/tmp`, each.
    pub disk: u64,
    /// Files below `/out` and below `/tmp`, each.
    pub files: u32,
    /// Bytes of standard output and of errors, each.
    pub output: u64,
}

/// Whom a program may reach.
#[derive(Clone, Debug)]
pub enum Network {
    /// Nobody.
    None,
    /// These, through a proxy of the gate.
    Only(Reach),
}
