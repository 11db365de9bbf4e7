//! Times as ssh-keygen(1) writes them.
//!
//! Without a `Z` they are local time, and nothing here knows where that is. The reading that lets a key count
//! for the shortest time is taken: it begins when the day has begun everywhere, and ends when it has ended
//! somewhere.

use std::time::Duration;

use call::Moment;

/// Which end of a span a time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The beginning.
    From,
    /// The end.
    Until,
}

/// Hours by which the clocks of the world are behind UTC, and ahead of it, at most.
const BEHIND: u32 = 12;
const AHEAD: u64 = 14;

pub(crate) fn parse(text: &str, edge: Edge) -> Option<Moment> {
    let (digits, utc) = match text.strip_suffix(['Z', 'z']) {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    if !matches!(digits.len(), 8 | 12 | 14) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |from: usize, to: usize| digits.get(from..to).map_or(Some(0), |part| part.parse::<i8>().ok());
    let year = digits.get(..4)?.parse::<i16>().ok()?;
    let date = (year, part(4, 6)?, part(6, 8)?);
    let moment = Moment::from_civil(date, (part(8, 10)?, part(10, 12)?, part(12, 14)?))?;
    match (utc, edge) {
        (true, _) => Some(moment),
        (false, Edge::From) => Some(moment.later_by(BEHIND * 3_600)),
        (false, Edge::Until) => {
            let earlier = moment.milliseconds().saturating_sub(AHEAD * 3_600_000);
            Moment::since_epoch(Duration::from_millis(earlier))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Edge, parse};

    #[test]
    fn every_form_is_read_and_local_time_never_makes_a_key_count_for_longer() {
        use Edge::{From, Until};
        let cases = [
            ("20261118Z", From, Some("2026-11-18T00:00:00Z")),
            ("202611181030Z", From, Some("2026-11-18T10:30:00Z")),
            ("20261118103015Z", Until, Some("2026-11-18T10:30:15Z")),
            ("20261118103015z", Until, Some("2026-11-18T10:30:15Z")),
            ("20261118", From, Some("2026-11-18T12:00:00Z")),
            ("20261118", Until, Some("2026-11-17T10:00:00Z")),
            ("20240229Z", From, Some("2024-02-29T00:00:00Z")),
            ("20260229Z", From, None),
            ("20261318Z", From, None),
            ("202611182400Z", From, None),
            ("20261118103060Z", From, None),
            ("2026111810Z", From, None),
            ("2026-11-18", From, None),
            ("+0261118Z", From, None),
            ("٢٠٢٦1118", From, None),
            ("Z", From, None),
            ("", From, None),
        ];
        for (text, edge, want) in cases {
            assert_eq!(parse(text, edge).map(|moment| moment.to_string()).as_deref(), want, "{text}");
        }
    }
}
