//! What does one set of rules allow that another does not? Asked again and again, until nothing is left.

use std::collections::BTreeSet;

use call::CallContext;
use cedar_policy::{
    Authorizer, EntityUid, Policy as CedarPolicy, PolicySet, RequestEnv, ResourceConstraint, Schema,
};
use cedar_policy_symcc::solver::LocalSolver;
use cedar_policy_symcc::{CedarSymCompiler, CompiledPolicySet, Env};
use decide::compare::{AuthorityChange, Rulebook, Sketch, Subject, change};

use crate::facts::Facts;
use crate::language::Meeting;
use crate::model::Model;
use crate::{Direction, Inquiry, Open, Proof};

/// Places of one subject at which authority is found to differ, before the rest is left open.
const PLACES: usize = 40;

/// Rules and facts about one subject that the solver is asked about, at most.
const MOST: usize = 20_000;

/// Why something is open that was not asked about.
const NO_TIME: &str = "there was no time left";

/// Everything that is the same for all questions.
pub(crate) struct Search<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) inquiry: Inquiry<'s>,
    pub(crate) old: Rulebook<'s>,
    pub(crate) new: Rulebook<'s>,
    pub(crate) solver: CedarSymCompiler<LocalSolver>,
    pub(crate) proof: Proof,
}

/// One question: does the first set of rules allow what the second does not?
struct Question<'q> {
    subject: &'q Subject,
    direction: Direction,
    env: &'q RequestEnv,
    allowing: &'q [CedarPolicy],
    refusing: &'q [CedarPolicy],
}

