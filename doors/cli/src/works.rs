//! The gate of a home, put together: ledger, tools, clock, and whoever waits for people.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use call::{Actor, Allowance, Confinement, Did, Moment, Reason, Spending, Ticket, Tools};
use execute::usage::Usage;
use gate::{Gate, House, Knowledge, Patience, Standing};
use record::Ledger;
use screen::KnownSecrets;

use crate::chance::chance;
use crate::clock::SystemClock;
use crate::gatehouse::{Gatehouse, LEDGER_UNAVAILABLE};
use crate::home::NoBooks;
use crate::toolbox::{NoToolbox, toolbox};
use call::Clock as _;

/// Why there is no gate to put calls through.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoGate {
    #[error(transparent)]
    Books(#[from] NoBooks),
    #[error(transparent)]
    Toolbox(#[from] NoToolbox),
    #[error("what sessions have used up cannot be kept: {0}")]
    Usage(String),
    #[error(transparent)]
    Halt(#[from] gate::Halt),
}

impl NoGate {
    /// What is missing, in one word.
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::Books(_) | Self::Halt(_) => LEDGER_UNAVAILABLE,
            Self::Toolbox(_) => "no_tools",
            Self::Usage(_) => "no_state",
        }
    }

    pub(crate) fn hint(&self) -> Option<&str> {
        match self {
            Self::Books(error) => error.hint(),
            Self::Toolbox(error) => error.hint(),
            Self::Usage(_) => Some("the folder `state` of the home must be writable"),
            Self::Halt(_) => None,
        }
    }
}

/// The gate of this home. `wait` is how long a call that needs a person is held back.
pub(crate) fn gate(gatehouse: &Gatehouse, wait: Duration) -> Result<Gate, NoGate> {
    gate_with(gatehouse, wait, Box::new(Fixed(Arc::clone(gatehouse.standing()))))
}

/// The same, where somebody else says what it decides by.
pub(crate) fn gate_with(
    gatehouse: &Gatehouse,
    wait: Duration,
    house: Box<dyn House>,
) -> Result<Gate, NoGate> {
    let works = Works::start(gatehouse)?;
    let tools = toolbox(gatehouse, &works.ledger, &|_| None)?;
    let gate = works.put_together(house, tools, wait);
    gate.end_expired()?;
    Ok(gate)
}

/// What stays the same when the policy of a home changes: its ledger, what it knows of secrets, its counts.
pub(crate) struct Works {
    ledger: Arc<Ledger>,
    knowledge: Arc<Knowledge>,
    allowance: Arc<Usage>,
}

impl Works {
    pub(crate) fn start(gatehouse: &Gatehouse) -> Result<Self, NoGate> {
        let knowledge = Arc::new(Knowledge::default());
        knowledge.learn(gatehouse.known_secrets());
        let ledger = gatehouse.books().start_knowing(Arc::clone(&knowledge), SystemClock.now())?;
        let state = state_folder(gatehouse.home().folder())?;
        Ok(Self { ledger: Arc::new(ledger), knowledge, allowance: Arc::new(Usage::new(&state)) })
    }

    pub(crate) const fn ledger(&self) -> &Arc<Ledger> {
        &self.ledger
    }

    /// Knows these secrets as well from now on.
    pub(crate) fn learn(&self, known: &KnownSecrets) {
        self.knowledge.learn(known);
    }

    /// A gate that decides by this alone, with these tools, and waits for nobody.
    pub(crate) fn gate_of(&self, standing: &Arc<Standing>, tools: Arc<dyn Tools>) -> Gate {
        self.put_together(Box::new(Fixed(Arc::clone(standing))), tools, Duration::ZERO)
    }

    fn put_together(&self, house: Box<dyn House>, tools: Arc<dyn Tools>, wait: Duration) -> Gate {
        Gate {
            house,
            ledger: Arc::clone(&self.ledger),
            tools,
            allowance: Box::new(Counts(Arc::clone(&self.allowance))),
            clock: Box::new(SystemClock),
            chance: Box::new(|| chance().ok()),
            knowledge: Arc::clone(&self.knowledge),
            patience: Box::new(Waits(wait)),
        }
    }
}

/// Where the gate keeps what is not its ledger.
pub(crate) fn state_folder(home: &Path) -> Result<std::path::PathBuf, NoGate> {
    let state = home.join("state");
    std::fs::create_dir_all(&state).map_err(|error| NoGate::Usage(crate::terminal::reason(&error)))?;
    Ok(state)
}

/// What was in force when it began is what it decides by.
struct Fixed(Arc<Standing>);

impl House for Fixed {
    fn standing(&self) -> Arc<Standing> {
        Arc::clone(&self.0)
    }
}

/// The counts of a home, shared by its gates in this process.
struct Counts(Arc<Usage>);

impl Allowance for Counts {
    fn begin(
        &self,
        actor: &Actor,
        walls: &Confinement,
        spending: Spending,
        now: Moment,
    ) -> Result<Ticket, Reason> {
        self.0.begin(actor, walls, spending, now)
    }

    fn end(&self, ticket: Ticket, did: Did) {
        self.0.end(ticket, did);
    }
}

/// Looks every now and then whether somebody has answered.
struct Waits(Duration);

impl Patience for Waits {
    fn once_more(&self, asked: Moment, cancelled: &AtomicBool) -> bool {
        let waited = SystemClock.now().milliseconds().saturating_sub(asked.milliseconds());
        if u128::from(waited) >= self.0.as_millis() || cancelled.load(Ordering::Relaxed) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(100));
        true
    }
}
