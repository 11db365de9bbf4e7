//! Two policies compared, by their number of rules.

use std::path::PathBuf;
use std::time::Instant;

use bench::{Gate, Rulebook, now};
use decide::compare::compare;
use proof::{Inquiry, prove};

use crate::Plan;

/// A pair of policies, and the milliseconds of each step.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) rules: usize,
    /// Both are read and compiled.
    pub(crate) load: f64,
    /// Both are asked about their corner points.
    pub(crate) compare: f64,
    /// What the solver took and how many questions it answered, if there is one.
    pub(crate) prove: Option<(f64, usize)>,
    /// Calls that are shown as examples.
    pub(crate) changes: usize,
    /// What was neither proved nor shown.
    pub(crate) open: usize,
}

pub(crate) fn measure(plan: &Plan) -> Result<Vec<Compared>, String> {
    plan.compared_rules.iter().map(|&rules| compared(rules)).collect()
}

fn compared(rules: usize) -> Result<Compared, String> {
    let now = now().map_err(|error| error.to_string())?;
    let start = Instant::now();
    let old = Gate::load(&Rulebook::with_others(rules).policy_toml(), now)?;
    let new = Gate::load(&Rulebook::with_others(rules).after_review().policy_toml(), now)?;
    let load = milliseconds(start);
    let start = Instant::now();
    let known = compare(old.policy(), new.policy(), now);
    let compare = milliseconds(start);
    let start = Instant::now();
    let solver = std::env::var_os("CVC5").map_or_else(|| PathBuf::from("cvc5"), PathBuf::from);
    let inquiry =
        Inquiry { old: old.policy(), new: new.policy(), known: &known, now, out_of_time: &|| false };
    let proof = prove(&solver, inquiry).ok();
    let prove = milliseconds(start);
    Ok(Compared {
        rules,
        load,
        compare,
        prove: proof.as_ref().map(|proof| (prove, proof.asked)),
        changes: proof.as_ref().map_or(known.changes.len(), |proof| proof.changes.len()),
        open: proof.map_or(0, |proof| proof.open.len()),
    })
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
