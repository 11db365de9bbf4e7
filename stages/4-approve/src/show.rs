//! What a person is shown before they answer.
//!
//! Pure text, made from the call itself and never from what the agent says about it. Effects come first, then
//! the exact words, differences and addresses, then why anybody is asked and who asks. Everything that came
//! from outside stands behind a bar (`|`, and `\` where a line goes on), so that no text can pass for one of
//! ours; what cannot be seen truly is spelled out (`<U+202E>`); nothing is ever cut.
//!
//! Whoever prints this pages it, and takes no key for a yes but a typed word.

mod effects;
mod extents;
mod page;
mod visible;

pub use visible::{line as visible_line, spelled};

use std::collections::BTreeSet;

use call::{Actor, Confinement, Effects, Expected, Moment, Reason, RiskFlag, ToolName};

use crate::binding::Subject;
use crate::rules::Risk;
use crate::scope::Scope;
use page::Page;

/// Everything that a person is shown.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// The call or document.
    pub subject: &'a Subject,
    /// The tool.
    pub tool: &'a ToolName,
    /// What it would do.
    pub effects: &'a Effects,
    /// What stands at its targets now.
    pub expected: &'a Expected,
    /// Texts in full: the difference, the code, the body of a request.
    pub exhibits: &'a [Exhibit<'a>],
    /// The walls within which it would run.
    pub walls: &'a Confinement,
    /// How much can go wrong.
    pub risk: Risk,
    /// What to look at twice.
    pub flags: &'a BTreeSet<RiskFlag>,
    /// Why a person must agree.
    pub reasons: &'a [Reason],
    /// Who asks.
    pub actor: &'a Actor,
    /// Why, in the words of whoever asks.
    pub purpose: &'a str,
    /// What is checked once it is done.
    pub verification: &'a str,
    /// How many people have agreed.
    pub have: u32,
    /// How many must.
    pub need: u32,
    /// From when on no answer helps.
    pub expires: Moment,
    /// The present moment.
    pub now: Moment,
}

/// A text that is shown in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhibit<'a> {
    /// What it is, in our words: `difference`, `code`, `body`.
    pub title: &'a str,
    /// The text.
    pub text: &'a str,
}

/// The page for a person, in lines of at most `width` columns (never fewer than 40).
#[must_use]
pub fn render(asking: &Asking<'_>, width: usize) -> String {
    let mut page = Page::new(width);
    page.own(0, &format!("May `{}` do this? {} risk, {}", asking.tool, asking.risk.as_str(), left(asking)));
    page.heading("What it does");
    for (number, effect) in (1..).zip(asking.effects.iter()) {
        effects::describe(&mut page, number, effect, Some(asking.expected));
    }
    if let Some(lane) = asking.walls.lane {
        page.own(2, &format!("code runs in the {} lane", lane.as_str()));
    }
    for exhibit in asking.exhibits {
        page.heading(&format!("The {} in full", exhibit.title));
        page.block(exhibit.text);
    }
    page.heading("Why you are asked");
    for Reason { code, message, rule, .. } in asking.reasons {
        page.own(2, code.as_str());
        page.theirs("because", message);
        if let Some(rule) = rule {
            page.theirs("rule", rule);
        }
    }
    for flag in asking.flags {
        page.warn(&format!("marked `{flag}`"));
    }
    page.heading("Who asks");
    page.theirs("agent", asking.actor.agent.as_str());
    page.theirs("session", asking.actor.session.as_str());
    for skill in asking.actor.skills.skills() {
        page.theirs("skill", skill.as_str());
    }
    page.own(2, &format!("context {}", asking.actor.context.as_str()));
    page.theirs("for", &asking.subject.to_string());
    if let Subject::Request { document, .. } = asking.subject {
        page.own(4, &format!("the document has sha256 {document}"));
    }
    page.heading("What they say it is for (nobody has checked this)");
    page.block(asking.purpose);
    page.heading("Your answer");
    page.own(2, &format!("{} of {} needed have agreed", asking.have, asking.need));
    if !asking.verification.is_empty() {
        page.own(2, &format!("afterwards: {}", visible::line(asking.verification)));
    }
    page.own(2, "a yes holds for exactly what stands here, once; nothing is done without one");
    page.finish()
}

/// What a grant covers, for whoever is to give it, or looks at those that were given.
#[must_use]
pub fn render_scope(scope: &Scope, width: usize) -> String {
    let mut page = Page::new(width);
    match scope {
        Scope::Once => page.own(0, "this once"),
        Scope::Grant { tool, extents, session, until } => {
            page.own(
                0,
                &format!("every call of `{tool}` in session {session} until {until} that does only this"),
            );
            for (number, extent) in (1..).zip(extents) {
                extents::describe(&mut page, number, extent);
            }
        }
    }
    page.finish()
}

/// How long there is left to answer.
fn left(asking: &Asking<'_>) -> String {
    let milliseconds = asking.expires.milliseconds().saturating_sub(asking.now.milliseconds());
    let seconds = milliseconds / 1_000;
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0) => "expired".to_owned(),
        (0, 0, seconds) => format!("expires in {seconds} s"),
        (0, minutes, seconds) => format!("expires in {minutes} min {seconds} s"),
        (hours, minutes, _) => format!("expires in {hours} h {minutes} min"),
    }
}
