//! The gate: the whole product on one screen.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use call::{Allowance, CallId, Clock, Reason, Tools};
use record::Ledger;
use screen::KnownSecrets;
use secrecy::ExposeSecret as _;

use crate::pass::{Arrived, Begun, Cleaned, NotJournaled, Permitted, Weighed};
use crate::standing::House;
use crate::waiting::Patience;
use crate::{Halt, Incoming, Knowledge, Reply};

/// A gate, and everybody whom it needs.
pub struct Gate {
    /// By what calls are decided.
    pub house: Box<dyn House>,
    /// Where everything is written down.
    pub ledger: Arc<Ledger>,
    /// Who does what was decided.
    pub tools: Arc<dyn Tools>,
    /// What sessions have used up.
    pub allowance: Box<dyn Allowance>,
    /// What time it is.
    pub clock: Box<dyn Clock + Send + Sync>,
    /// Bytes that nobody can guess, for the names of calls.
    pub chance: Box<dyn Fn() -> Option<[u8; 10]> + Send + Sync>,
    /// The secrets that turn up nowhere.
    pub knowledge: Arc<Knowledge>,
    /// Who waits for answers.
    pub patience: Box<dyn Patience>,
}

impl Gate {
    /// Takes one call from its words to its answer.
    ///
    /// Every way out of this function has been written to the ledger first.
    ///
    /// # Errors
    /// When that could not be done. The gate should take no further calls then.
    pub fn handle(&self, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        let arrived = Arrived::new(self.new_name()?, self.clock.now(), incoming);
        let known = self.knowledge.now();
        match arrived.weigh(self.house.standing(), &known, &self.ledger) {
            Weighed::Allowed(permitted) => self.run(*permitted, cancelled),
            Weighed::Asked(pending) => self.ask(pending, &known, cancelled),
            Weighed::Denied(refused) => refused.record(&self.ledger, self.clock.now()),
        }
    }

    /// The same, without waiting for the ledger where nothing else is left: the answer comes by what comes back.
    ///
    /// # Errors
    /// When the ledger failed. The gate should take no further calls then.
    pub fn begin(&self, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Begun, Halt> {
        let arrived = Arrived::new(self.new_name()?, self.clock.now(), incoming);
        let known = self.knowledge.now();
        match arrived.weigh(self.house.standing(), &known, &self.ledger) {
            Weighed::Allowed(permitted) => match self.ran(*permitted, cancelled) {
                Ok(cleaned) => cleaned.hand_in(&self.ledger, self.clock.now()),
                Err(not) => not.answer().map(Begun::Answered),
            },
            Weighed::Asked(pending) => self.ask(pending, &known, cancelled).map(Begun::Answered),
            Weighed::Denied(refused) => refused.hand_in(&self.ledger, self.clock.now()),
        }
    }

    /// Puts on record that a door did not take a call, for a reason of its own. Nothing is weighed, and nothing
    /// runs.
    ///
    /// # Errors
    /// When the ledger failed. The gate should take no further calls then.
    pub fn turn_away(&self, incoming: &Incoming, reason: Reason) -> Result<Reply, Halt> {
        let arrived = Arrived::new(self.new_name()?, self.clock.now(), incoming);
        let refused = arrived.turn_away(self.house.standing(), reason, &self.knowledge.now(), &self.ledger);
        refused.record(&self.ledger, self.clock.now())
    }

    /// Runs what may run.
    pub(crate) fn run(&self, permitted: Permitted, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        match self.ran(permitted, cancelled) {
            Ok(cleaned) => cleaned.record(&self.ledger, self.clock.now()),
            Err(not) => not.answer(),
        }
    }

    fn ran(&self, permitted: Permitted, cancelled: &AtomicBool) -> Result<Cleaned, NotJournaled> {
        let journaled = permitted.journal(&self.ledger, &*self.allowance, self.clock.now())?;
        let ran = journaled.execute(&*self.tools, &*self.allowance, self.clock.now(), cancelled);
        self.learn();
        Ok(ran.clean(&self.knowledge.now()))
    }

    /// Secrets that were looked up on the way are known from now on.
    fn learn(&self) {
        let revealed = self.tools.revealed();
        if !revealed.is_empty() {
            let values = revealed.iter().map(|(scope, value)| (scope, value.expose_secret()));
            self.knowledge.learn(&KnownSecrets::new(values));
        }
    }

    pub(crate) fn new_name(&self) -> Result<CallId, Halt> {
        let chance = (self.chance)().ok_or_else(|| {
            record::store::StoreError::Failed("the system gives no random bytes".to_owned())
        })?;
        Ok(CallId::new(self.clock.now(), chance))
    }
}
