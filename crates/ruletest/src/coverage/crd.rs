//! What can be touched of a CRD's schema: keywords, defaults, enum values and CEL rules, by the path of their field.

use std::collections::HashMap;
use std::sync::Arc;

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Value, to_string};
use kindsmith_object::{ErrorKind, FieldError};
use kindsmith_schema::{JsonSchema, ValidationRule};

use super::{FAILED, Item, PASSED, SEEN};
use crate::run::Seen;

/// Fields that the server itself checks.
const OWN: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// A schema, and which item belongs to which keyword.
#[derive(Debug)]
pub(super) struct Universe {
    schema: Arc<JsonSchema>,
    /// By the path of the field and the keyword.
    index: HashMap<(String, String), usize>,
}

impl Universe {
    pub(super) fn new(schema: Arc<JsonSchema>) -> (Self, Vec<Item>) {
        let mut builder = Builder::default();
        builder.node(&schema, "");
        let universe = Self {
            schema,
            index: builder.index,
        };
        (universe, builder.items)
    }

    pub(super) fn observe(&self, seen: &Seen<'_, '_>, items: &mut [Item]) {
        let mut mark = |path: &str, what: &str, hit: u8| {
            if let Some(&at) = self.index.get(&(path.to_owned(), what.to_owned())) {
                items[at].hits |= hit;
            }
        };
        for defaulted in &seen.review.defaulted {
            mark(&self.pattern(&defaulted.path), "default", SEEN);
        }
        let mut failed: Vec<(String, String)> = Vec::new();
        for error in seen.review.errors.iter().filter_map(|error| error.error.as_ref()) {
            failed.extend(self.broken(error));
        }
        for (path, what) in &failed {
            mark(path, what, FAILED);
        }
        let is_update = seen.write.old.is_some();
        // Values that a pass refused as a whole say nothing about the rules below.
        let object = seen.review.object.unwrap_or(seen.write.object);
        visit(&self.schema, "", object, &mut |path, what, hit, needs_old| {
            let is_broken = failed.iter().any(|(at, keyword)| at == path && keyword == what);
            if !is_broken && (is_update || !needs_old) {
                mark(path, what, hit);
            }
        });
    }

    /// The path with indexes and keys left out.
    fn pattern(&self, path: &PathBuf) -> String {
        self.resolve(path)
            .into_iter()
            .next_back()
            .map_or(String::new(), |(path, _)| path)
    }

    /// The schemas along a path, each with its pattern; the last one may be missing its schema.
    fn resolve(&self, path: &PathBuf) -> Vec<(String, Option<&JsonSchema>)> {
        let mut here: (String, Option<&JsonSchema>) = (String::new(), Some(&self.schema));
        let mut all = vec![here.clone()];
        for step in path.steps() {
            let name = match step {
                Step::Index(_) => None,
                Step::Field(name) | Step::Key(name) => Some(&**name),
            };
            let (pattern, schema) = &here;
            here = match name {
                None => (format!("{pattern}[]"), schema.and_then(JsonSchema::item)),
                Some(name) => match schema.and_then(|schema| schema.property(name)) {
                    None if schema.is_some_and(|schema| schema.additional().is_some()) => {
                        (format!("{pattern}[*]"), schema.and_then(JsonSchema::additional))
                    }
                    found => (join(pattern, name), found),
                },
            };
            all.push(here.clone());
        }
        all
    }

    /// The keywords that an error may come from.
    fn broken(&self, error: &FieldError) -> Vec<(String, String)> {
        let along = self.resolve(&error.path);
        let body = error.body().to_string();
        // A rule may report its failure at a field below its own.
        for (path, schema) in along.iter().rev() {
            let rules = schema.map(|schema| &schema.validations[..]).unwrap_or_default();
            let matching: Vec<&ValidationRule> =
                rules.iter().filter(|rule| is_told_by(rule, &body)).collect();
            if !matching.is_empty() {
                return matching.iter().map(|rule| (path.clone(), cel(rule))).collect();
            }
        }
        let Some((path, schema)) = along.last() else {
            return Vec::new();
        };
        // A duplicate is reported at the element, although the rule belongs to the list.
        let path = match error.kind {
            ErrorKind::Duplicate => path.strip_suffix("[]").unwrap_or(path),
            _ => path,
        };
        let keywords = keywords(error.kind, &body);
        if !keywords.is_empty() {
            return keywords
                .iter()
                .map(|keyword| (path.to_owned(), (*keyword).to_owned()))
                .collect();
        }
        // What is left has a message that an expression made.
        let rules = schema.map(|schema| &schema.validations[..]).unwrap_or_default();
        let made = rules.iter().filter(|rule| !rule.message_expression.is_empty());
        made.map(|rule| (path.to_owned(), cel(rule))).collect()
    }
}

/// Whether the text of an error is that of a rule.
fn is_told_by(rule: &ValidationRule, body: &str) -> bool {
    let message = rule.message.trim();
    if message.is_empty() {
        return rule.message_expression.is_empty()
            && body.ends_with(&format!("failed rule: {}", rule.rule.trim()));
    }
    body.ends_with(message)
}

