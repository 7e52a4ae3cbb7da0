//! Markers for which the project prefers another one.

use kindsmith_source::{Finding, Fix, Span, Tool};

use crate::Report;
use crate::declared::{Declared, Marker, remove_line, replace_text};
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "preferred-marker",
        Tool::KubeApiLinter,
        include_str!("preferred_marker.md"),
    ),
    check,
)
.alias("preferredmarkers")
.settings(&[Setting::tables(
    "markers",
    &["preferredIdentifier", "equivalentIdentifiers", "message"],
    "a marker and those to write it for: `equivalentIdentifiers = [{ identifier = \"…\" }]`",
)])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        if !member.field.embedded {
            let what = format!("field `{}`", member.path);
            declaration(declared, report, &what, member.name, &member.markers);
        }
    }
    for named in report.types(&declared.types) {
        if let Some(name) = named.name {
            let what = format!("type `{}`", named.ty.name.name);
            declaration(declared, report, &what, name, &named.markers);
        }
    }
}

fn declaration(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    what: &str,
    place: Span,
    markers: &[Marker<'_>],
) {
    for setting in report.list("markers") {
        let preferred = setting["preferredIdentifier"].as_str().unwrap_or_default();
        let others: Vec<&str> = setting["equivalentIdentifiers"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|other| other["identifier"].as_str().or(other.as_str()))
            .collect();
        let find = |marker: &Marker<'_>| others.iter().any(|name| marker.as_named(name).is_some());
        let found: Vec<&Marker<'_>> = markers.iter().filter(|marker| find(marker)).collect();
        let Some((first, rest)) = found.split_first() else {
            continue;
        };
        let exists = markers.iter().any(|marker| marker.as_named(preferred).is_some());
        let fix = if exists {
            remove_line(declared, Fix::risky("remove the other marker"), first)
        } else {
            let name = others.iter().find_map(|name| first.as_named(name));
            let text = rewritten(preferred, name.as_ref().unwrap_or(first));
            replace_text(Fix::risky(format!("write `+{preferred}`")), first, &text)
        };
        let fix = rest
            .iter()
            .fold(fix, |fix, marker| remove_line(declared, fix, marker));
        let names: Vec<String> = found.iter().map(|marker| format!("`+{}`", marker.name)).collect();
        let text = format!("{what} has {} instead of `+{preferred}`", names.join(" and "));
        report.warn(place, text, |finding| match setting["message"].as_str() {
            Some(message) => finding.help(message).fix_with(fix),
            None => finding.fix_with(fix),
        });
    }
}

/// A marker under another name, with its arguments and value.
fn rewritten(name: &str, marker: &Marker<'_>) -> String {
    let mut arguments = marker.arguments.clone();
    arguments.sort_unstable();
    let joined = |between: &str, separator: &str| {
        let parts = arguments.iter().map(|(key, value)| {
            if key.is_empty() {
                (*value).to_owned()
            } else {
                format!("{key}{between}{value}")
            }
        });
        parts.collect::<Vec<_>>().join(separator)
    };
    let value = match marker.value {
        "" => String::new(),
        value => format!("={value}"),
    };
    match (arguments.is_empty(), name.starts_with("k8s:")) {
        (true, _) => format!("{name}{value}"),
        (false, true) => format!("{name}({}){value}", joined(": ", ", ")),
        (false, false) => format!("{name}:{}", joined("=", ",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_follow_the_new_name() {
        let mut sources = kindsmith_source::SourceMap::default();
        let place = Span::new(sources.add("a.go", ""), 0, 0);
        for (text, name, expected) in [
            ("a:old:=1", "new", "new=1"),
            ("a:old:x=1,b=2", "new", "new:b=2,x=1"),
            ("a:old:x=1,b=2", "k8s:new", "k8s:new(b: 2, x: 1)"),
        ] {
            let marker = Marker::parse(text, place);
            let marker = marker.as_named("a:old").expect("the marker has this name");
            assert_eq!(rewritten(name, &marker), expected);
        }
    }
}
