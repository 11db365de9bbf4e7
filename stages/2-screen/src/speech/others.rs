//! Statements about somebody or something else: a model in an experiment, an emulator, the rules of a club.
//!
//! A statement can be an order too ("the assistant now ignores …", "we want you to forget …"). So each of these needs
//! a word that only a report has, nothing may speak of the reader, and nothing may be asked for beside it.

use super::ignoring::asks_for_an_act;
use super::sentence::Sentence;

pub(super) fn are_spoken_of(sentence: &Sentence) -> bool {
    (is_a_habit(sentence)
        || is_what_many_do(sentence)
        || is_a_processor(sentence)
        || is_a_newer_edition(sentence))
        && !is_an_order(sentence)
}

/// "Our model tends to forget all previous instructions after 8k tokens."
fn is_a_habit(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const TENDS: &[&str] = &[
        "tends to", "tend to", "tended to", "seems to", "seem to", "seemed to", "appears to", "appeared to", "is known to",
        "are known to", "was observed to", "were observed to", "is prone to", "are prone to", "is likely to", "are likely to",
        "was seen to", "were seen to", "happened to",
    ];
    const MACHINES: &[&str] = &[
        "model",
        "models",
        "llm",
        "llms",
        "transformer",
        "transformers",
        "checkpoint",
        "checkpoints",
        "network",
        "baseline",
        "chatbots",
    ];
    let front = sentence.front.trim_end();
    let Some(subject) = TENDS.iter().find_map(|tends| front.strip_suffix(tends)) else { return false };
    let mut words = subject.split(' ').filter(|word| !word.is_empty()).rev();
    let machine = words.next().is_some_and(|noun| MACHINES.contains(&noun));
    // "This model" may be the one that reads.
    let reader = subject
        .split(' ')
        .any(|word| matches!(word, "this" | "that" | "current" | "present" | "good" | "helpful"));
    // What was seen, under which conditions.
    let when = sentence.words_behind().next().is_some_and(|word| {
        matches!(
            word,
            "after"
                | "when"
                | "once"
                | "beyond"
                | "in"
                | "during"
                | "as"
                | "at"
                | "under"
                | "with"
                | "past"
                | "if"
        )
    });
    let measured = sentence.behind.bytes().any(|byte| byte.is_ascii_digit())
        || ["context", "temperature", "dialog", "conversation", "tokens", "turns", "long ", "longer"]
            .iter()
            .any(|word| sentence.behind.contains(word));
    // What goes on behind the condition may say that it is met: "…, which is what has to happen here".
    let goes_on = sentence.behind.contains([',', ';'])
        || [" and ", " which ", " this ", " here", " so "]
            .iter()
            .any(|word| format!("{} ", sentence.behind).contains(word));
    machine && !reader && when && measured && !goes_on
}

/// "Models often ignore previous instructions when …", "users who ignore previous instructions will lose data".
fn is_what_many_do(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const OFTEN: &[&str] = &[
        "sometimes", "often", "occasionally", "frequently", "rarely", "usually", "typically", "eventually", "gradually",
    ];
    #[rustfmt::skip]
    const MANY: &[&str] = &[
        "models", "llms", "transformers", "checkpoints", "chatbots", "users", "people", "readers", "beginners", "players",
        "customers", "students", "drivers",
    ];
    // They may be those that the reader is told to be like.
    const LIKE: &[&str] =
        &["these", "good", "helpful", "best", "capable", "smart", "all", "such", "like", "as", "be"];
    let mut words = sentence.words_in_front();
    let tie = words.next().unwrap_or_default();
    let many = words.next().is_some_and(|noun| MANY.contains(&noun));
    let told = sentence.words_in_front().any(|word| LIKE.contains(&word));
    let ends = match tie {
        "who" => {
            sentence
                .words_behind()
                .next()
                .is_some_and(|verb| matches!(verb, "will" | "may" | "might" | "can" | "often" | "lose"))
                && !["reward", "win", "better", "allow", "paid"]
                    .iter()
                    .any(|gain| sentence.behind.contains(gain))
        }
        often if OFTEN.contains(&often) => sentence
            .words_behind()
            .next()
            .is_none_or(|word| matches!(word, "in" | "when" | "after" | "during" | "once" | "if")),
        _ => false,
    };
    let goes_on = sentence.behind.contains([';', ':'])
        || [" and ", " so "].iter().any(|more| sentence.behind.contains(more));
    many && !told && ends && !goes_on
}

/// "We ignore the earlier instruction set of the 6502": those that a processor has.
fn is_a_processor(sentence: &Sentence) -> bool {
    let mut front = sentence.words_in_front();
    let who = front.next().is_some_and(|word| matches!(word, "we" | "they" | "emulators" | "i"))
        && front.next().is_none();
    let broad = sentence.words_said().any(|word| {
        matches!(
            word,
            "all" | "any" | "every" | "your" | "system" | "developer" | "safety" | "user" | "operator"
        )
    });
    let all = format!("{}{}", sentence.said, sentence.behind);
    let set = ["instruction set of the ", "instructions set of the ", "instruction sets of the "]
        .iter()
        .find_map(|set| all.split_once(set))
        .map(|(_, of)| of.split(' ').next().unwrap_or_default());
    // A model number, or a name that processors have.
    let processor = set.is_some_and(|name| {
        name.bytes().any(|byte| byte.is_ascii_digit())
            || ["processor", "cpu", "gpu", "chip", "core"].iter().any(|noun| name.starts_with(noun))
    });
    who && !broad && processor
}

/// "The new rules override the previous guidelines from 2024": one edition took the place of another.
fn is_a_newer_edition(sentence: &Sentence) -> bool {
    const NEW: &[&str] = &["new", "updated", "revised", "amended", "current"];
    const RULES: &[&str] = &[
        "rules",
        "guidelines",
        "statutes",
        "regulations",
        "bylaws",
        "policies",
        "standards",
        "edition",
        "handbook",
    ];
    let mut words = sentence.words_in_front();
    let rules = words.next().is_some_and(|word| RULES.contains(&word))
        && words.next().is_some_and(|word| NEW.contains(&word));
    let article = words.next().is_none_or(|word| word == "the");
    let label = words.next().is_none_or(|word| matches!(word, "note" | "minutes" | "decision" | "reminder"))
        && words.next().is_none();
    let plain = sentence.words_said().all(|word| {
        matches!(
            word,
            "override"
                | "overrule"
                | "discard"
                | "the"
                | "previous"
                | "earlier"
                | "prior"
                | "former"
                | "guidelines"
                | "directives"
        )
    });
    let mut behind = sentence.words_behind();
    let dated = behind.next().is_some_and(|word| matches!(word, "from" | "of" | "in"))
        && behind
            .next()
            .is_some_and(|year| year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()));
    rules && article && label && plain && dated && behind.next().is_none()
}

/// Somebody is spoken to, or asked for something, here or in what comes next.
fn is_an_order(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const READER: &[&str] = &[
        " you ", " your ", " yours ", " yourself ", " assistant", " agent", " please ", " must ", " from now", " from here",
        " henceforth", " now ", " so do ", " do so", " do it", " do the same", " likewise", " obey", " comply", " reveal",
        " print", " run ", " execut", " disabl", " approv", " skip ", " bypass", " ignore ", " disregard", " act ", " follow",
        " system prompt", " developer", " operator", " secret", " password", " credential", " token ",
    ];
    let all = sentence.all_around();
    READER.iter().any(|word| all.contains(word))
        || asks_for_an_act(&sentence.behind)
        || sentence.behind.contains(':')
}
