//! A point in time, always UTC.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::fmt::temporal::DateTimePrinter;
use jiff::tz::Offset;

/// A point in time, in the one spelling that documents, approvals and the ledger agree on.
///
/// The form is RFC 3339 with nothing left to choice: upper-case `T` and `Z`, UTC only, a real date,
/// no second 60, at most nine digits of a fraction.
///
/// ```
/// use call::Moment;
///
/// let moment: Moment = "2026-02-09T16:05:01Z".parse()?;
/// assert_eq!(moment.to_string(), "2026-02-09T16:05:01Z");
/// assert!("2026-02-09T16:05:01.5Z".parse::<Moment>()? > moment);
///
/// assert!("2026-02-30T16:05:01Z".parse::<Moment>().is_err());
/// assert!("2026-02-09T16:05:01+00:00".parse::<Moment>().is_err());
/// # Ok::<(), call::BadMoment>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(Timestamp);

/// A text is not a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMoment {
    /// The text has another shape.
    #[error("expected the form `2026-02-09T16:05:01Z`")]
    Form,
    /// The shape is right, but no calendar or clock shows this.
    #[error("no such date or time of day")]
    NotReal,
}

/// Whoever knows what time it is. Only a door has one; everything else is told.
pub trait Clock {
    /// The present moment. Later calls may return an earlier moment: clocks are set back.
    fn now(&self) -> Moment;
}

impl Moment {
    /// The moment that lies this long after the start of 1970, or nothing past the year 9999.
    #[must_use]
    pub fn since_epoch(elapsed: Duration) -> Option<Self> {
        let seconds = i64::try_from(elapsed.as_secs()).ok()?;
        let nanoseconds = i32::try_from(elapsed.subsec_nanos()).ok()?;
        Timestamp::new(seconds, nanoseconds).ok().map(Self)
    }

    /// This moment, later by `seconds`; the end of time where that lies beyond it.
    #[must_use]
    pub fn later_by(self, seconds: u32) -> Self {
        let step = jiff::SignedDuration::from_secs(i64::from(seconds));
        Self(self.0.checked_add(step).unwrap_or(Timestamp::MAX))
    }

    /// This moment, earlier by so many days; the beginning of time where that lies before it.
    #[must_use]
    pub fn earlier_by_days(self, days: u32) -> Self {
        let step = jiff::SignedDuration::from_hours(24 * i64::from(days));
        Self(self.0.checked_sub(step).unwrap_or(Timestamp::MIN))
    }

    /// Whole milliseconds since the start of 1970; none before it.
    #[must_use]
    pub fn milliseconds(self) -> u64 {
        u64::try_from(self.0.as_millisecond()).unwrap_or_default()
    }

    /// Whole microseconds since the start of 1970.
    #[must_use]
    pub fn microseconds(self) -> i64 {
        self.0.as_microsecond()
    }

    /// The day, `2026-02-09`.
    #[must_use]
    pub fn day(self) -> String {
        self.0.strftime("%Y-%m-%d").to_string()
    }

    /// This moment with exactly six digits of a fraction, `2026-02-09T16:05:01.000000Z`: in this form,
    /// moments sort as texts do.
    #[must_use]
    pub fn microseconds_text(self) -> String {
        const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(6));
        PRINTER.timestamp_to_string(&self.0)
    }

    /// A real date and time of day, as numbers.
    #[must_use]
    pub fn from_civil(date: (i16, i8, i8), time: (i8, i8, i8)) -> Option<Self> {
        Self::assemble(date, time, 0)
    }

    /// This moment as `20260209-160501Z`, the form that request ids carry. Fractions are cut.
    #[must_use]
    pub fn compact(self) -> String {
        self.0.strftime("%Y%m%d-%H%M%SZ").to_string()
    }

    /// This moment with exactly three digits of a fraction, `2026-02-09T16:05:01.000Z`.
    #[must_use]
    pub fn milliseconds_text(self) -> String {
        self.0.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
    }

    fn assemble(date: (i16, i8, i8), time: (i8, i8, i8), nanosecond: i32) -> Option<Self> {
        let date = Date::new(date.0, date.1, date.2).ok()?;
        let time = Time::new(time.0, time.1, time.2, nanosecond).ok()?;
        Offset::UTC.to_timestamp(date.to_datetime(time)).ok().map(Self)
    }
}

