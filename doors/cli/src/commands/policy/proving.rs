//! Two policies compared as well as this machine can: proved where there is a solver.

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use call::Moment;
use decide::compare::{Comparison, Risk, compare};
use decide::{Loaded, Policy, PolicyFiles};
use proof::{Direction, Inquiry, Proof, prove};

use crate::home::Disk;

/// Seconds from the beginning of a command, unless [`SECONDS`] says otherwise. Policies of everyday size
/// take a fraction of it; whatever is not answered by then is left open.
const TIME: u64 = 6;

/// The variable that gives a slow machine, or a large policy, more time.
pub(super) const SECONDS: &str = "TOOLGATE_PROOF_SECONDS";

/// A single formula may take longer than all of that to write down, and cannot be interrupted. After so
/// much more, nothing is proved.
const PATIENCE: Duration = Duration::from_secs(2);

/// How the differences between two policies were found out.
pub(super) enum Method {
    /// Every question that the rules can be asked was put to a solver.
    Proved(Proof),
    /// Both were asked about their corner points, and why no more was done.
    Bounded(String),
}

/// Two policies at once: a large one takes seconds.
pub(super) fn loaded([one, other]: [&PolicyFiles; 2], disk: &Disk) -> [Loaded; 2] {
    std::thread::scope(|scope| {
        let beside = scope.spawn(|| Policy::load(one, disk));
        let other = Policy::load(other, disk);
        // A thread that gave up has loaded nothing; then this one tries and says why.
        [beside.join().unwrap_or_else(|_| Policy::load(one, disk)), other]
    })
}

/// What differs between two policies, and how it was found out. The command began at `start`.
pub(super) fn compared(old: Policy, new: Policy, now: Moment, start: Instant) -> (Comparison, Method) {
    let comparison = compare(&old, &new, now);
    match proved(old, new, &comparison, now, start) {
        Ok(proof) => {
            let changes = proof.changes.iter().map(|(_, change)| change.clone());
            let whole = proof.open.iter().all(|open| open.direction == Direction::Removed);
            let comparison = comparison.with_proof(changes, whole);
            (comparison, Method::Proved(proof))
        }
        Err(why) => (comparison, Method::Bounded(why)),
    }
}

fn proved(
    old: Policy,
    new: Policy,
    comparison: &Comparison,
    now: Moment,
    start: Instant,
) -> Result<Proof, String> {
    let solver = solver().ok_or("no solver: `$CVC5` names none, and there is no `cvc5` on the PATH")?;
    let time = time()?;
    let known = comparison.clone();
    let (sender, answer) = mpsc::channel();
    // On a thread of its own, which is left to itself when it takes too long: the process ends soon.
    let work = move || {
        let out_of_time = || start.elapsed() >= time;
        let inquiry = Inquiry { old: &old, new: &new, known: &known, now, out_of_time: &out_of_time };
        let proof = prove(&solver, inquiry);
        let _ = sender.send(proof.map_err(|error| error.to_string()));
    };
    std::thread::Builder::new()
        .spawn(work)
        .map_err(|error| format!("no thread could be started: {error}"))?;
    answer
        .recv_timeout((time + PATIENCE).saturating_sub(start.elapsed()))
        .map_err(|_| format!("the solver was not done in time; `${SECONDS}` gives it more"))?
}

impl Method {
    /// The risk of what is not settled: authority that may be added counts as if it were.
    pub(super) fn risk(&self) -> Option<Risk> {
        let Self::Proved(proof) = self else { return None };
        let added = proof.open.iter().any(|open| open.direction == Direction::Added);
        added.then_some(Risk::High)
    }
}

/// How long a proof may take.
fn time() -> Result<Duration, String> {
    let Some(seconds) = std::env::var_os(SECONDS) else { return Ok(Duration::from_secs(TIME)) };
    let number = seconds
        .to_str()
        .and_then(|seconds| seconds.parse().ok())
        .filter(|seconds| (1..=3_600).contains(seconds));
    number.map(Duration::from_secs).ok_or_else(|| format!("`${SECONDS}` is no number from 1 to 3600"))
}

/// The solver that the user names, or the one that is installed.
fn solver() -> Option<PathBuf> {
    let named = std::env::var_os("CVC5").filter(|name| !name.is_empty()).map(PathBuf::from);
    named.or_else(|| {
        let folders = std::env::var_os("PATH")?;
        let files = std::env::split_paths(&folders).map(|folder| folder.join("cvc5"));
        files.into_iter().find(|file| file.is_file())
    })
}
