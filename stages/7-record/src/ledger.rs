//! The ledger as the gate uses it.

use std::sync::Arc;

use call::{CallId, Moment, Sha256};
use verify::checkpoint::Checkpoint;
use verify::tree::Hash;

use crate::event::{Asked, Ended, Event, Status};
use crate::key::SigningKey;
use crate::queue::Queue;
use crate::store::{Misstep, RunId, Store, StoreError};
use crate::{Entry, past, proofs};

/// Says whether a text holds a value that must never be written down.
pub type Guard = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// How the ledger is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// A checkpoint is signed whenever so many entries have come.
    pub checkpoint_every: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { checkpoint_every: 1_000 }
    }
}

/// The ledger, open for one life of a gate.
pub struct Ledger {
    queue: Queue,
    key: SigningKey,
    guard: Guard,
    run: RunId,
    settings: Settings,
}

/// An event was not written down. The call that it is about must stop.
#[derive(Debug, thiserror::Error)]
pub enum NotRecorded {
    /// The event must not be written.
    #[error(transparent)]
    Misstep(#[from] Misstep),
    /// The event holds a secret.
    #[error("the event `{0}` holds the value of a secret, which is never written down")]
    Secret(&'static str),
    /// The ledger failed, now or before; what it holds is only known after it was opened again.
    #[error(transparent)]
    Store(Arc<StoreError>),
}

impl From<StoreError> for NotRecorded {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl Ledger {
    /// A ledger that was opened for this run. Calls that a dead gate left open are ended first.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn start(
        store: Box<dyn Store>,
        key: SigningKey,
        guard: Guard,
        run: RunId,
        settings: Settings,
        now: Moment,
    ) -> Result<Self, NotRecorded> {
        let ledger = Self { queue: Queue::new(store), key, guard, run, settings };
        ledger.recover(now)?;
        Ok(ledger)
    }

    /// Which life of a gate this is.
    #[must_use]
    pub const fn run(&self) -> RunId {
        self.run
    }

    /// What others check by.
    #[must_use]
    pub const fn key(&self) -> &SigningKey {
        &self.key
    }

    /// How many transactions the events of this run took so far.
    #[must_use]
    pub fn batches(&self) -> u64 {
        self.queue.batches()
    }

    /// Whether a text holds what must never be written down.
    #[must_use]
    pub fn is_guarded(&self, text: &str) -> bool {
        (self.guard)(text)
    }

    /// Writes down an event; its place when it is durable.
    ///
    /// # Errors
    /// When it is not written: see [`NotRecorded`].
    pub fn append(&self, event: &Event, at: Moment) -> Result<u64, NotRecorded> {
        let (draft, moved) = event.draft(at, &self.run);
        if std::str::from_utf8(&draft.leaf).is_ok_and(&*self.guard) {
            return Err(NotRecorded::Secret(event.name()));
        }
        if let Some(content) = moved {
            self.keep_blob(&content, at)?;
        }
        let place = self.queue.append(draft).map_err(NotRecorded::Store)??;
        if (place + 1).is_multiple_of(self.settings.checkpoint_every.max(1)) {
            self.checkpoint()?;
        }
        Ok(place)
    }

    /// Signs and keeps a checkpoint over everything that is there.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn checkpoint(&self) -> Result<String, NotRecorded> {
        let mut store = self.queue.store();
        let size = store.size()?;
        let root = proofs::root(&mut **store, size)?;
        let note = signed_checkpoint(&self.key, size, root);
        store.save_checkpoint(size, &note)?;
        Ok(note)
    }

    /// Ends every call that a gate was at work on when it died: nobody will ever know how far it came.
    fn recover(&self, now: Moment) -> Result<(), NotRecorded> {
        let abandoned = self.queue.store().abandoned()?;
        let mut interrupted = Vec::new();
        for call in abandoned {
            let ended = self.interrupted(call, now)?;
            match self.append(&Event::Outcome(Box::new(ended)), now) {
                Ok(_) => interrupted.push(call),
                // Another gate that started at the same time was quicker.
                Err(NotRecorded::Misstep(Misstep::NotOpen(_))) => {}
                Err(error) => return Err(error),
            }
        }
        if !interrupted.is_empty() {
            self.append(&Event::GateRecovered { interrupted }, now)?;
        }
        Ok(())
    }

    /// The end of a call that nobody is at work on any more, of what is on record about it.
    fn interrupted(&self, call: CallId, now: Moment) -> Result<Ended, NotRecorded> {
        let entries = self.queue.store().of_call(call)?;
        let started = entries.first().and_then(|entry| entry.header()?.at.parse::<Moment>().ok());
        let elapsed = started.map_or(0, |started| now.milliseconds().saturating_sub(started.milliseconds()));
        Ok(Ended {
            asked: asked_again(call, &entries),
            status: Status::Error,
            elapsed_ms: elapsed,
            error_class: Some("interrupted".to_owned()),
            flags: [call::RiskFlag::EXECUTION_ERROR].into(),
            artifacts: Vec::new(),
            decision: text_of(&entries, "ruled", "verdict"),
            reasons: Vec::new(),
            policy: text_of(&entries, "ruled", "policy").and_then(|policy| policy.parse().ok()),
            approval: None,
            effects: text_of(&entries, "intent", "effects").and_then(|effects| effects.parse().ok()),
            diff: None,
            lane: None,
        })
    }

    /// The entries about a call.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn of_call(&self, call: CallId) -> Result<Vec<Entry>, StoreError> {
        self.queue.store().of_call(call)
    }

