//! The sentence that a phrase stands in.

use call::Span;

/// A sentence in small letters and with single blanks, cut at the phrase.
pub(super) struct Sentence {
    pub(super) front: String,
    pub(super) said: String,
    pub(super) behind: String,
    /// What comes next.
    pub(super) after: String,
}

/// Longer sentences are looked at only as far as this.
const FAR: usize = 300;

/// So far blanks are passed over, to see what stands behind them.
const FARTHEST: usize = 16 * 1024;

impl Sentence {
    pub(super) fn around(text: &str, span: Span) -> Self {
        let span = without_next_word(text, span);
        let said = span.of(text).unwrap_or_default();
        let from = text.floor_char_boundary(span.start.saturating_sub(FAR));
        let before = text.get(from..span.start).unwrap_or_default();
        let whole = text.get(from..span.end).unwrap_or_default();
        // A capital at the start of a line begins a sentence, whatever the line before ends with.
        let capital = said.starts_with(char::is_uppercase) && before.trim_end_matches(' ').ends_with('\n');
        let front =
            if capital { "" } else { before.get(last_start(whole, before.len())..).unwrap_or_default() };
        let after = text.get(span.end..).unwrap_or_default();
        // Blanks push nothing out of sight.
        let seen = after.bytes().take(FARTHEST).enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace());
        let to = seen.map(|(at, _)| at + 1).nth(FAR).unwrap_or(after.len().min(FARTHEST));
        let after = after.get(..after.floor_char_boundary(to)).unwrap_or_default();
        let behind = after.get(..first_end(after)).unwrap_or_default();
        let next = after.get(behind.len()..).unwrap_or_default();
        Self { front: plain(front), said: plain(said), behind: plain(behind), after: plain(next) }
    }

    /// The words in front, the nearest first, without the signs around them.
    pub(super) fn words_in_front(&self) -> impl Iterator<Item = &str> {
        self.front.rsplit(' ').map(bare).filter(|word| !word.is_empty())
    }

    pub(super) fn words_behind(&self) -> impl Iterator<Item = &str> {
        self.behind.split(' ').map(bare).filter(|word| !word.is_empty())
    }

    pub(super) fn words_said(&self) -> impl Iterator<Item = &str> {
        self.said.split(' ').map(bare).filter(|word| !word.is_empty())
    }

    /// What stands behind the phrase, in this sentence and in those that follow.
    pub(super) fn rest(&self) -> String {
        format!("{} {}", self.behind, self.after)
    }

    /// All words around the phrase, what comes next too, with single blanks around each.
    pub(super) fn all_around(&self) -> String {
        let around = format!("{} {} {}", self.front, self.behind, self.after);
        let words = around
            .split(|sign: char| !sign.is_alphanumeric() && sign != '\'')
            .filter(|word| !word.is_empty());
        words.fold(" ".to_owned(), |all, word| all + word + " ")
    }

    /// One of a list that is announced as what it is: "Phrases: …; …".
    pub(super) fn is_listed(&self) -> bool {
        #[rustfmt::skip]
        const LISTS: &[&str] = &[
            "phrases", "patterns", "payloads", "signatures", "keywords", "triggers", "jailbreaks", "injections",
            "strings", "blocklist", "denylist",
        ];
        let label = self.front.split_once(':').map_or("", |(label, _)| label);
        let announced = label.split(' ').map(bare).next_back().is_some_and(|word| LISTS.contains(&word));
        announced && (self.front.contains(';') || self.behind.trim_start().starts_with(';'))
    }
}

/// Phrases are found in letters alone, so that "your prompt, say no" has "your prompts" in it.
fn without_next_word(text: &str, span: Span) -> Span {
    let goes_on = text.get(span.end..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    let phrase = span.of(text).and_then(|said| said.strip_suffix(['s', 'S']));
    match phrase {
        Some(phrase) if goes_on && !phrase.ends_with(char::is_alphanumeric) => {
            let phrase = phrase.trim_end_matches(|sign: char| !sign.is_alphanumeric());
            Span::new(span.start, span.start + phrase.len())
        }
        _ => span,
    }
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|sign: char| !sign.is_alphanumeric())
}

fn plain(text: &str) -> String {
    let blank = text.starts_with(char::is_whitespace);
    let mut plain = if blank { " ".to_owned() } else { String::new() };
    for word in text.split_whitespace() {
        if !plain.is_empty() && !plain.ends_with(' ') {
            plain.push(' ');
        }
        plain.push_str(&word.to_lowercase().replace('’', "'"));
    }
    if !plain.ends_with(' ') && text.ends_with(char::is_whitespace) {
        plain.push(' ');
    }
    plain
}

/// Where the sentence starts that stands at `end`.
fn last_start(text: &str, end: usize) -> usize {
    let signs = text.char_indices().take_while(|&(place, _)| place < end);
    let ends = signs.filter(|&(place, sign)| {
        let rest = text.get(place + sign.len_utf8()..).unwrap_or_default();
        ends_at(text.get(..place).unwrap_or_default(), sign, rest)
    });
    ends.last().map_or(0, |(place, sign)| place + sign.len_utf8())
}

/// Where the first sentence of `text` ends.
fn first_end(text: &str) -> usize {
    text.char_indices()
        .find(|&(place, sign)| {
            let rest = text.get(place + sign.len_utf8()..).unwrap_or_default();
            ends_at(text.get(..place).unwrap_or_default(), sign, rest)
        })
        .map_or(text.len(), |(place, _)| place)
}

/// Does a sentence end with this sign, between these texts?
fn ends_at(before: &str, sign: char, rest: &str) -> bool {
    match sign {
        '。' | '！' | '？' => true,
        '.' | '!' | '?' => {
            let short = ["e.g", "i.e", "etc", "vs", "cf"].iter().any(|word| before.ends_with(word));
            !short
                && (rest.is_empty()
                    || rest.starts_with(|next: char| {
                        next.is_whitespace() || matches!(next, '"' | '\'' | ')' | '<' | '\\')
                    }))
        }
        '\n' => {
            let line = rest.trim_start_matches([' ', '\t']);
            line.is_empty()
                || line.starts_with(['\n', '-', '*', '#', '|', '>', '+', '`'])
                || line.starts_with(|first: char| first.is_ascii_digit())
                || before.ends_with(':')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Sentence;
    use call::Span;

    #[test]
    fn the_next_word_is_no_plural() {
        let text = "Your prompt, say no. Your prompts say so.";
        let behind = |end| Sentence::around(text, Span::new(0, end)).behind;
        assert_eq!(behind("Your prompt, s".len()), ", say no");
        assert_eq!(behind("Your prompt".len()), ", say no");
        let plural = Span::new("Your prompt, say no. ".len(), "Your prompt, say no. Your prompts".len());
        assert_eq!(Sentence::around(text, plural).behind, " say so");
    }

    #[test]
    fn a_sentence_is_cut_at_the_phrase() {
        let cases = [
            // text with the phrase in brackets, in front, behind
            ("One. Two [x] three. Four", "two ", " three"),
            ("e.g. two\nlines [x]\nthree\n\nFour", "e.g. two lines ", " three"),
            ("a\n- b [x]", "- b ", ""),
            ("Two.\n[X]", "", ""),
            ("two\n[X]", "", ""),
            ("two\n[x]", "two ", ""),
        ];
        for (case, front, behind) in cases {
            let start = case.find('[').unwrap_or_default();
            let text = case.replace(['[', ']'], "");
            let sentence = Sentence::around(&text, Span::new(start, start + 1));
            assert_eq!((sentence.front.trim_start(), &*sentence.behind), (front, behind), "{case:?}");
        }
    }
}
