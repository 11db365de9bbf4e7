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

/// What a client is told about a call that waits: that it does, unless a person agrees meanwhile.
pub(crate) async fn told(
    shared: &Arc<Shared>,
    reply: Reply,
    request: Request,
    context: &RequestContext<RoleServer>,
    listener: &Listener<'_>,
) -> Result<CallToolResponse, ErrorData> {
    let waits = |reply: &Reply| answer::result(reply).into();
    let (Status::Waiting, Some(call), Some(page)) = (reply.status, reply.call, &shared.options.approvals)
    else {
        return Ok(waits(&reply));
    };
    // A call that was asked about before is not asked about again: the client would go in circles.
    let asked_before = request.waited.is_some();
    let opens_pages = context
        .client_capabilities()
        .and_then(|capabilities| capabilities.elicitation)
        .is_some_and(|elicitation| elicitation.url.is_some());
    if asked_before || !opens_pages {
        return Ok(waits(&reply));
    }
    let message = format!("A person must agree to this call: {}", reply.summary);
    let version = context.protocol_version();
    if version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str()) {
        return Ok(input_required(page, call, message).into());
    }
    let agreed = ask(page, call, message, context, shared.options.patience).await;
    if !agreed {
        return Ok(waits(&reply));
    }
    until_agreed(shared, call, reply, request, listener).await
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
    let asked = context.peer.elicit_url_with_timeout(message, url, id, Some(patience));
    tokio::select! {
        answer = asked => matches!(answer, Ok(ElicitationAction::Accept)),
        () = context.ct.cancelled() => false,
    }
}

/// Holds the call open until a person has agreed, or the patience is at its end.
async fn until_agreed(
    shared: &Arc<Shared>,
    call: CallId,
    reply: Reply,
    request: Request,
    listener: &Listener<'_>,
) -> Result<CallToolResponse, ErrorData> {
    let end = tokio::time::Instant::now() + shared.options.patience;
    let mut reply = reply;
    while reply.status == Status::Waiting && tokio::time::Instant::now() < end {
        let again = Request { waited: Some(call), ..request.clone() };
        reply = run::run(shared, again, listener).await?;
        if reply.status != Status::Waiting || listener.cancelled.is_cancelled() {
            break;
        }
        run::progress(listener, "a person must agree").await;
        tokio::select! {
            () = tokio::time::sleep(ASK_EVERY) => {}
            () = listener.cancelled.cancelled() => break,
        }
    }
    Ok(answer::result(&reply).into())
}
