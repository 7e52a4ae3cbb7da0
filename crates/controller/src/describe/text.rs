//! Writes a description: short, in the order of the documentation, with comments.

use std::fmt::Write as _;

use super::Draft;
use super::fields::Row;
use super::refers::Refers;
use crate::Json;

pub(super) fn write(draft: &Draft<'_>) -> String {
    let mut out = String::new();
    let shape = &draft.shape;
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    line(format!("# {}: {}", draft.kind, draft.title));
    line("version: 1".to_owned());
    line(format!(
        "service: {{host: {}, prefix: {}}}",
        plain(draft.host),
        plain(draft.prefix)
    ));
    // A text that begins with `{` is an object in YAML.
    let collection = if shape.collection.starts_with('{') {
        plain(&shape.collection)
    } else {
        shape.collection.clone()
    };
    line(format!("collection: {collection}"));
    if !shape.parameters.is_empty() {
        let pairs: Vec<String> = shape
            .parameters
            .iter()
            .map(|(name, field)| format!("{name}: {field}"))
            .collect();
        line(format!("parameters: {{{}}}", pairs.join(", ")));
    }
    if shape.is_put {
        line("create: PUT".to_owned());
    }
    let optional = [
        ("id", &shape.id),
        ("update", &shape.update),
        ("operations", &shape.operations),
        ("token", &shape.token),
        ("labels", &shape.labels),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            line(format!("{name}: {value}"));
        }
    }
    if let Some((field, values)) = &shape.busy {
        line(format!(
            "busy: {{field: {field}, values: [{}]}}",
            values.join(", ")
        ));
    }
    section(
        &mut out,
        "outputs",
        draft
            .outputs
            .iter()
            .map(|(status, api)| format!("  {status}: {api}")),
    );
    section(&mut out, "fields", draft.rows.iter().map(row));
    section(
        &mut out,
        "fills",
        draft
            .fills
            .iter()
            .map(|(path, value)| format!("  {path}: {}", flow(value))),
    );
    let _ = writeln!(out, "example: {}", flow(&draft.example));
    section(
        &mut out,
        "todo",
        draft.todo.iter().map(|text| format!("- {}", Json::from(&**text))),
    );
    let crd = draft
        .definition
        .trim_start_matches("---")
        .trim_start_matches('\n');
    let _ = write!(out, "---\n{crd}");
    if !crd.ends_with('\n') {
        out.push('\n');
    }
    out
}

fn section(out: &mut String, name: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if !lines.is_empty() {
        let _ = writeln!(out, "{name}:\n{}", lines.join("\n"));
    }
}

fn row(row: &Row) -> String {
    let mut members = Vec::new();
    members.extend(row.api.as_ref().map(|api| format!("api: {}", plain(api))));
    members.extend(row.convert.map(|convert| format!("as: {convert}")));
    if !row.is.is_empty() {
        members.push(format!("is: [{}]", row.is.join(", ")));
    }
    members.extend(
        row.refers
            .as_ref()
            .map(|refers| format!("refers: {}", reference(refers))),
    );
    format!("  {}: {{{}}}", plain(&row.path), members.join(", "))
}

fn reference(refers: &Refers) -> String {
    let mut members = vec![
        format!("apiVersion: {}", refers.api_version),
        format!("kind: {}", refers.kind),
    ];
    members.extend(refers.plural.as_ref().map(|plural| format!("plural: {plural}")));
    if !refers.status.is_empty() {
        members.push(format!("status: [{}]", refers.status.join(", ")));
    }
    members.extend(
        refers
            .external
            .as_ref()
            .map(|external| format!("external: \"{external}\"")),
    );
    format!("{{{}}}", members.join(", "))
}

/// A text, quoted if YAML would read something else.
fn plain(text: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "./_-".contains(sign);
    if !text.is_empty() && text.chars().all(is_plain) && !text.starts_with('-') {
        text.to_owned()
    } else {
        Json::from(text).to_string()
    }
}

/// A value on one line; JSON is YAML.
fn flow(value: &Json) -> String {
    match value {
        Json::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{}: {}", plain(key), flow(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Json::String(text) => {
            let is_word = text.starts_with(|sign: char| sign.is_ascii_alphabetic()) && plain(text) == **text;
            let is_taken = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
            if is_word && !is_taken.contains(&&*text.to_lowercase()) {
                text.clone()
            } else {
                value.to_string()
            }
        }
        other => other.to_string(),
    }
}
