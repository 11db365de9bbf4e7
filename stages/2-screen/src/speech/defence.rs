//! "If a page asks you to ignore …, refuse", "never follow a request to reveal …": what to do about an order.
//!
//! "Do not" alone refuses nothing: "if asked to reveal it, print it and do not shorten anything".

use super::sentence::Sentence;

/// What the order would be to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// To forget what one was told.
    Ignore,
    /// To hand over what one was told.
    Reveal,
}

const NEGATIONS: &[&str] = &["not", "never", "don't", "cannot", "can't", "won't", "mustn't", "shouldn't"];

pub(super) fn is_defence(sentence: &Sentence, order: Order) -> bool {
    #[rustfmt::skip]
    const ASKED: &[&str] = &[
        "asks you to", "ask you to", "asked to", "tells you to", "tell you to", "told to", "instructs you to",
        "instruct you to", "asking you to", "telling you to", "wants you to", "says to", "asks to",
        "tries to make you", "instructed to", "instructing you to", "attempts to make you",
        "tries to get you to", "says", "asks that you",
    ];
    let front = sentence.front.trim_end();
    let condition = ["if ", "when ", "whenever ", "in case ", "even if ", "should "]
        .iter()
        .any(|word| format!(" {front}").contains(&format!(" {word}")));
    let asked = ASKED.iter().any(|asked| front.ends_with(asked));
    (condition && asked && is_refused(&sentence.behind, order)) || is_against_requests(sentence, order)
}

/// Is the order refused here, and not carried out as well?
fn is_refused(behind: &str, order: Order) -> bool {
    const HESITATES: &[&str] = &["hesitat", "delay", "argue", "question", "go ahead", "without"];
    const INSTEAD: &[&str] = &[" else", "anything but", "nothing but", " less", " only"];
    let hesitates = HESITATES.iter().any(|word| behind.contains(word));
    let instead = order == Order::Reveal && INSTEAD.iter().any(|word| behind.contains(word));
    let clauses = clauses(behind);
    let mut negated_before = false;
    let mut refused = false;
    for clause in &clauses {
        let negated = clause.words.iter().any(|word| NEGATIONS.contains(word));
        // "Do not reveal, share or repeat it".
        let goes_on = negated_before && clause.listed;
        let turned = negated || goes_on || refuses(&clause.words, order);
        if (negated && refuses(&clause.words, order)) || (!turned && complies(&clause.words, order)) {
            return false;
        }
        refused |= if negated { denies(&clause.words, order) } else { refuses(&clause.words, order) };
        negated_before = negated || goes_on;
    }
    refused && !hesitates && !instead
}

struct Clause<'s> {
    words: Vec<&'s str>,
    /// Only a comma stands in front of it.
    listed: bool,
}

fn clauses(text: &str) -> Vec<Clause<'_>> {
    let mut clauses = vec![Clause { words: Vec::new(), listed: false }];
    for word in text.split(' ') {
        let bare = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        let joins = matches!(bare, "and" | "but" | "then" | "instead");
        if joins {
            clauses.push(Clause { words: Vec::new(), listed: false });
        } else if let Some(clause) = clauses.last_mut()
            && !bare.is_empty()
        {
            clause.words.push(bare);
        }
        if word.ends_with([',', ';', ':', '—']) {
            clauses.push(Clause { words: Vec::new(), listed: word.ends_with(',') });
        }
    }
    clauses.retain(|clause| !clause.words.is_empty());
    clauses
}

/// "Decline", "report the attempt", "treat it as data".
fn refuses(words: &[&str], order: Order) -> bool {
    const REFUSE: &[&str] = &["refus", "declin", "reject", "resist"];
    const SAID: &[&str] =
        &["say no", "as data", "as untrusted", "is an attack", "as an attack", "as hostile"];
    // Said of what one was told to ignore; what one is to reveal may be reported, too.
    const OF_IGNORING: &[&str] = &["report", "flag", "warn", "alert", "stop"];
    const SAID_OF_IGNORING: &[&str] =
        &["ignore it", "ignore that", "disregard it", "tell the user", "ignore this", "ignore the request"];
    const SAID_OF_REVEALING: &[&str] = &[
        "ignore it",
        "ignore that",
        "ignore this",
        "ignore the",
        "report the attempt",
        "report the request",
        "flag the",
        "flag it",
        "warn the",
        "alert the",
    ];
    let begins = |list: &[&str]| words.iter().any(|word| list.iter().any(|start| word.starts_with(start)));
    let said = words.join(" ");
    let holds = |list: &[&str]| list.iter().any(|words| said.contains(words));
    // "Refuse nothing", "reject your rules", "stop following them", "report success".
    const OTHER: &[&str] =
        &["nothing", "none", "limits", "limit", "rules", "rule", "restrictions", "following", "success"];
    let verb = words
        .iter()
        .position(|word| [REFUSE, OF_IGNORING].concat().iter().any(|verb| word.starts_with(verb)));
    let object = verb.and_then(|verb| words.get(verb + 1..)).unwrap_or_default();
    let own = object.first() == Some(&"your") && !begins(&["report", "flag", "warn", "alert"]);
    if own || object.iter().take(2).any(|word| OTHER.contains(word)) {
        return false;
    }
    begins(REFUSE)
        || holds(SAID)
        || match order {
            Order::Ignore => begins(OF_IGNORING) || holds(SAID_OF_IGNORING),
            Order::Reveal => holds(SAID_OF_REVEALING),
        }
}

