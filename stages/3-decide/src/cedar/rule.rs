//! One rule of a policy, as it is written in Cedar.

use std::fmt::Write as _;

use call::ReasonCode;
use cedar_policy::{EntityId, EntityTypeName, EntityUid};

/// A rule that the files of a policy were compiled to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleText {
    /// Where it comes from: `policy.toml#deny[3]`.
    pub(crate) id: String,
    permits: bool,
    reason: Option<ReasonCode>,
    approval: bool,
    remedy: Option<String>,
    principal: String,
    actions: &'static [&'static str],
    resource: String,
    when: Vec<String>,
    unless: Vec<String>,
}

/// What the gate says when a rule speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) reason: Option<ReasonCode>,
    pub(crate) remedy: Option<String>,
}

impl RuleText {
    /// Allows `actions` to whoever acts by `authority`.
    pub(crate) fn permit(
        id: impl Into<String>,
        authority: &EntityUid,
        actions: &'static [&'static str],
    ) -> Self {
        Self {
            id: id.into(),
            permits: true,
            reason: None,
            approval: false,
            remedy: None,
            principal: format!("principal in {authority}"),
            actions,
            resource: "resource".to_owned(),
            when: Vec::new(),
            unless: Vec::new(),
        }
    }

    /// Refuses them, for a reason.
    pub(crate) fn forbid(
        id: impl Into<String>,
        authority: &EntityUid,
        actions: &'static [&'static str],
        reason: &ReasonCode,
    ) -> Self {
        Self { permits: false, reason: Some(reason.clone()), ..Self::permit(id, authority, actions) }
    }

    /// Asks a person first.
    pub(crate) fn ask(
        id: impl Into<String>,
        authority: &EntityUid,
        actions: &'static [&'static str],
    ) -> Self {
        let rule = Self::forbid(id, authority, actions, &ReasonCode::APPROVAL_REQUIRED);
        Self { approval: true, ..rule }.unless("context.approved")
    }

    /// Only on this, and on what lies within it.
    pub(crate) fn within(self, resource: &EntityUid) -> Self {
        Self { resource: format!("resource in {resource}"), ..self }
    }

    /// Only on exactly this.
    pub(crate) fn only(self, resource: &EntityUid) -> Self {
        Self { resource: format!("resource == {resource}"), ..self }
    }

    /// Only when this holds too.
    pub(crate) fn when(mut self, condition: impl Into<String>) -> Self {
        self.when.push(condition.into());
        self
    }

    /// Only when this does not hold.
    pub(crate) fn unless(mut self, condition: impl Into<String>) -> Self {
        self.unless.push(condition.into());
        self
    }

    /// What to do about it.
    pub(crate) fn remedy(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
    }

    /// The rule in Cedar.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("@id({})\n", quoted(&self.id));
        let annotations = [
            ("reason", self.reason.as_ref().map(ReasonCode::as_str)),
            ("approval", self.approval.then_some("required")),
            ("remedy", self.remedy.as_deref()),
        ];
        for (name, value) in annotations {
            if let Some(value) = value {
                let _ = writeln!(text, "@{name}({})", quoted(value));
            }
        }
        let effect = if self.permits { "permit" } else { "forbid" };
        let actions: Vec<String> =
            self.actions.iter().map(|action| format!("Action::\"{action}\"")).collect();
        let action = match actions.as_slice() {
            [] => "action".to_owned(),
            [one] => format!("action == {one}"),
            several => format!("action in [{}]", several.join(", ")),
        };
        let _ = write!(text, "{effect} ({}, {action}, {})", self.principal, self.resource);
        for (word, conditions) in [("when", &self.when), ("unless", &self.unless)] {
            for condition in conditions {
                let _ = write!(text, "\n{word} {{ {condition} }}");
            }
        }
        text.push_str(";\n");
        text
    }
}

/// A text as a Cedar string.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.escape_debug().to_string().replace("\\'", "'"))
}

/// The name of an entity. Type names are words of this crate.
pub(crate) fn entity(kind: &str, id: &str) -> EntityUid {
    static FALLBACK: std::sync::LazyLock<Option<EntityTypeName>> =
        std::sync::LazyLock::new(|| "Unknown".parse().ok());
    let name = kind.parse::<EntityTypeName>().ok().or_else(|| FALLBACK.clone());
    match name {
        Some(name) => EntityUid::from_type_name_and_id(name, EntityId::new(id)),
        None => unreachable_entity(id),
    }
}

#[expect(clippy::unreachable, reason = "`Unknown` is an identifier, so the fallback always parses")]
fn unreachable_entity(id: &str) -> EntityUid {
    unreachable!("no type name for {id}")
}
