//! Changes as text, JSON, annotations of GitHub Actions, and Markdown.

use std::fmt::Write as _;

use kindsmith_compat::{Change, Class};
use kindsmith_source::Severity;
use serde_json::{Value, json};

use super::places::Places;
use crate::output::pretty;

/// For people: by kind and version, then by class.
pub(super) fn text(changes: &[&Change]) -> String {
    let mut text = String::new();
    for subject in chunks(changes, heading) {
        let _ = writeln!(text, "{}", heading(subject[0]));
        for class in chunks(subject, |change| change.class) {
            let _ = writeln!(text, "  {}", class[0].class.words());
            for change in class {
                let _ = writeln!(text, "    {} [{}]", placed(change), change.finding.code());
                for note in notes(change) {
                    let _ = writeln!(text, "      = {note}");
                }
            }
        }
        text.push('\n');
    }
    text.pop();
    text
}

/// For scripts.
pub(super) fn json(changes: &[Change], places: &Places<'_>) -> String {
    let one = |change: &Change| {
        let place = places.of(change);
        json!({
            "code": change.finding.code(),
            "class": change.class.name(),
            "group": change.group,
            "kind": change.kind,
            "version": change.version,
            "object": change.object,
            "path": change.path,
            "message": change.message,
            "stored": change.stored,
            "help": change.help,
            "page": change.finding.uri(),
            "file": place.as_ref().map(|place| &place.file),
            "line": place.as_ref().map(|place| place.line),
        })
    };
    let counts = Class::ALL.map(|class| (class.name().to_owned(), Value::from(count(changes, class))));
    pretty(&json!({
        "changes": changes.iter().map(one).collect::<Value>(),
        "summary": serde_json::Map::from_iter(counts),
    }))
}

/// For GitHub Actions: one command a line, with the place in the new API.
pub(super) fn github(changes: &[&Change], places: &Places<'_>) -> String {
    let mut text = String::new();
    for change in changes {
        let command = match change.class.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let notes: String = notes(change).iter().map(|note| format!("\n{note}")).collect();
        let message = format!("{} {}{notes}", heading(change), placed(change));
        let title = format!("{} [{}]", change.class.words(), change.finding.code());
        let place = places.of(change).map_or_else(String::new, |place| {
            format!("file={},line={},", property(&place.file), place.line)
        });
        let _ = writeln!(
            text,
            "::{command} {place}title={}::{}",
            property(&title),
            escaped(&message)
        );
    }
    text
}

/// For a pull request comment: a table for each kind.
pub(super) fn markdown(shown: &[&Change], all: &[Change]) -> String {
    let mut text = format!("### API changes\n\n{}\n", summary(all, all.len() - shown.len()));
    for subject in chunks(shown, heading) {
        let _ = write!(
            text,
            "\n#### {}\n\n| | Field | Change | Stored objects |\n|---|---|---|---|\n",
            heading(subject[0])
        );
        for change in subject {
            let field = if change.path.is_empty() {
                String::new()
            } else {
                format!("`{}`", change.path)
            };
            let _ = writeln!(
                text,
                "| {} | {field} | {} ([{}]({})) | {} |",
                match change.class.severity() {
                    Severity::Error => format!("**{}**", change.class.words()),
                    _ => change.class.words().to_owned(),
                },
                cell(&change.message),
                change.finding.code(),
                change.finding.uri(),
                cell(change.stored.as_deref().unwrap_or_default()),
            );
        }
    }
    text
}

/// The last line.
pub(super) fn summary(changes: &[Change], hidden: usize) -> String {
    if changes.is_empty() {
        return "no changes".to_owned();
    }
    let counts: Vec<String> = Class::ALL
        .into_iter()
        .filter(|class| count(changes, *class) > 0)
        .map(|class| {
            format!(
                "{} {}",
                count(changes, class),
                words(class, count(changes, class))
            )
        })
        .collect();
    let hidden = match hidden {
        0 => "",
        _ => " (`--all` lists them)",
    };
    format!("{}{hidden}", counts.join(", "))
}

fn words(class: Class, count: usize) -> &'static str {
    match (class, count) {
        (Class::BreaksClients, 1) => "breaks clients",
        (Class::BreaksClients, _) => "break clients",
        (Class::BreaksStored, 1) => "breaks stored objects",
        (Class::BreaksStored, _) => "break stored objects",
        (Class::Ratchets, 1) => "ratchets",
        (Class::Ratchets, _) => "ratchet",
        (Class::Meaning, 1) => "changes meaning",
        (Class::Meaning, _) => "change meaning",
        (Class::Compatible, _) => "compatible",
    }
}

fn count(changes: &[Change], class: Class) -> usize {
    changes.iter().filter(|change| change.class == class).count()
}

/// The kind and version, or the object.
pub(super) fn heading(change: &Change) -> String {
    match &change.object {
        Some(object) => format!("{} {object}", change.subject()),
        None => change.subject(),
    }
}

fn placed(change: &Change) -> String {
    if change.path.is_empty() {
        change.message.clone()
    } else {
        format!("{}: {}", change.path, change.message)
    }
}

pub(super) fn notes(change: &Change) -> Vec<String> {
    let stored = change.stored.iter().map(|text| format!("stored: {text}"));
    let help = change.help.iter().map(|text| format!("help: {text}"));
    stored.chain(help).collect()
}

/// Neighbors with the same key.
pub(super) fn chunks<'c, 'r, K: PartialEq>(
    changes: &'r [&'c Change],
    key: impl Fn(&Change) -> K,
) -> impl Iterator<Item = &'r [&'c Change]> {
    changes.chunk_by(move |one, other| key(one) == key(other))
}

/// Text in a workflow command: what ends it is escaped.
fn escaped(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
        .replace("::", "%3A%3A")
}

/// Text in a property of a workflow command.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

/// Text in a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
