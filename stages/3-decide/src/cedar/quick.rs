//! Rules that are simple enough to be answered without Cedar's evaluator.
//!
//! Nearly every rule that a policy is compiled to asks only whether the resource is a member of
//! something and whether a few facts hold. Building Cedar's requests and entities for these takes longer
//! than all the rest of a decision, so their conditions are read once, from Cedar's own form of the
//! rule, and answered directly. Whatever is not understood, and whatever is unknown, is left to Cedar. A
//! test puts the same questions to both.

use std::sync::OnceLock;

use cedar_policy::{EntityId, EntityTypeName, EntityUid, Policy, PrincipalConstraint, ResourceConstraint};
use serde_json::Value as Json;

/// A rule whose scope is understood.
#[derive(Debug)]
pub(crate) struct Quick {
    resource: Scope,
    // Read when the rule is first asked: Cedar parses a rule once more to give them, and most rules never
    // concern a call. Nothing when they are none that are understood.
    conditions: OnceLock<Option<Vec<(bool, Condition)>>>,
}

#[derive(Clone, Debug)]
enum Scope {
    Any,
    In(EntityUid),
    Is(EntityUid),
}

/// A condition.
#[derive(Clone, Debug)]
enum Condition {
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
    ResourceIn(EntityUid),
    // An attribute of the resource is there.
    Has(String),
    // A fact that is true or false.
    Flag(Attribute),
    Equals(Attribute, String),
    OneOf(Attribute, Vec<String>),
    // A text that ends with this.
    EndsWith(Attribute, String),
    // Something that only Cedar can answer.
    Beyond,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Attribute {
    Context(String),
    Resource(String),
}

/// Something that is known about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known<'k> {
    Flag(bool),
    Text(&'k str),
    /// It is there, and of another kind.
    Other,
}

/// A question, as far as quick rules can see it.
pub(crate) trait Facts {
    /// A fact of the context; nothing when there is none of this name.
    fn context(&self, name: &str) -> Option<Known<'_>>;
    /// An attribute of the resource.
    fn resource(&self, name: &str) -> Option<Known<'_>>;
    /// Whether the resource is this.
    fn is(&self, name: &EntityUid) -> bool;
    /// Whether the resource is this or a member of it.
    fn is_in(&self, name: &EntityUid) -> bool;
}

impl Quick {
    /// Nothing comes back for a rule that speaks of more than its authority, resource and conditions.
    /// The others are asked together with the rule that they are of.
    pub(crate) fn of(policy: &Policy) -> Option<Self> {
        match policy.principal_constraint() {
            PrincipalConstraint::Any => {}
            // Whether the authority fits is seen from where the rule is filed.
            PrincipalConstraint::In(group) => {
                let kind = group.type_name().to_string();
                matches!(kind.as_str(), "Home" | "Skill").then_some(())?;
            }
            PrincipalConstraint::Eq(_) | PrincipalConstraint::Is(_) | PrincipalConstraint::IsIn(..) => {
                return None;
            }
        }
        let resource = match policy.resource_constraint() {
            ResourceConstraint::Any => Scope::Any,
            ResourceConstraint::In(name) => Scope::In(name),
            ResourceConstraint::Eq(name) => Scope::Is(name),
            ResourceConstraint::Is(_) | ResourceConstraint::IsIn(..) => return None,
        };
        Some(Self { resource, conditions: OnceLock::new() })
    }

