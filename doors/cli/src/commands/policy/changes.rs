//! What differs between two policies, for people and for programs.

use decide::compare::{Comparison, Risk};
use serde::Serialize;

use crate::visible::visible;

/// Calls of one kind that are shown; the others are counted.
const SHOWN: usize = 12;

#[derive(Serialize)]
pub(super) struct Changes {
    /// Nothing when authority stays as it is.
    risk: Option<&'static str>,
    /// How it was found out.
    method: &'static str,
    asked: usize,
    added: Vec<Changed>,
    removed: Vec<Changed>,
    terms: Vec<Term>,
}

#[derive(Serialize)]
struct Changed {
    example: String,
    old: &'static str,
    new: &'static str,
    risk: &'static str,
}

#[derive(Serialize)]
struct Term {
    term: String,
    old: String,
    new: String,
    risk: &'static str,
}

impl Changes {
    pub(super) fn of(comparison: &Comparison) -> Self {
        let changed = |added: bool| {
            let list = comparison.changes.iter().filter(move |change| change.is_added() == added);
            list.map(|change| Changed {
                example: change.probe.example.clone(),
                old: change.old,
                new: change.new,
                risk: change.risk.as_str(),
            })
            .collect()
        };
        let terms = comparison.terms.iter().map(|term| Term {
            term: term.term.clone(),
            old: term.old.clone(),
            new: term.new.clone(),
            risk: term.risk.as_str(),
        });
        Self {
            risk: comparison.risk().map(Risk::as_str),
            method: "bounded",
            asked: comparison.asked,
            added: changed(true),
            removed: changed(false),
            terms: terms.collect(),
        }
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (word, list) in [("added", &self.added), ("removed", &self.removed)] {
            if list.is_empty() {
                continue;
            }
            text.push_str(&format!("{word} authority\n"));
            for Changed { example, old, new, risk } in list.iter().take(SHOWN) {
                text.push_str(&format!("  {risk:<6}  {old} -> {new}\n          {}\n", visible(example)));
            }
            if list.len() > SHOWN {
                text.push_str(&format!(
                    "  ... and {} more calls; `--format json` lists them all\n",
                    list.len() - SHOWN
                ));
            }
        }
        if !self.terms.is_empty() {
            text.push_str("terms\n");
        }
        for Term { term, old, new, risk } in &self.terms {
            text.push_str(&format!("  {risk:<6}  {}: {} -> {}\n", visible(term), visible(old), visible(new)));
        }
        let risk = self.risk.unwrap_or("none: authority stays as it is");
        text.push_str(&format!("risk: {risk}\n"));
        text.push_str(&format!(
            "method: bounded comparison of {} calls at the corner points of both policies, not a proof\n",
            self.asked
        ));
        text
    }
}
