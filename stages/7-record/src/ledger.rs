//! The ledger as the gate uses it.

use std::borrow::Cow;
use std::sync::Arc;

use call::{CallId, Moment, Sha256};
use serde_json::Value;
use verify::checkpoint::Checkpoint;
use verify::tree::Hash;

use crate::beside::{Attachment, Beside};
use crate::event::{Asked, Ended, Event, Stamp, Status, Told, Written};
use crate::key::SigningKey;
use crate::pending::Pending;
use crate::queue::{Afterwards, Queue};
use crate::store::{Draft, Kept, Misstep, RunId, Store, StoreError};
use crate::witness::{self, NotSuccessor};
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
    queue: Arc<Queue>,
    key: Arc<SigningKey>,
    guard: Guard,
    run: RunId,
}

impl Drop for Ledger {
    /// What was handed in is written, and the store is let go of.
    fn drop(&mut self) {
        self.queue.close();
    }
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
    /// A ledger that was opened for this run. It must follow from the last checkpoint that was signed: a gate
    /// that went on from a forged tail would make it its own. Calls that a dead gate left open are ended first.
    ///
    /// # Errors
    /// When the ledger fails, or is not what was signed.
    pub fn start(
        store: Box<dyn Store>,
        key: SigningKey,
        guard: Guard,
        run: RunId,
        settings: Settings,
        now: Moment,
    ) -> Result<Self, NotRecorded> {
        let key = Arc::new(key);
        let queue = Arc::new(Queue::new(store, checkpoints(Arc::clone(&key), settings)));
        let ledger = Self { queue, key, guard, run };
        successor(&mut **ledger.queue.store(), &ledger.key)?;
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
    pub fn key(&self) -> &SigningKey {
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

    /// Whether bytes hold it, also where they are not all text. JSON escapes what its texts hold, and a
    /// secret that was escaped once before has then another spelling, so they are looked at as they are too.
    #[must_use]
    pub fn gives_away(&self, bytes: &[u8]) -> bool {
        // Nearly all of them are text, which is told much quicker than what is text of them.
        let text = std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
        let texts = || serde_json::from_str(&text).map(|data| all_texts(&data)).unwrap_or_default();
        self.is_guarded(&text) || text.contains('\\') && self.is_guarded(&texts())
    }

    /// Writes down an event; its place when it is durable.
    ///
    /// # Errors
    /// When it is not written: see [`NotRecorded`].
    pub fn append(&self, event: &Event, at: Moment) -> Result<u64, NotRecorded> {
        self.write(self.drafted(std::slice::from_ref(event), at)?)
    }

    /// Writes down events in this order and in one transaction; their places when they are durable. When
    /// one of them must not be written, none is.
    ///
    /// # Errors
    /// When they are not written: see [`NotRecorded`].
    pub fn append_all(&self, events: &[Event], at: Moment) -> Result<Vec<u64>, NotRecorded> {
        self.append_with(events, &Beside::default(), at)
    }

    /// The same, with what happens beside the log in the same transaction. Without events, nothing happens.
    ///
    /// # Errors
    /// When they are not written: see [`NotRecorded`].
    pub fn append_with(
        &self,
        events: &[Event],
        beside: &Beside,
        at: Moment,
    ) -> Result<Vec<u64>, NotRecorded> {
        let drafts = self.drafted_with(events, beside, at)?;
        if drafts.is_empty() {
            return Ok(Vec::new());
        }
        let count = drafts.len() as u64;
        let first = self.write(drafts)?;
        Ok((first..first + count).collect())
    }

    /// The same, and does not wait until they are durable: whoever wants to know waits for what comes back.
    ///
    /// # Errors
    /// When one of them must not be written. None is then.
    pub fn hand_in(&self, events: &[Event], beside: &Beside, at: Moment) -> Result<Pending, NotRecorded> {
        let drafts = self.drafted_with(events, beside, at)?;
        let count = drafts.len() as u64;
        Ok(Pending::new((count > 0).then(|| self.queue.hand_in(drafts)), count))
    }

    /// The events as they are written, and what happens beside the log with the last of them.
    fn drafted_with(&self, events: &[Event], beside: &Beside, at: Moment) -> Result<Vec<Draft>, NotRecorded> {
        let mut drafts = self.drafted(events, at)?;
        if let Some(last) = drafts.last_mut() {
            last.keeps.extend(beside.keep.iter().map(|attachment| attachment.0.clone()));
            last.drops.extend(&beside.drop);
        }
        Ok(drafts)
    }

    /// The events as they are written, and what was too large for them kept beside the log; nothing that holds
    /// a secret.
    fn drafted(&self, events: &[Event], at: Moment) -> Result<Vec<Draft>, NotRecorded> {
        let (mut drafts, mut all_told) = (Vec::with_capacity(events.len()), Vec::with_capacity(events.len()));
        let stamp = Stamp::new(at, &self.run);
        for event in events {
            let Written { mut draft, moved, told } = event.written(&stamp);
            if let Some(content) = moved {
                draft.keeps.push(self.attachment(content, at)?.0);
            }
            drafts.push(draft);
            all_told.push(told);
        }
        let all_told: Vec<(Told, &[u8])> = all_told.into_iter().zip(drafts.iter().map(Draft::leaf)).collect();
        match self.given_away(&all_told) {
            Some(event) => Err(NotRecorded::Secret(event)),
            None => Ok(drafts),
        }
    }

    /// The first of these events that holds a secret.
    ///
    /// What the gate made itself is not searched: it repeats nobody's words. Events about one call say much in
    /// the same words, so all of them are searched at once, and each by itself only where that finds
    /// something, or cannot tell because a text is escaped.
    fn given_away(&self, all_told: &[(Told, &[u8])]) -> Option<&'static str> {
        let all = Told::text_of_all(all_told);
        let is_clear = |text: &str| !text.contains('\\') && !self.is_guarded(text);
        if all.is_empty() || std::str::from_utf8(&all).is_ok_and(is_clear) {
            return None;
        }
        let gives_away =
            |told: &Told, leaf: &[u8]| told.text(leaf).is_some_and(|text| self.gives_away(&text));
        all_told.iter().find(|(told, leaf)| gives_away(told, leaf)).map(|(told, _)| told.event)
    }

    /// Content that may go beside the log with an event that names it.
    ///
    /// # Errors
    /// When it holds a secret.
    pub fn attachment(&self, content: Vec<u8>, at: Moment) -> Result<Attachment, NotRecorded> {
        if self.gives_away(&content) {
            return Err(NotRecorded::Secret("blob"));
        }
        Ok(Attachment(Kept::new(content, at.microseconds())))
    }

    /// The place of the first of these drafts when all are durable.
    fn write(&self, drafts: Vec<Draft>) -> Result<u64, NotRecorded> {
        Ok(self.queue.append(drafts).map_err(NotRecorded::Store)??)
    }

    /// Signs and keeps a checkpoint over everything that is there, if it follows from the one before: a
    /// change in what was signed must not be signed again.
    ///
    /// # Errors
    /// When the ledger fails, or is not what was signed.
    pub fn checkpoint(&self) -> Result<String, NotRecorded> {
        Ok(sign_checkpoint(&mut **self.queue.store(), &self.key)?)
    }

    /// Ends every call that a gate was at work on when it died: nobody will ever know how far it came.
    fn recover(&self, now: Moment) -> Result<(), NotRecorded> {
        let abandoned = self.queue.store().abandoned()?;
        let mut interrupted = Vec::new();
        for call in abandoned {
            let last = Event::Outcome(Box::new(self.interrupted(call, now)?));
            // What was kept of it while it waited goes too.
            let held = text_of(&self.of_call(call)?, "ruled", "held").and_then(|held| held.parse().ok());
            let removed = |blob| Event::BlobRemoved { blob, why: "the call has ended".to_owned() };
            let events: Vec<Event> = held.map(removed).into_iter().chain([last]).collect();
            let beside = Beside { keep: Vec::new(), drop: held.into_iter().collect() };
            match self.append_with(&events, &beside, now) {
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

    /// Ends a call that waits for a person although what was kept of it is gone, so that nobody can ever be
    /// asked about it or run it. One that is not lost, or that somebody else has taken up, is left alone.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn end_lost(&self, call: CallId, now: Moment) -> Result<(), NotRecorded> {
        let held = text_of(&self.of_call(call)?, "ruled", "held");
        if held.is_none() {
            return Ok(());
        }
        let class = Some("held_call_lost".to_owned());
        let ended = Ended { status: Status::Denied, error_class: class, ..self.interrupted(call, now)? };
        let events = [Event::Consumed { call, approval: None }, Event::Refused(Box::new(ended))];
        match self.append_all(&events, now) {
            Ok(_) | Err(NotRecorded::Misstep(Misstep::Taken(_) | Misstep::NotOpen(_))) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The end of a call that nobody is at work on any more, of what is on record about it.
    fn interrupted(&self, call: CallId, now: Moment) -> Result<Ended, NotRecorded> {
        let entries = self.queue.store().of_call(call)?;
        let started = entries.first().and_then(|entry| entry.header()?.at.parse::<Moment>().ok());
        let elapsed = started.map_or(0, |started| now.milliseconds().saturating_sub(started.milliseconds()));
        Ok(Ended {
            asked: Arc::new(asked_again(call, &entries)),
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
            verified: None,
        })
    }

    /// The entries about a call.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn of_call(&self, call: CallId) -> Result<Vec<Entry>, StoreError> {
        self.queue.store().of_call(call)
    }

    /// Entries of a kind that is found again (see [`Store::all_marked`]).
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn all_marked(&self, mark: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        self.queue.store().all_marked(mark, from, most)
    }

    /// Calls that are open and that nobody is at work on.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn waiting(&self) -> Result<Vec<CallId>, StoreError> {
        self.queue.store().waiting()
    }

    /// The call as data, with whatever was moved out of its entry; nothing when it is no event.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn event(&self, entry: &Entry) -> Result<Option<Value>, StoreError> {
        let Some(mut event) = entry.value() else { return Ok(None) };
        let moved = event.get("moved").and_then(|digest| digest.as_str()?.parse().ok());
        if let Some(digest) = moved
            && let Some(content) = self.blob(digest)?
            && let Ok(Value::Object(fields)) = serde_json::from_slice(&content)
            && let Some(event) = event.as_object_mut()
        {
            event.extend(fields);
        }
        Ok(Some(event))
    }

    /// All events of a name that is kept in mind: grants, what was taken back of them, refusals that hold
    /// for a while.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn all_of(&self, name: &str) -> Result<Vec<Value>, StoreError> {
        const AT_ONCE: usize = 1_000;
        let (mut events, mut from) = (Vec::new(), 0);
        loop {
            let entries = self.queue.store().all_marked(name, from, AT_ONCE)?;
            let Some(last) = entries.last() else { return Ok(events) };
            from = last.place + 1;
            for entry in &entries {
                events.extend(self.event(entry)?);
            }
        }
    }

    /// Content that is kept beside the log.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn blob(&self, digest: Sha256) -> Result<Option<Vec<u8>>, StoreError> {
        self.queue.store().blob(digest)
    }

