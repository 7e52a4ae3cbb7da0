//! `/statusz`: which server this is, and how long it runs.

use std::collections::BTreeSet;

use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Arena, Value};
use kindsmith_object::Release;
use kindsmith_request::Status;

use super::debug::{self, Form};
use super::version;
use crate::response::status_response::text;
use crate::{Request, Response};

/// Paths that do not help with debugging.
const LEFT_OUT: [&str; 5] = ["/apis", "/api", "/openid", "/openapi", "/.well-known"];

pub(super) fn answer(
    release: Release,
    all: BTreeSet<String>,
    (started, now): (crate::Time, crate::Time),
    request: &Request<'_>,
) -> Result<Response, Status> {
    let form = debug::form(request, "Statusz")?;
    let (binary, emulation) = (version::binary(release), release.to_string());
    let started = started.seconds;
    let uptime = now.seconds - started;
    let started = Time::from_unix(started, 0);
    // Of a family of paths, the first one stands for all.
    let mut paths: Vec<String> = Vec::new();
    for path in all {
        let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        let family = format!("/{first}");
        if !LEFT_OUT.contains(&&*family) && !paths.contains(&family) {
            paths.push(family);
        }
    }
    match form {
        Form::Text => {
            let started = started.map_or_else(String::new, unix_date);
            Ok(text(
                200,
                format!(
                    "{}\nStarted: {started}\nUp: {}\nGo version: {}\nBinary version: {}\nEmulation version: {}\nPaths: {}\n",
                    debug::head("statusz"),
                    shown(uptime),
                    version::GO,
                    binary,
                    emulation,
                    paths.join(" ")
                ),
            ))
        }
        Form::Object(form, is_deprecated) => {
            let arena = Arena::new();
            let started = started.map_or_else(String::new, |time| time.format(Layout::Rfc3339));
            let paths: Vec<Value<'_>> = paths.iter().map(|path| Value::Str(path)).collect();
            Ok(debug::object(
                &arena,
                ("Statusz", form, is_deprecated),
                &[
                    ("startTime", Value::Str(&started)),
                    ("uptimeSeconds", Value::Int(uptime)),
                    ("goVersion", Value::Str(version::GO)),
                    ("binaryVersion", Value::Str(&binary)),
                    ("emulationVersion", Value::Str(&emulation)),
                    ("paths", Value::Array(arena.alloc_slice_copy(&paths))),
                ],
            ))
        }
    }
}

/// `Mon Jan  2 15:04:05 UTC 2006`
fn unix_date(time: Time) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let index = |number: i64| usize::try_from(number).unwrap_or_default();
    let day = DAYS[index(time.unix_seconds().div_euclid(86_400).rem_euclid(7))];
    let text = time.format(Layout::Rfc3339);
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    let month = part(5..7).parse().map_or(0, |month: i64| index(month - 1));
    let month = MONTHS.get(month).copied().unwrap_or_default();
    let date = part(8..10).trim_start_matches('0');
    format!("{day} {month} {date:>2} {} UTC {}", part(11..19), part(0..4))
}

/// `1 hr 02 min 03 sec`
fn shown(seconds: i64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours} hr {minutes:02} min {seconds:02} sec")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_command_date() {
        let date = |seconds| unix_date(Time::from_unix(seconds, 0).expect("a time"));
        assert_eq!(date(1_136_214_245), "Mon Jan  2 15:04:05 UTC 2006");
        assert_eq!(date(1_790_000_000), "Mon Sep 21 14:13:20 UTC 2026");
        assert_eq!(shown(3_723), "1 hr 02 min 03 sec");
    }
}
