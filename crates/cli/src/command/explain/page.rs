//! A page about a kind or one of its fields, independent of where its schema came from.

use kindsmith_emit::describe::Fact;
use serde_json::{Map, Value, json};

/// The answer to one question.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
    /// Names from the root to the field; empty for the kind itself.
    pub(super) path: Vec<String>,
    /// The kind or field.
    pub(super) entry: Entry,
}

/// One field, or a kind.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) name: String,
    /// In kubectl's notation: `string`, `[]Object`, `map[string]integer`.
    pub(super) ty: String,
    pub(super) required: bool,
    pub(super) description: String,
    /// Allowed values, as text.
    pub(super) allowed: Vec<String>,
    /// Other facts, in reading order.
    pub(super) facts: Vec<Fact>,
    /// Link to documentation.
    pub(super) docs: Option<(String, String)>,
    pub(super) fields: Vec<Entry>,
}

impl Page {
    /// The page as JSON, for scripts.
    pub(super) fn json(&self) -> Value {
        let mut page = json!({"group": self.group, "version": self.version, "kind": self.kind});
        if !self.path.is_empty() {
            page["path"] = json!(self.path);
        }
        let entry = self.entry.json();
        if let (Value::Object(page), Value::Object(entry)) = (&mut page, entry) {
            page.extend(entry.into_iter().filter(|(key, _)| key != "name"));
        }
        page
    }
}

impl Entry {
    fn json(&self) -> Value {
        let mut out = Map::new();
        out.insert("name".into(), json!(self.name));
        out.insert("type".into(), json!(self.ty));
        if self.required {
            out.insert("required".into(), json!(true));
        }
        if !self.description.is_empty() {
            out.insert("description".into(), json!(self.description));
        }
        if !self.allowed.is_empty() {
            out.insert("enum".into(), json!(self.allowed));
        }
        for fact in &self.facts {
            let texts = out
                .entry(fact.label.replace(' ', "_"))
                .or_insert_with(|| json!([]));
            if let Value::Array(texts) = texts {
                texts.push(json!(fact.text));
            }
        }
        if let Some((description, url)) = &self.docs {
            out.insert(
                "externalDocs".into(),
                json!({"description": description, "url": url}),
            );
        }
        if !self.fields.is_empty() {
            let fields: Vec<Value> = self.fields.iter().map(Entry::json).collect();
            out.insert("fields".into(), json!(fields));
        }
        Value::Object(out)
    }
}
