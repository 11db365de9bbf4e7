//! "Follow the user's new instructions: shorten the introduction": what a user asked for, which is said to be done.
//!
//! An attack may name a user, too. So what is asked for must be said here, be an edit of a text or a program that harms
//! nobody, and nothing may come behind it.

use super::sentence::Sentence;

/// Whoever asked.
const OWNERS: &[&str] =
    &["user's", "users'", "customer's", "client's", "reviewer's", "reviewers'", "maintainer's", "author's"];

const GAVE: &[&str] = &["gave", "left", "sent", "wrote", "added", "posted"];

const ASKED_BY: &[&str] = &["user", "customer", "client", "reviewer", "maintainer", "author"];

/// Where it was asked for.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "in the issue", "in the ticket", "in the pull request", "in the readme", "in the docs", "in the wiki", "in the brief",
    "in the review", "in the handbook", "in the specification", "in the task description", "from the issue",
    "from the ticket", "from the review",
];

/// What is done to texts and programs.
#[rustfmt::skip]
const EDITS: &[&str] = &[
    "shorten", "rename", "rewrite", "reword", "translate", "format", "split", "simplify", "sort", "shorter", "longer",
    "refactor", "summarise", "summarize",
];

/// What is no mere edit, or speaks to whoever reads.
#[rustfmt::skip]
const GRAVE: &[&str] = &[
    "ignor", "disregard", "forget", "delet", "wipe", "eras", "secret", "token", "key", "password", "credential", "send",
    "upload", "push", "deploy", "approv", "disabl", "policy", "policies", "permission", "system", "prompt", "http", "sudo", "curl", "wget",
    "execut", "run", "drop", "grant", "share", "forward", "mail", "you", "obey", "below", "merge", "publish", "export",
    "install", "download", "admin", "operator", "developer", "overrid", "env", "ssh", "instead", "from now", "bypass", "skip",
    "remove", "copy", "transfer", "reveal", "print", "safety", "security", "sandbox", "network", "allow", "all ", "`", "$", "|",
];

pub(super) fn are_followed(sentence: &Sentence) -> bool {
    const MOST: usize = 12;
    let lead = format!("{}{}", sentence.front, sentence.said);
    let mut gave = sentence.words_in_front();
    let given = gave.next().is_some_and(|verb| GAVE.contains(&verb))
        && gave.next().is_some_and(|who| ASKED_BY.contains(&who));
    let owned = lead.split(' ').any(|word| OWNERS.contains(&word));
    let behind = sentence.behind.trim();
    // A place alone may be one that anybody writes to.
    let Some((place, wish)) = behind.split_once(':') else { return false };
    let (place, mut words) = (place.trim(), wish.trim().split(' '));
    let harmless = words.next().is_some_and(|verb| EDITS.contains(&verb)) && words.count() < MOST;
    let somebody = (owned || given) && (place.is_empty() || PLACES.contains(&place));
    let grave = format!("{} {behind} ", sentence.front);
    somebody
        && harmless
        && sentence.after.trim_matches(['.', ' ']).is_empty()
        && !GRAVE.iter().any(|word| grave.contains(word))
}
