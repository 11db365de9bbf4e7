//! Secrets that the gate itself holds, found again in a text in whatever encoding.
//!
//! No value is kept, only hashes of it and of each of its encoded forms (see [`table`]), and the cost is linear
//! in the text, whatever the number of secrets.
//!
//! A value of fewer than six bytes is not kept: it would be found everywhere.

mod table;

use std::fmt;

use call::{Contraband, Family, Span};

use self::table::{Form, Table, WINDOW};
use crate::blocks::bits;
use crate::reading::clean::clean;
use crate::reading::disguised::Disguised;
use crate::reading::encoded;
use crate::reading::packed::{self, Shares, Unpacked};
use crate::view::View;

/// What a finding is called.
pub(crate) const KIND: &str = "known_secret";

/// Letters and digits that a value must have to be found with other signs strewn in.
const SHORTEST_BARE: usize = 10;

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
        let (mut forms, mut bare_forms) = (Vec::new(), Vec::new());
        for (_, value) in secrets {
            let value = value.as_ref().trim_ascii();
            if value.len() < WINDOW {
                continue;
            }
            forms.extend(spellings(value).iter().filter_map(|spelling| Form::of(spelling)));
            let bare: Vec<u8> = value.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
            if bare.len() >= SHORTEST_BARE {
                let back: Vec<u8> = bare.iter().rev().copied().collect();
                bare_forms.extend([bare, back].iter().filter_map(|spelling| Form::of(spelling)));
            }
        }
        Self { written: Table::of(forms), bare: Table::of(bare_forms) }
    }

    /// These and those of another.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self { written: self.written.with(&other.written), bare: self.bare.with(&other.bare) }
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
        let mut spans = self.written.search(text.as_bytes());
        self.find_disguised(text, page, disguised, &mut spans);
        self.find_strewn(text, &mut spans);
        spans.sort();
        let mut found: Vec<Contraband> = Vec::new();
        for span in spans {
            let start = text.floor_char_boundary(span.start.min(text.len()));
            let end = text.ceil_char_boundary(span.end.min(text.len()));
            match found.last_mut() {
                Some(last) if start < last.span.end => last.span.end = last.span.end.max(end),
                _ => {
                    found.push(Contraband { span: Span::new(start, end), family: Family::Secret, kind: KIND })
                }
            }
        }
        found
    }

    /// Behind invisible characters, escapes, and encodings of encodings.
    fn find_disguised(&self, text: &str, page: &View<'_>, disguised: &Disguised<'_>, spans: &mut Vec<Span>) {
        let shown = page.text();
        if shown != text {
            let within = self.written.search(shown.as_bytes());
            spans.extend(within.into_iter().map(|span| page.source(span)));
        }
        if let Some(parsed) = &disguised.unescaped {
            let within = self.written.search(parsed.text().as_bytes());
            spans.extend(within.into_iter().map(|span| page.source(parsed.source(span))));
        }
        for (span, text) in &disguised.spelled {
            if !self.written.search(text.as_bytes()).is_empty() {
                spans.push(page.source(*span));
            }
        }
        let holds = |bytes: &[u8]| !self.written.search(bytes).is_empty();
        let mut packed: Vec<(Span, &str)> = Vec::new();
        for (run, decoded) in disguised.decoded() {
            if decoded.iter().any(|decoded| holds(decoded.as_bytes())) {
                spans.push(page.source(run.span));
            } else if packed::is_packed(&run.digits) {
                packed.push((run.span, &run.digits));
                packed.extend(packed::lines_of(shown, run).filter(|(_, line)| packed::is_packed(line)));
            }
        }
        let shares = Shares::of(packed.iter().map(|(_, digits)| digits.len()));
        for (span, digits) in packed {
            let unpacked = packed::unpack(digits, shares.share(digits.len()));
            let within = |unpacked: Unpacked<'_>| {
                let behind = encoded::decode(unpacked.behind);
                holds(&unpacked.bytes) || behind.iter().any(|text| holds(text.as_bytes()))
            };
            if unpacked.is_some_and(within) {
                spans.push(page.source(span));
            }
        }
    }

    /// With blanks, hyphens or quotes between its letters.
    fn find_strewn(&self, text: &str, spans: &mut Vec<Span>) {
        if self.bare.is_empty() {
            return;
        }
        let within = self.bare.search(&letters_of(text));
        if within.is_empty() {
            return;
        }
        // Where each of them stands is only asked when something was found.
        let bytes = text.bytes().enumerate();
        let places: Vec<usize> =
            bytes.filter(|(_, byte)| byte.is_ascii_alphanumeric()).map(|(place, _)| place).collect();
        for span in within {
            let ends = (places.get(span.start), span.end.checked_sub(1).and_then(|last| places.get(last)));
            if let (Some(&start), Some(&last)) = ends {
                spans.push(Span::new(start, last + 1));
            }
        }
    }
}

