//! Calendar arithmetic on points in time: parts of dates, zones, text forms.

use std::fmt::Write as _;

use super::value::Time;

/// The first and last second of the years 1 to 9999.
pub(crate) const MIN_SECONDS: i64 = -62_135_596_800;
pub(crate) const MAX_SECONDS: i64 = 253_402_300_799;

const DAY: i64 = 86_400;

/// A date and time of day.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Civil {
    pub(crate) year: i64,
    /// From 1.
    pub(crate) month: u32,
    /// From 1.
    pub(crate) day: u32,
    /// From 0.
    pub(crate) day_of_year: i64,
    /// Sunday is 0.
    pub(crate) weekday: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
}

/// The date and time of day at an offset from UTC.
pub(crate) fn civil(time: Time, offset: i32) -> Civil {
    let local = time.seconds.saturating_add(i64::from(offset));
    let (days, rest) = (local.div_euclid(DAY), local.rem_euclid(DAY));
    let (year, month, day) = date(days);
    let day_of_year = days - days_before(year, 1, 1);
    Civil {
        year,
        month,
        day,
        day_of_year,
        weekday: (days + 4).rem_euclid(7),
        hour: rest / 3600,
        minute: rest % 3600 / 60,
        second: rest % 60,
    }
}

/// Year, month and day of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
///
/// Years start in March here, so that the leap day comes last.
fn date(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month as u32, day as u32)
}

fn days_before(year: i64, month: u32, day: u32) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let month_from_march = (i64::from(month) + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The seconds of a duration, as Go computes them.
pub(crate) fn seconds(nanos: i64) -> f64 {
    (nanos / 1_000_000_000) as f64 + (nanos % 1_000_000_000) as f64 / 1e9
}

/// `2006-01-02T15:04:05.999999999Z07:00`.
pub(crate) fn rfc3339(time: Time) -> String {
    let at = civil(time, time.offset);
    let mut out = format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        at.year, at.month, at.day, at.hour, at.minute, at.second
    );
    push_fraction(&mut out, time.nanos);
    if time.offset == 0 {
        out.push('Z');
    } else {
        push_offset(&mut out, time.offset, ":");
    }
    out
}

/// `2006-01-02 15:04:05.999999999 -0700 MST`, which is how `%v` prints times.
pub(crate) fn go_string(time: Time) -> String {
    let at = civil(time, time.offset);
    let mut out = format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
        at.year, at.month, at.day, at.hour, at.minute, at.second
    );
    push_fraction(&mut out, time.nanos);
    out.push(' ');
    push_offset(&mut out, time.offset, "");
    out.push(' ');
    if time.offset == 0 {
        out.push_str("UTC");
    } else {
        push_offset(&mut out, time.offset, "");
    }
    out
}

fn push_fraction(out: &mut String, nanos: u32) {
    if nanos != 0 {
        let digits = format!("{nanos:09}");
        out.push('.');
        out.push_str(digits.trim_end_matches('0'));
    }
}

fn push_offset(out: &mut String, offset: i32, separator: &str) {
    let minutes = offset / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    let _ = write!(
        out,
        "{sign}{:02}{separator}{:02}",
        minutes.abs() / 60,
        minutes.abs() % 60
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seconds: i64, text: &str) {
        assert_eq!(
            rfc3339(Time {
                seconds,
                nanos: 0,
                offset: 0
            }),
            text
        );
    }

    #[test]
    fn prints_dates_of_all_eras() {
        check(0, "1970-01-01T00:00:00Z");
        check(951_782_400, "2000-02-29T00:00:00Z");
        check(MIN_SECONDS, "0001-01-01T00:00:00Z");
        check(MAX_SECONDS, "9999-12-31T23:59:59Z");
        check(-1, "1969-12-31T23:59:59Z");
    }

    #[test]
    fn counts_days_of_year_from_zero() {
        let at = civil(
            Time {
                seconds: 951_782_400,
                nanos: 0,
                offset: 0,
            },
            0,
        );
        assert_eq!((at.day_of_year, at.weekday), (59, 2));
    }

    #[test]
    fn keeps_offset_and_fraction() {
        assert_eq!(
            rfc3339(Time {
                seconds: 0,
                nanos: 500_000_000,
                offset: 5400
            }),
            "1970-01-01T01:30:00.5+01:30"
        );
    }
}
