//! Encoded blobs: more than a kilobyte of base64 or hexadecimal digits that are one thing.
//!
//! One run, or lines of one width that continue each other. A list of checksums, numbers or names
//! is long too, and none: its lines are short, or each is as long as a checksum.

use call::Span;

use crate::reading::encoded::Run;

/// Longer than this, a run of digits is a file and not a checksum or a token.
const LONGEST: usize = 1_024;

/// Programs wrap what they encode at 60 digits and more; shorter lines are things of their own.
const NARROWEST: usize = 40;

/// How many hexadecimal digits checksums have.
const CHECKSUMS: &[usize] = &[40, 48, 56, 64, 96, 128];

pub(super) fn find(runs: &[Run<'_>], found: &mut Vec<(&'static str, Span)>) {
    let long = runs.iter().filter(|run| run.digits.len() > LONGEST && run.is_even());
    let blobs = long
        .filter(|run| run.width() >= NARROWEST && !is_checksums(run) && Digits::of(&run.digits).is_data());
    found.extend(blobs.map(|run| ("encoded_blob", run.span)));
}

/// Every line is a whole checksum.
fn is_checksums(run: &Run<'_>) -> bool {
    let whole = run.digits.len().is_multiple_of(run.width()) && CHECKSUMS.contains(&run.width());
    whole && run.digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What a run is made of.
#[derive(Default)]
struct Digits {
    all: usize,
    different: usize,
    lower: usize,
    upper: usize,
    numbers: usize,
    // Places where one of these stands next to another.
    changes: usize,
}

impl Digits {
    fn of(digits: &str) -> Self {
        let mut made_of = Self { all: digits.len(), ..Self::default() };
        let mut seen = [false; 128];
        let mut last = 0;
        for byte in digits.bytes() {
            seen.get_mut(usize::from(byte)).into_iter().for_each(|seen| *seen = true);
            let class = match byte {
                b'a'..=b'z' => 1,
                b'A'..=b'Z' => 2,
                b'0'..=b'9' => 3,
                _ => 4,
            };
            made_of.lower += usize::from(class == 1);
            made_of.upper += usize::from(class == 2);
            made_of.numbers += usize::from(class == 3);
            made_of.changes += usize::from(class != last);
            last = class;
        }
        made_of.different = seen.iter().filter(|&&seen| seen).count();
        made_of
    }

    /// Rulers and columns of numbers have few different characters, sequences of proteins only
    /// letters of one case, paths and names mostly small letters one after the other.
    const fn is_data(&self) -> bool {
        let cases = self.lower > 0 && self.upper > 0;
        let varied = match (cases, self.numbers > 0) {
            (true, true) => self.different >= 6,
            (true, false) => self.different >= 20,
            (false, true) => self.different >= 8 && self.lower + self.upper > 0,
            (false, false) => false,
        };
        let words = self.lower * 5 > self.all * 3 && self.changes * 5 < self.all * 2;
        varied && !words
    }
}
