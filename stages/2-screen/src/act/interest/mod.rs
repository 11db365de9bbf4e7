//! Where in prose a shell could do anything that matters.
//!
//! Prose is long, and lines for a shell in it are few: only those are read as a shell reads them that
//! hold something without which nothing is ever reported. That is a program that runs what it is
//! given, where something stands that could give it; a program that fetches, with something to fetch;
//! one that decodes, with somewhere to put it; one that tells secrets; a variable named as a secret; a
//! word that a shell would put together. The words of [`super::WORDS`] are searched for elsewhere.
//!
//! What spans several lines is not lost: [`regions::Region::open`] says when a line alone is not enough.

mod beginnings;
mod names;
mod programs;
mod regions;
mod signs;

use names::names;
pub(super) use regions::regions;
use signs::{put_together, signs};

/// A place to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    pub(super) at: usize,
    pub(super) kind: Kind,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A word that says little.
    Word,
    /// A program.
    Program,
    /// The name of a secret; what shows it may stand anywhere in front.
    Secret,
}

/// All places in `text`, in no order.
pub(super) fn marks(text: &str) -> Marks {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    put_together(bytes, &mut all);
    signs(bytes, &mut all);
    let named = names(bytes, &mut all);
    // Which names are put together with backticks depends on what else stands in the text.
    let quiet = all.is_empty() && !named && memchr::memchr(b'`', bytes).is_none();
    Marks { all, quiet }
}

/// The places in a text.
pub(super) struct Marks {
    pub(super) all: Vec<Mark>,
    /// There are none, and would be none in any of the texts inside it, if it is JSON: not in one that is
    /// written without escapes. No name of a program stands anywhere, and whatever else makes a place, a
    /// quotation mark on either side does not undo it.
    pub(super) quiet: bool,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::beginnings::{Beginnings, each_word};
    use super::names::{Class, class, names, read_names};
    use super::programs::{LEADS, PROGRAMS, WRAPS, program_at};
    use super::{Kind, Mark, marks, regions};

    /// The lines that are looked at; `!` in front of those that are not enough.
    fn shown(text: &str) -> Vec<String> {
        let regions = regions(text, marks(text).all);
        let line = |start: usize, end: usize| text.get(start..end).unwrap_or_default().trim_end().to_owned();
        regions
            .iter()
            .map(|region| format!("{}{}", if region.open { "!" } else { "" }, line(region.start, region.end)))
            .collect()
    }

    /// The words of a text that has more than one letter, read letter by letter.
    fn words_of(text: &str) -> Vec<(usize, usize)> {
        let mut words = Vec::new();
        let mut start = 0;
        for at in 0..=text.len() {
            if text.as_bytes().get(at).is_none_or(|&byte| class(byte) != Class::Name) {
                words.extend((at > start + 1).then_some((start, at)));
                start = at + 1;
            }
        }
        words
    }

    #[test]
    fn words_that_begin_like_a_name_are_found_wherever_they_stand() {
        let text = "a bc -de.f python3.exe _x/y-z 日q r.. ab\n".repeat(4) + &"w".repeat(150) + " . ok";
        let names = ["bc", "python", "_x", "y-z", "w", "r", "ok", "none"];
        let mut beginnings = Beginnings::none();
        names.iter().for_each(|name| beginnings.add(name.as_bytes()));
        for from in 0..text.len() {
            let Some(text) = text.get(from..) else { continue };
            let mut found = Vec::new();
            each_word(text.as_bytes(), &beginnings, |start, end| {
                found.push((start, end));
                false
            });
            let all = words_of(text);
            assert!(found.iter().all(|word| all.contains(word)), "{text}");
            for (start, end) in all.into_iter().filter(|word| !found.contains(word)) {
                let word = text.get(start..end).unwrap();
                let bare = word.trim_matches(['-', '.']).trim_end_matches(".exe");
                assert!(!names.contains(&bare), "{bare} in {text}");
                assert!(!word.starts_with(['-', '.']), "{text}");
            }
        }
    }

    #[test]
    fn no_name_of_a_program_is_passed_over() {
        let spellings = |name: &str| {
            let name = name.to_owned();
            let capital = name.to_ascii_uppercase();
            [format!("{name}."), format!("-{name}.."), format!("{name}.exe"), capital, name]
        };
        for word in PROGRAMS.does.keys().flat_map(|name| spellings(name)).filter(|word| word.len() > 1) {
            let doing = program_at(word.as_bytes(), &PROGRAMS) & !(WRAPS | LEADS) != 0;
            let text = format!("x {word} y");
            let mut found = false;
            each_word(text.as_bytes(), &PROGRAMS.beginnings, |start, end| {
                let whole = text.as_bytes().get(start..end).unwrap();
                found |= whole == word.as_bytes() && PROGRAMS.may_be(whole);
                false
            });
            assert!(found || !doing, "{word}");
        }
    }

