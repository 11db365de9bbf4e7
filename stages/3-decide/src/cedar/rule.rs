//! One rule of a policy, as it is written in Cedar.

use std::fmt::Write as _;
use std::sync::LazyLock;

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

/// Every type of the schema but `Tool`, in the order of the alphabet.
const TYPES: [&str; 21] = [
    "Action",
    "Agent",
    "Branch",
    "BranchGlob",
    "Database",
    "Domain",
    "Endpoint",
    "Gate",
    "Glob",
    "Home",
    "Host",
    "HostGlob",
    "Memory",
    "Origin",
    "Path",
    "Program",
    "Repository",
    "Role",
    "Scope",
    "Skill",
    "Table",
];

/// The name of an entity. Types are words of this crate, parsed once; which one it is can be told where this is
/// compiled into its callers.
#[inline(always)]
pub(crate) fn entity(kind: &'static str, id: &str) -> EntityUid {
    entity_of(place_of(kind), id)
}

/// The place of a type in [`TYPES`]; `Tool` has none.
#[inline(always)]
fn place_of(kind: &str) -> usize {
    match kind {
        "Action" => 0,
        "Agent" => 1,
        "Branch" => 2,
        "BranchGlob" => 3,
        "Database" => 4,
        "Domain" => 5,
        "Endpoint" => 6,
        "Gate" => 7,
        "Glob" => 8,
        "Home" => 9,
        "Host" => 10,
        "HostGlob" => 11,
        "Memory" => 12,
        "Origin" => 13,
        "Path" => 14,
        "Program" => 15,
        "Repository" => 16,
        "Role" => 17,
        "Scope" => 18,
        "Skill" => 19,
        "Table" => 20,
        _ => TYPES.len(),
    }
}

fn entity_of(place: usize, id: &str) -> EntityUid {
    static NAMES: LazyLock<[Option<EntityTypeName>; TYPES.len()]> =
        LazyLock::new(|| TYPES.map(|name| name.parse().ok()));
    static TOOL: LazyLock<EntityTypeName> = LazyLock::new(tool_type);
    let name = NAMES.get(place).and_then(Option::as_ref).unwrap_or(&TOOL);
    EntityUid::from_type_name_and_id(name.clone(), EntityId::new(id))
}

#[expect(clippy::expect_used, reason = "`Tool` is an identifier, and nothing could be asked without it")]
fn tool_type() -> EntityTypeName {
    "Tool".parse().expect("an identifier")
}

#[cfg(test)]
mod tests {
    use super::{TYPES, entity, quoted};

    #[test]
    fn every_type_has_its_name() {
        for name in TYPES.into_iter().chain(["Tool"]) {
            assert_eq!(entity(name, "x").type_name().to_string(), name);
        }
    }

    #[test]
    fn every_text_survives_in_cedar() {
        for text in ["a\"b\\c", "line\nend", "\u{202e}é'", "*", "\0"] {
            let policy = format!("@id({}) permit (principal, action, resource);", quoted(text));
            let policy = cedar_policy::Policy::parse(None, policy).unwrap();
            assert_eq!(policy.annotation("id"), Some(text));
        }
    }
}