    /// How many entries there are.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn size(&self) -> Result<u64, StoreError> {
        self.queue.store().size()
    }

    /// How many entries there are, and the root of the tree over them.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn head(&self) -> Result<(u64, Hash), StoreError> {
        let mut store = self.queue.store();
        let size = store.size()?;
        Ok((size, proofs::root(&mut **store, size)?))
    }

    /// Keeps content beside the log, and says by which digest the log may name it.
    ///
    /// # Errors
    /// When the ledger fails, or the content holds a secret.
    pub fn keep_blob(&self, content: &[u8], at: Moment) -> Result<Sha256, NotRecorded> {
        if self.gives_away(content) {
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
            self.queue.store().drop_blob(blob, before.microseconds())?;
        }
        Ok(old.len())
    }
}

/// What there is now, which must follow from the last checkpoint that is kept.
fn successor(store: &mut dyn Store, key: &SigningKey) -> Result<Checkpoint, StoreError> {
    // In this order: whatever another gate has signed, there are as many entries by now.
    let last = store.checkpoint()?;
    let size = store.size()?;
    let now = Checkpoint::new(key.public().name().clone(), size, proofs::root(store, size)?);
    let Some(last) = last else { return Ok(now) };
    let signed = verify::checkpoint::open(last.as_bytes(), key.public())
        .map_err(|error| StoreError::Damaged(format!("its last checkpoint: {error}")))?;
    match witness::succession(store, &signed, &now) {
        Ok(_) => Ok(now),
        Err(NotSuccessor::Store(error)) => Err(error),
        Err(why @ (NotSuccessor::Truncated { .. } | NotSuccessor::Forked { .. })) => {
            Err(StoreError::Damaged(format!("it does not follow from its last checkpoint: {why}")))
        }
    }
}

/// Signs and keeps a checkpoint over everything that is there, if it follows from the one before.
fn sign_checkpoint(store: &mut dyn Store, key: &SigningKey) -> Result<String, StoreError> {
    let now = successor(store, key)?;
    let note = signed_checkpoint(key, now.size(), now.root());
    store.save_checkpoint(now.size(), &note)?;
    Ok(note)
}

/// Signs a checkpoint whenever so many entries have come.
fn checkpoints(key: Arc<SigningKey>, settings: Settings) -> Afterwards {
    let every = settings.checkpoint_every.max(1);
    Box::new(move |store, written| {
        let passed = written.start / every < written.end / every;
        if passed { sign_checkpoint(store, &key).map(drop) } else { Ok(()) }
    })
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

/// All texts in some data, each on lines of its own.
fn all_texts(data: &Value) -> String {
    match data {
        Value::String(text) => format!("{text}\n"),
        Value::Array(values) => values.iter().map(all_texts).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{name}\n{}", all_texts(value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
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
