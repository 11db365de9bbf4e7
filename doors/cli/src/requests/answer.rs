//! What a run of a request comes to, for people and for programs.

use call::Reason;
use serde::Serialize;

use super::results::Kept;
use crate::arguments::Format;
use crate::commands::print;
use crate::exit::Exit;
use crate::terminal::say;
use crate::visible::visible;

/// What programs are told (`spec/cli.md`): keys are added, never changed.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Answer {
    pub(crate) request_id: Option<String>,
    pub(crate) verdict: &'static str,
    pub(crate) status: &'static str,
    pub(crate) exit_code: Option<i64>,
    pub(crate) exit_reason: Option<&'static str>,
    pub(crate) lane: Option<&'static str>,
    pub(crate) layers: Vec<String>,
    pub(crate) result: Option<String>,
    pub(crate) artifacts: Vec<Kept>,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) ledger_entry: Option<u64>,
}

impl Answer {
    /// Prints it, and ends with `exit`.
    pub(crate) fn print(&self, format: Format, exit: Exit) -> Exit {
        match format {
            Format::Json => print::json(self, exit),
            Format::Text => {
                for reason in &self.reasons {
                    say(&spelled(reason));
                }
                let mut text = format!("{}\n", self.status);
                if let (Some(code), Some(reason)) = (self.exit_code, self.exit_reason) {
                    say(&format!("the program ended: {reason}, exit code {code}"));
                }
                if let Some(result) = &self.result {
                    text = format!("{} {}\n", self.status, visible(result));
                }
                print::text(&text, exit)
            }
        }
    }
}

fn spelled(reason: &Reason) -> String {
    let mut text = format!("{}: {}", reason.code, visible(&reason.message));
    if let Some(remedy) = &reason.remedy {
        text.push_str(&format!("\n  hint: {}", visible(remedy)));
    }
    text
}
