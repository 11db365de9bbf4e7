//! What differs between two policies, for people and for programs.

use decide::compare::{Comparison, Risk};
use proof::{Direction, Open, Proof};
use serde::Serialize;

use super::proving::Method;
use crate::visible::visible;

/// Calls of one kind that are shown; the others are counted.
const SHOWN: usize = 12;

/// Open questions that are shown; the others are counted.
const SHOWN_OPEN: usize = 5;

/// How an open question is called that may add authority.
const ADDED: &str = "added";

#[derive(Serialize)]
pub(super) struct Changes {
    /// Nothing when authority stays as it is.
    risk: Option<&'static str>,
    /// How it was found out: `proof` or `bounded`.
    method: &'static str,
    /// Why it is no proof, or not a whole one.
    not_proved: Option<String>,
    /// Calls that both policies were asked about.
    asked: usize,
    /// Calls for which there was no time.
    left_out: usize,
    /// Questions that a solver answered.
    solved: usize,
    added: Vec<Changed>,
    removed: Vec<Changed>,
    terms: Vec<Term>,
    /// What is neither proved nor shown by a call.
    open: Vec<Unsettled>,
    #[serde(skip)]
    is_expansion: bool,
}

#[derive(Serialize)]
struct Unsettled {
    authority: String,
    action: &'static str,
    direction: &'static str,
    within: Option<String>,
    why: String,
}

#[derive(Serialize)]
struct Changed {
    example: String,
    /// The name in the rules that covers it; a proof says that nothing differs outside of such names.
    within: Option<String>,
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
    pub(super) fn of(comparison: &Comparison, method: &Method) -> Self {
        let (proof, why_not) = match method {
            Method::Proved(proof) => (Some(proof), None),
            Method::Bounded(why) => (None, Some(why.clone())),
        };
        let changed = |added: bool| -> Vec<Changed> {
            let list = comparison.changes.iter().filter(move |change| change.is_added() == added);
            let list = list.map(|change| Changed {
                example: change.probe.example.clone(),
                within: proof.and_then(|proof| place_of(&change.probe.example, proof)),
                old: change.old,
                new: change.new,
                risk: change.risk.as_str(),
            });
            let mut list: Vec<Changed> = list.collect();
            // Those that stand for a whole name are the ones to look at.
            list.sort_by_key(|change| change.within.is_none());
            list
        };
        let terms = comparison.terms.iter().map(|term| Term {
            term: term.term.clone(),
            old: term.old.clone(),
            new: term.new.clone(),
            risk: term.risk.as_str(),
        });
        let open: Vec<Unsettled> =
            proof.into_iter().flat_map(|proof| &proof.open).map(Unsettled::of).collect();
        let unfinished = (!open.is_empty()).then(|| format!("{} of its questions are open", open.len()));
        let risk = comparison.risk().max(method.risk());
        Self {
            risk: risk.map(Risk::as_str),
            method: if proof.is_some() { "proof" } else { "bounded" },
            not_proved: why_not.or(unfinished),
            asked: comparison.asked,
            left_out: comparison.left_out,
            solved: proof.map_or(0, |proof| proof.asked),
            added: changed(true),
            removed: changed(false),
            terms: terms.collect(),
            open,
            is_expansion: risk.is_some_and(|risk| risk > Risk::Low),
        }
    }