impl FromStr for Moment {
    type Err = BadMoment;

    fn from_str(text: &str) -> Result<Self, BadMoment> {
        let whole = text.strip_suffix('Z').ok_or(BadMoment::Form)?;
        let (whole, fraction) = match whole.split_once('.') {
            Some((whole, digits)) => (whole, nanoseconds(digits).ok_or(BadMoment::Form)?),
            None => (whole, 0),
        };
        let (date, time) = whole.split_once('T').ok_or(BadMoment::Form)?;
        let date = three(date, '-', [4, 2, 2]).ok_or(BadMoment::Form)?;
        let time = three(time, ':', [2, 2, 2]).ok_or(BadMoment::Form)?;
        let small = |number: u16| i8::try_from(number).map_err(|_| BadMoment::NotReal);
        let year = i16::try_from(date[0]).map_err(|_| BadMoment::NotReal)?;
        Self::assemble(
            (year, small(date[1])?, small(date[2])?),
            (small(time[0])?, small(time[1])?, small(time[2])?),
            fraction,
        )
        .ok_or(BadMoment::NotReal)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Three numbers of exactly these widths, `separator` between them.
fn three(text: &str, separator: char, widths: [usize; 3]) -> Option<[u16; 3]> {
    let mut parts = text.split(separator);
    let mut numbers = [0; 3];
    for (number, width) in numbers.iter_mut().zip(widths) {
        let part = parts.next()?;
        let plain = part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit());
        *number = if plain { part.parse().ok()? } else { return None };
    }
    parts.next().is_none().then_some(numbers)
}

/// The digits behind the decimal point, as nanoseconds.
fn nanoseconds(digits: &str) -> Option<i32> {
    let plain = (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { format!("{digits:0<9}").parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::{BadMoment, Moment};

    #[test]
    fn only_one_spelling_of_a_real_utc_time_is_read() {
        let cases = [
            ("2026-02-09T16:05:01Z", Ok("2026-02-09T16:05:01Z")),
            ("2024-02-29T23:59:59.999Z", Ok("2024-02-29T23:59:59.999Z")),
            ("2026-02-29T00:00:00Z", Err(BadMoment::NotReal)),
            ("2026-13-01T00:00:00Z", Err(BadMoment::NotReal)),
            ("2026-02-09T24:00:00Z", Err(BadMoment::NotReal)),
            ("2026-02-09T16:05:60Z", Err(BadMoment::NotReal)),
            ("2026-02-09t16:05:01Z", Err(BadMoment::Form)),
            ("2026-02-09T16:05:01z", Err(BadMoment::Form)),
            ("2026-02-09 16:05:01Z", Err(BadMoment::Form)),
            ("2026-02-09T16:05:01+00:00", Err(BadMoment::Form)),
            ("2026-02-09T16:05:01", Err(BadMoment::Form)),
            ("2026-02-09T16:05Z", Err(BadMoment::Form)),
            ("2026-2-09T16:05:01Z", Err(BadMoment::Form)),
            ("2026-02-09T16:05:01.Z", Err(BadMoment::Form)),
            ("2026-02-09T16:05:01.1234567890Z", Err(BadMoment::Form)),
            ("٢٠٢٦-02-09T16:05:01Z", Err(BadMoment::Form)),
            ("", Err(BadMoment::Form)),
        ];
        for (text, want) in cases {
            let got = text.parse::<Moment>().map(|moment| moment.to_string());
            assert_eq!(got, want.map(str::to_owned), "{text}");
        }
    }

    #[test]
    fn a_moment_survives_its_compact_form() {
        let moment: Moment = "2026-02-09T16:05:01.75Z".parse().unwrap();
        assert_eq!(moment.compact(), "20260209-160501Z");
        assert_eq!(moment.milliseconds_text(), "2026-02-09T16:05:01.750Z");
    }
}
