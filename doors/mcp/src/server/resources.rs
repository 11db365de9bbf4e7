//! What clients can look at without calling a tool: what policy says, and what the ledger has about them.

use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents};
use serde_json::Value;

use super::Caller;
use crate::Gatekeeper;

const POLICY: &str = "toolgate://policy";
const ENTRIES: &str = "toolgate://ledger/session";
/// Entries of the ledger that are shown.
const MOST: usize = 100;

pub(crate) fn list() -> Vec<Resource> {
    vec![
        Resource::new(POLICY, "policy")
            .with_title("What policy says")
            .with_description("What you may do here, and what a person must agree to.")
            .with_mime_type("application/json"),
        Resource::new(ENTRIES, "ledger")
            .with_title("What the ledger has about this session")
            .with_description("The last entries about your own calls. Those of others are not shown.")
            .with_mime_type("application/json"),
    ]
}

pub(crate) fn read(
    gate: &dyn Gatekeeper,
    caller: &Caller,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let value = match uri {
        POLICY => gate.policy_summary(),
        ENTRIES => Value::Array(gate.own_entries(&caller.session, MOST)),
        _ => return Err(ErrorData::resource_not_found("there is no such resource", None)),
    };
    let contents = ResourceContents::text(value.to_string(), uri).with_mime_type("application/json");
    Ok(ReadResourceResult::new(vec![contents]))
}
