//! Ages for people (`duration.HumanDuration` in apimachinery).

use kindsmith_gostd::time::{Layout, Time as Instant};

/// The age of a time in RFC 3339, given the current time in nanoseconds since 1970; an absent time is `<unknown>`.
#[must_use]
pub fn age(text: &str, now: i128) -> String {
    if matches!(text, "" | "null") {
        return "<unknown>".to_owned();
    }
    let Ok(time) = Instant::parse(Layout::Rfc3339, text) else {
        return "<invalid>".to_owned();
    };
    if time.unix_seconds() == ZERO {
        return "<unknown>".to_owned();
    }
    let elapsed = now - (i128::from(time.unix_seconds()) * NANOS + i128::from(time.nanos()));
    // Go's durations are limited to 292 years.
    human(elapsed.clamp(i64::MIN.into(), i64::MAX.into()))
}

/// The first second of year one, which is Go's zero time.
const ZERO: i64 = -62_135_596_800;
const NANOS: i128 = 1_000_000_000;

/// A duration in nanoseconds, in one or two units.
#[must_use]
pub fn human(nanos: i128) -> String {
    // Numbers of 128 bits are divided and written by loops.
    let seconds = i64::try_from(nanos / NANOS).unwrap_or(i64::MAX);
    if seconds < -1 {
        return "<invalid>".to_owned();
    }
    if seconds < 0 {
        return "0s".to_owned();
    }
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    let (days, years) = (hours / 24, hours / 24 / 365);
    match () {
        () if seconds < 120 => format!("{seconds}s"),
        () if minutes < 10 => two(minutes, "m", seconds % 60, "s"),
        () if minutes < 180 => format!("{minutes}m"),
        () if hours < 8 => two(hours, "h", minutes % 60, "m"),
        () if hours < 48 => format!("{hours}h"),
        () if hours < 192 => two(days, "d", hours % 24, "h"),
        () if hours < 24 * 365 * 2 => format!("{days}d"),
        () if hours < 24 * 365 * 8 => two(years, "y", days % 365, "d"),
        () => format!("{years}y"),
    }
}

fn two(large: i64, large_unit: &str, small: i64, small_unit: &str) -> String {
    match small {
        0 => format!("{large}{large_unit}"),
        small => format!("{large}{large_unit}{small}{small_unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_match_kubectl() {
        for (seconds, expected) in [
            (-5, "<invalid>"),
            (-1, "0s"),
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (125, "2m5s"),
            (600, "10m"),
            (3 * 3600, "3h"),
            (3 * 3600 + 60, "3h1m"),
            (9 * 3600, "9h"),
            (49 * 3600, "2d1h"),
            (48 * 3600, "2d"),
            (9 * 86400, "9d"),
            (2 * 365 * 86400, "2y"),
            (3 * 365 * 86400 + 86400, "3y1d"),
            (10 * 365 * 86400, "10y"),
        ] {
            assert_eq!(human(seconds * NANOS), expected, "{seconds}");
        }
    }

    #[test]
    fn odd_times_have_fixed_texts() {
        let now = 1_800_000_000 * NANOS;
        for (text, expected) in [
            ("", "<unknown>"),
            ("0001-01-01T00:00:00Z", "<unknown>"),
            ("soon", "<invalid>"),
            ("1600-01-01T00:00:00Z", "292y"),
            ("2027-01-15T07:59:30Z", "30s"),
        ] {
            assert_eq!(age(text, now), expected, "{text}");
        }
    }
}
