//! Stretches of time, wide enough that all of them fit on a page.
//!
//! How long the period is is known only when the last entry was read, so stretches begin as hours and
//! become wider when there are too many: days, weeks from Monday on, and then twice as many weeks.

use std::time::Duration;

use call::Moment;

/// Stretches that fit on a page.
const MOST: i64 = 62;

const DAY: i64 = 24;
const WEEK: i64 = 7 * DAY;

/// The first Monday of 1970, in hours.
const MONDAY: i64 = 4 * DAY;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Hour,
    Day,
    Weeks(i64),
}

impl Width {
    const fn hours(self) -> i64 {
        match self {
            Self::Hour => 1,
            Self::Day => DAY,
            Self::Weeks(weeks) => weeks * WEEK,
        }
    }

    /// The first hour of the stretch that an hour lies in.
    pub(super) const fn start(self, hour: i64) -> i64 {
        let origin = match self {
            Self::Hour | Self::Day => 0,
            Self::Weeks(_) => MONDAY,
        };
        (hour - origin).div_euclid(self.hours()) * self.hours() + origin
    }

    /// Every stretch of this width lies in one of the next.
    const fn wider(self) -> Self {
        match self {
            Self::Hour => Self::Day,
            Self::Day => Self::Weeks(1),
            Self::Weeks(weeks) => Self::Weeks(weeks * 2),
        }
    }

    /// What the stretches are called.
    pub(super) fn name(self) -> String {
        match self {
            Self::Hour => "hour".to_owned(),
            Self::Day => "day".to_owned(),
            Self::Weeks(1) => "week".to_owned(),
            Self::Weeks(weeks) => format!("{weeks} weeks"),
        }
    }

    /// When a stretch begins.
    pub(super) fn label(self, start: i64) -> String {
        let seconds = u64::try_from(start).unwrap_or_default() * 3_600;
        let day = Moment::since_epoch(Duration::from_secs(seconds)).map(Moment::day).unwrap_or_default();
        match self {
            Self::Hour => format!("{day} {:02}:00", start.rem_euclid(DAY)),
            Self::Day | Self::Weeks(_) => day,
        }
    }
}

/// How wide the stretches are by now, and the hours that they cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calendar {
    pub(super) width: Width,
    covered: Option<(i64, i64)>,
}

impl Default for Calendar {
    fn default() -> Self {
        Self { width: Width::Hour, covered: None }
    }
}

impl Calendar {
    /// Covers this hour too. Says whether the stretches had to become wider.
    pub(super) fn cover(&mut self, hour: i64) -> bool {
        let (first, last) = self.covered.unwrap_or((hour, hour));
        let (first, last) = (first.min(hour), last.max(hour));
        self.covered = Some((first, last));
        let before = self.width;
        while (self.width.start(last) - self.width.start(first)) / self.width.hours() >= MOST {
            self.width = self.width.wider();
        }
        self.width != before
    }

    /// The first hours of all stretches, in order.
    pub(super) fn starts(&self) -> Vec<i64> {
        let Some((first, last)) = self.covered else { return Vec::new() };
        let (first, step) = (self.width.start(first), self.width.hours());
        let count = (self.width.start(last) - first) / step;
        (0..=count).map(|number| first + number * step).collect()
    }
}

/// Whole hours since the start of 1970.
pub(super) const fn hour_of(microseconds: i64) -> i64 {
    microseconds.div_euclid(3_600_000_000)
}

#[cfg(test)]
mod tests {
    use call::Moment;

    use super::{Calendar, Width, hour_of};

    fn hour(text: &str) -> i64 {
        hour_of(text.parse::<Moment>().unwrap().microseconds())
    }

    #[test]
    fn stretches_are_as_wide_as_the_period_needs() {
        let cases = [
            // first, last -> width, stretches, the first of them
            ("2026-02-09T16:05:01Z", "2026-02-09T16:59:59Z", Width::Hour, 1, "2026-02-09 16:00"),
            ("2026-02-09T16:05:01Z", "2026-02-12T05:00:00Z", Width::Hour, 62, "2026-02-09 16:00"),
            ("2026-02-09T16:05:01Z", "2026-02-12T06:00:00Z", Width::Day, 4, "2026-02-09"),
            ("2026-02-11T00:00:00Z", "2026-04-13T23:00:00Z", Width::Day, 62, "2026-02-11"),
            ("2026-02-11T00:00:00Z", "2026-04-14T00:00:00Z", Width::Weeks(1), 10, "2026-02-09"),
            ("2026-02-11T00:00:00Z", "2028-02-11T00:00:00Z", Width::Weeks(2), 53, "2026-02-02"),
            ("1970-01-01T00:00:00Z", "9999-12-30T00:00:00Z", Width::Weeks(8192), 53, "1970-01-01"),
        ];
        for (first, last, width, n_starts, label) in cases {
            for turn in [[first, last], [last, first]] {
                let mut calendar = Calendar::default();
                let _ = turn.map(|moment| calendar.cover(hour(moment)));
                let starts = calendar.starts();
                let got = (calendar.width, starts.len(), calendar.width.label(starts[0]));
                assert_eq!(got, (width, n_starts, label.to_owned()), "{turn:?}");
            }
        }
        assert_eq!(Calendar::default().starts(), Vec::<i64>::new());
    }

    #[test]
    fn a_stretch_lies_in_one_that_is_wider() {
        let mut width = Width::Hour;
        for _ in 0..6 {
            let wider = width.wider();
            for hour in 490_000..495_000 {
                assert_eq!(wider.start(width.start(hour)), wider.start(hour), "{width:?} {hour}");
            }
            width = wider;
        }
    }
}
