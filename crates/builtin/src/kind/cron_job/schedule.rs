//! Validates cron schedules and names of time zones, with the errors of the parser that Kubernetes uses
//! (github.com/robfig/cron/v3).

use kindsmith_gostd::duration::Duration;
use kindsmith_gostd::quote::quote;

/// The names of the IANA time zone database.
const ZONES: &str = include_str!("time_zones.txt");

pub(super) fn is_zone(name: &str) -> bool {
    ZONES.lines().any(|zone| zone == name)
}

/// Smallest and largest value of a field, and names for its values in order.
struct Bounds {
    least: u64,
    most: u64,
    names: &'static [&'static str],
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const FIELDS: [Bounds; 5] = [
    Bounds {
        least: 0,
        most: 59,
        names: &[],
    },
    Bounds {
        least: 0,
        most: 23,
        names: &[],
    },
    Bounds {
        least: 1,
        most: 31,
        names: &[],
    },
    Bounds {
        least: 1,
        most: 12,
        names: &MONTHS,
    },
    Bounds {
        least: 0,
        most: 6,
        names: &DAYS,
    },
];

/// Checks a schedule.
pub(super) fn check(schedule: &str) -> Result<(), String> {
    let mut rest = schedule;
    if schedule.starts_with("TZ=") || schedule.starts_with("CRON_TZ=") {
        let (zone, fields) = schedule.split_once(' ').unwrap_or((schedule, ""));
        let zone = zone.split_once('=').map_or("", |(_, zone)| zone);
        if !matches!(zone, "" | "UTC" | "Local") && !is_zone(zone) {
            return Err(format!("provided bad location {zone}: unknown time zone {zone}"));
        }
        rest = fields.trim();
    }
    if rest.starts_with('@') {
        return check_descriptor(rest);
    }
    let fields: Vec<&str> = rest.split_whitespace().collect();
    if fields.len() != FIELDS.len() {
        return Err(format!(
            "expected exactly 5 fields, found {}: [{}]",
            fields.len(),
            fields.join(" ")
        ));
    }
    for (field, bounds) in fields.iter().zip(FIELDS) {
        for range in field.split(',').filter(|range| !range.is_empty()) {
            check_range(range, &bounds)?;
        }
    }
    Ok(())
}

fn check_descriptor(text: &str) -> Result<(), String> {
    const KNOWN: [&str; 7] = [
        "@yearly",
        "@annually",
        "@monthly",
        "@weekly",
        "@daily",
        "@midnight",
        "@hourly",
    ];
    if KNOWN.contains(&text) {
        return Ok(());
    }
    let Some(interval) = text.strip_prefix("@every ") else {
        return Err(format!("unrecognized descriptor: {text}"));
    };
    match Duration::parse(interval) {
        Ok(_) => Ok(()),
        Err(problem) => Err(format!("failed to parse duration {text}: {problem}")),
    }
}

fn check_range(text: &str, bounds: &Bounds) -> Result<(), String> {
    let parts: Vec<&str> = text.split('/').collect();
    let ends: Vec<&str> = parts[0].split('-').collect();
    let (start, mut end) = match *ends {
        ["*" | "?", ..] => (bounds.least, bounds.most),
        [one] => {
            let value = read(one, bounds)?;
            (value, value)
        }
        [first, last] => (read(first, bounds)?, read(last, bounds)?),
        _ => return Err(format!("too many hyphens: {text}")),
    };
    let step = match *parts {
        [_] => 1,
        [_, step] => {
            if ends.len() == 1 {
                end = bounds.most;
            }
            read_number(step)?
        }
        _ => return Err(format!("too many slashes: {text}")),
    };
    let (least, most) = (bounds.least, bounds.most);
    if start < least {
        return Err(format!(
            "beginning of range ({start}) below minimum ({least}): {text}"
        ));
    }
    if end > most {
        return Err(format!("end of range ({end}) above maximum ({most}): {text}"));
    }
    if start > end {
        return Err(format!(
            "beginning of range ({start}) beyond end of range ({end}): {text}"
        ));
    }
    match step {
        0 => Err(format!("step of range should be a positive number: {text}")),
        _ => Ok(()),
    }
}

fn read(text: &str, bounds: &Bounds) -> Result<u64, String> {
    let lower = text.to_lowercase();
    match bounds.names.iter().position(|name| *name == lower) {
        Some(index) => Ok(bounds.least + index as u64),
        None => read_number(text),
    }
}

fn read_number(text: &str) -> Result<u64, String> {
    let number: i64 = text.parse().map_err(|_| {
        let shown = quote(text);
        format!("failed to parse int from {text}: strconv.Atoi: parsing {shown}: invalid syntax")
    })?;
    u64::try_from(number).map_err(|_| format!("negative number ({number}) not allowed: {text}"))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn schedules_are_read_as_cron_does() {
        for schedule in [
            "* * * * *",
            "*/5 0-3,7 1 jan-mar sun",
            "@daily",
            "@every 1h30m",
            "TZ=UTC 0 0 * * *",
        ] {
            assert_eq!(check(schedule), Ok(()), "{schedule}");
        }
        for (schedule, problem) in [
            ("* * * *", "expected exactly 5 fields, found 4: [* * * *]"),
            ("60 * * * *", "end of range (60) above maximum (59): 60"),
            ("*/0 * * * *", "step of range should be a positive number: */0"),
            ("@wrong", "unrecognized descriptor: @wrong"),
        ] {
            assert_eq!(check(schedule), Err(problem.to_owned()));
        }
    }
}
