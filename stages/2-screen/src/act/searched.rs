//! Words that say where a closer look is due, and what each of them is for.
//!
//! They are searched for in every text together with all others. A rule that could be met without any of these is
//! looked for only where somebody runs the text.

use std::sync::LazyLock;

use super::{exfiltration, injection, source, traversal};
use crate::keywords::Hit;

/// What the words of the search are for.
#[derive(Clone, Copy)]
pub(super) enum Use {
    Line,
    Spelling(usize),
    Path,
    Secret,
    /// Only looked at closely: the name of a file of secrets, or a way to read the environment.
    File,
    /// The same: the name of a secret value.
    Value,
}

pub(super) static WORDS: LazyLock<Vec<(&str, Use)>> = LazyLock::new(|| {
    const LINES: &[&str] = &[
        "curl",
        "wget",
        "iwr ",
        "irm ",
        "invoke-webrequest",
        "invoke-restmethod",
        "aria2c",
        "eval ",
        "base64 -",
        "xxd -",
        "-enc",
        " <(",
        "openssl enc",
        "lwp-",
        "certutil",
        "bitsadmin",
        "|sh",
        "| sh",
        "|bash",
        "| bash",
        "fetch -",
        "fetch http",
        "nc -",
        "zcat ",
        "gunzip ",
        "powershell -e",
        "pwsh -e",
    ];
    let lines = LINES.iter().map(|word| (*word, Use::Line));
    let spellings = injection::spelling_words().enumerate().map(|(place, word)| (word, Use::Spelling(place)));
    let paths = traversal::WORDS.iter().map(|word| (*word, Use::Path));
    let secrets = exfiltration::words().chain(source::WORDS.iter().copied()).map(|word| (word, Use::Secret));
    let files = source::FILES.iter().map(|word| (*word, Use::File));
    let values = source::VALUES.iter().map(|word| (*word, Use::Value));
    lines.chain(spellings).chain(paths).chain(secrets).chain(files).chain(values).collect()
});

/// Words that say where a closer look is due.
pub(crate) fn words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(word, _)| *word)
}

pub(super) fn use_of(hit: &Hit) -> Option<Use> {
    WORDS.get(hit.word()).map(|(_, use_of)| *use_of)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_word_is_long_enough_to_be_searched_for() {
        let spellings = super::injection::spelling_words();
        let paths = super::traversal::WORDS.iter().copied();
        let secrets = super::exfiltration::words().chain(super::source::WORDS.iter().copied());
        let short: Vec<&str> = spellings.chain(paths).chain(secrets).filter(|word| word.len() < 3).collect();
        assert!(short.is_empty(), "{short:?}");
    }
}
