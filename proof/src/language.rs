//! Names of resources as languages: which memberships go together?
//!
//! To the solver, being a member of a folder or a glob is a bare fact, and it would happily think of a
//! file in `/a/b` that is not in `/a`. Each name covers a regular language of resources, so what goes
//! together can be decided, and where something does, a resource can be shown.

use std::collections::{BTreeMap, HashSet, VecDeque};

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::util::start::Config;
use regex_automata::util::syntax;
use regex_automata::{Anchored, MatchKind};

type Automaton = dense::DFA<Vec<u32>>;

/// Languages that are compared with each other.
#[derive(Debug)]
pub(crate) struct Languages {
    automata: Vec<Automaton>,
    // Bytes that stand for all others: whichever the automata treat alike.
    letters: Vec<u8>,
}

/// Is there a resource in some languages and in none of others?
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// No.
    Never,
    /// This one, among the shortest.
    At(String),
    /// It would take too long to say.
    Unclear,
}

/// States that are looked at, at most, for one question.
const LOOKED_AT: usize = 50_000;

/// Bytes of one automaton, at most.
const LARGEST: usize = 4 << 20;

impl Languages {
    /// From expressions; nothing when one of them is too large.
    pub(crate) fn new(expressions: &[String]) -> Option<Self> {
        let automata: Option<Vec<_>> = expressions.iter().map(|expression| automaton(expression)).collect();
        let automata = automata?;
        let letters = letters(&automata);
        Some(Self { automata, letters })
    }

    /// Looks for a resource in all of `inside` and in none of `outside`.
    pub(crate) fn meeting(&self, inside: &[usize], outside: &[usize]) -> Meeting {
        let chosen = inside
            .iter()
            .map(|&place| (place, true))
            .chain(outside.iter().map(|&place| (place, false)))
            .map(|(place, wanted)| self.automata.get(place).map(|automaton| (automaton, wanted)))
            .collect::<Option<Vec<(&Automaton, bool)>>>();
        let Some(chosen) = chosen else { return Meeting::Unclear };
        let config = Config::new().anchored(Anchored::Yes);
        let start: Option<Vec<StateID>> =
            chosen.iter().map(|(automaton, _)| automaton.start_state(&config).ok()).collect();
        let Some(start) = start else { return Meeting::Unclear };
        let mut seen = HashSet::from([start.clone()]);
        let mut open = VecDeque::from([(start, Vec::new())]);
        while let Some((states, word)) = open.pop_front() {
            let ends = |(&state, (automaton, wanted)): (&StateID, &(&Automaton, bool))| {
                automaton.is_match_state(automaton.next_eoi_state(state)) == *wanted
            };
            if !word.is_empty() && states.iter().zip(&chosen).all(ends) {
                return match String::from_utf8(word) {
                    Ok(word) => Meeting::At(word),
                    Err(_) => Meeting::Unclear,
                };
            }
            for &letter in &self.letters {
                let next: Vec<StateID> = states
                    .iter()
                    .zip(&chosen)
                    .map(|(&state, (automaton, _))| automaton.next_state(state, letter))
                    .collect();
                let lost = next
                    .iter()
                    .zip(&chosen)
                    .any(|(&state, (dfa, wanted))| *wanted && dfa.is_dead_state(state));
                if lost || !seen.insert(next.clone()) {
                    continue;
                }
                if seen.len() > LOOKED_AT {
                    return Meeting::Unclear;
                }
                let mut word = word.clone();
                word.push(letter);
                open.push_back((next, word));
            }
        }
        Meeting::Never
    }

    /// Whether a language holds a name.
    pub(crate) fn holds(&self, language: usize, name: &str) -> bool {
        let Some(automaton) = self.automata.get(language) else { return false };
        let config = Config::new().anchored(Anchored::Yes);
        let Ok(start) = automaton.start_state(&config) else { return false };
        let end = name.bytes().fold(start, |state, byte| automaton.next_state(state, byte));
        automaton.is_match_state(automaton.next_eoi_state(end))
    }
}

fn automaton(expression: &str) -> Option<Automaton> {
    let config = dense::Config::new()
        .start_kind(StartKind::Anchored)
        .match_kind(MatchKind::All)
        .dfa_size_limit(Some(LARGEST))
        .determinize_size_limit(Some(LARGEST));
    let syntax = syntax::Config::new().unicode(false).utf8(false).dot_matches_new_line(true);
    let whole = format!("^(?:{expression})$");
    dense::Builder::new().configure(config).syntax(syntax).build(&whole).ok()
}

/// One byte of each kind that no automaton tells apart, pleasant ones in front.
fn letters(automata: &[Automaton]) -> Vec<u8> {
    let config = Config::new().anchored(Anchored::Yes);
    let mut kinds: BTreeMap<u8, Vec<StateID>> = BTreeMap::new();
    let pleasant = (b'a'..=b'z').chain(b'0'..=b'9').chain(*b"/.-_").chain(b'A'..=b'Z');
    let mut bytes: Vec<u8> = pleasant.collect();
    bytes.extend((0..=u8::MAX).filter(|byte| !bytes.contains(byte)).collect::<Vec<u8>>());
    for automaton in automata {
        let Ok(start) = automaton.start_state(&config) else { continue };
        let (mut seen, mut open) = (HashSet::from([start]), vec![start]);
        while let Some(state) = open.pop() {
            for &byte in &bytes {
                let next = automaton.next_state(state, byte);
                kinds.entry(byte).or_default().push(next);
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
    }
    let mut known = HashSet::new();
    bytes.retain(|byte| kinds.get(byte).is_none_or(|kind| known.insert(kind.clone())));
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Languages, Meeting};

    #[test]
    fn what_goes_together_is_told() {
        let paths = ["/|(?:/[^/\\x00]+)+", "/a(?:/.*)?", "/a/b(?:/.*)?", "/a/bc(?:/.*)?", "/a/[^/]*\\.rs"];
        let languages = Languages::new(&paths.map(str::to_owned)).unwrap();
        let meeting = |inside: &[usize], outside: &[usize]| languages.meeting(inside, outside);
        // A folder lies in the folder above it, and beside one whose name begins alike.
        assert_eq!(meeting(&[0, 2], &[1]), Meeting::Never);
        assert_eq!(meeting(&[0, 2, 3], &[]), Meeting::Never);
        assert_eq!(meeting(&[0, 2], &[]), Meeting::At("/a/b".to_owned()));
        assert_eq!(meeting(&[0, 4], &[1]), Meeting::Never);
        let Meeting::At(file) = meeting(&[0, 4], &[2, 3]) else { panic!("there is one") };
        assert!(file.starts_with("/a/") && file.ends_with(".rs"), "{file}");
        let Meeting::At(beside) = meeting(&[0, 1], &[2, 3, 4]) else { panic!("there is one") };
        assert!(beside.starts_with("/a"), "{beside}");
    }
}
