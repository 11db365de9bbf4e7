//! With which two letters can an expression begin?
//!
//! The words that phrases begin with are common ones: "add", "run", "use". What must follow them is
//! not, and whether it does can be seen from two letters, before an expression is compiled and text
//! is squeezed for it.

/// What an expression can begin with. A set of texts, of which only the first two letters count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    // It may be nothing at all.
    nothing: bool,
    // It may be this letter and no more. One bit for each letter, here and below.
    single: u32,
    // For each first letter, the second ones.
    pairs: [u32; 26],
}

const ALL_LETTERS: u32 = (1 << 26) - 1;

impl Opening {
    const NEVER: Self = Self { nothing: false, single: 0, pairs: [0; 26] };
    const NOTHING: Self = Self { nothing: true, ..Self::NEVER };
    const ANYTHING: Self = Self { nothing: true, single: ALL_LETTERS, pairs: [ALL_LETTERS; 26] };

    /// What a text can begin with that `expression` matches: words, groups, repetition, classes.
    pub(super) fn of(expression: &str) -> Self {
        let mut rest = expression;
        let mut all = Self::alternatives(&mut rest);
        while !rest.is_empty() {
            // A parenthesis too many; the test that expressions compile would say so.
            rest = rest.get(1..).unwrap_or_default();
            all = Self::ANYTHING;
        }
        all.then(Self::ANYTHING)
    }

    /// Can it begin with what `text` begins with? With less than two plain letters anything can.
    pub(super) fn fits(&self, text: &[u8]) -> bool {
        let [first @ b'a'..=b'z', second @ b'a'..=b'z', ..] = *text else { return true };
        let seconds = self.pairs.get(usize::from(first - b'a')).copied().unwrap_or_default();
        seconds & bit(second) != 0
    }

    fn alternatives(rest: &mut &str) -> Self {
        let mut all = Self::sequence(rest);
        while take(rest, "|") {
            all = all.or(Self::sequence(rest));
        }
        all
    }

    fn sequence(rest: &mut &str) -> Self {
        let mut all = Self::NOTHING;
        while !rest.is_empty() && !rest.starts_with(['|', ')']) {
            let one = Self::one(rest);
            all = all.then(Self::repeated(one, rest));
        }
        all
    }

    /// A group, a class, a letter, or the end of a sentence.
    fn one(rest: &mut &str) -> Self {
        if take(rest, "(?:") {
            let group = Self::alternatives(rest);
            take(rest, ")");
            return group;
        }
        if take(rest, "[a-z]") {
            return Self { single: ALL_LETTERS, ..Self::NEVER };
        }
        if take(rest, "[") {
            let (letters, behind) = rest.split_once(']').unwrap_or((rest, ""));
            *rest = behind;
            return Self { single: letters.bytes().fold(0, |all, letter| all | bit(letter)), ..Self::NEVER };
        }
        let mut characters = rest.chars();
        let first = characters.next().unwrap_or_default();
        *rest = characters.as_str();
        match u8::try_from(first) {
            // Whatever comes behind the end of a sentence.
            Ok(b'\n' | b'$') => Self::ANYTHING,
            Ok(letter) if letter.is_ascii() => Self { single: bit(letter), ..Self::NEVER },
            Ok(_) | Err(_) => Self::ANYTHING,
        }
    }

    fn repeated(one: Self, rest: &mut &str) -> Self {
        let perhaps = one.or(Self::NOTHING);
        // Twice is as good as more: then there are two letters.
        if take(rest, "*") || take(rest, "{0,") {
            skip_count(rest);
            perhaps.then(perhaps)
        } else if take(rest, "+") || take(rest, "{") {
            skip_count(rest);
            one.then(perhaps)
        } else if take(rest, "?") {
            perhaps
        } else {
            one
        }
    }

    fn or(mut self, other: Self) -> Self {
        self.nothing |= other.nothing;
        self.single |= other.single;
        self.pairs.iter_mut().zip(other.pairs).for_each(|(mine, others)| *mine |= others);
        self
    }

    fn then(self, next: Self) -> Self {
        let mut all = Self { nothing: self.nothing && next.nothing, single: 0, pairs: self.pairs };
        all.single |= if next.nothing { self.single } else { 0 };
        all.single |= if self.nothing { next.single } else { 0 };
        let first_of_next = next
            .pairs
            .iter()
            .zip(0..)
            .fold(next.single, |all, (seconds, letter)| all | (u32::from(*seconds != 0) << letter));
        for (place, (pairs, others)) in all.pairs.iter_mut().zip(next.pairs).enumerate() {
            *pairs |= if self.nothing { others } else { 0 };
            *pairs |= if self.single & (1 << place) != 0 { first_of_next } else { 0 };
        }
        all
    }
}

fn bit(letter: u8) -> u32 {
    if letter.is_ascii_lowercase() { 1 << (letter - b'a') } else { 0 }
}

fn take(rest: &mut &str, sign: &str) -> bool {
    let behind = rest.strip_prefix(sign);
    *rest = behind.unwrap_or(rest);
    behind.is_some()
}

/// The rest of `{2,40}`, of which the first sign was taken; nothing behind a `*` or `+`.
fn skip_count(rest: &mut &str) {
    let digits = rest.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == ',');
    *rest = digits.strip_prefix('}').unwrap_or(rest);
}

#[cfg(test)]
mod tests {
    use super::Opening;

    #[test]
    fn two_letters_tell_what_cannot_be_meant() {
        let cases = [
            // expression, text, could it be?
            ("the", "the", true),
            ("the", "to", false),
            ("(?:a|an)*(?:key|in?)", "key", true),
            ("(?:a|an)*(?:key|in?)", "ak", true),
            ("(?:a|an)*(?:key|in?)", "aa", true),
            ("(?:a|an)*(?:key|in?)", "ix", true),
            ("(?:a|an)*(?:key|in?)", "kx", false),
            ("(?:a|an)*(?:key|in?)", "na", false),
            ("[a-z]{0,4}to", "xt", true),
            ("[sz]{1,4}to", "st", true),
            ("[sz]{1,4}to", "to", false),
            ("s?(?:\n|$|and)", "xy", true),
            ("a+b", "ab", true),
            ("a+b", "ba", false),
            ("", "xy", true),
        ];
        for (expression, text, want) in cases {
            assert_eq!(Opening::of(expression).fits(text.as_bytes()), want, "{expression} {text}");
        }
    }
}
