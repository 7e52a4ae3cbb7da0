//! Pages from the schemas of CRDs: objects below the root become separate sections.

use std::collections::BTreeMap;

use kindsmith_schema::JsonSchema;

use super::inline::line;
use super::page::METADATA;
use super::prose::blocks;
use super::{Line, Page, Piece, Place, Row, Section, page_name, page_title, version};
use crate::describe::{Ratchet, is_deprecated, keywords};

/// Objects nested deeper are ignored.
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
    /// More facts: labels and texts.
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
        let mut writer = Writer {
            kind: resource.kind,
            versions: versions(resources, resource),
            sections: Vec::new(),
        };
        writer.add(&mut Vec::new(), resource.schema);
        let mut sections = writer.sections.into_iter();
        if let Some(mut kind) = sections.next() {
            let facts = resource
                .facts
                .iter()
                .map(|(label, text)| (label.clone(), line(text)));
            kind.facts.splice(0..0, facts);
            kind.name_kind(&page_title(resource.group, resource.version), resource.kind);
            if let Some(row) = kind.rows.iter_mut().find(|row| row.name == "metadata") {
                row.ty = vec![Piece::Web {
                    text: "ObjectMeta".to_owned(),
                    url: METADATA.to_owned(),
                }];
            }
            page.kinds.push(kind);
        }
        page.types.extend(sections);
    }
    for page in pages.values_mut() {
        page.kinds.sort_by(|one, other| one.title.cmp(&other.title));
        // What is below an object follows it.
        page.types
            .sort_by(|one, other| one.title.split('.').cmp(other.title.split('.')));
    }
    pages.into_values().collect()
}

/// The schemas of a kind, oldest version first.
fn versions<'s>(resources: &[Resource<'s>], of: &Resource<'s>) -> Vec<(&'s str, &'s JsonSchema)> {
    let is_same = |other: &&Resource<'_>| other.group == of.group && other.kind == of.kind;
    let mut versions: Vec<_> = resources
        .iter()
        .filter(is_same)
        .map(|one| (one.version, one.schema))
        .collect();
    versions.sort_by_key(|(version, _)| version::order(version));
    versions
}

/// Writes the sections of one kind.
struct Writer<'s> {
    kind: &'s str,
    versions: Vec<(&'s str, &'s JsonSchema)>,
    sections: Vec<Section>,
}

impl<'s> Writer<'s> {
    /// Adds the section of the object at a path, and of those below it.
    fn add(&mut self, path: &mut Vec<&'s str>, schema: &'s JsonSchema) {
        let title = self.title(path);
        let parent = path.split_last().map(|(_, around)| self.title(around));
        let mut section = Section {
            anchor: anchor(&title),
            deprecated: is_deprecated(&schema.description),
            description: blocks(&schema.description),
            facts: facts(schema, false),
            used_by: parent.map(|parent| link(&parent, &parent)).into_iter().collect(),
            place: path.last().map(|name| Place {
                kind: anchor(self.kind),
                depth: path.len(),
                name: (*name).to_owned(),
            }),
            title,
            ..Section::default()
        };
        let mut below = Vec::new();
        for (name, member) in &schema.properties {
            path.push(name);
            section
                .rows
                .push(self.row(path, member, schema.required.contains(name)));
            path.pop();
            if let Some(object) = object(member).filter(|_| path.len() < MAX_DEPTH) {
                below.push((&**name, object));
            }
        }
        self.sections.push(section);
        for (name, object) in below {
            path.push(name);
            self.add(path, object);
            path.pop();
        }
    }

    fn row(&self, path: &[&str], member: &JsonSchema, required: bool) -> Row {
        let name = path.last().copied().unwrap_or_default();
        let mut facts = facts(member, true);
        if let Some(version) = self.since(path) {
            facts.push(("since".to_owned(), line(version)));
        }
        Row {
            name: name.to_owned(),
            ty: type_line(member, &self.title(path), name, 0),
            required,
            deprecated: is_deprecated(&member.description),
            description: blocks(&member.description),
            facts,
        }
    }

    fn title(&self, path: &[&str]) -> String {
        let names: Vec<&str> = std::iter::once(self.kind).chain(path.iter().copied()).collect();
        names.join(".")
    }

    /// The version that introduced a field, if older versions have its parent but not the field.
    fn since(&self, path: &[&str]) -> Option<&'s str> {
        let first = |path: &[&str]| self.versions.iter().position(|(_, root)| has(root, path));
        let (_, around) = path.split_last()?;
        let came = first(path)?;
        (first(around)? < came).then(|| self.versions[came].0)
    }
}

/// Whether a field exists, also in items and values.
fn has(root: &JsonSchema, path: &[&str]) -> bool {
    let mut at = root;
    path.iter().all(|name| {
        let member = object(at).and_then(|object| object.property(name));
        at = member.unwrap_or(at);
        member.is_some()
    })
}

/// The object with members behind a schema: itself, its items or its values.
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
        // Strings are listed without quotation marks.
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
