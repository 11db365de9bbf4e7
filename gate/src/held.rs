//! A call as it is kept beside the log while it waits for a person.
//!
//! Contents are kept by their digest, so the name of the call is part of them: the same words asked for twice,
//! under two policies, are two contents, and the end of one call does not take the other with it.

use call::{CallContext, CallId};
use serde::{Deserialize, Serialize};

use crate::Incoming;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    call: String,
    tool: String,
    purpose: Option<String>,
    arguments: String,
    agent: String,
    session: String,
    skill: Option<String>,
    context: String,
}

/// The bytes that are kept.
pub(crate) fn written(id: CallId, incoming: &Incoming) -> Vec<u8> {
    let form = Form {
        call: id.to_string(),
        tool: incoming.tool.clone(),
        purpose: incoming.purpose.clone(),
        arguments: incoming.arguments.clone(),
        agent: incoming.agent.clone(),
        session: incoming.session.clone(),
        skill: incoming.skill.clone(),
        context: incoming.context.as_str().to_owned(),
    };
    // There is nothing in it that JSON cannot hold.
    call::canonical::of(&form).unwrap_or_default()
}

/// The call of this name that was kept so; nothing when these are other bytes.
pub(crate) fn read(id: CallId, bytes: &[u8]) -> Option<Incoming> {
    let form: Form = serde_json::from_slice(bytes).ok().filter(|form: &Form| form.call == id.to_string())?;
    let (_, context) = CallContext::ALL.into_iter().find(|(name, _)| *name == form.context)?;
    Some(Incoming {
        tool: form.tool,
        purpose: form.purpose,
        arguments: form.arguments,
        not_text: None,
        agent: form.agent,
        session: form.session,
        skill: form.skill,
        context,
    })
}
