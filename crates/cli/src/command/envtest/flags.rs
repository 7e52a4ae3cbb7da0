//! Command lines as Go programs read them: a table of flags, and the values that were given.

use kindsmith_gostd::duration::Duration;
use kindsmith_gostd::strconv::parse_bool;

use crate::error::Error;

/// The flags of a program: lines of `name type` and, unless it is the zero value, the default; sorted by name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table {
    /// What the program is called.
    pub(super) program: &'static str,
    pub(super) lines: &'static str,
    /// Flags that do something here, with their help. The others are accepted with a warning.
    pub(super) effective: &'static [(&'static str, &'static str)],
    /// Whether names of any length may have one dash only, as with Go's own package `flag`.
    pub(super) has_single_dashes: bool,
}

/// What a command line requests.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    Help,
    Version,
    Run(Given),
}

/// The flags that were given, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Given(Vec<(&'static str, String)>);

impl Table {
    fn flags(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.rows().map(|(name, kind, _)| (name, kind))
    }

    /// Name, type and default of all flags.
    fn rows(self) -> impl Iterator<Item = (&'static str, &'static str, Option<&'static str>)> {
        self.lines.lines().filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?, words.next()?, words.next()))
        })
    }

    /// The values of all flags, as Go prints them.
    pub(super) fn values(self, given: &Given) -> Vec<(String, String)> {
        let value = |(name, kind, default): (&str, &str, Option<&str>)| match kind {
            "strings" | "ints" => {
                let items = given.list(name);
                let items = if items.is_empty() {
                    default.into_iter().collect()
                } else {
                    items
                };
                format!("[{}]", items.join(","))
            }
            "stringToString" => format!("[{}]", given.list(name).join(",")),
            kind => {
                let text = given.text(name).or(default).unwrap_or(zero(kind));
                match Duration::parse(text) {
                    Ok(duration) if kind == "duration" => duration.to_string(),
                    _ => text.to_owned(),
                }
            }
        };
        self.rows().map(|row| (row.0.to_owned(), value(row))).collect()
    }

    fn find(self, name: &str) -> Option<(&'static str, &'static str)> {
        let name = name.replace('_', "-");
        self.flags().find(|(flag, _)| *flag == name)
    }

    fn help_of(self, name: &str) -> Option<&'static str> {
        let (_, help) = self.effective.iter().find(|(flag, _)| *flag == name)?;
        Some(help)
    }

    /// Reads a command line.
    pub(super) fn parse(self, words: &[String]) -> Result<Request, Error> {
        let mut given = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (word.as_str(), None),
            };
            let (dashes, name) = match (name.strip_prefix("--"), name.strip_prefix('-')) {
                (Some(name), _) => ("--", name),
                (None, Some(name)) => ("-", name),
                (None, None) => return Err(self.positional(word)),
            };
            if name == "help" || (dashes == "-" && name == "h") {
                return Ok(Request::Help);
            }
            let (name, value) = shorthand(dashes, name, value);
            let is_known_dash = dashes == "--" || self.has_single_dashes || name.len() == 1;
            let Some((flag, kind)) = self.find(name).filter(|_| is_known_dash) else {
                return Err(Error::usage(format!("unknown flag: {dashes}{name}"))
                    .hint(format!("`{} --help` lists all flags", self.program)));
            };
            let value = match (value, kind) {
                (Some(value), _) => value,
                (None, "bool") => "true".to_owned(),
                (None, _) => words
                    .next()
                    .cloned()
                    .ok_or_else(|| Error::usage(format!("flag needs an argument: {dashes}{flag}")))?,
            };
            check(flag, kind, &value)?;
            if flag == "version" && value != "false" {
                return Ok(Request::Version);
            }
            given.push((flag, value));
        }
        Ok(Request::Run(Given(given)))
    }

    fn positional(self, word: &str) -> Error {
        Error::usage(format!(
            "\"{}\" does not take any arguments, got [\"{word}\"]",
            self.program
        ))
    }

    /// Warnings about flags that do nothing here, one for each.
    pub(super) fn warnings(self, given: &Given) -> Vec<String> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in &given.0 {
            if self.help_of(name).is_none() && !names.contains(name) {
                names.push(name);
            }
        }
        let warning = |name: &&str| format!("warning: --{name} has no effect");
        names.iter().map(warning).collect()
    }

    /// The help page.
    pub(super) fn help(self, about: &str) -> String {
        let mut page = format!("{about}\n\nUsage:\n  {} [flags]\n\nFlags:\n", self.program);
        let line = |(name, kind): (&str, &str), help: &str| {
            let kind = if kind == "bool" { "" } else { kind };
            let flag = match name {
                "v" => format!("  -v, --v {kind}"),
                name => format!("      --{name} {kind}"),
            };
            format!("{:<52} {help}", flag.trim_end()).trim_end().to_owned() + "\n"
        };
        for (name, kind) in self.flags() {
            if let Some(help) = self.help_of(name) {
                page.push_str(&line((name, kind), help));
            }
        }
        page.push_str(&line(("help", "bool"), "Show this page"));
        page.push_str("\nAccepted with a warning, without effect:\n");
        for (name, kind) in self.flags().filter(|(name, _)| self.help_of(name).is_none()) {
            page.push_str(&line((name, kind), ""));
        }
        page
    }
}

