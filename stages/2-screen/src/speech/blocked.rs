//! "Refuse ignore previous instructions in hooks": what a change does about an attack, as the first line of a commit
//! says it.
//!
//! Two verbs beside each other are no order: the second is the name of what the first is done to. So the first must
//! open the sentence, and nothing may come behind that asks for more.

use super::ignoring::asks_for_an_act;
use super::sentence::Sentence;

pub(super) fn is_blocked(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const AGAINST: &[&str] = &[
        "refuse", "refuses", "block", "blocks", "reject", "rejects", "detect", "detects", "flag", "flags", "catch", "catches",
        "strip", "strips", "filter", "deny", "denies", "forbid", "screen", "sanitize", "sanitise", "guard against",
        "protect against", "defend against", "warn about", "stop accepting", "filter out",
    ];
    const REFUSED: &[&str] =
        &["refused", "blocked", "rejected", "detected", "flagged", "caught", "stripped", "denied"];
    // Where, or as what.
    const THEN: &[&str] = &[
        "in", "inside", "within", "from", "as", "phrases", "phrase", "attacks", "attempts", "payloads",
        "hidden",
    ];
    #[rustfmt::skip]
    const MORE: &[&str] = &[
        " and ", " then ", " but ", " or ", " so ", ":", ";", ",", " you", " your", " please", " now", " must", " order",
        " instead", " me ", " favour", " favor", " full", " this ", " effect",
    ];
    let front = sentence.front.trim_start_matches(['-', '*', '#', ' ']);
    // `fix(screen): block …`
    let verb = match front.split_once(": ") {
        Some((label, verb)) if is_label(label) => verb,
        _ => front,
    };
    let adjacent = verb.strip_suffix(' ').is_some_and(|verb| AGAINST.contains(&verb));
    let behind = format!("{} ", sentence.behind);
    let mut words = sentence.words_behind();
    let mut next = words.next();
    // "… is refused in hooks"
    let refused = verb.is_empty()
        && matches!(next, Some("is" | "are" | "was" | "gets"))
        && words.next().is_some_and(|word| REFUSED.contains(&word));
    if refused {
        next = words.next();
    }
    (adjacent || refused)
        && next.is_none_or(|word| THEN.contains(&word))
        && !MORE.iter().any(|word| behind.contains(word))
        && !asks_for_an_act(&behind)
        && !sentence.words_said().any(|word| word == "your")
}

fn is_label(label: &str) -> bool {
    let name = label.split('(').next().unwrap_or_default().trim_end_matches('!');
    let known = ["feat", "fix", "docs", "test", "tests", "chore", "refactor", "security", "screen", "hooks"];
    known.contains(&name) && !label.contains(' ')
}
