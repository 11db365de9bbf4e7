//! Secrets that the gate itself holds, found again in a text in whatever encoding.
//!
//! No value is kept: of each value and each of its encoded forms there is a length, two short hashes
//! (of its first and its last bytes) and a SHA-256. One pass over the text compares the short hash
//! of every six bytes with a table; only where first and last bytes fit is the digest taken. So the
//! cost is linear in the text, whatever the number of secrets.
//!
//! A value of fewer than six bytes is not kept: it would be found everywhere.

use std::fmt;

use call::{Contraband, Family, Sha256, Span};

use crate::reading::clean::clean;
use crate::reading::encoded;
use crate::reading::packed::Budget;
use crate::reading::spelled::spelled;
use crate::reading::unescape::unescape;

/// What a finding is called.
pub(crate) const KIND: &str = "known_secret";

/// How many bytes are compared by their short hash; shorter values are not kept.
const WINDOW: usize = 6;

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
    // One bit for each short hash of first bytes that occurs.
    filter: Vec<u64>,
    // Sorted by the hash of the first bytes.
    forms: Vec<Form>,
    // The same, of letters and digits alone.
    bare_filter: Vec<u64>,
    bare_forms: Vec<Form>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    first: u32,
    last: u32,
    length: usize,
    digest: Sha256,
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
        Self::of_forms(forms, bare_forms)
    }

    /// These and those of another.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let both = |one: &[Form], other: &[Form]| one.iter().chain(other).cloned().collect();
        Self::of_forms(both(&self.forms, &other.forms), both(&self.bare_forms, &other.bare_forms))
    }

    fn of_forms(mut forms: Vec<Form>, mut bare_forms: Vec<Form>) -> Self {
        forms.sort();
        forms.dedup();
        bare_forms.sort();
        bare_forms.dedup();
        Self { filter: filter_of(&forms), forms, bare_filter: filter_of(&bare_forms), bare_forms }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// Where in `text` they stand.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Contraband> {
        if self.forms.is_empty() {
            return Vec::new();
        }
        let mut spans = search(text.as_bytes(), &self.filter, &self.forms);
        self.find_disguised(text, &mut spans);
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
    fn find_disguised(&self, text: &str, spans: &mut Vec<Span>) {
        let page = clean(text);
        let shown = page.text();
        if shown != text {
            spans.extend(
                search(shown.as_bytes(), &self.filter, &self.forms).into_iter().map(|span| page.source(span)),
            );
        }
        if let Some(parsed) = unescape(shown) {
            let within = search(parsed.text().as_bytes(), &self.filter, &self.forms);
            spans.extend(within.into_iter().map(|span| page.source(parsed.source(span))));
        }
        for (span, text) in spelled(shown) {
            if !search(text.as_bytes(), &self.filter, &self.forms).is_empty() {
                spans.push(page.source(span));
            }
        }
        let mut budget = Budget::of(shown.len());
        for run in encoded::runs(shown) {
            let holds = |bytes: &[u8]| !search(bytes, &self.filter, &self.forms).is_empty();
            let decoded = || encoded::decode(&run.digits).iter().any(|decoded| holds(decoded.as_bytes()));
            if budget.unpack(&run.digits).is_some_and(|unpacked| holds(&unpacked)) || decoded() {
                spans.push(page.source(run.span));
            }
        }
    }

    /// With blanks, hyphens or quotes between its letters.
    fn find_strewn(&self, text: &str, spans: &mut Vec<Span>) {
        if self.bare_forms.is_empty() {
            return;
        }
        let (mut letters, mut places) = (Vec::with_capacity(text.len()), Vec::with_capacity(text.len()));
        for (place, &byte) in text.as_bytes().iter().enumerate() {
            if byte.is_ascii_alphanumeric() {
                letters.push(byte);
                places.push(place);
            }
        }
        for span in search(&letters, &self.bare_filter, &self.bare_forms) {
            let ends = (places.get(span.start), span.end.checked_sub(1).and_then(|last| places.get(last)));
            if let (Some(&start), Some(&last)) = ends {
                spans.push(Span::new(start, last + 1));
            }
        }
    }
}

impl Form {
    fn of(spelling: &[u8]) -> Option<Self> {
        let first = window_hash(spelling.get(..WINDOW)?);
        let last = window_hash(spelling.get(spelling.len() - WINDOW..)?);
        Some(Self { first, last, length: spelling.len(), digest: Sha256::of(spelling) })
    }
}

/// Half of a product: enough to tell windows apart, too little to tell what they were.
fn mixed(window: u64) -> u32 {
    let product = (window ^ 0x5bd1_e995_7a3c_91f1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    u32::try_from((product ^ (product >> 29)) >> 32).unwrap_or_default()
}

fn window_hash(bytes: &[u8]) -> u32 {
    mixed(bytes.iter().fold(0, |window, &byte| (window << 8) | u64::from(byte)))
}

const FILTER_BITS: u32 = 15;

fn filter_of(forms: &[Form]) -> Vec<u64> {
    let mut filter = vec![0_u64; 1 << (FILTER_BITS - 6)];
    for form in forms {
        let bit = form.first >> (32 - FILTER_BITS);
        if let Some(word) = usize::try_from(bit >> 6).ok().and_then(|place| filter.get_mut(place)) {
            *word |= 1 << (bit & 63);
        }
    }
    filter
}

fn search(text: &[u8], filter: &[u64], forms: &[Form]) -> Vec<Span> {
    let mut found = Vec::new();
    if forms.is_empty() {
        return found;
    }
    let mut window = 0_u64;
    for (last, &byte) in text.iter().enumerate() {
        window = ((window << 8) | u64::from(byte)) & 0xffff_ffff_ffff;
        let hash = mixed(window);
        let bit = hash >> (32 - FILTER_BITS);
        let set = filter.get((bit >> 6) as usize).is_some_and(|word| word >> (bit & 63) & 1 == 1);
        if set && let Some(start) = (last + 1).checked_sub(WINDOW) {
            found.extend(form_at(text, start, hash, forms));
        }
    }
    found
}

/// The longest form that stands at `start`.
fn form_at(text: &[u8], start: usize, hash: u32, forms: &[Form]) -> Option<Span> {
    let first = forms.partition_point(|form| form.first < hash);
    let candidates = forms.get(first..)?.iter().take_while(|form| form.first == hash);
    let fits = |form: &&Form| {
        let written = text.get(start..start + form.length);
        written.is_some_and(|written| {
            let end = written.len().saturating_sub(WINDOW);
            written.get(end..).map(window_hash) == Some(form.last) && Sha256::of(written) == form.digest
        })
    };
    candidates.filter(fits).map(|form| form.length).max().map(|length| Span::new(start, start + length))
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
    fn nothing_of_a_secret_shows() {
        assert_eq!(format!("{:?}", known()), "KnownSecrets { .. }");
    }
}
