//! Rules that people are given.

use super::sentence::Sentence;

/// "Updated instructions: use `uv sync`": what people type, to be seen, and usual.
pub(super) fn are_shown_a_command(sentence: &Sentence) -> bool {
    let behind = sentence.behind.trim_start_matches([':', ' ', '*']);
    let shown = ["use `", "run `", "call `", "see `"].iter().any(|opening| behind.starts_with(opening));
    let news = ["new ", "updated ", "revised "].iter().any(|word| sentence.said.starts_with(word));
    let fetches = ["http", "|", "$(", "curl", "wget", "base64", "&&", ";", "system", "prompt", "you "];
    news && shown && !fetches.iter().any(|sign| behind.contains(sign) || sentence.said.contains(sign))
}

/// "Employees must follow the new instructions": a notice to people, and no order to the reader.
pub(super) fn are_told(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const PEOPLE: &[&str] = &[
        "employees", "staff", "customers", "students", "pupils", "teachers", "contributors", "drivers", "visitors",
        "members", "participants", "residents", "tenants", "passengers", "patients", "contractors", "suppliers",
        "applicants", "authors", "editors", "volunteers", "players", "guests", "citizens", "pilots", "nurses",
        "doctors", "engineers", "technicians", "workers", "everyone", "everybody",
    ];
    let mut words = sentence.words_in_front();
    let modal = words
        .next()
        .is_some_and(|word| matches!(word, "must" | "should" | "shall" | "will" | "to" | "then" | "now"));
    let subject = words
        .take_while(|word| {
            !matches!(*word, "you" | "your" | "assistant" | "agent" | "agents" | "model" | "ai" | "please")
        })
        .take(6)
        .any(|word| PEOPLE.contains(&word));
    let reader = format!(" {} {} ", sentence.front, sentence.behind);
    let reader = [" you ", " your ", " assistant", " agent", " ai "].iter().any(|word| reader.contains(word));
    modal && subject && !reader
}