/// Splits `-v4`.
fn shorthand<'w>(dashes: &str, name: &'w str, value: Option<String>) -> (&'w str, Option<String>) {
    match name.split_at_checked(1) {
        Some((first, rest)) if dashes == "-" && value.is_none() && rest.parse::<u8>().is_ok() => {
            (first, Some(rest.to_owned()))
        }
        _ => (name, value),
    }
}

/// Refuses values of another type.
fn check(flag: &str, kind: &str, value: &str) -> Result<(), Error> {
    let why = match kind {
        "bool" if parse_bool(value).is_err() => "expected true or false",
        "int" if value.parse::<i64>().is_err() => "expected a whole number",
        "duration" if kindsmith_gostd::duration::Duration::parse(value).is_err() => {
            "expected a duration such as 30s"
        }
        _ => return Ok(()),
    };
    Err(Error::usage(format!(
        "invalid argument \"{value}\" for \"--{flag}\" flag: {why}"
    )))
}

/// The zero value of a type.
fn zero(kind: &str) -> &'static str {
    match kind {
        "bool" => "false",
        "duration" => "0s",
        "int" | "float" | "quantity" => "0",
        _ => "",
    }
}

impl Given {
    /// All values of a flag, in order.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let of_name = self.0.iter().filter(move |(flag, _)| *flag == name);
        of_name.map(|(_, value)| value.as_str())
    }

    /// The value that counts: the last one.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.all(name).last()
    }

    /// The items of lists with commas.
    pub(super) fn list(&self, name: &str) -> Vec<&str> {
        self.all(name)
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .collect()
    }

    pub(super) fn boolean(&self, name: &str) -> Option<bool> {
        parse_bool(self.text(name)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Table = Table {
        program: "kube-apiserver",
        lines: "allow-privileged bool\nport int\nservers strings\nv int\nversion bool",
        effective: &[("port", "Where to listen")],
        has_single_dashes: false,
    };

    fn check(line: &str, expected: Result<&[(&str, &str)], &str>) {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match (TABLE.parse(&words), expected) {
            (Ok(Request::Run(given)), Ok(expected)) => {
                let pairs: Vec<(&str, &str)> = given
                    .0
                    .iter()
                    .map(|(name, value)| (*name, value.as_str()))
                    .collect();
                assert_eq!(pairs, expected, "{line}");
            }
            (Err(error), Err(expected)) => {
                assert!(error.to_string().starts_with(expected), "{line}: {error}");
            }
            (parsed, _) => panic!("{line}: {parsed:?}"),
        }
    }

    #[test]
    fn flags_are_read_as_pflag_reads_them() {
        check("--port=1 --port 2", Ok(&[("port", "1"), ("port", "2")]));
        check(
            "--allow_privileged -v=3",
            Ok(&[("allow-privileged", "true"), ("v", "3")]),
        );
        check("-v 3", Ok(&[("v", "3")]));
        check("-v4", Ok(&[("v", "4")]));
        check("--allow-privileged=false", Ok(&[("allow-privileged", "false")]));
        check("--frob=1", Err("unknown flag: --frob"));
        check("-port=1", Err("unknown flag: -port"));
        check("--port", Err("flag needs an argument: --port"));
        check(
            "--port=x",
            Err("invalid argument \"x\" for \"--port\" flag: expected a whole number"),
        );
        check(
            "--allow-privileged true",
            Err("\"kube-apiserver\" does not take any arguments, got [\"true\"]"),
        );
    }

    #[test]
    fn all_flags_have_a_value() {
        let table = Table {
            lines: "prefix string /registry\nservers strings a,b\nsure bool\nttl duration",
            ..TABLE
        };
        let values = |given: Vec<(&'static str, String)>| {
            let pairs = table.values(&Given(given)).into_iter();
            pairs
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>()
        };
        let defaults = ["prefix=/registry", "servers=[a,b]", "sure=false", "ttl=0s"];
        assert_eq!(values(Vec::new()), defaults);
        let given = vec![
            ("servers", "x".to_owned()),
            ("servers", "y".to_owned()),
            ("ttl", "1h".to_owned()),
        ];
        assert_eq!(
            values(given),
            ["prefix=/registry", "servers=[x,y]", "sure=false", "ttl=1h0m0s"]
        );
    }

    #[test]
    fn flags_without_effect_are_warned_about_once() {
        let words = ["--servers=a", "--servers=b", "--port=1"].map(str::to_owned);
        let Ok(Request::Run(given)) = TABLE.parse(&words) else {
            panic!("it is a command line");
        };
        assert_eq!(TABLE.warnings(&given), ["warning: --servers has no effect"]);
        assert_eq!(given.list("servers"), ["a", "b"]);
    }

    #[test]
    fn help_lists_all_flags_at_the_start_of_lines() {
        assert_eq!(TABLE.parse(&["--help".to_owned()]).ok(), Some(Request::Help));
        let page = TABLE.help("About");
        for name in ["allow-privileged", "port", "servers", "v"] {
            let flag = format!("--{name}");
            let is_listed = page.lines().any(|line| line.trim_start().contains(&flag));
            assert!(is_listed, "{name} in {page}");
        }
    }
}
