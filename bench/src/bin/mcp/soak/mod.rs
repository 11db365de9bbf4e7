//! Many calls in flight for a while, and then one look at the ledger: each call has one end, and no more.
//!
//! With kills the gate dies in the middle, again and again, and is started on the same home and the same port.
//! Its clients come back in new sessions, as clients do. Which calls were answered is known by their names, and
//! the ledger is held against those.

mod account;
mod caller;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use account::Account;
use caller::{Caller, Ground, Session};

use crate::gate::{Gate, Served};

/// How long a soak goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Length {
    /// By the clock.
    Time(Duration),
    /// By answers, for tests: how fast a machine is says nothing there.
    Calls(u64),
}

/// How much to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) sessions: usize,
    /// Calls in flight on each session.
    pub(crate) in_flight: usize,
    /// The tokens that the sessions are spread over, as several agents have several.
    pub(crate) tokens: usize,
    pub(crate) length: Length,
    /// How often the gate is killed on the way.
    pub(crate) kills: u64,
}

/// How often somebody looks whether it is time for something.
const LOOK_EVERY: Duration = Duration::from_millis(20);

pub(crate) fn run(program: &Path, plan: Plan) -> Result<(), String> {
    let gate = Gate::new(program)?;
    gate.let_write()?;
    let mut served = Served::gate(&gate, plan.tokens)?;
    let ground = Arc::new(Ground::new(served.address(), plan.kills > 0));
    println!(
        "{} calls in flight on {} sessions of {} tokens, {} kills",
        plan.sessions * plan.in_flight,
        plan.sessions,
        plan.tokens,
        plan.kills
    );
    let mut callers = Vec::new();
    for (session, token) in (0..plan.sessions).zip(served.tokens().iter().cycle()) {
        let session = Arc::new(Session::new(token, session));
        gate.folder(&session.folder())?;
        for number in 0..plan.in_flight {
            let caller = Caller::new(Arc::clone(&ground), Arc::clone(&session), number);
            let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(move || caller.work());
            callers.push(thread.map_err(|error| error.to_string())?);
        }
    }
    let watched = watch(&gate, &mut served, &ground, plan);
    // Whatever went wrong, the callers come to their end.
    ground.end();
    let mut answered = Vec::new();
    let mut trouble = watched.err();
    for caller in callers {
        match caller.join().map_err(|_| "a caller panicked".to_owned()).flatten() {
            Ok(calls) => answered.extend(calls),
            Err(why) => trouble = trouble.or(Some(why)),
        }
    }
    if let Some(why) = trouble {
        return Err(why);
    }
    println!("all callers have their answers; looking at the ledger");
    served.stop()?;
    gate.verify()?;
    let account = Account::of(&gate, &answered)?;
    println!("{account}; told to wait {}, cut off {}", ground.told_to_wait(), ground.cut_off());
    account.check(plan.kills > 0)
}

/// Prints how it goes, and kills the gate when it is time to.
fn watch(gate: &Gate, served: &mut Served, ground: &Ground, plan: Plan) -> Result<(), String> {
    let begun = Instant::now();
    let every = match plan.length {
        Length::Time(long) => (long / 10).clamp(Duration::from_secs(1), Duration::from_secs(60)),
        Length::Calls(_) => Duration::from_secs(60),
    };
    let mut next = begun + every;
    let mut killed = 0;
    while !ground.is_over() {
        std::thread::sleep(LOOK_EVERY);
        let done = match plan.length {
            Length::Time(long) => begun.elapsed().as_secs_f64() / long.as_secs_f64(),
            Length::Calls(calls) => ground.answered() as f64 / calls as f64,
        };
        if done >= 1.0 {
            ground.end();
        } else if killed < plan.kills && done >= (killed + 1) as f64 / (plan.kills + 1) as f64 {
            killed += 1;
            let before = ground.answered();
            served.kill();
            let restart = Instant::now();
            served.again(gate)?;
            let ready = restart.elapsed().as_millis();
            println!("killed after {before} answers; it listens again after {ready} ms");
        }
        if Instant::now() >= next {
            next += every;
            let memory = served.memory().unwrap_or_default();
            let seconds = begun.elapsed().as_secs();
            println!("{seconds:>6} s  {:>10} answers  {memory:>8} KiB in memory", ground.answered());
        }
    }
    Ok(())
}
