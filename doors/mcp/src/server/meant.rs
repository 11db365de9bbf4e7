//! A call that a client means, until the gate has it.
//!
//! Between a message that was read and the gate stands the protocol's library, which refuses what comes before
//! a session has begun, what does not fit its version and more. Whatever becomes of the message there, the
//! ledger says that a call was meant: one that ends here has not reached the gate, and is put on record as
//! refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use call::{Reason, ReasonCode};
use gate::Incoming;
use tokio::runtime::{Handle, RuntimeFlavor};

use super::{Caller, Shared};
use crate::Halt;
use crate::arguments::{Written, take};

/// A call that has not reached the gate yet.
pub(crate) struct Meant {
    shared: Arc<Shared>,
    caller: Caller,
    written: Written,
    reached: AtomicBool,
}

impl Meant {
    pub(crate) fn new(shared: &Arc<Shared>, caller: &Caller, written: Written) -> Arc<Self> {
        let (shared, caller) = (Arc::clone(shared), caller.clone());
        Arc::new(Self { shared, caller, written, reached: AtomicBool::new(false) })
    }

    pub(crate) const fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(crate) const fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The gate has it from now on.
    pub(crate) fn reaches_the_gate(&self) -> &Written {
        self.reached.store(true, Ordering::Relaxed);
        &self.written
    }
}

impl Drop for Meant {
    fn drop(&mut self) {
        if !*self.reached.get_mut() {
            let why =
                "the protocol does not take a call in this place, or the client was gone before its turn";
            let note = || drop(self.shared.turn_away(&self.caller, &self.written, no_call(why.to_owned())));
            // The ledger is waited for. A thread that has other things to do leaves them to another meanwhile.
            let flavor = Handle::try_current().map(|runtime| runtime.runtime_flavor());
            match flavor {
                Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(note),
                _ => note(),
            }
        }
    }
}

impl Shared {
    /// Puts on record that a call was meant, and why it comes no further. Blocks.
    pub(crate) fn turn_away(&self, caller: &Caller, written: &Written, reason: Reason) -> Result<(), Halt> {
        if let Some(halt) = self.halted.get() {
            return Err(halt.clone());
        }
        let incoming = incoming(caller, written);
        self.gate.turn_away(&incoming, reason).inspect_err(|halt| self.halt(halt.clone()))
    }
}

/// A call as the gate is told about it, whatever it is. What is for the gate alone stays among the arguments.
fn incoming(caller: &Caller, written: &Written) -> Incoming {
    let Caller { identity, session } = caller.clone();
    Incoming {
        tool: written.tool.clone(),
        purpose: take(&written.arguments.text).purpose,
        arguments: written.arguments.text.clone(),
        not_text: written.arguments.not_text,
        agent: identity.agent,
        session,
        skill: identity.skill,
        context: identity.context,
    }
}

/// Why a call that nobody can be answered is none.
pub(crate) const NO_ID: &str = "a call needs an id: nobody would hear its answer";

/// A message that is meant as a call, and is none.
pub(crate) fn no_call(message: String) -> Reason {
    let remedy = "see the answer of the protocol, which says what is wrong";
    Reason { code: ReasonCode::BAD_REQUEST, message, rule: None, remedy: Some(remedy.to_owned()) }
}

/// A call of somebody who may not ask, or not here.
pub(crate) fn not_admitted(message: &str) -> Reason {
    let remedy = "show a token of this gate, and a session that this token began";
    Reason {
        code: ReasonCode::NOT_ADMITTED,
        message: message.to_owned(),
        rule: None,
        remedy: Some(remedy.to_owned()),
    }
}
