//! `--limit NAME=VALUE`: the limits of a server and of its store by their names.

use std::time::Duration;

use kindsmith_formats::quantity::Quantity;
use kindsmith_gostd::duration::Duration as GoDuration;

use crate::error::Error;

/// All limits of a server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Limits {
    pub(crate) server: kindsmith_server::Limits,
    pub(crate) store: kindsmith_store::Limits,
}

/// What a limit counts, and where it is.
enum Place {
    Number(fn(&mut Limits) -> &mut usize),
    Streams(fn(&mut Limits) -> &mut u32),
    Bytes(fn(&mut Limits) -> &mut usize),
    Time(fn(&mut Limits) -> &mut Duration),
}

/// By name. SECURITY.md says what they mean.
const PLACES: &[(&str, Place)] = &[
    ("body", Place::Bytes(|limits| &mut limits.server.body)),
    (
        "connections",
        Place::Number(|limits| &mut limits.server.connections),
    ),
    ("drain-time", Place::Time(|limits| &mut limits.server.drain)),
    ("entry", Place::Bytes(|limits| &mut limits.store.entry_bytes)),
    ("header-time", Place::Time(|limits| &mut limits.server.headers)),
    ("headers", Place::Bytes(|limits| &mut limits.server.header_bytes)),
    ("history", Place::Bytes(|limits| &mut limits.store.history_bytes)),
    ("idle-time", Place::Time(|limits| &mut limits.server.idle)),
    ("lists", Place::Number(|limits| &mut limits.server.heavy)),
    ("memory", Place::Bytes(|limits| &mut limits.server.memory)),
    ("queue", Place::Number(|limits| &mut limits.server.queue)),
    ("queue-time", Place::Time(|limits| &mut limits.server.patience)),
    ("reads", Place::Number(|limits| &mut limits.server.reads)),
    ("request-time", Place::Time(|limits| &mut limits.server.request)),
    ("stall-time", Place::Time(|limits| &mut limits.server.stall)),
    ("streams", Place::Streams(|limits| &mut limits.server.streams)),
    (
        "watch-bytes",
        Place::Bytes(|limits| &mut limits.store.backlog_bytes),
    ),
    (
        "watch-events",
        Place::Number(|limits| &mut limits.store.backlog_events),
    ),
    ("watch-time", Place::Time(|limits| &mut limits.server.watch)),
    (
        "webhook-waits",
        Place::Number(|limits| &mut limits.server.webhook_waits),
    ),
    ("work-memory", Place::Bytes(|limits| &mut limits.server.work)),
    ("writes", Place::Number(|limits| &mut limits.server.writes)),
];

impl Limits {
    /// Sets a limit from `NAME=VALUE`.
    pub(crate) fn set(&mut self, text: &str) -> Result<(), Error> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let Some((_, place)) = PLACES.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = PLACES.iter().map(|(name, _)| *name).collect();
            return Err(Error::usage(format!("there is no limit {name:?}"))
                .hint(format!("limits are {}", known.join(", "))));
        };
        let is_set = match place {
            Place::Number(place) => put(place(self), whole(value)),
            Place::Streams(place) => {
                let number = whole(value).and_then(|number| u32::try_from(number).ok());
                put(place(self), number)
            }
            Place::Bytes(place) => put(place(self), bytes(value)),
            Place::Time(place) => put(place(self), time(value)),
        };
        is_set.ok_or_else(|| {
            let form = match place {
                Place::Number(_) | Place::Streams(_) => "a number from 1 on: 500",
                Place::Bytes(_) => "a quantity of bytes: 64Mi",
                Place::Time(_) => "a time: 30s",
            };
            Error::usage(format!("--limit {name}={value:?} is not usable")).hint(format!("{name} is {form}"))
        })
    }
}

fn put<T>(place: &mut T, value: Option<T>) -> Option<()> {
    *place = value?;
    Some(())
}

fn whole(text: &str) -> Option<usize> {
    text.parse().ok().filter(|&number| number > 0)
}