/// The keywords behind the kind and text of an error.
fn keywords(kind: ErrorKind, body: &str) -> &'static [&'static str] {
    match kind {
        ErrorKind::Required => &["required"],
        ErrorKind::NotSupported => &["enum"],
        ErrorKind::TooLong => &["maxLength"],
        ErrorKind::TooShort => &["minLength"],
        ErrorKind::TooMany => &["maxItems", "maxProperties"],
        ErrorKind::TooFew => &["minItems", "minProperties"],
        ErrorKind::Duplicate => &["unique"],
        ErrorKind::Invalid => {
            let texts: [(&str, &'static [&'static str]); 10] = [
                ("should match", &["pattern"]),
                ("greater than", &["minimum"]),
                ("less than", &["maximum"]),
                ("multiple of", &["multipleOf"]),
                ("should be at least", &["minLength"]),
                ("must be of type", &["format"]),
                ("(oneOf)", &["oneOf"]),
                ("(anyOf)", &["anyOf"]),
                ("(allOf)", &["allOf"]),
                ("(not)", &["not"]),
            ];
            let found = texts.iter().find(|(text, _)| body.contains(text));
            found.map_or(&[], |(_, keywords)| keywords)
        }
        _ => &[],
    }
}

#[derive(Default)]
struct Builder {
    items: Vec<Item>,
    index: HashMap<(String, String), usize>,
}

impl Builder {
    fn add(&mut self, path: &str, key: &str, what: String, wants: u8) {
        let index = self.items.len();
        self.items.push(Item::new(path, what, None, wants));
        self.index
            .entry((path.to_owned(), key.to_owned()))
            .or_insert(index);
    }

    fn node(&mut self, schema: &JsonSchema, path: &str) {
        for (keyword, text) in bounds(schema) {
            self.add(path, keyword, text, PASSED | FAILED);
        }
        for value in &schema.enum_values {
            let key = format!("value {value}");
            self.add(path, &key, key.clone(), SEEN);
        }
        if schema.default.is_some() {
            self.add(path, "default", "default".to_owned(), SEEN);
        }
        for rule in &schema.validations {
            self.add(path, &cel(rule), cel(rule), PASSED | FAILED);
        }
        for name in schema
            .required
            .iter()
            .filter(|name| !(path.is_empty() && OWN.contains(&&***name)))
        {
            self.add(
                &join(path, name),
                "required",
                "required".to_owned(),
                PASSED | FAILED,
            );
        }
        for (name, property) in &schema.properties {
            if !(path.is_empty() && OWN.contains(&&**name)) {
                self.node(property, &join(path, name));
            }
        }
        if let Some(item) = schema.item() {
            self.node(item, &format!("{path}[]"));
        }
        if let Some(value) = schema.additional() {
            self.node(value, &format!("{path}[*]"));
        }
    }
}

/// The keywords of a node that values can break, with their texts.
fn bounds(schema: &JsonSchema) -> Vec<(&'static str, String)> {
    let whole = [
        ("maxLength", schema.max_length),
        ("minLength", schema.min_length),
        ("maxItems", schema.max_items),
        ("minItems", schema.min_items),
        ("maxProperties", schema.max_properties),
        ("minProperties", schema.min_properties),
    ];
    let real = [
        ("maximum", schema.maximum),
        ("minimum", schema.minimum),
        ("multipleOf", schema.multiple_of),
    ];
    let junctors = [
        ("oneOf", !schema.one_of.is_empty()),
        ("anyOf", !schema.any_of.is_empty() && !schema.int_or_string),
        ("allOf", !schema.all_of.is_empty()),
        ("not", schema.not.is_some()),
    ];
    let mut all = Vec::new();
    all.extend(
        whole
            .iter()
            .filter_map(|(key, limit)| Some((*key, format!("{key}: {}", (*limit)?)))),
    );
    all.extend(
        real.iter()
            .filter_map(|(key, limit)| Some((*key, format!("{key}: {}", (*limit)?)))),
    );
    if !schema.pattern.is_empty() {
        all.push(("pattern", format!("pattern: {}", schema.pattern)));
    }
    if !schema.enum_values.is_empty() {
        all.push(("enum", "enum".to_owned()));
    }
    if matches!(schema.list_type.as_deref(), Some("map" | "set")) {
        all.push((
            "unique",
            format!("list type {}", schema.list_type.as_deref().unwrap_or_default()),
        ));
    }
    all.extend(
        junctors
            .iter()
            .filter(|(_, has)| *has)
            .map(|(key, _)| (*key, (*key).to_owned())),
    );
    all
}

/// Reports what a value touches below a node.
fn visit(schema: &JsonSchema, path: &str, value: Value<'_>, touch: &mut dyn FnMut(&str, &str, u8, bool)) {
    if value.is_null() {
        return;
    }
    for (keyword, _) in bounds(schema) {
        touch(path, keyword, PASSED, false);
    }
    for rule in &schema.validations {
        touch(path, &cel(rule), PASSED, needs_old(rule));
    }
    if !schema.enum_values.is_empty() {
        touch(path, &format!("value {}", to_string(value)), SEEN, false);
    }
    let members = value.as_object().unwrap_or_default();
    for (name, member) in members {
        if path.is_empty() && OWN.contains(&name) {
            continue;
        }
        if let Some(property) = schema.property(name) {
            let below = join(path, name);
            if schema.required.iter().any(|required| **required == *name) {
                touch(&below, "required", PASSED, false);
            }
            visit(property, &below, member, touch);
        } else if let Some(additional) = schema.additional() {
            visit(additional, &format!("{path}[*]"), member, touch);
        }
    }
    if let (Some(item), Some(elements)) = (schema.item(), value.as_array()) {
        let below = format!("{path}[]");
        elements
            .iter()
            .for_each(|element| visit(item, &below, *element, touch));
    }
}

fn needs_old(rule: &ValidationRule) -> bool {
    rule.rule.contains("oldSelf") && rule.optional_old_self != Some(true)
}

fn cel(rule: &ValidationRule) -> String {
    format!("rule: {}", rule.rule.trim())
}

fn join(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}
