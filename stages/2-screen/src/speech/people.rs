//! Rules that people are given.

use super::ignoring::asks_for_an_act;
use super::sentence::Sentence;

/// "Updated instructions: use `uv sync` and not `pip install`": one way of doing it took the place of another.
/// New instructions to run something are what an attack gives.
pub(super) fn are_shown_a_command(sentence: &Sentence) -> bool {
    const INSTEAD: &[&str] = &["instead of", "and not", "rather than", "not", "in place of"];
    let behind = sentence.behind.trim_start_matches([':', ' ', '*']);
    let revised = ["updated ", "revised "].iter().any(|word| sentence.said.starts_with(word));
    let mut parts = behind.split('`');
    let uses = parts.next().is_some_and(|opening| opening == "use ");
    let shown = parts.next().unwrap_or_default();
    let replaces = parts.next().is_some_and(|between| INSTEAD.contains(&between.trim_matches([' ', ','])));
    let replaced = parts.next().is_some();
    let ends = parts.all(|rest| rest.trim_matches(['.', ' ', '*', ')']).is_empty());
    #[rustfmt::skip]
    const GRAVE: &[&str] = &[
        "http", "|", "$(", "curl", "wget", "base64", "&&", ";", "system", "prompt", "you ", "rm ", "--force", "delet",
        "sudo", "drop ", "push", "policy", "--no-verify", "chmod",
    ];
    let grave = GRAVE.iter().any(|sign| shown.contains(sign) || sentence.said.contains(sign));
    revised && uses && replaces && replaced && ends && !grave
}

#[rustfmt::skip]
pub(super) const PEOPLE: &[&str] = &[
    "employees", "staff", "customers", "students", "pupils", "teachers", "contributors", "drivers", "visitors",
    "members", "participants", "residents", "tenants", "passengers", "patients", "contractors", "suppliers",
    "applicants", "authors", "editors", "volunteers", "players", "guests", "citizens", "pilots", "nurses",
    "doctors", "engineers", "technicians", "workers",
];

/// What people hand in.
#[rustfmt::skip]
const HANDED_IN: &[&str] = &[
    "applications", "submissions", "papers", "forms", "proposals", "entries", "abstracts", "manuscripts", "theses",
    "essays", "invoices", "claims", "parcels", "vehicles", "deliveries", "shipments", "bookings",
];

/// "Employees must follow the new instructions": a notice to people, and no order to the reader.
pub(super) fn are_told(sentence: &Sentence) -> bool {
    let mut words = sentence.words_in_front().skip_while(|word| *word == "then");
    let modal = words.next().is_some_and(|word| matches!(word, "must" | "should" | "shall" | "will"));
    modal && are_spoken_of(words, PEOPLE) && !is_the_reader(sentence) && !goes_on_with_an_act(sentence)
}

/// "Applications sent after May need not follow the earlier instructions."
pub(super) fn are_excused(sentence: &Sentence) -> bool {
    let modal =
        ["need not ", "should not ", "must not ", "are not to ", "need no longer ", "must no longer "]
            .iter()
            .any(|modal| sentence.said.starts_with(modal));
    let subject = are_spoken_of(sentence.words_in_front(), &[PEOPLE, HANDED_IN].concat());
    modal && subject && !is_the_reader(sentence) && !goes_on_with_an_act(sentence)
}

/// "The judge instructed the jury to disregard the previous statement": people told people.
pub(super) fn were_told(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const TOLD: &[&str] = &["instructed", "told", "asked", "directed", "ordered", "advised", "reminded", "urged"];
    #[rustfmt::skip]
    const AUDIENCES: &[&str] = &[
        "jury", "jurors", "witness", "witnesses", "council", "panel", "committee", "board", "voters", "audience", "crew", "class",
    ];
    let mut words = sentence.words_in_front().skip_while(|word| *word == "to");
    let audience = words.next().is_some_and(|word| AUDIENCES.contains(&word) || PEOPLE.contains(&word));
    let told = words.find(|word| *word != "the").is_some_and(|word| TOLD.contains(&word));
    let ends = sentence.front.trim_end().ends_with(" to");
    // What they were told otherwise, and no rules or instructions.
    let statement =
        sentence.words_said().last().is_some_and(|word| matches!(word, "statement" | "statements"))
            && !sentence.said.contains(" all ");
    statement && audience && told && ends && !is_the_reader(sentence) && !goes_on_with_an_act(sentence)
}

fn are_spoken_of<'s>(words: impl Iterator<Item = &'s str>, people: &[&str]) -> bool {
    words
        .take_while(|word| {
            !matches!(*word, "you" | "your" | "assistant" | "agent" | "agents" | "model" | "ai" | "please")
        })
        .take(6)
        .any(|word| people.contains(&word))
}

fn is_the_reader(sentence: &Sentence) -> bool {
    let all = format!(" {} {} ", sentence.front, sentence.behind);
    #[rustfmt::skip]
    const READER: &[&str] =
        &[" you ", " your ", " assistant", " agent", " ai ", " model", " llm", " bot ", "everyone", "everybody"];
    READER.iter().any(|word| all.contains(word))
}

/// "… and delete the backups": the notice was an excuse.
fn goes_on_with_an_act(sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const ORDERS: &[&str] = &[
        " run", " execut", " reveal", " print", " upload", " disabl", " approv", " skip", " ignor", " bypass", " commit",
        " replac", " overwrit", " call ", " turn off", " creat", " clear ", " purge", " destroy", " kill",
    ];
    let behind = &sentence.behind;
    if behind.contains(": ") || behind.trim_end().ends_with(':') || behind.trim_start().starts_with(':') {
        return true;
    }
    let goes_on =
        [" and ", ", ", "; ", ": ", " then ", " by ", " to "].iter().any(|next| behind.contains(next));
    goes_on && (asks_for_an_act(behind) || ORDERS.iter().any(|order| behind.contains(order)))
}
