//! A ruling of the past, read again so that another policy can be asked the same.

use call::{
    Actor, CallContext, CallId, Contraband, Effects, Family, Moment, Objection, Span, ToolName, Weight,
};
use serde_json::Value;

use crate::event::family_name;

/// What was decided about, and how.
#[derive(Clone, Debug)]
pub struct PastRuling {
    /// The call.
    pub call: CallId,
    /// When it was decided.
    pub at: Moment,
    /// Who asked.
    pub actor: Actor,
    /// The tool.
    pub tool: ToolName,
    /// What it would have done.
    pub effects: Effects,
    /// What its texts carried. The texts themselves are not on record, so places in them are not told.
    pub objections: Vec<Objection>,
    /// The verdict.
    pub verdict: String,
}

impl PastRuling {
    /// The ruling that an event of the name `ruled` tells of, with whatever was moved out of it; nothing
    /// where no call was decided about, or where it cannot be read.
    #[must_use]
    pub fn of(event: &Value, moved: Option<&Value>) -> Option<Self> {
        let field = |name: &str| event.get(name).or_else(|| moved?.get(name));
        let text = |name: &str| field(name)?.as_str();
        let objections = match field("objections") {
            Some(objections) => objections.as_array()?.iter().map(objection).collect::<Option<_>>()?,
            None => Vec::new(),
        };
        Some(Self {
            call: text("call")?.parse().ok()?,
            at: text("at")?.parse().ok()?,
            actor: actor(event)?,
            tool: text("tool")?.parse().ok()?,
            effects: Effects::from_recorded(field("effects")?)?,
            objections,
            verdict: text("verdict")?.to_owned(),
        })
    }
}

/// Who asked, as an event tells it.
pub(crate) fn actor(event: &Value) -> Option<Actor> {
    let text = |name: &str| event.get(name)?.as_str();
    let skills: Vec<&str> = event.get("skills")?.as_array()?.iter().filter_map(Value::as_str).collect();
    let skills = if skills.is_empty() { Default::default() } else { skills.join("/").parse().ok()? };
    let context = text("context")?;
    let (_, context) = CallContext::ALL.into_iter().find(|(name, _)| *name == context)?;
    Some(Actor {
        agent: text("agent")?.parse().ok()?,
        session: text("session")?.parse().ok()?,
        skills,
        context,
    })
}

fn objection(recorded: &Value) -> Option<Objection> {
    const FAMILIES: [Family; 6] = [
        Family::Secret,
        Family::Override,
        Family::Payload,
        Family::Injection,
        Family::Traversal,
        Family::Exfiltration,
    ];
    let text = |name: &str| recorded.get(name)?.as_str();
    let family = text("family")?;
    let family = FAMILIES.into_iter().find(|known| family_name(*known) == family)?;
    let weight = match text("weight")? {
        "flag" => Weight::Flag,
        "refuse" => Weight::Refuse,
        _ => return None,
    };
    let found = Contraband { span: Span::new(0, 0), family, kind: "recorded" };
    Some(Objection { argument: text("argument")?.to_owned(), found, weight })
}
