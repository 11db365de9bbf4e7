//! A plain call of a session that has begun, carried to the gate and back without the protocol's library.
//!
//! The library hands each message from task to task, makes a stream for each answer and keeps it for clients
//! that come back. A call that is over in a moment, and for which nothing can be said before its answer, needs
//! none of that: its answer is one message, the same that the library would send.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use gate::Reply;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, NumberOrString, ServerJsonRpcMessage, ServerResult};
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;

use super::Shared;
use super::clerks::Clerks;
use super::meant::Meant;
use super::run::{Request, failed, halted};
use crate::arguments::Written;
use crate::frame::Frame;
use crate::gatekeeper::{Begun, Recording};
use crate::{Halt, Looked, answer};

/// Calls of this kind that are with the gate at the same time. So many share a commit of the ledger as well as
/// more would, and each has all in memory that the gate keeps for one; the others wait without.
pub(crate) const AT_ONCE: u32 = 64;

/// Whether a message is such a call. Whether its session has begun, the way in knows.
pub(crate) fn is_direct(shared: &Shared, frame: &Frame) -> bool {
    let brief = frame.call.as_ref().is_some_and(|call| shared.gate.is_brief(&call.tool));
    // Where people approve on a page, the client may have to be asked to open it.
    frame.plain_call && brief && shared.options.approvals.is_none()
}

/// What became of a call: its result, or what the protocol says where there is none.
type Outcome = Result<CallToolResult, ErrorData>;

/// Makes the call, and comes back with the message that answers it. Blocks until it is on record.
pub(crate) fn answer(meant: &Meant, id: &Value, cancelled: &AtomicBool) -> String {
    let shared = meant.shared();
    let carried = carry(meant, |request| request.carry(&*shared.gate, cancelled));
    message(id, carried.and_then(|reply| told(shared, reply)))
}

/// Says an answer. The place is free again when it was said.
pub(crate) type Say = Box<dyn FnOnce(String, OwnedSemaphorePermit) + Send>;

/// A call on its way, until its answer was said.
pub(crate) struct Errand {
    pub(crate) meant: Arc<Meant>,
    pub(crate) id: Value,
    pub(crate) cancelled: Arc<AtomicBool>,
    /// Its place at the gate.
    pub(crate) place: OwnedSemaphorePermit,
    /// Says the answer. Whatever becomes of whoever asked, the call is carried to its end.
    pub(crate) say: Say,
}

impl Errand {
    /// Has the call made by those who carry many.
    pub(crate) fn send(self) {
        let shared = self.meant.shared();
        let (clerks, came) = (shared.clerks.clone(), shared.gate.looked());
        clerks.send(move || self.carry(came));
    }

    /// Makes the call as far as the ledger.
    fn carry(self, came: Looked) {
        let shared = self.meant.shared();
        let begun = carry(&self.meant, |request| request.begin(&*shared.gate, came, &self.cancelled));
        match begun {
            Ok(Ok(Begun::Recording(recording))) => {
                let clerks = shared.clerks.clone();
                let rest = Mutex::new(Some((recording, self)));
                let recorded = Arc::new(Recorded { clerks: clerks.clone(), rest });
                clerks.afterwards(move || recorded.go_on());
            }
            Ok(Ok(Begun::Answered(reply))) => self.say(Ok(*reply)),
            Ok(Err(halt)) => self.say(Err(halt)),
            Err(error) => (self.say)(message(&self.id, Err(error)), self.place),
        }
    }

    fn say(self, reply: Result<Reply, Halt>) {
        let outcome = told(self.meant.shared(), reply);
        (self.say)(message(&self.id, outcome), self.place);
    }
}

/// A call of which only the end is not on record yet. The ledger says when it is.
struct Recorded {
    clerks: Clerks,
    rest: Mutex<Option<(Recording, Errand)>>,
}

impl Recorded {
    /// Says the answer if the end is on record, and is woken up otherwise.
    fn go_on(self: Arc<Self>) {
        let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((mut recording, errand)) = rest.take() else { return };
        let waker = Waker::from(Arc::clone(&self));
        let reply =
            catch_unwind(AssertUnwindSafe(|| recording.as_mut().poll(&mut Context::from_waker(&waker))));
        match reply {
            Ok(Poll::Pending) => *rest = Some((recording, errand)),
            Ok(Poll::Ready(reply)) => {
                drop(rest);
                errand.say(reply);
            }
            Err(_) => {
                drop(rest);
                (errand.say)(message(&errand.id, Err(failed())), errand.place);
            }
        }
    }
}

impl Wake for Recorded {
    fn wake(self: Arc<Self>) {
        let clerks = self.clerks.clone();
        clerks.send(move || self.go_on());
    }
}

/// Hands a call over to the gate.
fn carry<T>(meant: &Meant, how: impl FnOnce(&Request) -> T) -> Result<T, ErrorData> {
    if let Some(halt) = meant.shared().halted.get() {
        return Err(halted(halt));
    }
    let Written { tool, arguments } = meant.reaches_the_gate();
    let request = Request::of(meant.caller().clone(), tool.clone(), arguments, None);
    catch_unwind(AssertUnwindSafe(|| how(&request))).map_err(|_| failed())
}

/// What the gate said.
fn told(shared: &Shared, reply: Result<Reply, Halt>) -> Outcome {
    match reply {
        Ok(reply) => Ok(answer::result(&reply)),
        Err(halt) => {
            let error = halted(&halt);
            shared.halt(halt);
            Err(error)
        }
    }
}

/// The outcome as the protocol has it.
fn message(id: &Value, outcome: Outcome) -> String {
    let Some(id) = id_of(id) else { return String::new() };
    let message = match outcome {
        Ok(mut result) => {
            // Sessions belong to versions of the protocol that do not know kinds of results.
            result.result_type = None;
            ServerJsonRpcMessage::response(ServerResult::CallToolResult(result), id)
        }
        Err(error) => ServerJsonRpcMessage::error(error, Some(id)),
    };
    serde_json::to_string(&message).unwrap_or_default()
}

fn id_of(id: &Value) -> Option<NumberOrString> {
    match id {
        Value::Number(number) => number.as_i64().map(NumberOrString::Number),
        Value::String(text) => Some(NumberOrString::String(text.as_str().into())),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
