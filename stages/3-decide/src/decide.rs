//! The decision itself.

use std::borrow::Cow;
use std::collections::BTreeSet;

use call::{
    Actor, Change, Effect, Effects, Family, FileKind, Located, Moment, Objection, PathPlace,
    Question as Asked, Reason, ReasonCode, Refusal, RiskFlag, Ruled, Ruling, ToolName, Weight,
};

use crate::cedar::{Authority, Circumstances, Question, Spoken};
use crate::home::{Home, Provider};
use crate::passing::{Pass, is_found, passes};
use crate::policy::Policy;
use crate::skill::{RiskTier, Skill};
use crate::walls;
use crate::wording::{self, Matter};

/// Everything about a call that policy looks at.
#[derive(Clone, Copy, Debug)]
pub struct Deciding<'c> {
    /// The tool that is called.
    pub tool: &'c ToolName,
    /// Who calls it.
    pub actor: &'c Actor,
    /// What it would do.
    pub effects: &'c Effects,
    /// What its arguments carry.
    pub objections: &'c [Objection],
    /// When.
    pub now: Moment,
}

/// One rule or circumstance that had a say, for whoever explains a ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voice {
    /// The authority that was asked: `home`, or the name of a skill.
    pub authority: String,
    /// What it was asked about: `read /w/a`.
    pub about: String,
    /// Rules that allow.
    pub permits: Vec<String>,
    /// Rules that refuse, or that ask for approval.
    pub forbids: Vec<String>,
    /// What came of it: `allow`, `needs_approval` or `deny`.
    pub verdict: &'static str,
}

/// What policy says about a call. Pure and total: an error here would have to mean either yes or
/// no, so everything that can be wrong with a policy is found when it is loaded, and whatever no
/// rule allows is denied.
#[must_use]
pub fn decide(policy: &Policy, call: &Deciding<'_>) -> Ruled {
    hear(policy, call, None).0
}

/// The same, with everybody who had a say.
#[must_use]
pub fn explain(policy: &Policy, call: &Deciding<'_>) -> (Ruled, Vec<Voice>) {
    let (ruled, voices) = hear(policy, call, Some(Vec::new()));
    (ruled, voices.unwrap_or_default())
}

/// Voices are only taken down where there is a place for them.
fn hear(policy: &Policy, call: &Deciding<'_>, voices: Option<Vec<Voice>>) -> (Ruled, Option<Vec<Voice>>) {
    let mut hearing = Hearing {
        policy,
        call,
        refusals: Vec::new(),
        asks: Vec::new(),
        rules: BTreeSet::new(),
        voices,
        flags: BTreeSet::new(),
        shapes: Vec::new(),
    };
    hearing.objections();
    let skills = hearing.skills();
    hearing.structure();
    hearing.limits(&skills);
    hearing.rules();
    let flags = flags_of(&skills);
    hearing.flags.extend(flags);
    let Hearing { mut refusals, mut asks, rules, voices, mut flags, shapes, .. } = hearing;
    if refusals.is_empty() {
        refusals = shapes;
    }
    dedup(&mut refusals);
    dedup(&mut asks);
    let effects: Vec<&Effect> = call.effects.iter().collect();
    let ruling = if !refusals.is_empty() {
        flags.extend(refusals.iter().map(|reason| RiskFlag::denial(&reason.code)));
        flags.extend(refusals.iter().filter_map(|reason| wording::flag_of(&reason.code)));
        Ruling::Deny(Refusal { reasons: refusals })
    } else if asks.is_empty() {
        Ruling::Allow(walls::walls(&policy.home, &skills, &effects))
    } else {
        Ruling::Ask(Asked { reasons: asks, walls: walls::walls(&policy.home, &skills, &effects) })
    };
    let rules = rules.into_iter().map(Cow::into_owned).collect();
    (Ruled { ruling, flags, rules, policy: policy.digest }, voices)
}

/// Reasons that say the same thing once; their order stays.
fn dedup(reasons: &mut Vec<Reason>) {
    let mut seen = BTreeSet::new();
    reasons.retain(|reason| seen.insert((reason.code.clone(), reason.message.clone())));
}

fn flags_of(skills: &[&Skill]) -> BTreeSet<RiskFlag> {
    let mut flags = BTreeSet::new();
    for skill in skills {
        match skill.tier {
            RiskTier::Low | RiskTier::Medium => {}
            RiskTier::High => drop(flags.insert(RiskFlag::RISK_TIER_HIGH)),
            RiskTier::Critical => drop(flags.insert(RiskFlag::RISK_TIER_CRITICAL)),
        }
        if skill.limits.sandbox_required {
            flags.insert(RiskFlag::SANDBOX_REQUIRED);
        }
    }
    flags
}

