//! A plain call of a session that has begun, carried to the gate and back without the protocol's library.
//!
//! The library hands each message from task to task, makes a stream for each answer and keeps it for clients
//! that come back. A call that is over in a moment, and for which nothing can be said before its answer, needs
//! none of that: its answer is one message, the same that the library would send.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, NumberOrString, ServerJsonRpcMessage, ServerResult};
use serde_json::Value;

use super::Shared;
use super::meant::Meant;
use super::run::{Request, failed, halted};
use crate::answer;
use crate::arguments::Written;
use crate::frame::Frame;

/// Calls of this kind that are with the gate at the same time. So many share a commit of the ledger as well as
/// more would, and each has a thread with all that the gate keeps for one; the others wait without.
pub(crate) const AT_ONCE: usize = 64;

/// Whether a message is such a call. Whether its session has begun, the way in knows.
pub(crate) fn is_direct(shared: &Shared, frame: &Frame) -> bool {
    let brief = frame.call.as_ref().is_some_and(|call| shared.gate.is_brief(&call.tool));
    // Where people approve on a page, the client may have to be asked to open it.
    frame.plain_call && brief && shared.options.approvals.is_none()
}

/// Makes the call, and comes back with the message that answers it. Blocks.
pub(crate) fn answer(meant: &Meant, id: &Value, cancelled: &AtomicBool) -> String {
    let Some(id) = id_of(id) else { return String::new() };
    let message = match reply(meant, cancelled) {
        Ok(mut result) => {
            // Sessions belong to versions of the protocol that do not know kinds of results.
            result.result_type = None;
            ServerJsonRpcMessage::response(ServerResult::CallToolResult(result), id)
        }
        Err(error) => ServerJsonRpcMessage::error(error, Some(id)),
    };
    serde_json::to_string(&message).unwrap_or_default()
}

fn reply(meant: &Meant, cancelled: &AtomicBool) -> Result<CallToolResult, ErrorData> {
    let shared = meant.shared();
    if let Some(halt) = shared.halted.get() {
        return Err(halted(halt));
    }
    let Written { tool, arguments } = meant.reaches_the_gate();
    let request = Request::of(meant.caller().clone(), tool.clone(), arguments, None);
    let carried = catch_unwind(AssertUnwindSafe(|| request.carry(&*shared.gate, cancelled)));
    match carried.map_err(|_| failed())? {
        Ok(reply) => Ok(answer::result(&reply)),
        Err(halt) => {
            let error = halted(&halt);
            shared.halt(halt);
            Err(error)
        }
    }
}

fn id_of(id: &Value) -> Option<NumberOrString> {
    match id {
        Value::Number(number) => number.as_i64().map(NumberOrString::Number),
        Value::String(text) => Some(NumberOrString::String(text.as_str().into())),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
