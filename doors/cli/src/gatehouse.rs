//! A home with its policy in force: what every command that weighs calls stands in.

use std::path::Path;

use call::{Moment, Reason, ReasonCode, Refusal, RiskFlag, Ruled, Ruling};
use decide::PolicyFiles;
use screen::KnownSecrets;

use crate::exit::Exit;
use crate::home::{Applied, BadState, Books, Home, NoBooks, NoHome};
use crate::terminal::say_error;
use crate::weigh::{NoScale, Scale, Typed, Weighed};

/// A home, its files, and the scale that calls are weighed on.
#[derive(Debug)]
pub(crate) struct Gatehouse {
    books: Books,
    files: PolicyFiles,
    state: State,
}

/// Whether calls can be weighed at all.
#[derive(Debug)]
enum State {
    /// By this.
    Ready(Box<Scale>),
    /// Every call is refused, for this reason.
    Closed(Reason),
}

/// Why there is no gatehouse to stand in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoGatehouse {
    #[error(transparent)]
    NoHome(#[from] NoHome),
    #[error(transparent)]
    NoBooks(#[from] NoBooks),
    #[error(transparent)]
    BadState(#[from] BadState),
}

impl Gatehouse {
    /// Opens the home. Files that are not those in force close it to every call.
    pub(crate) fn open(named: Option<&Path>) -> Result<Self, NoGatehouse> {
        let home = Home::find(named)?;
        let files = home.policy_files()?;
        let books = Books::of(home.folder())?;
        let applied = match Applied::load(home.folder(), &mut *books.look()?) {
            Ok(applied) => Some(applied),
            Err(BadState::Nothing | BadState::NotRecorded(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let in_force = applied.is_some_and(|applied| applied.files == files);
        let state = if in_force {
            match Scale::load(&home, &files) {
                Ok(scale) => State::Ready(Box::new(scale)),
                Err(error) => State::Closed(closed(&error)),
            }
        } else {
            State::Closed(Reason {
                code: ReasonCode::POLICY_NOT_APPLIED,
                message: "the files of the policy are not those that were applied".to_owned(),
                rule: None,
                remedy: Some("`toolgate policy apply` shows what changed and puts it in force".to_owned()),
            })
        };
        Ok(Self { books, files, state })
    }

    pub(crate) const fn books(&self) -> &Books {
        &self.books
    }

    /// The values of secrets that must not turn up anywhere.
    pub(crate) fn known_secrets(&self) -> KnownSecrets {
        match &self.state {
            State::Ready(scale) => scale.known_secrets().clone(),
            State::Closed(_) => KnownSecrets::default(),
        }
    }

    /// Weighs a call.
    pub(crate) fn weigh(&self, typed: &Typed, now: Moment) -> Weighed {
        match &self.state {
            State::Ready(scale) => scale.weigh(typed, now),
            State::Closed(reason) => {
                let flags = [RiskFlag::denial(&reason.code)].into();
                let ruling = Ruling::Deny(Refusal { reasons: vec![reason.clone()] });
                let ruled = Ruled { ruling, flags, rules: Vec::new(), policy: self.files.digest() };
                let (voices, classes, objections) = (Vec::new(), Vec::new(), Vec::new());
                Weighed { ruled, tool: None, voices, classes, effects: None, objections }
            }
        }
    }
}

fn closed(error: &NoScale) -> Reason {
    Reason {
        code: ReasonCode::NO_POLICY,
        message: error.to_string(),
        rule: None,
        remedy: Some("`toolgate policy check` says what is wrong".to_owned()),
    }
}

/// Says why nothing can be done without a gatehouse.
pub(crate) fn could_not(error: &NoGatehouse) -> Exit {
    let hint = match error {
        NoGatehouse::NoHome(error) => Some(error.hint()),
        NoGatehouse::NoBooks(error) => error.hint(),
        NoGatehouse::BadState(_) => {
            Some("`toolgate policy apply` writes it anew, after a review of the whole policy")
        }
    };
    say_error(&error.to_string(), hint);
    Exit::CouldNot
}