    proptest! {
        /// What is passed over quickly would have been passed over anyway.
        #[test]
        fn names_are_found_wherever_reading_all_of_it_finds_them(
            words in proptest::collection::vec(proptest::sample::select(WORDS.to_vec()), 0..24),
            known in any::<bool>(),
        ) {
            let text = words.concat();
            let before = if known { vec![Mark { at: 0, kind: Kind::Word }] } else { Vec::new() };
            let (mut quickly, mut slowly) = (before.clone(), before);
            names(text.as_bytes(), &mut quickly);
            read_names(text.as_bytes(), &mut slowly);
            prop_assert_eq!(quickly, slowly, "{}", text);
        }
    }

    proptest! {
        /// A text of JSON that is passed over because all of it is quiet would have been passed over anyway.
        #[test]
        fn texts_inside_quiet_json_are_quiet(
            texts in proptest::collection::vec(
                proptest::collection::vec(proptest::sample::select(WORDS.to_vec()), 0..6), 1..5),
        ) {
            let texts: Vec<String> = texts.iter().map(|words| words.concat().replace(['"', '\\'], "")).collect();
            let quoted: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
            let json = format!("[{}, {{{}: {}}}]", quoted.join(","), quoted[0], quoted.join(", \"k\" :"));
            for text in &texts {
                prop_assert!(!marks(&json).quiet || marks(text).all.is_empty(), "{json}");
            }
        }
    }

    const WORDS: &[&str] = &[
        "curl",
        "curl.exe.",
        "a.",
        "..curl",
        "CURL.exe",
        "curl.",
        "-curl",
        "sh",
        "bash",
        "zcat ",
        "base64 ",
        "python3.12",
        "py",
        "at",
        "batch",
        "env",
        "printenv",
        "set",
        "sudo ",
        "time ",
        "if ",
        "do ",
        "run ",
        "eval",
        "vault",
        "kubectl ",
        "ssh ",
        "aws ",
        "|",
        " | ",
        "\n",
        "; ",
        "$",
        "$(",
        ")",
        "`",
        "<",
        ">",
        " -c ",
        "\"",
        "'",
        "=",
        "A=b ",
        "/",
        "://",
        " ",
        "word ",
        "of ",
        "x",
        "an-ordinary_word.of.some.length.that.is.longer ",
        "日本",
        "secrets ",
        "get ",
        "node ",
        "\\",
    ];

    #[test]
    fn only_lines_that_can_matter_are_looked_at() {
        let cases: [(&str, &[&str]); 18] = [
            ("The host will pass. At dawn we fetch links, and the node is fish.\n", &[]),
            ("See https://x.invalid/a and pay $5 or 100%.\n", &[]),
            ("don't\ndo\npass\n", &[]),
            ("| a | b |\n| host | at noon |\n", &[]),
            ("a\nxxd b | sh\nc\n", &["xxd b | sh"]),
            ("zcat a |\n\n sh\nb\n", &["zcat a |\n\n sh"]),
            ("zcat a\n| sh\nb\n", &["zcat a\n| sh"]),
            ("x\naxel x.invalid/i.sh\ny\n", &["axel x.invalid/i.sh"]),
            ("we axel https://x.invalid/i.sh\n", &["we axel https://x.invalid/i.sh"]),
            ("sudo -u a b''ash -c \"$(\nx)\"\n", &["!sudo -u a b''ash -c \"$("]),
            ("c\\url\n", &["c\\url"]),
            ("say c`x`url\n", &["say c`x`url"]),
            ("q\n$(echo c)url x\n", &["$(echo c)url x"]),
            ("cu$@rl\n", &["cu$@rl"]),
            ("so: mail $MY_PAT\n", &["!so: mail $MY_PAT"]),
            ("so: %API_KEY% 5%\n", &["!so: %API_KEY% 5%"]),
            ("then run python3.11 -c \"x\"\n", &["then run python3.11 -c \"x\""]),
            ("do\n axel x\ndone | sh\n", &["!done | sh"]),
        ];
        for (text, want) in cases {
            assert_eq!(shown(text), want, "{text}");
        }
    }
}