/// The letters and digits of a text, in order.
fn letters_of(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut letters = Vec::with_capacity(bytes.len() + STEP);
    let is_letter = |byte: u8| ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte.wrapping_sub(b'0') < 10);
    let (blocks, rest) = bytes.as_chunks::<64>();
    for (block, at) in blocks.iter().zip((0..).step_by(64)) {
        let mut marks = [0; 64];
        marks.iter_mut().zip(block).for_each(|(mark, &byte)| *mark = u8::from(is_letter(byte)));
        let mut marks = bits(&marks);
        while marks != 0 {
            let start = marks.trailing_zeros();
            let length = (!(marks >> start)).trailing_zeros();
            push_run(&mut letters, bytes, at + start as usize, length as usize);
            marks &= u64::MAX.checked_shl(start + length).unwrap_or_default();
        }
    }
    letters.extend(rest.iter().copied().filter(|&byte| is_letter(byte)));
    letters
}

/// Bytes that are copied at once; most words have fewer.
const STEP: usize = 16;

/// Adds the `length` bytes from `start` on. A few more are copied and cut off again, which is quicker than to
/// copy as many as there are.
#[inline]
fn push_run(letters: &mut Vec<u8>, bytes: &[u8], start: usize, length: usize) {
    match bytes.get(start..start + STEP) {
        Some(step) if length <= STEP => {
            let before = letters.len();
            letters.extend_from_slice(step);
            letters.truncate(before + length);
        }
        Some(_) | None => letters.extend_from_slice(bytes.get(start..start + length).unwrap_or_default()),
    }
}

/// The ways in which a value may be written.
fn spellings(value: &[u8]) -> Vec<Vec<u8>> {
    let moved = |byte: u8| match byte {
        b'a'..=b'm' | b'A'..=b'M' => byte + 13,
        b'n'..=b'z' | b'N'..=b'Z' => byte - 13,
        _ => byte,
    };
    let mut all = vec![value.to_vec(), value.iter().rev().copied().collect()];
    all.push(value.iter().copied().map(moved).collect());
    for alphabet in [STANDARD, URL_SAFE] {
        all.extend((0..3).map(|before| base64(value, before, alphabet)));
    }
    for digits in [b"0123456789abcdef", b"0123456789ABCDEF"] {
        let hex = |byte: u8| [digit(digits, byte >> 4), digit(digits, byte & 15)];
        all.push(value.iter().flat_map(|&byte| hex(byte)).collect());
        all.push(value.iter().flat_map(|&byte| [b'%'].into_iter().chain(hex(byte))).collect());
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let percent = |byte: u8| {
            let [high, low] = hex(byte);
            if plain(byte) { vec![byte] } else { vec![b'%', high, low] }
        };
        all.push(value.iter().flat_map(|&byte| percent(byte)).collect());
        let unicode = |byte: u8| {
            let [high, low] = hex(byte);
            [b'\\', b'u', b'0', b'0', high, low]
        };
        all.push(value.iter().flat_map(|&byte| unicode(byte)).collect());
    }
    let escape = |byte: u8| match byte {
        b'"' | b'\\' => vec![b'\\', byte],
        b'\n' => b"\\n".to_vec(),
        b'\r' => b"\\r".to_vec(),
        b'\t' => b"\\t".to_vec(),
        b'/' => b"\\/".to_vec(),
        _ => vec![byte],
    };
    all.push(value.iter().flat_map(|&byte| escape(byte)).collect());
    all.push(value.iter().flat_map(|&byte| if byte == b'/' { vec![byte] } else { escape(byte) }).collect());
    all.retain(|spelling| spelling.len() >= WINDOW);
    all
}

fn digit(digits: &[u8], value: u8) -> u8 {
    digits.get(usize::from(value)).copied().unwrap_or_default()
}

const STANDARD: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The base64 digits of `value` with `before` unknown bytes in front, without those that depend on
/// what stands around it.
fn base64(value: &[u8], before: usize, alphabet: &[u8]) -> Vec<u8> {
    let bytes = std::iter::repeat_n(0, before).chain(value.iter().copied());
    let (mut digits, mut window, mut filled) = (Vec::new(), 0_u32, 0_u32);
    for byte in bytes {
        window = (window << 8) | u32::from(byte);
        filled += 8;
        while filled >= 6 {
            filled -= 6;
            digits.push(digit(alphabet, (window >> filled & 63).to_le_bytes()[0]));
        }
    }
    digits.drain(..(before * 8).div_ceil(6));
    digits
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
                String::from_utf8(super::base64(&[packed.as_slice(), &[0; 2]].concat(), 0, alphabet)).unwrap()
            };
            let (plain, safe) = (digits(super::STANDARD), digits(super::URL_SAFE));
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
            String::from_utf8(super::base64(&[bytes, &[0; 2]].concat(), 0, super::STANDARD)).unwrap()
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
        let bomb = String::from_utf8(super::base64(&bomb, 0, super::STANDARD)).unwrap();
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
    fn letters_are_all_letters_and_digits_in_order() {
        let text = "a-b_c 0123456789!abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@[`{:/ äé日 x ";
        for repeated in 0..5 {
            for from in 0..20 {
                let text = text.repeat(repeated);
                let text = text.get(from..).unwrap_or_default();
                let plainly: Vec<u8> = text.bytes().filter(u8::is_ascii_alphanumeric).collect();
                assert_eq!(super::letters_of(text), plainly, "{text}");
            }
        }
    }

    #[test]
    fn nothing_of_a_secret_shows() {
        assert_eq!(format!("{:?}", known()), "KnownSecrets { .. }");
    }
}
