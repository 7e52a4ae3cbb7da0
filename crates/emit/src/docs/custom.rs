//! Pages from the schemas of custom resource definitions: objects below the root become sections of their own.

use std::collections::BTreeMap;

use kindsmith_schema::JsonSchema;

use super::inline::{line, paragraphs};
use super::{Line, Page, Piece, Row, Section, page_name, page_title};
use crate::words::{Ratchet, keywords};

/// Objects nested deeper are not looked into.
const MAX_DEPTH: usize = 64;

/// One version of a custom resource.
#[derive(Debug, Clone)]
pub struct Resource<'s> {
    /// API group.
    pub group: &'s str,
    /// Version.
    pub version: &'s str,
    /// Kind.
    pub kind: &'s str,
    /// More about it: labels and texts.
    pub facts: Vec<(String, String)>,
    /// The schema of its objects.
    pub schema: &'s JsonSchema,
}

/// The pages of custom resources, one per group and version.
#[must_use]
pub fn pages(resources: &[Resource<'_>]) -> Vec<Page> {
    let mut pages: BTreeMap<String, Page> = BTreeMap::new();
    for resource in resources {
        let name = page_name(resource.group, resource.version);
        let page = pages.entry(name.clone()).or_insert_with(|| Page {
            name,
            title: page_title(resource.group, resource.version),
            ..Page::default()
        });
        let mut sections = Vec::new();
        add(&mut sections, resource.kind, resource.schema, None, 0);
        let mut sections = sections.into_iter();
        if let Some(mut kind) = sections.next() {
            let facts = resource
                .facts
                .iter()
                .map(|(label, text)| (label.clone(), line(text)));
            kind.facts.splice(0..0, facts);
            page.kinds.push(kind);
        }
        page.types.extend(sections);
    }
    for page in pages.values_mut() {
        page.kinds.sort_by(|one, other| one.title.cmp(&other.title));
        page.types.sort_by(|one, other| one.title.cmp(&other.title));
    }
    pages.into_values().collect()
}

/// Adds the section of an object and of those below it.
fn add(sections: &mut Vec<Section>, path: &str, schema: &JsonSchema, parent: Option<&str>, depth: usize) {
    let mut section = Section {
        anchor: anchor(path),
        title: path.to_owned(),
        description: paragraphs(&schema.description),
        facts: facts(schema, false),
        used_by: parent.map(|parent| link(parent, parent)).into_iter().collect(),
        ..Section::default()
    };
    let mut below = Vec::new();
    for (name, member) in &schema.properties {
        let inner = format!("{path}.{name}");
        if let Some(object) = object(member).filter(|_| depth < MAX_DEPTH) {
            below.push((inner.clone(), object));
        }
        section.rows.push(Row {
            name: name.to_string(),
            ty: type_line(member, &inner, name, 0),
            required: schema.required.contains(name),
            deprecated: member
                .description
                .lines()
                .any(|line| line.starts_with("Deprecated:")),
            description: paragraphs(&member.description),
            facts: facts(member, true),
        });
    }
    sections.push(section);
    for (inner, object) in below {
        add(sections, &inner, object, Some(path), depth + 1);
    }
}

/// The object with members a schema, its items or its values are.
fn object(schema: &JsonSchema) -> Option<&JsonSchema> {
    let mut at = schema;
    for _ in 0..MAX_DEPTH {
        if !at.properties.is_empty() {
            return Some(at);
        }
        at = at.item().or_else(|| at.additional())?;
    }
    None
}

fn facts(schema: &JsonSchema, of_field: bool) -> Vec<(String, Line)> {
    let mut found = Vec::new();
    let mut at = schema;
    for depth in 0..MAX_DEPTH {
        for fact in keywords(at, &Ratchet::WhenChanged) {
            if fact.label == "ratcheting" {
                continue;
            }
            let text = match (depth, fact.label) {
                (0, "default") => format!("`{}`", fact.text),
                (0, _) => fact.text,
                _ => format!("each: {}", fact.text),
            };
            found.push((fact.label.to_owned(), line(&text)));
        }
        // Strings are listed as they are typed.
        if !at.enum_values.is_empty() && at.enum_values.iter().all(|value| value.as_str().starts_with('"')) {
            let values = at.enum_values.iter().map(|value| Piece::code(value.as_str()));
            let values: Vec<Piece> = values.collect();
            let mut listed = Line::new();
            for value in values {
                if !listed.is_empty() {
                    listed.push(Piece::text(", "));
                }
                listed.push(value);
            }
            found.push(("one of".to_owned(), listed));
        }
        // Objects have their own section.
        match at.item().or_else(|| at.additional()).filter(|_| of_field) {
            Some(inner) if inner.properties.is_empty() => at = inner,
            _ => break,
        }
    }
    found
}

fn type_line(schema: &JsonSchema, path: &str, name: &str, depth: usize) -> Line {
    let around = |text: &str, inner: &JsonSchema| {
        let mut line = vec![Piece::text(text)];
        line.extend(type_line(inner, path, name, depth + 1));
        line
    };
    if depth > MAX_DEPTH {
        return vec![Piece::text("any value")];
    }
    if !schema.properties.is_empty() {
        return vec![link(path, name)];
    }
    if schema.int_or_string {
        return vec![Piece::text("integer or string")];
    }
    match (&*schema.ty, schema.item(), schema.additional()) {
        ("array", Some(item), _) => around("list of ", item),
        ("object", _, Some(value)) => around("map of string to ", value),
        ("", ..) => vec![Piece::text("any value")],
        (ty, ..) => vec![Piece::text(ty)],
    }
}

fn link(path: &str, text: &str) -> Piece {
    Piece::Link {
        text: text.to_owned(),
        page: None,
        anchor: anchor(path),
    }
}

fn anchor(path: &str) -> String {
    path.to_lowercase()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}