impl Search<'_> {
    /// Looks at one subject, for resources of one type, both ways.
    pub(crate) async fn look(&mut self, subject: &Subject, env: &RequestEnv) {
        if (self.inquiry.out_of_time)() {
            self.leave_open(subject, NO_TIME);
            return;
        }
        let (Some(old), Some(new)) = (subject.rules(&self.old), subject.rules(&self.new)) else {
            self.leave_open(
                subject,
                "a rule has more ranges of addresses than the solver can be asked about",
            );
            return;
        };
        if texts(&old) == texts(&new) {
            return;
        }
        for direction in [Direction::Added, Direction::Removed] {
            let (allowing, refusing) = match direction {
                Direction::Added => (&new, &old),
                Direction::Removed => (&old, &new),
            };
            let question = Question { subject, direction, env, allowing, refusing };
            if let Err(why) = self.ask(&question).await {
                self.proof.open.push(Open { subject: subject.clone(), direction, within: None, why });
            }
        }
    }

    fn leave_open(&mut self, subject: &Subject, why: &str) {
        for direction in [Direction::Added, Direction::Removed] {
            let (subject, why) = (subject.clone(), why.to_owned());
            self.proof.open.push(Open { subject, direction, within: None, why });
        }
    }

    async fn ask(&mut self, question: &Question<'_>) -> Result<(), String> {
        let Question { subject, direction, env, allowing, refusing } = question;
        let both: Vec<CedarPolicy> = allowing.iter().chain(*refusing).cloned().collect();
        let kind = env.resource().to_string();
        let mut facts = Facts::of(subject, &kind, &both)
            .ok_or("there are too many patterns, or one that is too large, to be reasoned about")?;
        if both.len() + facts.count() > MOST {
            return Err(format!("there are more than {MOST} rules and facts about it"));
        }
        let refusing = self.compiled(env, refusing, &[])?;
        // Calls that can be typed come first, because they show what differs.
        let mut usual = facts.have_unusual();
        for _ in 0..PLACES {
            if (self.inquiry.out_of_time)() {
                return Err(NO_TIME.to_owned());
            }
            let facts_as_rules = facts.rules(usual).ok_or("a fact could not be put in Cedar")?;
            let compiled = self.compiled(env, allowing, &facts_as_rules)?;
            self.proof.asked += 1;
            let answer = self.solver.check_implies_with_counterexample_opt(&compiled, &refusing).await;
            let Some(found) = answer.map_err(|error| format!("the solver: {error}"))? else {
                if usual {
                    usual = false;
                    continue;
                }
                return Ok(());
            };
            let model = Model::of(&found, &facts).ok_or("the solver's answer has no resource")?;
            match model.resource(&facts) {
                Meeting::Never => {
                    let impossible = impossible(&model, &facts);
                    facts.rule_out(impossible);
                }
                Meeting::Unclear => {
                    return Err("whether a path or host can be had would take too long".to_owned());
                }
                Meeting::At(resource) => {
                    let within = place(&found, &model, &facts, question);
                    let change =
                        self.confirmed(&model, subject, &resource, *direction, within.as_ref(), &facts);
                    let shown = within.as_ref().map(ToString::to_string);
                    match change {
                        Some(change) => self.proof.changes.push((shown, change)),
                        None => self.proof.open.push(Open {
                            subject: (*subject).clone(),
                            direction: *direction,
                            within: shown,
                            why: format!("no call shows it; the solver thought of `{resource}`"),
                        }),
                    }
                    // Whatever else there is, is elsewhere.
                    let Some(within) = within else { return Ok(()) };
                    facts.rule_out(format!("resource in {within}"));
                }
            }
        }
        Err(format!("authority differs at more than {PLACES} places"))
    }

    fn compiled(
        &self,
        env: &RequestEnv,
        rules: &[CedarPolicy],
        more: &[CedarPolicy],
    ) -> Result<CompiledPolicySet, String> {
        let set =
            PolicySet::from_policies(rules.iter().chain(more).cloned()).map_err(|error| error.to_string())?;
        CompiledPolicySet::compile(&set, env, self.schema)
            .map_err(|error| format!("the rules cannot be compiled for the solver: {error}"))
    }

    /// A real call that shows what the solver found: its own, or one that is known.
    fn confirmed(
        &self,
        model: &Model<'_>,
        subject: &Subject,
        resource: &str,
        direction: Direction,
        within: Option<&EntityUid>,
        facts: &Facts,
    ) -> Option<AuthorityChange> {
        let Inquiry { old, new, known, now, .. } = self.inquiry;
        let fits = |change: &AuthorityChange| change.is_added() == (direction == Direction::Added);
        let sketch = model.sketch(subject, resource)?;
        // An ordinary agent, if that is enough to show it; or one of each role.
        let ordinary = Sketch { caller: CallContext::Agent, ..sketch.clone() };
        let roles = new.home().organisation.roles.values();
        let of_roles = roles.filter_map(|agents| agents.iter().next().cloned());
        let agents: Vec<String> =
            std::iter::once("cli".to_owned()).chain(of_roles).chain(model.agent()).collect();
        // The solver takes any size that will do; somebody who tries it has less to wait for a small one.
        let sizes = [1, 1 << 10, 1 << 12, 1 << 14, 1 << 17, 1 << 20].into_iter();
        let sizes: Vec<u64> = sizes.filter(|&bytes| bytes < sketch.bytes).chain([sketch.bytes]).collect();
        let mut own = agents.iter().flat_map(|agent| {
            let callers = [&ordinary, &sketch].into_iter();
            let sized =
                callers.flat_map(|sketch| sizes.iter().map(|&bytes| Sketch { bytes, ..sketch.clone() }));
            sized.flat_map(move |sketch| sketch.probes(old, new, agent)).collect::<Vec<_>>()
        });
        let own = own.find_map(|probe| change(old, new, probe, now).filter(fits));
        if own.is_some() {
            return own;
        }
        let known = known.changes.iter().filter(|change| fits(change));
        let mut covered = known.filter(|change| {
            let named = subject.resource_of(&change.probe, new);
            named.is_some_and(|named| within.is_none_or(|within| covers(within, &named, facts)))
        });
        covered.next().cloned()
    }
}

fn texts(rules: &[CedarPolicy]) -> BTreeSet<String> {
    rules.iter().map(ToString::to_string).collect()
}

