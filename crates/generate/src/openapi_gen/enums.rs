//! `+enum`: allowed values and their descriptions (kube-openapi `pkg/generators/enum.go`).

use kindsmith_gostd::quote::quote;
use kindsmith_json::Arena;
use kindsmith_schema::{Constant, GoKind, Json, Scalar, Type, TypeRef};

use super::comment;
use super::select::Selection;

/// The distinct values of an enumeration with their texts.
pub(super) struct Enumeration {
    values: Vec<Value>,
}

struct Value {
    text: String,
    name: String,
    comment: String,
}

/// The enumeration behind a type, through at most one pointer.
pub(super) fn of(selection: &Selection<'_>, of: &TypeRef) -> Option<Enumeration> {
    let view = selection.view;
    let of = view.deref(of);
    let TypeRef::Named(id) = view.unalias(of) else {
        return None;
    };
    let is_text = view.kind(of) == GoKind::Alias && view.scalar(of) == Some(Scalar::String);
    let own = TypeRef::Named(*id);
    let is_marked = selection
        .docs_of(&own)
        .is_some_and(|docs| comment::has(docs, "enum"));
    (is_text && is_marked).then(|| Enumeration::new(selection, selection.schema.ty(*id)))
}

impl Enumeration {
    /// Constants count wherever they are declared, if openapi-gen reads the package.
    fn new(selection: &Selection<'_>, ty: &Type) -> Self {
        let mut made = Self { values: Vec::new() };
        let seen = |constant: &&Constant| selection.is_seen(&constant.package);
        for constant in ty.constants.iter().filter(seen) {
            if let Some(value) = Value::new(constant) {
                made.add(value);
            }
        }
        made
    }

    /// If two constants have the same value, the one with the longer text counts.
    fn add(&mut self, value: Value) {
        let Some(known) = self.values.iter_mut().find(|known| known.text == value.text) else {
            self.values.push(value);
            return;
        };
        let rank = |value: &Value| (std::cmp::Reverse(value.comment.len()), value.comment.clone());
        if rank(&value) < rank(known) {
            *known = value;
        }
    }

    /// The values, sorted as Go literals.
    pub(super) fn values(&self) -> Vec<Json> {
        let mut values: Vec<(String, &str)> = self
            .values
            .iter()
            .map(|value| (quote(&value.text), &*value.text))
            .collect();
        values.sort();
        values.into_iter().map(|(_, text)| Json::from(text)).collect()
    }

    /// Lines for the description of a field.
    pub(super) fn lines(&self) -> Vec<String> {
        if self.values.is_empty() {
            return Vec::new();
        }
        let mut lines: Vec<String> = self.values.iter().map(Value::line).collect();
        lines.sort();
        let head = [String::new(), "Possible enum values:".to_owned()];
        head.into_iter().chain(lines).collect()
    }
}

impl Value {
    fn new(constant: &Constant) -> Option<Self> {
        let arena = Arena::new();
        let text = constant.value.as_ref()?.value(&arena).as_str()?.to_owned();
        let comment: Vec<&str> = comment::lines(&constant.docs).collect();
        Some(Self {
            text,
            name: constant.name.to_string(),
            comment: comment.join(" "),
        })
    }

    fn line(&self) -> String {
        let comment = self.comment.trim();
        let comment = comment.strip_prefix(&*self.name).unwrap_or(comment);
        let words: Vec<&str> = comment.split_whitespace().collect();
        format!(" - `{}` {}", quote(&self.text), words.join(" "))
    }
}
