//! Whoever decides and acts: the gate, as this door sees it.

use std::pin::Pin;
use std::sync::atomic::AtomicBool;

use call::{CallId, Class, Reason};
use gate::{Incoming, Reply};
use serde_json::Value;

/// The gate, as a door sees it.
///
/// Every call that comes in is handed over, also one that is no call: an unknown tool, arguments that are
/// no JSON. The gate puts each on record and says what to answer. A call that gets no further than this door
/// is handed over to be put on record alone.
pub trait Gatekeeper: Send + Sync + 'static {
    /// One call through the whole gate. Blocks, and runs on a thread that may. `cancelled` is set by this
    /// door when nobody wants the answer any more.
    ///
    /// # Errors
    /// When the ledger failed. No further call is handed over then.
    fn handle(&self, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Reply, Halt>;

    /// How far what is looked up for many calls at once has come. A call that has come in by now is decided by
    /// nothing that was looked up before.
    fn looked(&self) -> Looked {
        Looked(0)
    }

    /// The same for a [brief](Self::is_brief) call, as far as the ledger: where all that is left is to be put on
    /// record, nothing waits for that. Whatever comes back is on record before it is told, and is put on record
    /// whether or not anybody waits for it. `came` is [`Self::looked`] at some moment after the call came in.
    ///
    /// # Errors
    /// When the ledger failed. No further call is handed over then.
    fn begin(&self, incoming: &Incoming, _came: Looked, cancelled: &AtomicBool) -> Result<Begun, Halt> {
        self.handle(incoming, cancelled).map(|reply| Begun::Answered(Box::new(reply)))
    }

    /// The call that waited and was approved since, once. One that still waits is a reply that says so.
    ///
    /// # Errors
    /// When the ledger failed. No further call is handed over then.
    fn resume(&self, call: CallId, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Reply, Halt>;

    /// What [`handle`](Self::handle) does, and a call that needs a person is answered at once, however long calls
    /// are held back otherwise: this door asks the person itself, and has to know what the call is called.
    ///
    /// # Errors
    /// When the ledger failed. No further call is handed over then.
    fn handle_at_once(&self, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        self.handle(incoming, cancelled)
    }

    /// Puts on record that this door did not take a call, and why: it is not as the protocol has it, or comes
    /// from somebody who may not ask. Nothing of it runs. Blocks, and runs on a thread that may.
    ///
    /// # Errors
    /// When the ledger failed. No further call is handed over then.
    fn turn_away(&self, incoming: &Incoming, reason: Reason) -> Result<(), Halt>;

    /// Whether calls of this tool, as it was named, are over in a moment, whatever they are given: they neither
    /// run code nor talk to anybody, and no person is waited for. Must not block.
    fn is_brief(&self, tool: &str) -> bool;

    /// The tools that policy lets this skill use.
    fn tools(&self, skill: Option<&str>) -> Vec<ToolDescription>;

    /// What policy says, in short.
    fn policy_summary(&self) -> Value;

    /// The last entries of the ledger about calls of this session, newest last, at most so many.
    fn own_entries(&self, session: &str, most: usize) -> Vec<Value>;
}

/// How many looks had begun at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Looked(
    /// Their number.
    pub u64,
);

/// A call that was carried as far as the ledger.
pub enum Begun {
    /// It is over, and on record.
    Answered(Box<Reply>),
    /// It is over, and on record soon.
    Recording(Recording),
}

/// The answer to a call, when it is on record; or that the ledger failed.
pub type Recording = Pin<Box<dyn Future<Output = Result<Reply, Halt>> + Send>>;

/// The ledger could not be written. The gate takes no further calls.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ledger could not be written: {0}")]
pub struct Halt(
    /// Why.
    pub String,
);

/// A tool, as agents are told about it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDescription {
    /// Its name: `read_file`, or `server.tool`.
    pub name: String,
    /// What it does, for whoever chooses.
    pub description: String,
    /// The JSON Schema of its arguments, without `purpose` and `approval`, which this door adds.
    pub schema: Value,
    /// What it is able to do. None at all means that nobody knows, which is told as the worst.
    pub classes: Vec<Class>,
}