/// A call while it is being heard. Everything can only make the ruling stricter.
struct Hearing<'p, 'c> {
    policy: &'p Policy,
    call: &'c Deciding<'c>,
    refusals: Vec<Reason>,
    asks: Vec<Reason>,
    rules: BTreeSet<Cow<'p, str>>,
    voices: Option<Vec<Voice>>,
    flags: BTreeSet<RiskFlag>,
    /// What was found where a path leads, and keeps it from leading anywhere. Only told to whoever may know
    /// what is there, which is nobody whom policy refuses anything.
    shapes: Vec<Reason>,
}

impl<'p, 'c: 'p> Hearing<'p, 'c> {
    fn refuse(&mut self, reason: Reason) {
        self.rules.extend(reason.rule.clone().map(Cow::Owned));
        self.refusals.push(reason);
    }

    /// What the arguments carry.
    fn objections(&mut self) {
        for objection in self.call.objections {
            self.flags.insert(match objection.found.family {
                Family::Secret | Family::Exfiltration => RiskFlag::SECRET_ATTEMPT,
                Family::Override => RiskFlag::EXTERNAL_INSTRUCTION,
                Family::Injection | Family::Traversal | Family::Payload => RiskFlag::INJECTION_ATTEMPT,
            });
            match objection.weight {
                Weight::Flag => {}
                Weight::Refuse => self.refuse(wording::objection(objection)),
            }
        }
    }

    /// The skills of the call, as far as they have a valid manifest.
    fn skills(&mut self) -> Vec<&'p Skill> {
        let mut skills = Vec::new();
        for name in self.call.actor.skills.skills() {
            match self.policy.skills.get(name) {
                Some(skill) => skills.push(skill),
                None if self.policy.invalid.contains(name) => self.refuse(wording::invalid_manifest(name)),
                None => self.refuse(wording::no_manifest(name)),
            }
        }
        skills
    }

    /// What is refused whatever the rules say.
    fn structure(&mut self) {
        let action = self.call.tool.as_str();
        for effect in self.call.effects.iter() {
            let refusal = match effect {
                Effect::Read { path, .. } | Effect::Write { path, .. } | Effect::Delete { path } => {
                    let reason = place(path, effect, action, &self.policy.home);
                    if is_found(path) {
                        self.shapes.extend(reason);
                        continue;
                    }
                    reason
                }
                Effect::Run(run) => walls::lane(run, &self.policy.home)
                    .err()
                    .map(|why| wording::reason(&ReasonCode::LANE_TOO_WEAK, why, "leave out `lane`")),
                Effect::Unknown { why } => Some(wording::unknown(why)),
                Effect::Secret { scope, name, .. } => self.unlisted_secret(scope, name),
                Effect::Network(_)
                | Effect::Query(_)
                | Effect::Memory(_)
                | Effect::Repository(_)
                | Effect::Status
                | Effect::Nothing => None,
            };
            self.refusals.extend(refusal);
        }
    }

    /// One write that is larger than all that a skill may write is refused at once; what adds up is held to
    /// where it is counted.
    fn limits(&mut self, skills: &[&Skill]) {
        let written = self.call.effects.iter().filter_map(|effect| match effect {
            Effect::Write { change: Change::Content { bytes, .. } | Change::Edit { bytes, .. }, .. } => {
                Some(*bytes)
            }
            Effect::Write { change: Change::Foreign, .. }
            | Effect::Read { .. }
            | Effect::Delete { .. }
            | Effect::Run(_)
            | Effect::Network(_)
            | Effect::Secret { .. }
            | Effect::Query(_)
            | Effect::Memory(_)
            | Effect::Repository(_)
            | Effect::Status
            | Effect::Nothing
            | Effect::Unknown { .. } => None,
        });
        let most = written.max().unwrap_or_default();
        for skill in skills.iter().filter(|skill| most > skill.limits.max_bytes_written) {
            let (name, limit) = (&skill.name, skill.limits.max_bytes_written);
            let message = format!("{most} bytes are more than the {limit} that the skill {name} may write");
            let remedy = "write less, or ask whoever owns the manifest to raise `max_bytes_written`";
            self.refusals.push(wording::reason(&ReasonCode::LIMIT_EXCEEDED, message, remedy));
        }
    }

    /// A scope of variables holds those that it names, and no others.
    fn unlisted_secret(&self, scope: &str, name: &str) -> Option<Reason> {
        let Some(Provider::Env(names)) = self.policy.home.scopes.get(scope) else { return None };
        let message = format!("the scope `{scope}` holds no secret of this name");
        let remedy = "ask for one that the scope names; whoever owns the policy can add it to `names`";
        (!names.contains(name)).then(|| wording::reason(&ReasonCode::SECRET_SCOPE_DENIED, message, remedy))
    }

    /// What the rules say, authority by authority: each must allow.
    fn rules(&mut self) {
        let authorities = std::iter::once(Authority::Home)
            .chain(self.call.actor.skills.skills().iter().map(|skill| Authority::Skill(skill.to_string())));
        let names = &self.policy.index.names;
        let mut matters = vec![(None, vec![Question::of_tool(self.call.tool)], Vec::new())];
        for effect in self.call.effects.iter() {
            let lane = match effect {
                Effect::Run(run) => walls::lane(run, &self.policy.home).ok(),
                Effect::Read { .. }
                | Effect::Write { .. }
                | Effect::Delete { .. }
                | Effect::Network(_)
                | Effect::Secret { .. }
                | Effect::Query(_)
                | Effect::Memory(_)
                | Effect::Repository(_)
                | Effect::Status
                | Effect::Nothing
                | Effect::Unknown { .. } => None,
            };
            let questions = Question::of_effect(effect, lane, names);
            matters.push((Some(effect), questions, passes(effect, names)));
        }
        for authority in authorities {
            for (effect, questions, passes) in &matters {
                match self.barred(&authority, passes) {
                    None => questions.iter().for_each(|question| self.put(&authority, *effect, question)),
                    Some(pass) => self.bar(&authority, *effect, pass),
                }
            }
        }
    }

    /// The first place on the way of a path that may not be looked at, and where the effect may not come about
    /// either.
    fn barred<'q>(&self, authority: &Authority, passes: &'q [Pass]) -> Option<&'q Pass> {
        let (index, circumstances) = (&self.policy.index, self.circumstances());
        passes.iter().find(|pass| {
            let look = index.ask(&pass.look, authority, &circumstances, true);
            let unmatched = !look.failed && look.forbids.is_empty();
            let may = |question: &Question| index.ask(question, authority, &circumstances, true).allows();
            !look.allows() && !(unmatched && (pass.leads_on || pass.own.iter().all(may)))
        })
    }

    /// Judges an effect as if it came about at such a place.
    fn bar(&mut self, authority: &Authority, effect: Option<&Effect>, pass: &Pass) {
        let before = self.refusals.len();
        for question in &pass.own {
            self.put(authority, effect, question);
        }
        if self.refusals.len() == before {
            self.put(authority, effect, &pass.look);
        }
    }

    fn circumstances(&self) -> Circumstances<'p> {
        let Deciding { tool, actor, now, .. } = *self.call;
        Circumstances { tool, actor, home: &self.policy.home, now }
    }

    fn put(&mut self, authority: &Authority, effect: Option<&Effect>, question: &Question) {
        let circumstances = self.circumstances();
        let index = &self.policy.index;
        let spoken = index.ask(question, authority, &circumstances, false);
        let matter = Matter { authority, effect, question, tool: self.call.tool };
        let verdict = if spoken.allows() {
            self.rules.extend(spoken.permits.iter().copied().map(Cow::Borrowed));
            "allow"
        } else if !spoken.failed && index.ask(question, authority, &circumstances, true).allows() {
            let reasons = spoken.forbids.iter().map(|rule| wording::ask(rule, index.remark(rule), &matter));
            self.asks.extend(reasons);
            self.rules.extend(spoken.forbids.iter().copied().map(Cow::Borrowed));
            "needs_approval"
        } else {
            self.deny(&spoken, &matter, &circumstances);
            "deny"
        };
        if let Some(voices) = &mut self.voices {
            voices.push(Voice {
                authority: matter.authority_name(),
                about: matter.about(),
                permits: spoken.permits.into_iter().map(str::to_owned).collect(),
                forbids: spoken.forbids.into_iter().map(str::to_owned).collect(),
                verdict,
            });
        }
    }

    /// A refusal names the rules that a yes of a person would not lift, or that none allows it.
    fn deny(&mut self, spoken: &Spoken<'_>, matter: &Matter<'_>, circumstances: &Circumstances<'_>) {
        let index = &self.policy.index;
        if spoken.failed {
            self.refuse(wording::failed(matter));
            return;
        }
        let stubborn = index.ask(matter.question, matter.authority, circumstances, true);
        for rule in &stubborn.forbids {
            self.refuse(wording::refusal(rule, index.remark(rule), matter));
        }
        if stubborn.forbids.is_empty() {
            let skill = match matter.authority {
                Authority::Home => None,
                Authority::Skill(name) => {
                    let skill = self.policy.skills.values().find(|skill| skill.name.as_str() == name);
                    // One without a valid manifest was refused for that, which is all there is to say.
                    if skill.is_none() {
                        return;
                    }
                    skill
                }
            };
            self.refuse(wording::unmatched(matter, &self.policy.home, skill));
        }
    }
}

/// A path that leads nowhere a tool may go.
fn place(path: &Located, effect: &Effect, action: &str, home: &Home) -> Option<Reason> {
    match &path.place {
        PathPlace::Below { kind: FileKind::Special, .. } => Some(wording::special(&path.given)),
        PathPlace::Below { .. } => None,
        PathPlace::Outside => Some(wording::outside(&path.given, home)),
        PathPlace::GateHome => Some(wording::gate_home(effect, action)),
        PathPlace::Unclear(why) => Some(wording::unclear(&path.given, *why)),
    }
}
