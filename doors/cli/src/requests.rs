//! The life of a request document in a home.
//!
//! `drafts/` → a person approves → `approved/` → it runs once → `results/` and `done/`; what breaks a rule
//! goes to `quarantine/`. What was approved is what runs: the document is opened once, its inputs are
//! opened once and hashed as they are handed over, and the approval is bound to the digests of all of it.
//! That a request runs at most once, whoever races and whatever dies, is the ledger's doing: see [`once`].
//!
//! Start with [`run()`] and [`approve_named`].

mod answer;
mod approval;
mod approve;
mod aside;
mod by_key;
mod done;
mod inputs;
mod lane;
mod once;
mod paper;
mod proposed;
mod report;
mod results;
mod run;
mod setting;
mod signatures;
mod weighing;

pub(crate) use by_key::approve_named;
pub(crate) use run::run;

use call::{Reason, ReasonCode};

/// The tool that the ledger and policy know a run of a document by.
const TOOL: &str = "run_request";

/// A reason in words of the gate.
fn reason(code: ReasonCode, message: impl Into<String>, remedy: &str) -> Reason {
    let remedy = (!remedy.is_empty()).then(|| remedy.to_owned());
    Reason { code, message: message.into(), rule: None, remedy }
}

/// The same, with a code that only documents have.
fn own_reason(code: &'static str, message: impl Into<String>, remedy: &str) -> Reason {
    // Each of them has the form of a code, which a test holds.
    reason(ReasonCode::parse(code).unwrap_or(ReasonCode::BAD_REQUEST), message, remedy)
}

const INVALID_DOCUMENT: &str = "invalid_document";
const INPUT_MISSING: &str = "input_missing";
const INPUT_CHANGED: &str = "input_changed";
const LANE_MISSING: &str = "lane_missing";

#[cfg(test)]
mod tests {
    use call::ReasonCode;

    #[test]
    fn the_codes_of_documents_have_the_form_of_codes() {
        for code in [super::INVALID_DOCUMENT, super::INPUT_MISSING, super::INPUT_CHANGED, super::LANE_MISSING]
        {
            assert_eq!(ReasonCode::parse(code).unwrap().as_str(), code);
        }
        assert!(super::TOOL.parse::<call::ToolName>().is_ok());
    }
}
