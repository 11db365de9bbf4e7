//! What the solver thought of, as a call that somebody could make.

use call::{BUILT_IN_TOOLS, CallContext, Lane};
use cedar_policy::{EntityId, EntityUid, EvalResult};
use cedar_policy_symcc::Env;
use decide::compare::{Sketch, Subject};

use crate::facts::{Facts, LANGUAGES};
use crate::language::Meeting;

/// A call that the solver thought of.
#[derive(Debug)]
pub(crate) struct Model<'m> {
    env: &'m Env,
    /// Places of the names that its resource is a member of, and of those it is not.
    pub(crate) inside: Vec<usize>,
    pub(crate) outside: Vec<usize>,
}

impl<'m> Model<'m> {
    pub(crate) fn of(env: &'m Env, facts: &Facts) -> Option<Self> {
        let resource = env.request.resource()?;
        let is_member = |name: &EntityUid| name == resource || env.entities.is_ancestor_of(name, resource);
        let (inside, outside) =
            (0..facts.names.len()).partition(|&place| facts.names.get(place).is_some_and(is_member));
        Some(Self { env, inside, outside })
    }

    /// A resource that is a member of what the solver's is, with an ordinary name if there is one.
    pub(crate) fn resource(&self, facts: &Facts) -> Meeting {
        let with = |place: usize| {
            let inside: Vec<usize> = self.inside.iter().copied().chain([place]).collect();
            facts.languages.meeting(&inside, &self.outside)
        };
        match with(facts.ordinary()) {
            found @ Meeting::At(_) => found,
            Meeting::Never | Meeting::Unclear => with(facts.all()),
        }
    }

    /// The call, about this resource.
    pub(crate) fn sketch(&self, subject: &Subject, resource: &str) -> Option<Sketch> {
        let caller = match self.text("caller").as_deref() {
            Some("operator") => CallContext::Operator,
            Some("webhook") => CallContext::Webhook,
            Some("external") => CallContext::External,
            Some(_) | None => CallContext::Agent,
        };
        let lane = match self.text("lane").as_deref() {
            Some("monty") => Some(Lane::Monty),
            Some("jail") => Some(Lane::Jail),
            Some("microvm") => Some(Lane::Microvm),
            Some(_) | None => None,
        };
        let kind = self.env.request.resource()?.type_name().clone();
        // Of programs and tools there are only so many, and the solver names one of them itself.
        let own = self.env.request.resource()?.id().unescaped();
        let resource = match (subject.action, self.flag("shell")) {
            ("run", true) => "shell",
            ("run", false) if LANGUAGES.contains(&own) => own,
            ("run", false) => "python",
            ("call", _) if BUILT_IN_TOOLS.contains(&own) => own,
            _ => resource,
        };
        Some(Sketch {
            subject: subject.clone(),
            resource: EntityUid::from_type_name_and_id(kind, EntityId::new(resource)),
            caller,
            binary: self.flag("binary"),
            bytes: self.number("bytes").unwrap_or_default(),
            lane,
            network: self.flag("network"),
            seconds: self.number("seconds").and_then(|seconds| u32::try_from(seconds).ok()),
            method: self.text("method").unwrap_or_else(|| "GET".to_owned()),
            path: self.text("path").filter(|path| is_plain(path)).unwrap_or_else(|| "/".to_owned()),
        })
    }

    /// The name of the agent, where the solver cared for one.
    pub(crate) fn agent(&self) -> Option<String> {
        let name = self.env.request.principal().map(|agent| agent.id().unescaped().to_owned());
        name.filter(|name| is_plain(name) && name.len() > 1)
    }

    fn value(&self, name: &str) -> Option<EvalResult> {
        self.env.request.context()?.get(name)
    }

    fn text(&self, name: &str) -> Option<String> {
        if let Some(EvalResult::String(text)) = self.value(name) { Some(text) } else { None }
    }

    fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Some(EvalResult::Bool(true)))
    }

    fn number(&self, name: &str) -> Option<u64> {
        if let Some(EvalResult::Long(number)) = self.value(name) { u64::try_from(number).ok() } else { None }
    }
}

fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.'))
}
