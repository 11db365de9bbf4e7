//! Is it an attacker of whom a sentence tells what they do?

/// Who attacks, and with what.
#[rustfmt::skip]
const ATTACKERS: &[&str] = &[
    "attacker", "attackers", "attack", "attacks", "adversary", "adversaries", "scammer", "scammers", "scam", "scams",
    "phisher", "phishers", "fraudster", "fraudsters", "criminal", "criminals", "hacker", "hackers", "impostor",
    "impostors", "injection", "injections", "payload", "payloads", "jailbreak", "jailbreaks", "exploit", "exploits",
    "malware", "spammer", "spammers",
];

/// What carries an attack where a word in front says so.
#[rustfmt::skip]
const CARRIERS: &[&str] = &[
    "mail", "mails", "email", "emails", "e-mail", "e-mails", "page", "pages", "site", "sites", "website", "websites",
    "message", "messages", "text", "texts", "link", "links", "document", "documents", "prompt", "prompts", "comment",
    "comments", "file", "files", "input", "inputs", "content", "call", "calls", "form", "forms", "letter", "letters",
    "user", "users", "actor", "actors", "party", "parties",
];
#[rustfmt::skip]
const HOSTILE: &[&str] = &[
    "phishing", "scam", "malicious", "hostile", "fake", "fraudulent", "adversarial", "injected", "spoofed", "forged",
    "poisoned", "untrusted", "attacking",
];

/// Words between whoever acts and the verb.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "may", "might", "could", "can", "will", "would", "often", "usually", "typically", "sometimes", "commonly", "also",
    "then", "that", "which", "who", "always", "regularly",
];
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "the", "a", "an", "such", "many", "some", "most", "these", "those", "all", "any", "other", "several",
];
/// What may stand in front of a sentence within a sentence.
const JOINS: &[&str] = &["that", "how", "when", "if", "where", "while", "but", "because", "since", "as"];
const JOINTS: [char; 5] = [',', ':', ';', ')', '—'];

/// Does `front` end with an attacker who does what comes next? Whoever only deals with attackers is none: "the
/// threat team asks you", "the desk against phishing mails asks you".
pub(super) fn acts_behind(front: &str) -> bool {
    subject(front).is_some()
}

/// The same, and the sentence begins with the attacker: not "since attackers may …".
pub(super) fn alone_acts_behind(front: &str) -> bool {
    subject(front).is_some_and(|before| before.is_empty())
}

/// What stands in front of the attacker who acts, if one does.
fn subject(front: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = front.split(' ').filter(|word| word.contains(char::is_alphanumeric)).collect();
    let mut rest = words.as_slice();
    while let [before @ .., word] = rest
        && BETWEEN.contains(word)
    {
        rest = before;
    }
    let [before @ .., noun] = rest else {
        return None;
    };
    let mut before = before;
    let mut hostile = ATTACKERS.contains(&bare(noun));
    let carries = CARRIERS.contains(&bare(noun));
    if noun.ends_with(JOINTS) || !(hostile || carries) {
        return None;
    }
    // At most two words say which: "fake login pages".
    for _ in 0..2 {
        let [earlier @ .., word] = before else {
            break;
        };
        let said_so = HOSTILE.contains(&bare(word));
        let other = ARTICLES.contains(word) || JOINS.contains(word) || !says_which(word);
        if word.ends_with(JOINTS) || (other && !said_so) {
            break;
        }
        hostile |= said_so && carries;
        before = earlier;
    }
    if let [earlier @ .., word] = before
        && ARTICLES.contains(word)
    {
        before = earlier;
    }
    let begins = before.last().is_none_or(|word| word.ends_with(JOINTS) || JOINS.contains(word));
    (hostile && begins).then(|| before.to_vec())
}

/// Could the word say which attackers are meant? "Against attackers" and "fighting attackers" are about others.
fn says_which(word: &str) -> bool {
    #[rustfmt::skip]
    const ABOUT: &[&str] = &[
        "of", "for", "against", "from", "by", "with", "about", "to", "on", "in", "at", "than", "over", "under", "after",
        "before", "team", "desk", "without", "versus", "stop", "stops", "fight", "fights", "anti",
    ];
    !ABOUT.contains(&word) && !word.ends_with("ing")
}

fn bare(word: &str) -> &str {
    word.trim_matches(|sign: char| !sign.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::{acts_behind, alone_acts_behind};

    #[test]
    fn whoever_attacks_is_told_from_whoever_speaks_of_attacks() {
        let cases = [
            // in front of the verb, is it an attacker, and does the sentence begin with them?
            ("attackers ", true, true),
            ("- an attacker may ", true, true),
            ("phishing mails often ", true, true),
            ("fake login pages ", true, true),
            ("note that scam pages ", true, false),
            ("since an attack ", true, false),
            ("the threat team ", false, false),
            ("the anti-phishing mail ", false, false),
            ("the desk against phishing mails ", false, false),
            ("the team fighting attackers ", false, false),
            ("the mail ", false, false),
            ("we fear attackers, ", false, false),
            ("", false, false),
        ];
        for (front, acts, alone) in cases {
            assert_eq!((acts_behind(front), alone_acts_behind(front)), (acts, alone), "{front:?}");
        }
    }
}
