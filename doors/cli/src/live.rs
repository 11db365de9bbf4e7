//! A gate that lives long, and follows the policy of its home.
//!
//! Each state of the policy has a gate of its own, with its own tools: a generation. Whoever carries a call
//! asks for the one of this moment, and the call stays with it from its first moment to its last, so that it
//! is never decided by one policy and run with the databases or hosts of another. Files that are not those
//! that were applied close the gate until they are.
//!
//! Whether anything changed is told from what the file system says about the files, which costs a few
//! system calls, and from the last entry of the ledger that says what was applied.

mod entries;
mod stamps;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use call::{Reason, ReasonCode, Sha256, Tools};
use decide::Provider;
use gate::{Gate, Rulebook, Standing};
use mcp_door::ToolDescription;
use record::store::Store;

use crate::behind::Behind;
use crate::gatehouse::{Gatehouse, NoGatehouse};
use crate::home::{Books, Home};
use crate::toolbox::{closed_toolbox, toolbox};
use crate::works::{NoGate, Works};
use stamps::Stamps;

/// How often questions that nobody answered in time are looked for.
const EXPIRY: Duration = Duration::from_secs(60);

/// A gate that follows the policy of its home.
pub(crate) struct Live {
    home: Home,
    works: Works,
    behind: Option<Arc<Behind>>,
    /// How many looks at the home have begun.
    begun: AtomicU64,
    state: Mutex<State>,
}

struct State {
    /// The number of the last look.
    looked: u64,
    /// The ledger, only to look at it: whoever looks does not wait for those who write.
    ledger: Box<dyn Store>,
    now: Arc<Generation>,
    expired: Instant,
}

/// The gate under one state of the policy.
pub(crate) struct Generation {
    pub(crate) gate: Gate,
    standing: Arc<Standing>,
    fleet: Option<Arc<mcp_door::Fleet>>,
    /// Nothing where it must be looked at again in any case.
    stamps: Option<Stamps>,
    applied: Option<u64>,
}

/// Why there is no such gate.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotLive {
    #[error(transparent)]
    Gatehouse(#[from] NoGatehouse),
    #[error(transparent)]
    Gate(#[from] NoGate),
}

impl Live {
    /// The gate of a home, with other servers behind it where there are any.
    pub(crate) fn start(home: Home, behind: Option<Arc<Behind>>) -> Result<Self, NotLive> {
        let books = Books::of(home.folder()).map_err(NoGatehouse::from)?;
        let mut ledger = books.look().map_err(NoGatehouse::from)?;
        let seen = Seen::of(&home, &mut *ledger);
        let gatehouse = Gatehouse::of(home.clone())?;
        let works = Works::start(&gatehouse)?;
        let now = Arc::new(generation(&gatehouse, seen, &works, behind.as_ref()));
        now.gate.end_expired().map_err(NoGate::from)?;
        let state = Mutex::new(State { looked: 0, ledger, now, expired: Instant::now() });
        Ok(Self { home, works, behind, begun: AtomicU64::new(0), state })
    }

    /// The gate of this moment.
    pub(crate) fn now(&self) -> Arc<Generation> {
        self.since(self.looks())
    }

    /// How many looks have begun so far.
    pub(crate) fn looks(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// The gate of this moment, or of one after so many looks had begun. Of many who ask, one looks for all who
    /// were there before it began to.
    pub(crate) fn since(&self, before: u64) -> Arc<Generation> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { looked, ledger, now, expired } = &mut *state;
        if *looked > before {
            return Arc::clone(now);
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        if !now.holds(&mut **ledger) {
            let seen = Seen::of(&self.home, &mut **ledger);
            *now = Arc::new(match Gatehouse::of(self.home.clone()) {
                Ok(gatehouse) => generation(&gatehouse, seen, &self.works, self.behind.as_ref()),
                Err(error) => closed(&self.works, error.to_string()),
            });
        }
        if expired.elapsed() > EXPIRY {
            *expired = Instant::now();
            // The call that follows meets the same ledger, and says so if it fails.
            let _ = now.gate.end_expired();
        }
        // Not before: whoever waits here must not rely on a look that came to no end.
        *looked = number;
        Arc::clone(now)
    }

    /// The last entries about calls of a session, newest last.
    pub(crate) fn entries(&self, session: &str, most: usize) -> Vec<serde_json::Value> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        entries::of_session(&mut *state.ledger, session, most)
    }
}

impl Generation {
    /// What calls are decided by, unless the gate is closed.
    pub(crate) fn rulebook(&self) -> Result<&Rulebook, &Reason> {
        match &*self.standing {
            Standing::Ready(rulebook) => Ok(rulebook),
            Standing::Closed { reason, .. } => Err(reason),
        }
    }

    /// Tools of other servers that may be offered. Asks them, and blocks.
    pub(crate) fn foreign(&self, behind: &Behind) -> Vec<ToolDescription> {
        self.fleet.as_ref().map(|fleet| behind.offers(fleet)).unwrap_or_default()
    }

    fn holds(&self, ledger: &mut dyn Store) -> bool {
        self.stamps.as_ref().is_some_and(Stamps::hold)
            && applied(ledger).is_some_and(|applied| applied == self.applied)
    }
}

/// What the home looked like before it was loaded: what changes meanwhile is seen the next time.
struct Seen {
    stamps: Stamps,
    applied: Option<u64>,
}

impl Seen {
    fn of(home: &Home, ledger: &mut dyn Store) -> Self {
        Self { stamps: Stamps::of(home.folder()), applied: applied(ledger).flatten() }
    }
}

/// The place of the last entry that says what was applied; nothing when the ledger cannot say.
fn applied(ledger: &mut dyn Store) -> Option<Option<u64>> {
    ledger.marked_at("policy_applied").ok()
}

/// The gate as this home is.
fn generation(gatehouse: &Gatehouse, seen: Seen, works: &Works, behind: Option<&Arc<Behind>>) -> Generation {
    works.learn(gatehouse.known_secrets());
    let standing = Arc::clone(gatehouse.standing());
    let fleet = match (behind, &*standing) {
        (Some(behind), Standing::Ready(rulebook)) => match behind.fleet(gatehouse.home(), rulebook) {
            Ok(fleet) => Some(fleet),
            Err(error) => return closed(works, error.to_string()),
        },
        (Some(_) | None, Standing::Ready(_) | Standing::Closed { .. }) => None,
    };
    let foreign = |vault: &Arc<_>| Some(behind?.tools(fleet.as_ref()?, vault));
    let tools: Arc<dyn Tools> = match toolbox(gatehouse, works.ledger(), &foreign) {
        Ok(tools) => tools,
        Err(error) => return closed(works, error.to_string()),
    };
    let Seen { mut stamps, applied } = seen;
    if let Standing::Ready(rulebook) = &*standing {
        for provider in rulebook.policy.home().scopes.values() {
            if let Provider::File(path) = provider {
                stamps.add(path.into());
            }
        }
    }
    let gate = works.gate_of(&standing, tools);
    Generation { gate, standing, fleet, stamps: Some(stamps), applied }
}

/// A gate that refuses every call, and looks again at the next one.
fn closed(works: &Works, message: String) -> Generation {
    let standing = Arc::new(Standing::Closed { reason: unusable(message), policy: Sha256::of(b"") });
    let gate = works.gate_of(&standing, closed_toolbox());
    Generation { gate, standing, fleet: None, stamps: None, applied: None }
}

fn unusable(message: String) -> Reason {
    Reason {
        code: ReasonCode::NO_POLICY,
        message,
        rule: None,
        remedy: Some("`toolgate policy check` says what is wrong".to_owned()),
    }
}
