//! Calls that a person must agree to.
//!
//! A client that can open a page is given the address of one, where a person approves; it is never an
//! address of this door. All others are told to wait, what the call is called, and what to do.

use std::sync::Arc;
use std::time::Duration;

use call::CallId;
use gate::{Reply, Status};
use rmcp::model::{
    CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitationAction, InputRequest,
    InputRequiredResult, ProtocolVersion,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

use super::run::{self, Listener, Request};
use super::{ApprovalPage, Shared};
use crate::answer;

/// How often the gate is asked whether a person has agreed.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// The page that the user of this client can be shown, where there is one and the client opens pages.
pub(crate) fn page<'s>(
    shared: &'s Arc<Shared>,
    context: &RequestContext<RoleServer>,
) -> Option<&'s ApprovalPage> {
    let elicitation = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
    shared.options.approvals.as_ref().filter(|_| elicitation.is_some_and(|can| can.url.is_some()))
}

/// What a client is told about a call that waits: that it does, unless a person agrees meanwhile.
pub(crate) async fn told(
    shared: &Arc<Shared>,
    reply: Reply,
    request: Request,
    context: &RequestContext<RoleServer>,
    listener: &Listener<'_>,
) -> Result<CallToolResponse, ErrorData> {
    let (Status::Waiting, Some(call)) = (reply.status, reply.call) else {
        return Ok(answer::result(&reply).into());
    };
    let again = Request { waited: Some(call), ..request.clone() };
    // A call that was asked about before is not asked about again: the client would go in circles.
    let page = page(shared, context).filter(|_| request.waited.is_none());
    let Some(page) = page else {
        let hold = request.waited.map_or(Duration::ZERO, |_| shared.options.hold);
        return until_agreed(shared, reply, again, listener, hold, std::future::pending()).await;
    };
    let message = question(&reply, call);
    let version = context.protocol_version();
    if version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str()) {
        return Ok(input_required(page, call, message).into());
    }
    let patience = shared.options.patience;
    let asked = ask(page, call, message, context, patience);
    until_agreed(shared, reply, again, listener, patience, asked).await
}

/// What the user of a client is told about a page: what it is about, and never more than the agent is told.
fn question(reply: &Reply, call: CallId) -> String {
    let what = reply.reasons.first().map_or(reply.summary.as_str(), |reason| reason.message.as_str());
    format!("{what}. The page shows exactly what the call {call} does, and is where to agree or not.")
}

/// The way of protocol 2026-07-28: the client asks its user, and makes the call again.
fn input_required(page: &ApprovalPage, call: CallId, message: String) -> InputRequiredResult {
    let id = call.to_string();
    let params = ElicitRequestParams::UrlElicitationParams {
        meta: None,
        message,
        url: page.of(&id),
        elicitation_id: id.clone(),
    };
    let asked = InputRequest::Elicitation(ElicitRequest::new(params));
    // What the client sends back is only the name of the call. Whether that was approved, and for these
    // very arguments, the gate finds out by itself.
    InputRequiredResult::new(Some([("approval".to_owned(), asked)].into()), Some(id))
}

/// The way before that: the client is asked, and answers that its user went to the page.
async fn ask(
    page: &ApprovalPage,
    call: CallId,
    message: String,
    context: &RequestContext<RoleServer>,
    patience: Duration,
) -> bool {
    let id = call.to_string();
    let Ok(url) = url::Url::parse(&page.of(&id)) else { return false };
    let asked = context.peer.elicit_url_with_timeout(message, url, id, Some(patience)).await;
    matches!(asked, Ok(ElicitationAction::Accept))
}

/// Holds the call open until a person has agreed, the patience is at its end, or the client says that its user
/// does not go to the page. Where people agree is not where clients answer, so neither waits for the other.
async fn until_agreed(
    shared: &Arc<Shared>,
    reply: Reply,
    again: Request,
    listener: &Listener<'_>,
    patience: Duration,
    asked: impl Future<Output = bool>,
) -> Result<CallToolResponse, ErrorData> {
    let end = tokio::time::Instant::now() + patience;
    let mut asked = std::pin::pin!(asked);
    let mut answered = false;
    let mut reply = reply;
    while tokio::time::Instant::now() < end {
        tokio::select! {
            // Of what is ready together the answer of the client comes first: what it says is known then.
            biased;
            () = listener.cancelled.cancelled() => break,
            goes = &mut asked, if !answered => {
                if !goes {
                    break;
                }
                answered = true;
            }
            () = tokio::time::sleep(ASK_EVERY) => run::progress(listener, "a person must agree").await,
        }
        reply = run::run(shared, again.clone(), listener).await?;
        if reply.status != Status::Waiting {
            break;
        }
    }
    Ok(answer::result(&reply).into())
}
