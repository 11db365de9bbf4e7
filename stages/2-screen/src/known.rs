//! Secrets that the gate itself holds, found again in a text in whatever encoding.
//!
//! No value is kept, only hashes of it and of each of its encoded forms (see [`table`]), and the cost is linear
//! in the text, whatever the number of secrets. It is looked for as it may be written, then among the letters
//! and digits of the text alone and without case, and there also in parts (see [`pieces`]), and all of this once
//! more in what stands behind percent signs (see [`percent`]).
//!
//! A value of fewer than six bytes is not kept: it would be found everywhere.

mod grams;
mod letters;
mod percent;
mod pieces;
mod spellings;
mod table;

use std::fmt;

use call::{Contraband, Family, Span};

use self::grams::Grams;
use self::letters::{difference, letters_of, without_tags};
use self::pieces::{Pieced, Pieces, looks_random};
use self::spellings::{plain_spellings, spellings};
use self::table::{Table, WINDOW};
use crate::reading::clean::clean;
use crate::reading::disguised::Disguised;
use crate::reading::encoded;
use crate::reading::packed::{self, Shares, Unpacked};
use crate::reading::parts;
use crate::view::View;

/// What a finding is called.
pub(crate) const KIND: &str = "known_secret";

/// Letters and digits that a value must have to be found with other signs strewn in.
const SHORTEST_BARE: usize = 10;

/// The same to be found in other case.
const SHORTEST_LOOSE: usize = 12;

/// Secrets to look for, without the secrets.
///
/// ```
/// use screen::KnownSecrets;
///
/// let known = KnownSecrets::new([("DB", "c0rrect-horse".as_bytes())]);
/// assert_eq!(known.find("?pw=c0rrect-horse")[0].kind, "known_secret");
/// assert_eq!(known.find("?pw=YzBycmVjdC1ob3JzZQ==").len(), 1);
/// assert_eq!(known.find("?pw=correct").len(), 0);
/// ```
#[derive(Clone, Default)]
pub struct KnownSecrets {
    // As they may be written.
    written: Table,
    // Of letters and digits alone.
    bare: Table,
    // The same without case.
    loose: Table,
    // Parts of values, of letters and digits without case.
    pieces: Pieces,
    // Of all that the last three look for, without case: what a text has nothing of they need not look at.
    sieve: Grams,
}

/// Where in a text values stand.
#[derive(Default)]
pub(crate) struct Places {
    /// Whole ones.
    pub(crate) whole: Vec<Contraband>,
    /// Parts that together are most of one.
    pub(crate) parts: Vec<Span>,
}

/// Shows nothing: not even how many there are.
impl fmt::Debug for KnownSecrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("KnownSecrets").finish_non_exhaustive()
    }
}

impl KnownSecrets {
    /// Looks for these values. Names are for the caller's own use and not kept; a value of fewer
    /// than six bytes is not kept either.
    pub fn new<N, V: AsRef<[u8]>>(secrets: impl IntoIterator<Item = (N, V)>) -> Self {
        let (mut written, mut bare, mut loose) = (Vec::new(), Vec::new(), Vec::new());
        let (mut lowered, mut pieced) = (Vec::new(), Vec::new());
        for (_, value) in secrets {
            let value = value.as_ref().trim_ascii();
            if value.len() < WINDOW {
                continue;
            }
            written.extend(spellings(value));
            let letters: Vec<u8> = value.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
            let mut plain = plain_spellings(value);
            if letters.len() >= SHORTEST_BARE {
                let back: Vec<u8> = letters.iter().rev().copied().collect();
                let both = [letters.to_ascii_lowercase(), back.to_ascii_lowercase()];
                if letters.len() >= SHORTEST_LOOSE && looks_random(&letters) {
                    plain.extend(both.clone());
                }
                lowered.extend(both);
                bare.extend([letters, back]);
            }
            plain.retain(|spelling| spelling.len() >= SHORTEST_BARE);
            loose.extend(plain);
            pieced.extend(Pieced::of(value));
        }
        let shortest = pieced.iter().map(|(pieces, _)| pieces.shortest()).min().unwrap_or(SHORTEST_BARE);
        let parts = Grams::of_parts(pieced.iter().map(|(_, letters)| letters.as_slice()), shortest);
        let whole = Grams::of_beginnings(loose.iter().chain(&lowered).map(Vec::as_slice));
        Self {
            written: Table::of(&written),
            bare: Table::of(&bare),
            loose: Table::of(&loose),
            pieces: Pieces::of(pieced.into_iter().map(|(pieces, _)| pieces).collect()),
            sieve: whole.with(&parts),
        }
    }