/// Whether a name covers a resource.
fn covers(name: &EntityUid, resource: &str, facts: &Facts) -> bool {
    let place = facts.names.iter().position(|known| known == name);
    place.is_some_and(|place| facts.languages.holds(place, resource))
}

/// Members that no resource can have together: as few of them as tell.
fn impossible(model: &Model<'_>, facts: &Facts) -> String {
    let mut parts: Vec<(usize, bool)> = model.inside.iter().map(|&place| (place, true)).collect();
    parts.extend(model.outside.iter().map(|&place| (place, false)));
    let is_impossible = |parts: &[(usize, bool)]| {
        let of =
            |wanted: bool| parts.iter().filter(move |(_, inside)| *inside == wanted).map(|(place, _)| *place);
        let inside: Vec<usize> = of(true).chain([facts.all()]).collect();
        facts.languages.meeting(&inside, &of(false).collect::<Vec<usize>>()) == Meeting::Never
    };
    let mut place = 0;
    while place < parts.len() {
        let mut fewer = parts.clone();
        fewer.remove(place);
        if is_impossible(&fewer) {
            parts = fewer;
        } else {
            place += 1;
        }
    }
    let conditions = parts.iter().filter_map(|(place, inside)| {
        let name = facts.names.get(*place)?;
        Some(if *inside { format!("resource in {name}") } else { format!("!(resource in {name})") })
    });
    let conditions: Vec<String> = conditions.collect();
    if conditions.is_empty() { "true".to_owned() } else { conditions.join(" && ") }
}

/// The name by which to speak of what was found: of those that rules which differ speak of, or else of
/// those that the rules which allow it do.
fn place(found: &Env, model: &Model<'_>, facts: &Facts, question: &Question<'_>) -> Option<EntityUid> {
    let named = |rules: &[&CedarPolicy]| -> Vec<EntityUid> {
        let literals: BTreeSet<EntityUid> = rules.iter().flat_map(|rule| rule.entity_literals()).collect();
        let inside = model.inside.iter().filter_map(|&place| facts.names.get(place));
        inside.filter(|name| literals.contains(*name)).cloned().collect()
    };
    let (mine, theirs) = (texts(question.allowing), texts(question.refusing));
    let differ: Vec<&CedarPolicy> = question
        .allowing
        .iter()
        .chain(question.refusing)
        .filter(|rule| mine.contains(&rule.to_string()) != theirs.contains(&rule.to_string()))
        .collect();
    if let Some(name) = narrowest(named(&differ), facts) {
        return Some(name);
    }
    let set = PolicySet::from_policies(question.allowing.iter().cloned()).ok()?;
    let response = Authorizer::new().is_authorized(&found.request, &set, &found.entities);
    let reasons: Vec<&CedarPolicy> =
        response.diagnostics().reason().filter_map(|id| set.policy(id)).collect();
    let scopes = reasons.iter().filter_map(|rule| match rule.resource_constraint() {
        ResourceConstraint::In(name) | ResourceConstraint::Eq(name) | ResourceConstraint::IsIn(_, name) => {
            Some(name)
        }
        ResourceConstraint::Any | ResourceConstraint::Is(_) => None,
    });
    narrowest(scopes.filter(|name| facts.names.contains(name)).collect(), facts)
}

/// The name that lies within most of the others.
fn narrowest(names: Vec<EntityUid>, facts: &Facts) -> Option<EntityUid> {
    let place = |name: &EntityUid| facts.names.iter().position(|known| known == name);
    let within = |name: &EntityUid, other: &EntityUid| match (place(name), place(other)) {
        (Some(name), Some(other)) => {
            facts.languages.meeting(&[facts.all(), name], &[other]) == Meeting::Never
        }
        (Some(_) | None, None) | (None, Some(_)) => false,
    };
    let depth = |name: &EntityUid| names.iter().filter(|other| within(name, other)).count();
    names.iter().max_by_key(|name| depth(name)).cloned()
}
