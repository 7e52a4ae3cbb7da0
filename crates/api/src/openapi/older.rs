//! What schemas of older releases publish otherwise than those of the newest: required members, values, sorts of lists (`older.txt`).
//! Which types and members there are is not its business.

use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Value};
use kindsmith_object::Release;

const TABLE: &str = include_str!("older.txt");

/// The package that names of the table leave out.
const PACKAGE: &str = "io.k8s.api.";

/// A line of the table.
pub(super) struct Row {
    pub(super) until: Release,
    /// The schema, and its property if it is about one.
    pub(super) schema: String,
    pub(super) property: Option<&'static str>,
    pub(super) what: &'static str,
    words: Vec<&'static str>,
}

/// A document as a release publishes it; `place` is where its schemas are.
pub(super) fn document(release: Release, text: String, place: &[&'static str]) -> String {
    let rows: Vec<Row> = rows().filter(|row| release <= row.until).collect();
    if rows.is_empty() {
        return text;
    }
    let arena = Arena::new();
    let Ok(mut document) = kindsmith_json::parse_str(&arena, &text) else {
        return text;
    };
    let mut schemas = document.lookup(place).unwrap_or_default();
    for row in &rows {
        if let Some(schema) = schemas.get(&row.schema) {
            schemas.set(
                &arena,
                &[arena.alloc_str(&row.schema)],
                changed(&arena, schema, row),
            );
        }
    }
    document.set(&arena, place, schemas);
    Format::GO.order(Order::Kept).to_string(document)
}

/// All lines, those of newer releases first: the last one that applies counts.
pub(super) fn rows() -> impl Iterator<Item = Row> {
    TABLE.lines().filter_map(|line| {
        let mut words = line.strip_prefix('-')?.split(' ');
        let until = Release::minor(words.next()?.parse().ok()?);
        let mut names = words.next()?.splitn(4, '.');
        let schema = [names.next()?, names.next()?, names.next()?].join(".");
        Some(Row {
            until,
            schema: format!("{PACKAGE}{schema}"),
            property: names.next(),
            what: words.next()?,
            words: words.collect(),
        })
    })
}

fn changed<'a>(arena: &'a Arena, schema: Value<'a>, row: &Row) -> Value<'a> {
    let Some(name) = row.property else {
        return edited(arena, schema, row);
    };
    let mut schema = schema;
    if let Some(property) = schema.lookup(&["properties", name]) {
        schema.set(arena, &["properties", name], edited(arena, property, row));
    }
    schema
}

fn edited<'a>(arena: &'a Arena, schema: Value<'a>, row: &Row) -> Value<'a> {
    let mut schema = schema;
    let words: Vec<Value<'a>> = row.words.iter().map(|&word| Value::Str(word)).collect();
    match (row.what, &words[..]) {
        // Nothing was said beside the reference.
        ("reference", _) => {
            if let Some(Value::Array([reference])) = schema.get("allOf") {
                schema = *reference;
            }
        }
        ("list-type", [only]) => schema.set(arena, &["x-kubernetes-list-type"], *only),
        (key, []) => {
            schema.unset(arena, &[key]);
        }
        (key, words) => schema.set(arena, &[key], Value::Array(arena.alloc_slice_copy(words))),
    }
    schema
}
