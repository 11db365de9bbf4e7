//! Encoded blobs: more than a kilobyte of base64 or hexadecimal digits.

use call::Span;

use crate::reading::encoded::Run;

/// Longer than this, a run of digits is a file and not a checksum or a token.
const LONGEST: usize = 1_024;

pub(super) fn find(runs: &[Run<'_>], found: &mut Vec<(&'static str, Span)>) {
    let blobs =
        runs.iter().filter(|run| run.digits.len() > LONGEST && run.is_even() && is_varied(&run.digits));
    found.extend(blobs.map(|run| ("encoded_blob", run.span)));
}

/// Rulers, dotted lines and columns of numbers have few different characters; encoded data has many.
fn is_varied(digits: &str) -> bool {
    let mut seen = [false; 128];
    for byte in digits.bytes() {
        if let Some(place) = seen.get_mut(usize::from(byte)) {
            *place = true;
        }
    }
    seen.iter().filter(|&&seen| seen).count() >= 11
}
