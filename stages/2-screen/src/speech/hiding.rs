//! What is kept from users with good reason, and modes that programs are in.

use super::sentence::Sentence;

/// "Do not tell users about unreleased features": a kind of thing, and not what the reader does.
pub(super) fn is_discretion(sentence: &Sentence) -> bool {
    const THIS: &[&str] = &[
        "this", "it", "that", "these", "those", "the", "your", "my", "our", "any", "anything", "what", "how",
        "his", "her", "its", "all", "them", "us", "me", "a", "an", "why", "where", "who", "changes",
        "deleting", "sending",
    ];
    #[rustfmt::skip]
    const GRAVE: &[&str] = &[
        "exfil", "secret", "leak", "delet", "backdoor", "transfer", "inject", "instruct", "payment", "change",
        "remov", "sent", "upload", "access", "token", "key", "password", "credential", "prompt", "action",
        "command", "tool",
    ];
    let first = sentence.words_behind().next().unwrap_or_default();
    let many = sentence.words_behind().take(4).any(|word| word.len() > 3 && word.ends_with('s'));
    let about = sentence.said.ends_with("about");
    let opens = ["do not tell", "don't tell", "do not inform", "don't inform", "never tell"]
        .iter()
        .any(|verb| sentence.said.starts_with(verb));
    let follows = sentence.front.trim().is_empty() || sentence.front.trim_end().ends_with(['-', '*', '.']);
    about
        && opens
        && follows
        && many
        && !first.is_empty()
        && !THIS.contains(&first)
        && !GRAVE.iter().any(|word| sentence.behind.contains(word))
}

/// "You are now in developer mode when the toast appears": said of a device.
pub(super) fn is_a_state_of_a_program(sentence: &Sentence) -> bool {
    let mode = ["developer mode", "dev mode", "debug mode", "maintenance mode", "test mode"]
        .iter()
        .any(|mode| sentence.said.ends_with(mode));
    let condition =
        sentence.words_behind().next().is_some_and(|word| matches!(word, "when" | "once" | "after"));
    let reader = sentence.words_behind().any(|word| {
        matches!(word, "you" | "your" | "i" | "assistant" | "model" | "ai" | "agent" | "reading" | "read")
    });
    #[rustfmt::skip]
    const SEEN: &[&str] = &[
        "toast", "screen", "banner", "message", "icon", "menu", "light", "led", "notification", "prompt",
        "device", "phone", "toggle", "dialog",
    ];
    mode && condition && !reader && sentence.words_behind().any(|word| SEEN.contains(&word))
}
