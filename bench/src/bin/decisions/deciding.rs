//! Decisions by number of rules, both sides in turn.

use std::path::Path;
use std::time::Instant;

use bench::{Case, Gate, Rulebook, cases, now};

use crate::Plan;
use crate::agent_os::{AgentOs, Way};
use crate::samples::Samples;

/// Everything about decisions that was measured.
#[derive(Debug)]
pub(crate) struct Decided {
    /// One for each call and number of rules.
    pub(crate) rows: Vec<Row>,
    /// Verdicts that were the same on both sides.
    pub(crate) agreed: usize,
}

impl Decided {
    pub(crate) fn has_other_side(&self) -> bool {
        self.agreed > 0
    }
}

/// One call under one number of rules.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) call: &'static str,
    pub(crate) rules: usize,
    pub(crate) ours: Samples,
    /// Classify, screen, decide.
    pub(crate) steps: [Samples; 3],
    /// In the order of [`Way::ALL`]; empty when there is no other side.
    pub(crate) theirs: [Samples; 3],
    case: usize,
    gate: usize,
}

pub(crate) fn measure(python: Option<&Path>, plan: &Plan) -> Result<Decided, String> {
    let now = now().map_err(|error| error.to_string())?;
    let cases = cases()?;
    let load = |&count: &usize| Gate::load(&Rulebook::with_others(count).policy_toml(), now);
    let gates = plan.rules.iter().map(load).collect::<Result<Vec<Gate>, String>>()?;
    let mut other = match python {
        Some(python) => AgentOs::start(python, plan.rules, &cases)?,
        None => None,
    };
    let agreed = agree(&gates, plan.rules, &cases, other.as_mut())?;
    let mut rows = Vec::new();
    for (case, of) in cases.iter().enumerate().filter(|(_, case)| case.measured) {
        for (gate, &rules) in plan.rules.iter().enumerate() {
            let (ours, steps, theirs) = Default::default();
            rows.push(Row { call: of.name, rules, ours, steps, theirs, case, gate });
        }
    }
    for _ in 0..plan.rounds {
        for row in &mut rows {
            let (Some(gate), Some(case)) = (gates.get(row.gate), cases.get(row.case)) else { continue };
            for _ in 0..plan.decisions {
                row.decide(gate, case)?;
            }
            let Some(other) = &mut other else { continue };
            for (way, samples) in Way::ALL.into_iter().zip(&mut row.theirs) {
                samples.extend(other.round(way, row.rules, row.case, plan.decisions)?);
            }
        }
    }
    Ok(Decided { rows, agreed })
}

impl Row {
    fn decide(&mut self, gate: &Gate, case: &Case) -> Result<(), String> {
        let start = Instant::now();
        let _ = std::hint::black_box(gate.weigh(&case.call)?);
        self.ours.push(start.elapsed());

        let [classify, screen, decide] = &mut self.steps;
        let start = Instant::now();
        let classified = gate.classify(&case.call)?;
        classify.push(start.elapsed());
        let start = Instant::now();
        let objections = gate.screen(&classified);
        screen.push(start.elapsed());
        let start = Instant::now();
        let _ = std::hint::black_box(gate.decide(&case.call, classified, &objections));
        decide.push(start.elapsed());
        Ok(())
    }
}

/// A fast answer to another question is worth nothing: every call gets its verdict, on both sides and
/// under every number of rules. Returns how many were the same.
fn agree(
    gates: &[Gate],
    rules: &[usize],
    cases: &[Case],
    mut other: Option<&mut AgentOs>,
) -> Result<usize, String> {
    let mut agreed = 0;
    for (gate, &rules) in gates.iter().zip(rules) {
        for case in cases {
            let ruled = gate.weigh(&case.call)?;
            expect(case, rules, "we say", ruled.ruling.verdict())?;
        }
        let Some(other) = &mut other else { continue };
        for way in [Way::Quickest, Way::Exact] {
            let verdicts = other.verdicts(way, rules)?;
            for (number, case) in cases.iter().enumerate() {
                let verdict = verdicts.get(number).map_or("nothing", String::as_str);
                expect(case, rules, "agent-os-kernel says", verdict)?;
            }
            agreed += cases.len();
        }
    }
    Ok(agreed)
}

fn expect(case: &Case, rules: usize, who: &str, verdict: &str) -> Result<(), String> {
    if verdict == case.verdict {
        return Ok(());
    }
    Err(format!("`{}` with {rules} rules: {who} {verdict}, expected {}", case.name, case.verdict))
}
