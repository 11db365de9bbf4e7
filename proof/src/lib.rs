//! What does one policy allow that another does not? Proved.
//!
//! Both policies are Cedar, so the question can be put to an SMT solver: is there a call, by any agent,
//! of any resource, at any time, that the rules of one allow and those of the other do not? Where the
//! solver finds none there is none. Where it finds one, a call is made from it and both policies are
//! asked about it; what no call shows is said to be open and never left out.
//!
//! **Invariants:** nothing counts as proved that the solver did not answer; every change that is
//! reported is one that [`decide::decide`] shows.

mod facts;
mod language;
mod model;
mod search;

use std::path::Path;
use std::time::Duration;

use call::Moment;
use cedar_policy_symcc::CedarSymCompiler;
use cedar_policy_symcc::solver::LocalSolver;
use decide::Policy;
use decide::compare::{AuthorityChange, Comparison, Rulebook, Subject, schema};

use search::Search;

/// What was proved about two policies.
#[derive(Debug, Default)]
pub struct Proof {
    /// Calls that are decided differently, each with the name that covers what it is about. Outside of
    /// these names, nothing differs, except where something is open.
    pub changes: Vec<(Option<String>, AuthorityChange)>,
    /// What is neither proved nor shown by a call.
    pub open: Vec<Open>,
    /// How many questions the solver answered.
    pub asked: usize,
}

/// Something that is neither proved nor shown by a call.
#[derive(Clone, Debug)]
pub struct Open {
    /// The authority and the action.
    pub subject: Subject,
    /// Whether authority would be added or removed.
    pub direction: Direction,
    /// The name that covers what it is about, if it is known.
    pub within: Option<String>,
    /// Why it is open.
    pub why: String,
}

/// Whether a policy allows more or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The new one allows what the old one did not.
    Added,
    /// The old one allowed what the new one does not.
    Removed,
}

/// Why nothing could be proved.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The solver cannot be run.
    #[error("the solver `{0}` cannot be started: {1}")]
    Solver(String, String),
    /// Something that a proof over rules cannot see differs.
    #[error("{0} differ, and a proof over rules cannot see that")]
    Outside(&'static str),
    /// The machine does not let us wait for another process.
    #[error("no process can be waited for: {0}")]
    Runtime(std::io::Error),
    /// The schema is part of the program.
    #[error("the schema cannot be read")]
    Schema,
}

/// Only as much of it is used as is needed.
const STACK: usize = 1 << 30;

/// How long one question may take the solver.
const ONE_QUESTION: Duration = Duration::from_secs(4);

/// What is to be proved.
#[derive(Clone, Copy)]
pub struct Inquiry<'i> {
    /// The policy as it was.
    pub old: &'i Policy,
    /// The policy as it would be.
    pub new: &'i Policy,
    /// What a comparison by corner points found.
    pub known: &'i Comparison,
    /// The present.
    pub now: Moment,
    /// Once it says so, the rest is left open.
    pub out_of_time: &'i (dyn Fn() -> bool + Sync),
}

/// Proves what two policies differ in, with the solver at `solver` (cvc5).
///
/// # Errors
/// When the solver cannot be started, or the policies differ in what their rules are asked with.
pub fn prove(solver: &Path, inquiry: Inquiry<'_>) -> Result<Proof, ProofError> {
    if inquiry.old.home().organisation != inquiry.new.home().organisation {
        return Err(ProofError::Outside("roles, stage or tenant"));
    }
    // The solver's compiler goes as deep as there are rules and facts.
    let thread = std::thread::Builder::new().stack_size(STACK);
    std::thread::scope(|scope| {
        let work = || search_all(solver, inquiry);
        let thread = thread.spawn_scoped(scope, work).map_err(ProofError::Runtime)?;
        thread.join().unwrap_or_else(|_| {
            Err(ProofError::Solver(solver.display().to_string(), "it gave up".to_owned()))
        })
    })
}

fn search_all(solver: &Path, inquiry: Inquiry<'_>) -> Result<Proof, ProofError> {
    let schema = schema().ok_or(ProofError::Schema)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ProofError::Runtime)?;
    runtime.block_on(async {
        let mut command = tokio::process::Command::new(solver);
        // Without the second, patterns in strings are not understood.
        command.args(["--lang", "smt", "--strings-exp"]);
        command.arg(format!("--tlimit-per={}", ONE_QUESTION.as_millis()));
        command.kill_on_drop(true);
        let failed = |error: &dyn std::fmt::Display| {
            ProofError::Solver(solver.display().to_string(), error.to_string())
        };
        let process = LocalSolver::from_command(&mut command).map_err(|error| failed(&error))?;
        let solver = CedarSymCompiler::new(process).map_err(|error| failed(&error))?;
        let (old, new) = (Rulebook::of(inquiry.old), Rulebook::of(inquiry.new));
        let subjects = Subject::of(&old, &new);
        let mut search = Search { schema, inquiry, old, new, solver, proof: Proof::default() };
        for subject in subjects {
            for env in schema.request_envs().filter(|env| *env.action().id().unescaped() == *subject.action) {
                search.look(&subject, &env).await;
            }
        }
        Ok(search.proof)
    })
}