    /// These and those of another.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self {
            written: self.written.with(&other.written),
            bare: self.bare.with(&other.bare),
            loose: self.loose.with(&other.loose),
            pieces: self.pieces.with(&other.pieces),
            sieve: self.sieve.with(&other.sieve),
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// Where in `text` they stand.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Contraband> {
        if self.written.is_empty() {
            return Vec::new();
        }
        let page = clean(text);
        self.find_in(text, &page, &Disguised::of(&page))
    }

    /// The same for a text of which it is known how a page shows it, and what stands there in disguise.
    pub(crate) fn find_in(&self, text: &str, page: &View<'_>, disguised: &Disguised<'_>) -> Vec<Contraband> {
        if self.written.is_empty() {
            return Vec::new();
        }
        let (mut spans, parts) = self.spans(text, page, disguised);
        spans.extend(parts);
        merged(text, spans)
    }

    /// Where in `text` they stand, whole ones and parts told apart.
    pub(crate) fn places(&self, text: &str) -> Places {
        if self.written.is_empty() {
            return Places::default();
        }
        let page = clean(text);
        let (spans, parts) = self.spans(text, &page, &Disguised::of(&page));
        Places { whole: merged(text, spans), parts }
    }

    /// Whole values, and parts of others.
    fn spans(&self, text: &str, page: &View<'_>, disguised: &Disguised<'_>) -> (Vec<Span>, Vec<Span>) {
        let (mut spans, parts) = self.read(text, page, disguised);
        // Stretches come in their order, so that each span is passed by once.
        let mut found = spans.clone();
        found.sort_unstable_by_key(|span| span.start);
        let mut found = found.into_iter().peekable();
        for (stretch, layers) in percent::layers(text) {
            let reads = |layer: &String| {
                let page = clean(layer);
                !self.read(layer, &page, &Disguised::of(&page)).0.is_empty()
            };
            while found.next_if(|span| span.end <= stretch.start).is_some() {}
            let is_found = found.peek().is_some_and(|span| span.start < stretch.end);
            if !is_found && layers.iter().any(reads) {
                spans.push(Span::new(stretch.start, stretch.end));
            }
        }
        (spans, parts)
    }

    /// The same without what stands encoded behind percent signs, or behind several of them.
    fn read(&self, text: &str, page: &View<'_>, disguised: &Disguised<'_>) -> (Vec<Span>, Vec<Span>) {
        let mut spans = self.written.search(text.as_bytes());
        let (letters, mut parts) = (letters_of(text), Vec::new());
        if page.text() != text {
            self.look(page.text(), &letters, &|span| page.source(span), &mut spans, &mut parts);
        }
        if let Some(parsed) = &disguised.unescaped {
            let source = |span| page.source(parsed.source(span));
            self.look(parsed.text(), &letters, &source, &mut spans, &mut parts);
        }
        self.find_disguised(page, disguised, &mut spans);
        parts.extend(self.strewn(text, &letters, &mut spans));
        if let Some(blank) = without_tags(text) {
            parts.extend(self.strewn(&blank, &letters_of(&blank), &mut spans));
        }
        (spans, parts)
    }

    /// Behind invisible characters and escapes: in another reading of a text with these letters.
    fn look(
        &self,
        other: &str,
        letters: &[u8],
        source: &dyn Fn(Span) -> Span,
        spans: &mut Vec<Span>,
        parts: &mut Vec<Span>,
    ) {
        let mut within = self.written.search(other.as_bytes());
        let others = letters_of(other);
        if self.sieve.may_stand_in(difference(letters, &others)) {
            parts.extend(self.strewn(other, &others, &mut within).into_iter().map(source));
        }
        spans.extend(within.into_iter().map(source));
    }

    /// Behind encodings of encodings.
    fn find_disguised(&self, page: &View<'_>, disguised: &Disguised<'_>, spans: &mut Vec<Span>) {
        let shown = page.text();
        let holds = |bytes: &[u8]| !self.written.search(bytes).is_empty();
        let reads = |text: &str| {
            let mut within = self.written.search(text.as_bytes());
            let mut strewn = || self.strewn(text, &letters_of(text), &mut within);
            !strewn().is_empty() || !within.is_empty()
        };
        for (span, text) in &disguised.spelled {
            if reads(text) {
                spans.push(page.source(*span));
            }
        }
        let mut packed: Vec<(Span, &str)> = Vec::new();
        for (run, decoded) in disguised.decoded() {
            if decoded.iter().any(|decoded| reads(decoded)) {
                spans.push(page.source(run.span));
            } else {
                packed.extend(parts::packed(shown, run));
            }
        }
        let shares = Shares::of(packed.iter().map(|(_, digits)| digits.len()));
        for (span, digits) in packed {
            let unpacked = packed::unpack(digits, shares.share(digits.len()));
            let within = |unpacked: Unpacked<'_>| {
                let behind = encoded::decode(unpacked.behind);
                holds(&unpacked.bytes) || behind.iter().any(|text| reads(text))
            };
            if unpacked.is_some_and(within) {
                spans.push(page.source(span));
            }
        }
    }

    /// With blanks, hyphens or quotes between its letters, or in other case; returns where parts of others stand.
    /// `lowered` are [`letters_of`] the text.
    fn strewn(&self, text: &str, lowered: &[u8], spans: &mut Vec<Span>) -> Vec<Span> {
        if !self.sieve.may_stand_in(lowered) {
            return Vec::new();
        }
        // Where each of them stands is only asked when something was found.
        let bytes = text.bytes().enumerate();
        let (places, letters): (Vec<usize>, Vec<u8>) =
            bytes.filter(|(_, byte)| byte.is_ascii_alphanumeric()).unzip();
        let source = |span: Span| {
            let last = places.get(span.end.checked_sub(1)?)?;
            Some(Span::new(*places.get(span.start)?, last + 1))
        };
        let within = self.bare.search(&letters).into_iter().chain(self.loose.search(lowered));
        spans.extend(within.filter_map(source));
        let parts = self.pieces.search(lowered, &free(&places, spans));
        parts.into_iter().filter_map(source).collect()
    }
}