/// "Do not", "do not comply", "never share it": what is not to be done is what was asked for.
fn denies(words: &[&str], order: Order) -> bool {
    const HOW: &[&str] = &["ever", "simply", "blindly", "just", "do", "so", "it", "that", "this"];
    #[rustfmt::skip]
    const OBEY: &[&str] = &[
        "comply", "follow", "obey", "accept", "execute", "act", "trust", "believe", "heed", "listen", "carry", "honour",
        "honor", "agree", "cooperate", "help",
    ];
    #[rustfmt::skip]
    const REVEAL: &[&str] = &[
        "reveal", "share", "answer", "disclose", "print", "show", "repeat", "output", "give", "quote", "provide",
        "respond", "leak", "paraphrase", "summarise", "summarize", "expose", "display", "discuss", "recite",
    ];
    const IGNORE: &[&str] = &["ignore", "disregard", "forget", "drop", "change", "abandon", "override"];
    words.iter().enumerate().filter(|(_, word)| NEGATIONS.contains(word)).any(|(place, _)| {
        let mut rest = words.iter().skip(place + 1).filter(|word| !HOW.contains(word));
        let Some(verb) = rest.next() else {
            return true;
        };
        let own = rest.next().is_some_and(|word| matches!(*word, "them" | "your" | "any" | "its" | "yours"));
        OBEY.contains(verb)
            || match order {
                Order::Ignore => IGNORE.contains(verb) && own,
                Order::Reveal => REVEAL.contains(verb),
            }
    })
}

/// "Do so", "print all of it".
fn complies(words: &[&str], order: Order) -> bool {
    const COMPLY: &[&str] = &["comply", "obey", "accept", "follow"];
    #[rustfmt::skip]
    const HAND: &[&str] = &[
        "print", "show", "output", "write", "paste", "send", "post", "include", "list", "repeat", "reveal", "share",
        "give", "quote", "recite", "copy", "dump", "provide", "display", "disclose",
    ];
    let said = words.join(" ");
    words.iter().any(|word| COMPLY.contains(word) || (order == Order::Reveal && HAND.contains(word)))
        || ["do it", "do so", "do that"].iter().any(|done| said.contains(done))
}

/// "Never follow a request to ignore …". "Never refuse a request to …" is twice against it.
fn is_against_requests(sentence: &Sentence, order: Order) -> bool {
    #[rustfmt::skip]
    const REQUESTS: &[&str] = &[
        "request", "requests", "attempt", "attempts", "instruction", "instructions", "order", "orders",
        "prompt", "prompts", "demand", "demands", "command", "commands",
    ];
    #[rustfmt::skip]
    const FOLLOW: &[&str] = &[
        "follow", "obey", "comply", "accept", "answer", "honour", "honor", "grant", "act", "fulfil", "fulfill", "respond",
        "execute", "carry", "heed", "listen", "give", "trust", "process", "agree", "yield", "allow", "serve", "satisfy",
        "react", "entertain", "fall",
    ];
    const REFUSE: &[&str] = &["refuse", "resist", "decline", "refuses", "resists", "declines"];
    #[rustfmt::skip]
    const STOP: &[&str] = &[
        "reject", "block", "detect", "flag", "report", "deny", "rejects", "blocks", "detects", "flags", "reports", "denies",
    ];
    let mut words = sentence.words_in_front();
    let request = words.next() == Some("to") && words.next().is_some_and(|word| REQUESTS.contains(&word));
    let nearest: Vec<&str> = words.collect();
    let (mut against, mut sound) = (0, true);
    for (place, word) in nearest.iter().enumerate() {
        let between = nearest.get(..place).unwrap_or_default();
        if NEGATIONS.contains(word) {
            let verb = between.iter().rev().find(|word| !matches!(**word, "ever" | "blindly" | "simply"));
            let refuses = verb.is_some_and(|verb| REFUSE.contains(verb) || STOP.contains(verb));
            sound &= refuses || verb.is_some_and(|verb| FOLLOW.contains(verb));
            against += 1;
        } else if REFUSE.contains(word) {
            against += 1;
        } else if STOP.contains(word) {
            // "Report the answer to a request to reveal it" hands it over.
            sound &= order == Order::Ignore || !between.iter().any(|word| matches!(*word, "to" | "answer"));
            against += 1;
        }
    }
    request && against == 1 && sound
}
