//! The clock of a program: the worker's, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

use monty_types::{MontyDate, MontyDateTime, MontyObject, MontyTimeZone};

/// `date.today()`
pub(super) fn today() -> MontyObject {
    let moment = moment(None);
    MontyObject::Date(MontyDate { year: moment.year, month: moment.month, day: moment.day })
}

/// `datetime.now(zone)`
pub(super) fn now(zone: Option<&MontyTimeZone>) -> MontyObject {
    MontyObject::DateTime(moment(zone))
}

fn moment(zone: Option<&MontyTimeZone>) -> MontyDateTime {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let offset = zone.map_or(0, |zone| i64::from(zone.offset_seconds));
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default() + offset;
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let small = |number: i64| u8::try_from(number).unwrap_or_default();
    MontyDateTime {
        year: i32::try_from(year).unwrap_or_default(),
        month: small(month),
        day: small(day),
        hour: small(second / 3_600),
        minute: small(second / 60 % 60),
        second: small(second % 60),
        microsecond: since.subsec_micros(),
        offset_seconds: zone.map(|zone| zone.offset_seconds),
        timezone_name: zone.and_then(|zone| zone.name.clone()),
    }
}

/// The date of a day since 1970, by Hinnant's algorithm: years begin in March, so that the day that some
/// have more is the last.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn days_have_their_dates() {
        let cases = [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_513, (2026, 3, 1)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ];
        for (days, date) in cases {
            assert_eq!(civil(days), date, "{days}");
        }
    }
}