/// The spans in order, and one for those that overlap.
fn merged(text: &str, mut spans: Vec<Span>) -> Vec<Contraband> {
    spans.sort();
    let mut found: Vec<Contraband> = Vec::new();
    for span in spans {
        let start = text.floor_char_boundary(span.start.min(text.len()));
        let end = text.ceil_char_boundary(span.end.min(text.len()));
        match found.last_mut() {
            Some(last) if start < last.span.end => last.span.end = last.span.end.max(end),
            _ => found.push(Contraband { span: Span::new(start, end), family: Family::Secret, kind: KIND }),
        }
    }
    found
}

/// Which of these places lie in none of the spans. What belongs to a whole value is no part of another.
fn free(places: &[usize], spans: &mut [Span]) -> Vec<bool> {
    spans.sort();
    let (mut rest, mut end) = (spans.iter().peekable(), 0);
    let mut is_free = |place: &usize| {
        while let Some(span) = rest.next_if(|span| span.start <= *place) {
            end = end.max(span.end);
        }
        end <= *place
    };
    places.iter().map(&mut is_free).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::Compression;
    use flate2::read::{GzEncoder, ZlibEncoder};

    use super::KnownSecrets;

    const VALUE: &str = "p/9\"Zk+3 q~Lm7Vx2Wt";

    fn known() -> KnownSecrets {
        KnownSecrets::new([("DB", VALUE), ("SHORT", "abc")])
    }

    #[test]
    fn a_known_secret_is_found_in_every_encoding() {
        let cases = [
            VALUE,
            "a p/9\"Zk+3 q~Lm7Vx2Wt b",
            "cC85IlprKzMgcX5MbTdWeDJXdA==",
            "dTpwLzkiWmsrMyBxfkxtN1Z4Mld0",
            "dXU6cC85IlprKzMgcX5MbTdWeDJXdCE=",
            "dXVwLzkiWmsrMyBxfkxtN1Z4Mld0",
            "702f39225a6b2b3320717e4c6d3756783257 74".trim_end_matches(" 74"),
            "702F39225A6B2B3320717E4C6D375678325774",
            "p%2F9%22Zk%2B3%20q~Lm7Vx2Wt",
            "%70%2f%39%22%5a%6b%2b%33%20%71%7e%4c%6d%37%56%78%32%57%74",
            "{\"a\": \"p/9\\\"Zk+3 q~Lm7Vx2Wt\"}",
            "tW2xV7mL~q 3+kZ\"9/p",
            "p / 9 Z-k-3 q.L.m.7 V x 2 W t",
            "p/9\"Z\u{200b}k+3 q~Lm7Vx2Wt",
            "Y0M4NUlscHJLek1nY1g1TWJUZFdlREpYZEE9PQ==",
            "c/9\"Mx+3 d~Yz7Ik2Jg",
            "112, 47, 57, 34, 90, 107, 43, 51, 32, 113, 126, 76, 109, 55, 86, 120, 50, 87, 116",
            "=70=2F=39=22=5A=6B=2B=33=20=71=7E=4C=6D=37=56=78=32=57=74",
        ];
        for (place, text) in cases.into_iter().enumerate() {
            let found = known().find(text);
            let want = usize::from(place != 6);
            assert_eq!(found.len(), want, "{text}");
            assert!(found.iter().all(|found| found.span.of(text).is_some()), "{text}");
        }
    }

    #[test]
    fn a_known_secret_is_found_in_what_was_compressed() {
        let text = format!("settings\npassword = {VALUE}\nport = 80\n");
        let packed = |gzip: bool| -> Vec<u8> {
            let mut out = Vec::new();
            let read = if gzip {
                GzEncoder::new(text.as_bytes(), Compression::default()).read_to_end(&mut out)
            } else {
                ZlibEncoder::new(text.as_bytes(), Compression::default()).read_to_end(&mut out)
            };
            assert!(read.is_ok());
            out
        };
        for gzip in [true, false] {
            let packed = packed(gzip);
            let hex: String = packed.iter().map(|byte| format!("{byte:02x}")).collect();
            let digits = |alphabet| {
                String::from_utf8(super::spellings::base64(
                    &[packed.as_slice(), &[0; 2]].concat(),
                    0,
                    alphabet,
                ))
                .unwrap()
            };
            let (plain, safe) = (digits(super::spellings::STANDARD), digits(super::spellings::URL_SAFE));
            let wrapped: Vec<String> =
                plain.as_bytes().chunks(40).map(|line| String::from_utf8(line.to_vec()).unwrap()).collect();
            for shown in [hex, plain, safe, wrapped.join("\n")] {
                let output = format!("here it is: {shown}\nand more\n");
                let output =
                    if shown.contains('\n') { format!("it is:\n{shown}\nand more.\n") } else { output };
                let found = known().find(&output);
                assert_eq!(found.len(), 1, "{output}");
                let redacted = found[0].span.of(&output).unwrap();
                assert!(shown.starts_with(redacted.get(..20).unwrap()), "{redacted}");
            }
        }
        // Nothing that is packed hides what is packed beside it.
        let mut bomb = Vec::new();
        assert!(
            GzEncoder::new(std::io::repeat(b'a').take(1 << 20), Compression::best())
                .read_to_end(&mut bomb)
                .is_ok()
        );
        let digits = |bytes: &[u8]| {
            String::from_utf8(super::spellings::base64(
                &[bytes, &[0; 2]].concat(),
                0,
                super::spellings::STANDARD,
            ))
            .unwrap()
        };
        let (bombs, shown) = (format!("x: {}.\n", digits(&bomb)).repeat(40), digits(&packed(true)));
        for text in [format!("{bombs}y: {shown}."), format!("y: {shown}.\n{bombs}")] {
            assert_eq!(known().find(&text).len(), 1);
        }
        let text = format!("{}\n{shown}\n", digits(&bomb).trim_end_matches('='));
        assert_eq!(known().find(&text).len(), 1, "{text}");
        // A bomb is only a beginning, and what merely begins like one is nothing.
        let mut bomb = Vec::new();
        assert!(
            GzEncoder::new(std::io::repeat(0).take(64 << 20), Compression::best())
                .read_to_end(&mut bomb)
                .is_ok()
        );
        let bomb = String::from_utf8(super::spellings::base64(&bomb, 0, super::spellings::STANDARD)).unwrap();
        assert_eq!(known().find(&bomb), []);
        assert_eq!(
            known()
                .find("H4sIAAAAAAAAthisisnotgzipatall eJwordsthatbeginlikezlibdo 789c0000000000000000000000"),
            []
        );
    }

    #[test]
    fn what_is_not_known_is_not_found() {
        for text in ["", "abc", "p/9", "p/9\"Zk+3 q~Lm7Vx2Wu", "an ordinary sentence"] {
            assert_eq!(known().find(text), [], "{text}");
        }
        assert_eq!(KnownSecrets::default().find(VALUE), []);
    }

    #[test]
    fn nothing_of_a_secret_shows() {
        assert_eq!(format!("{:?}", known()), "KnownSecrets { .. }");
    }
}