    /// Whether the new policy allows anything that the old one does not, or may.
    pub(super) const fn is_expansion(&self) -> bool {
        self.is_expansion
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (word, list) in [("added", &self.added), ("removed", &self.removed)] {
            if list.is_empty() {
                continue;
            }
            text.push_str(&format!("{word} authority\n"));
            // Of those that stand for a whole name, all that fit; the others only where there are none.
            let named = list.iter().filter(|change| change.within.is_some()).count();
            let shown = if named > 0 { named.min(SHOWN) } else { list.len().min(SHOWN) };
            for Changed { example, within, old, new, risk } in list.iter().take(shown) {
                let within = within.as_ref().map(|name| format!("  within {}", visible(name)));
                let within = within.unwrap_or_default();
                text.push_str(&format!(
                    "  {risk:<6}  {old} -> {new}{within}\n          {}\n",
                    visible(example)
                ));
            }
            if list.len() > shown {
                text.push_str(&format!(
                    "  ... and {} more calls; `--format json` lists them all\n",
                    list.len() - shown
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
        text.push_str(&self.open_text());
        if self.left_out > 0 {
            text.push_str(&format!(
                "left out: {} calls, because there are too many to ask about; what they add is not known, so the \
                 risk is high\n",
                self.left_out
            ));
        }
        text.push_str(&self.method_text());
        text
    }

    /// What is open: the first few of them, those first by which authority may be added, and how many of which
    /// kind the others are.
    fn open_text(&self) -> String {
        let mut open: Vec<&Unsettled> = self.open.iter().collect();
        open.sort_by_key(|open| open.direction);
        let mut text = String::new();
        for Unsettled { authority, action, direction, within, why } in open.iter().take(SHOWN_OPEN) {
            let within = within.as_ref().map(|name| format!(" within {}", visible(name))).unwrap_or_default();
            text.push_str(&format!(
                "open: `{action}` by {} may be {direction}{within}: {}\n",
                visible(authority),
                visible(why)
            ));
        }
        let rest = open.get(SHOWN_OPEN..).unwrap_or_default();
        if !rest.is_empty() {
            let added = rest.iter().filter(|open| open.direction == ADDED).count();
            text.push_str(&format!(
                "open: ... and {} more, of which {added} may add authority; `--format json` lists them all, and \
                 `${}` gives the solver more time\n",
                rest.len(),
                super::proving::SECONDS
            ));
        }
        text
    }

    /// What it adds, in one word.
    pub(super) const fn risk(&self) -> Option<&'static str> {
        self.risk
    }

    fn method_text(&self) -> String {
        let Self { asked, solved, method, not_proved, .. } = self;
        match (*method, not_proved) {
            ("proof", None) => format!(
                "method: proved with cvc5, {solved} questions: nothing differs outside of the names above, and \
                 within each there is a call that shows it\n"
            ),
            ("proof", Some(why)) => {
                format!("method: proved with cvc5, {solved} questions, but not wholly: {why}\n")
            }
            (_, why) => format!(
                "method: bounded comparison of {asked} calls at the corner points of both policies, not a proof \
                 ({})\n",
                why.as_deref().unwrap_or("none was tried")
            ),
        }
    }
}

impl Unsettled {
    fn of(open: &Open) -> Self {
        let skill = open.subject.skill.as_ref();
        Self {
            authority: skill.map_or_else(|| "the home".to_owned(), |skill| format!("the skill {skill}")),
            action: open.subject.action,
            direction: match open.direction {
                Direction::Added => ADDED,
                Direction::Removed => "removed",
            },
            within: open.within.clone(),
            why: open.why.clone(),
        }
    }
}

/// The name that covers what an example is about, where the proof gave it.
fn place_of(example: &str, proof: &Proof) -> Option<String> {
    let known = proof.changes.iter().find(|(_, change)| change.probe.example == example);
    known.and_then(|(name, _)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::{Changes, Unsettled};

    fn changes(open: Vec<Unsettled>) -> Changes {
        Changes {
            risk: Some("high"),
            method: "proof",
            not_proved: None,
            asked: 1,
            left_out: 0,
            solved: 1,
            added: Vec::new(),
            removed: Vec::new(),
            terms: Vec::new(),
            open,
            is_expansion: true,
        }
    }

    fn unsettled(number: usize) -> Unsettled {
        Unsettled {
            authority: "the home".to_owned(),
            action: "read",
            direction: if number.is_multiple_of(2) { "removed" } else { "added" },
            within: Some(format!("/w/{number}")),
            why: "there was no time".to_owned(),
        }
    }

    #[test]
    fn a_few_open_questions_are_shown_and_the_others_counted() {
        for (count, lines) in [(0, 0), (1, 1), (5, 5), (6, 6), (2_000, 6)] {
            let changes = changes((0..count).map(unsettled).collect());
            let text = changes.text();
            let open = text.lines().filter(|line| line.starts_with("open: "));
            assert_eq!(open.count(), lines, "{text}");
            let json = serde_json::to_value(&changes).unwrap();
            assert_eq!(json["open"].as_array().unwrap().len(), count);
        }
        insta::assert_snapshot!(changes((0..12).map(unsettled).collect()).open_text(), @r"
        open: `read` by the home may be added within /w/1: there was no time
        open: `read` by the home may be added within /w/3: there was no time
        open: `read` by the home may be added within /w/5: there was no time
        open: `read` by the home may be added within /w/7: there was no time
        open: `read` by the home may be added within /w/9: there was no time
        open: ... and 7 more, of which 1 may add authority; `--format json` lists them all, and `$TOOLGATE_PROOF_SECONDS` gives the solver more time
        ");
    }
}