fn bytes(text: &str) -> Option<usize> {
    let quantity = Quantity::parse(text).ok()?;
    usize::try_from(quantity.as_i64()?)
        .ok()
        .filter(|&bytes| bytes > 0)
}

fn time(text: &str) -> Option<Duration> {
    let GoDuration(nanoseconds) = GoDuration::parse(text).ok()?;
    let nanoseconds = u64::try_from(nanoseconds)
        .ok()
        .filter(|&nanoseconds| nanoseconds > 0);
    nanoseconds.map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Result<Limits, Error> {
        let mut limits = Limits::default();
        limits.set(text).map(|()| limits)
    }

    #[test]
    fn limits_have_forms() {
        let set = |text| set(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(set("connections=5").server.connections, 5);
        assert_eq!(set("streams=7").server.streams, 7);
        assert_eq!(set("body=64Ki").server.body, 64 << 10);
        assert_eq!(set("history=1k").store.history_bytes, 1000);
        assert_eq!(set("idle-time=1m30s").server.idle, Duration::from_secs(90));
    }

    #[test]
    fn what_cannot_be_a_limit_is_refused() {
        for (text, said) in [
            ("colour=5", "there is no limit \"colour\""),
            ("connections", "--limit connections=\"\" is not usable"),
            ("connections=0", "--limit connections=\"0\" is not usable"),
            ("connections=5Mi", "--limit connections=\"5Mi\" is not usable"),
            (
                "streams=5000000000",
                "--limit streams=\"5000000000\" is not usable",
            ),
            ("body=-1", "--limit body=\"-1\" is not usable"),
            ("idle-time=5", "--limit idle-time=\"5\" is not usable"),
        ] {
            let error = set(text).expect_err(text);
            assert!(error.to_string().contains(said), "{error}");
        }
    }

    /// The default of a limit, as it would be written.
    fn default(name: &str, place: &Place) -> String {
        let mut limits = Limits::default();
        let bytes = |bytes: usize| match bytes {
            bytes if bytes % (1 << 30) == 0 => format!("{}Gi", bytes >> 30),
            bytes if bytes % (1 << 20) == 0 => format!("{}Mi", bytes >> 20),
            bytes if bytes % (1 << 10) == 0 => format!("{}Ki", bytes >> 10),
            bytes => bytes.to_string(),
        };
        match place {
            _ if name == "lists" => "one for each processor".to_owned(),
            Place::Number(place) => place(&mut limits).to_string(),
            Place::Streams(place) => place(&mut limits).to_string(),
            Place::Bytes(place) => bytes(*place(&mut limits)),
            Place::Time(place) => match place(&mut limits).as_secs() {
                seconds if seconds % 60 == 0 => format!("{}m", seconds / 60),
                seconds => format!("{seconds}s"),
            },
        }
    }

    /// What `SECURITY.md` says about a limit: what it limits, and what happens beyond it.
    fn described(name: &str) -> (String, String) {
        let table = include_str!("../../../../SECURITY.md");
        let row = table.lines().find(|line| line.contains(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("{name} is not in SECURITY.md"));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        (cells[1].to_owned(), cells[4].to_owned())
    }

    /// `UPDATE=1` writes the page.
    #[test]
    fn the_page_of_limits_is_up_to_date() {
        let mut page = "# Limits\n\nWhat clients may hold of a server. `kindsmith serve --limit NAME=VALUE` changes one, and may be given \
                        more than once;\n`kindsmith envtest` has the defaults. This page is made from the program's table; limits without a name, and the \
                        tests of all, are in\n[SECURITY](../SECURITY.md#limits).\n\n| Name | Default | Limits | Beyond it |\n|---|---|---|---|\n"
            .to_owned();
        for (name, place) in PLACES {
            let (what, beyond) = described(name);
            page.push_str(&format!(
                "| `{name}` | {} | {what} | {beyond} |\n",
                default(name, place)
            ));
        }
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/limits.md");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &page).expect("the page can be written");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == page,
            "docs/limits.md is stale: run `UPDATE=1 cargo test -p kindsmith-cli --lib limits`"
        );
    }
}