    /// Whether the rule speaks, which is this policy; nothing when only Cedar can tell.
    pub(crate) fn speaks(&self, policy: &Policy, facts: &impl Facts) -> Option<bool> {
        let in_scope = match &self.resource {
            Scope::Any => true,
            Scope::In(name) => facts.is_in(name),
            Scope::Is(name) => facts.is(name),
        };
        if !in_scope {
            return Some(false);
        }
        // In order, as Cedar does: what stands behind a condition that fails is not looked at.
        for (wanted, condition) in self.conditions.get_or_init(|| conditions(policy)).as_ref()? {
            if condition.holds(facts)? != *wanted {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// The conditions of a rule, each with whether it must hold or must not.
fn conditions(policy: &Policy) -> Option<Vec<(bool, Condition)>> {
    let json = policy.to_json().ok()?;
    let mut conditions = Vec::new();
    for condition in json.get("conditions")?.as_array()? {
        let wanted = match condition.get("kind")?.as_str()? {
            "when" => true,
            "unless" => false,
            _ => return None,
        };
        conditions.push((wanted, Condition::of(condition.get("body")?)));
    }
    Some(conditions)
}

impl Condition {
    fn of(json: &Json) -> Self {
        Self::understood(json).unwrap_or(Self::Beyond)
    }

    fn understood(json: &Json) -> Option<Self> {
        let (operator, parts) = json.as_object()?.iter().next()?;
        let part = |name: &str| parts.get(name);
        let both = || Some((Box::new(Self::of(part("left")?)), Box::new(Self::of(part("right")?))));
        match operator.as_str() {
            "&&" => both().map(|(left, right)| Self::And(left, right)),
            "||" => both().map(|(left, right)| Self::Or(left, right)),
            "!" => Some(Self::Not(Box::new(Self::of(part("arg")?)))),
            "in" if is_variable(part("left")?, "resource") => entity(part("right")?).map(Self::ResourceIn),
            "has" if is_variable(part("left")?, "resource") => {
                part("attr")?.as_str().map(|name| Self::Has(name.to_owned()))
            }
            "." => attribute(json).map(Self::Flag),
            "==" => Some(Self::Equals(attribute(part("left")?)?, text(part("right")?)?)),
            "contains" => {
                let texts: Option<Vec<String>> =
                    part("left")?.get("Set")?.as_array()?.iter().map(text).collect();
                Some(Self::OneOf(attribute(part("right")?)?, texts?))
            }
            "like" => {
                let [first, rest @ ..] = part("pattern")?.as_array()?.as_slice() else { return None };
                (first.as_str() == Some("Wildcard")).then_some(())?;
                let ending: Option<String> =
                    rest.iter().map(|one| one.get("Literal").and_then(Json::as_str)).collect();
                Some(Self::EndsWith(attribute(part("left")?)?, ending?))
            }
            _ => None,
        }
    }

    /// Nothing when only Cedar can tell.
    fn holds(&self, facts: &impl Facts) -> Option<bool> {
        match self {
            Self::And(left, right) => Some(left.holds(facts)? && right.holds(facts)?),
            Self::Or(left, right) => Some(left.holds(facts)? || right.holds(facts)?),
            Self::Not(condition) => condition.holds(facts).map(|holds| !holds),
            Self::ResourceIn(name) => Some(facts.is_in(name)),
            Self::Has(name) => Some(facts.resource(name).is_some()),
            Self::Flag(attribute) => match attribute.of(facts)? {
                Known::Flag(flag) => Some(flag),
                Known::Text(_) | Known::Other => None,
            },
            Self::Equals(attribute, value) => attribute.text(facts).map(|text| text == value),
            Self::OneOf(attribute, values) => {
                attribute.text(facts).map(|text| values.iter().any(|value| value == text))
            }
            Self::EndsWith(attribute, ending) => attribute.text(facts).map(|text| text.ends_with(ending)),
            Self::Beyond => None,
        }
    }
}

impl Attribute {
    fn of<'f>(&self, facts: &'f impl Facts) -> Option<Known<'f>> {
        match self {
            Self::Context(name) => facts.context(name),
            Self::Resource(name) => facts.resource(name),
        }
    }

    fn text<'f>(&self, facts: &'f impl Facts) -> Option<&'f str> {
        match self.of(facts)? {
            Known::Text(text) => Some(text),
            Known::Flag(_) | Known::Other => None,
        }
    }
}

fn is_variable(json: &Json, name: &str) -> bool {
    json.get("Var").and_then(Json::as_str) == Some(name)
}

/// `context.name` or `resource.name`.
fn attribute(json: &Json) -> Option<Attribute> {
    let access = json.get(".")?;
    let name = access.get("attr")?.as_str()?.to_owned();
    let whose = access.get("left")?;
    if is_variable(whose, "context") {
        return Some(Attribute::Context(name));
    }
    is_variable(whose, "resource").then_some(Attribute::Resource(name))
}

fn text(json: &Json) -> Option<String> {
    json.get("Value")?.as_str().map(str::to_owned)
}

fn entity(json: &Json) -> Option<EntityUid> {
    let entity = json.get("Value")?.get("__entity")?;
    let kind: EntityTypeName = entity.get("type")?.as_str()?.parse().ok()?;
    Some(EntityUid::from_type_name_and_id(kind, EntityId::new(entity.get("id")?.as_str()?)))
}
