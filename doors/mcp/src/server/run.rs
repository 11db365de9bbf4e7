//! One call, carried to the gate and back.
//!
//! The gate blocks, so it has a thread of its own: the one that the call came in by, which leaves the rest of
//! its work to another, as long as few calls are at work; to wake up a thread for a call takes longer than much
//! of the call. Of many calls, each is given to a thread that waits for such work. Whatever happens to the
//! connection, the call is carried to its end: the gate is told that nobody wants the answer, and puts the end
//! on record by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use call::CallId;
use gate::{Incoming, Reply};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use rmcp::{ErrorData, RoleServer};
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

use super::{Caller, Shared};
use crate::arguments::{RawArguments, take, take_purpose};
use crate::{Begun, Gatekeeper, Halt, Looked};

/// A call stays with the thread that it came in by while fewer than this are at work. Each that stays takes a
/// thread of the runtime out of its work and has another put in its place, which there must be.
const STAY: usize = 4;

/// How many calls are at work, wherever they are.
#[derive(Debug, Default)]
pub(crate) struct CallCount(AtomicUsize);

/// One of them, until this is dropped.
struct Works(Arc<Shared>);

impl Works {
    /// With how many there were before.
    fn begin(shared: &Arc<Shared>) -> (Self, usize) {
        let before = shared.calls.0.fetch_add(1, Ordering::Relaxed);
        (Self(Arc::clone(shared)), before)
    }
}

impl Drop for Works {
    fn drop(&mut self) {
        self.0.calls.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What the gate is asked to do.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) incoming: Incoming,
    /// The call that waited, where this is about one.
    pub(crate) waited: Option<CallId>,
    /// Whether the client is asked by this door for a person, so that the gate holds nothing back.
    pub(crate) at_once: bool,
}

impl Request {
    /// A call as the client wrote it. The name of a call that waited comes as an argument, or beside them. What
    /// is no such name stays among the arguments, where the gate refuses it and puts that on record.
    pub(crate) fn of(caller: Caller, tool: String, raw: &RawArguments, beside: Option<String>) -> Self {
        let mut taken = take(&raw.text);
        let waited = match taken.approval.take().or(beside).as_deref().map(str::parse) {
            None => None,
            Some(Ok(call)) => Some(call),
            Some(Err(_)) => {
                taken.arguments = take_purpose(&raw.text).arguments;
                None
            }
        };
        let Caller { identity, session } = caller;
        let incoming = Incoming {
            tool,
            purpose: taken.purpose,
            arguments: taken.arguments,
            not_text: raw.not_text,
            agent: identity.agent,
            session,
            skill: identity.skill,
            context: identity.context,
        };
        Self { incoming, waited, at_once: false }
    }

    /// Carries it to the gate. Blocks.
    pub(crate) fn carry(&self, gate: &dyn Gatekeeper, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        match self.waited {
            Some(call) => gate.resume(call, &self.incoming, cancelled),
            None if self.at_once => gate.handle_at_once(&self.incoming, cancelled),
            None => gate.handle(&self.incoming, cancelled),
        }
    }

    /// Carries it as far as the ledger. Blocks for a moment.
    pub(crate) fn begin(
        &self,
        gate: &dyn Gatekeeper,
        came: Looked,
        cancelled: &AtomicBool,
    ) -> Result<Begun, Halt> {
        match self.waited {
            Some(call) => {
                gate.resume(call, &self.incoming, cancelled).map(|reply| Begun::Answered(Box::new(reply)))
            }
            None => gate.begin(&self.incoming, came, cancelled),
        }
    }
}

/// Whoever waits for the answer.
pub(crate) struct Listener<'a> {
    pub(crate) cancelled: &'a CancellationToken,
    pub(crate) peer: &'a Peer<RoleServer>,
    pub(crate) progress: Option<ProgressToken>,
    pub(crate) since: Instant,
}

/// Tells the gate when whoever waits is gone.
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Carries a call to the gate and waits for the answer.
pub(crate) async fn run(
    shared: &Arc<Shared>,
    request: Request,
    listener: &Listener<'_>,
) -> Result<Reply, ErrorData> {
    if let Some(halt) = shared.halted.get() {
        return Err(halted(halt));
    }
    let cancelled = Arc::new(AtomicBool::new(false));
    let wanted = Wanted(Arc::clone(&cancelled));
    let gate = Arc::clone(&shared.gate);
    let (works, others) = Works::begin(shared);
    let carry = move || {
        let _works = works;
        request.carry(&*gate, &cancelled)
    };
    let mut work = if others < STAY {
        tokio::spawn(async move { tokio::task::block_in_place(carry) })
    } else {
        tokio::task::spawn_blocking(carry)
    };
    let every = shared.options.progress_every;
    let mut ticks = interval_at(Instant::now() + every, every.max(std::time::Duration::from_millis(10)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut told = false;
    let answer = loop {
        tokio::select! {
            answer = &mut work => break answer,
            () = listener.cancelled.cancelled(), if !told => {
                told = true;
                wanted.0.store(true, Ordering::Relaxed);
            }
            _ = ticks.tick(), if listener.progress.is_some() => progress(listener, "the call is running").await,
        }
    };
    match answer {
        Ok(Ok(reply)) => Ok(reply),
        Ok(Err(halt)) => {
            let error = halted(&halt);
            shared.halt(halt);
            Err(error)
        }
        Err(_) => Err(failed()),
    }
}

pub(super) fn failed() -> ErrorData {
    ErrorData::internal_error("the gate failed at this call; it is on record as interrupted", None)
}

/// Tells the client that its call is not forgotten.
pub(crate) async fn progress(listener: &Listener<'_>, message: &str) {
    if let Some(token) = listener.progress.clone() {
        let seconds = listener.since.elapsed().as_secs_f64();
        let told = ProgressNotificationParam::new(token, seconds).with_message(message);
        // A client that is gone is noticed elsewhere.
        let _ = listener.peer.notify_progress(told).await;
    }
}

pub(super) fn halted(halt: &Halt) -> ErrorData {
    ErrorData::internal_error(format!("no further calls are taken: {halt}"), None)
}
