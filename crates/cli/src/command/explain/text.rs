//! A page as text: what `kubectl explain` prints, followed by what the server does with each field.

use std::fmt::Write as _;

use super::page::{Entry, Page};
use super::wrap::{indent, wrap};

/// How many values of an enum a list of fields shows.
const SHOWN_VALUES: usize = 4;

/// The page; with all nested fields in short lines if `recursive`.
pub(super) fn text(page: &Page, recursive: bool) -> String {
    let mut out = String::new();
    if !page.group.is_empty() {
        line(&mut out, &format!("GROUP:      {}", page.group));
    }
    line(&mut out, &format!("KIND:       {}", page.kind));
    line(&mut out, &format!("VERSION:    {}\n", page.version));
    let entry = &page.entry;
    if !page.path.is_empty() {
        line(&mut out, &format!("FIELD: {} <{}>", entry.name, entry.ty));
        // kubectl prints an empty line if there is no enum.
        let values: Vec<String> = entry
            .allowed
            .iter()
            .map(|value| format!("\n    {}", shown(value)))
            .collect();
        let heading = if values.is_empty() { "" } else { "ENUM:" };
        line(&mut out, &format!("{heading}{}\n", values.concat()));
    }
    line(&mut out, "DESCRIPTION:");
    let description = match &*entry.description {
        "" => "<empty>".to_owned(),
        text => format!("{text}\n"),
    };
    line(&mut out, &indent(&wrap(&description, 76), 4));
    if let Some((description, url)) = &entry.docs {
        external_docs(&mut out, description, url, 0);
    }
    if !entry.facts.is_empty() {
        line(&mut out, "SERVER:");
        facts(&mut out, entry, 4);
        out.push('\n');
    }
    if !entry.fields.is_empty() {
        line(&mut out, "FIELDS:");
        for field in &entry.fields {
            write_field(&mut out, field, 2, recursive);
        }
    }
    out.push('\n');
    out
}

fn write_field(out: &mut String, field: &Entry, depth: usize, short: bool) {
    let pad = " ".repeat(depth);
    let required = if field.required { " -required-" } else { "" };
    line(out, &format!("{pad}{}\t<{}>{required}", field.name, field.ty));
    if !field.allowed.is_empty() {
        let values: Vec<&str> = field
            .allowed
            .iter()
            .take(SHOWN_VALUES)
            .map(|value| shown(value))
            .collect();
        let more = if field.allowed.len() > SHOWN_VALUES {
            ", ...."
        } else {
            ""
        };
        line(out, &format!("{pad}enum: {}{more}", values.join(", ")));
    }
    if short {
        for below in &field.fields {
            write_field(out, below, depth + 2, short);
        }
        return;
    }
    let description = if field.description.is_empty() {
        "<no description>"
    } else {
        &field.description
    };
    line(out, &indent(&wrap(description, 78 - depth), depth + 2));
    facts(out, field, depth + 2);
    if let Some((description, url)) = &field.docs {
        out.push('\n');
        external_docs(out, description, url, depth + 2);
    }
    out.push('\n');
}

fn facts(out: &mut String, entry: &Entry, depth: usize) {
    for fact in &entry.facts {
        let text = wrap(&format!("{}: {}", fact.label, fact.text), 80 - depth);
        line(out, &indent(&text.replace('\n', "\n  "), depth));
    }
}

fn external_docs(out: &mut String, description: &str, url: &str, depth: usize) {
    line(out, &indent("EXTERNAL DOCS:", depth));
    if !description.is_empty() {
        line(out, &indent(&wrap(description, 76 - depth), depth + 4));
    }
    line(out, &indent(&format!("URL: {url}"), depth + 4));
}

/// An empty string is shown as `""`.
fn shown(value: &str) -> &str {
    if value.is_empty() { "\"\"" } else { value }
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("writing to a string succeeds");
}