    /// How many entries there are.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn size(&self) -> Result<u64, StoreError> {
        self.queue.store().size()
    }

    /// Keeps content beside the log, and says by which digest the log may name it.
    ///
    /// # Errors
    /// When the ledger fails, or the content holds a secret.
    pub fn keep_blob(&self, content: &[u8], at: Moment) -> Result<Sha256, NotRecorded> {
        if std::str::from_utf8(content).is_ok_and(&*self.guard) {
            return Err(NotRecorded::Secret("blob"));
        }
        Ok(self.queue.store().keep_blob(content, at.microseconds())?)
    }

    /// Drops contents that were kept before a moment; each leaves its digest and an event.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn drop_blobs_before(&self, before: Moment, now: Moment) -> Result<usize, NotRecorded> {
        let old = self.queue.store().blobs_before(before.microseconds())?;
        for &blob in &old {
            // The event first: content that is gone without a word would look like an attack.
            let why = format!("kept until {before}");
            self.append(&Event::BlobRemoved { blob, why }, now)?;
            self.queue.store().drop_blob(blob)?;
        }
        Ok(old.len())
    }
}

/// A checkpoint in the form of signed notes.
pub(crate) fn signed_checkpoint(key: &SigningKey, size: u64, root: Hash) -> String {
    let checkpoint = Checkpoint::new(key.public().name().clone(), size, root);
    // A checkpoint is three lines of plain text, which every note can have.
    key.sign(&checkpoint.to_string()).map(|note| note.to_string()).unwrap_or_default()
}

/// How a call was asked for, as far as that is on record.
fn asked_again(call: CallId, entries: &[Entry]) -> Asked {
    let text = |name: &str| text_of(entries, "asked", name);
    let actor = || entries.iter().find_map(|entry| past::actor(&entry.value()?));
    Asked {
        call,
        actor: actor(),
        tool: text("tool").unwrap_or_default(),
        purpose: text("purpose"),
        arguments: text("args_hash"),
    }
}

/// A text in the last event of this name.
fn text_of(entries: &[Entry], event: &str, name: &str) -> Option<String> {
    entries.iter().rev().find_map(|entry| {
        let value = entry.value()?;
        (value.get("event")?.as_str()? == event).then_some(())?;
        Some(value.get(name)?.as_str()?.to_owned())
    })
}
