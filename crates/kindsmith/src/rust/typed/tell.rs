//! What is wrong with a new value: keywords that are not kept are told to a [`Report`], which has the words.
//!
//! A value whose form is not known here makes the report incomplete; the engine is asked then.

use kindsmith_formats::strfmt::{self, Applies};
use kindsmith_json::path::Path;
use kindsmith_json::{Arena, Entry, Object, Value};
pub use kindsmith_structural::Name;
pub use kindsmith_structural::direct::{JsonNumber, NumberKeywords, Report, RuleWords};

use super::keyword::{Pattern, whole};
use super::{Items, View, cel};

/// The path of a value, as rules name it.
pub type At<'p> = Path<'p>;

/// Keywords of texts.
#[derive(Debug)]
pub struct TextKeywords {
    /// `minLength`.
    pub min: Option<i64>,
    /// `maxLength`.
    pub max: Option<i64>,
    /// `pattern`.
    pub pattern: Option<&'static Pattern>,
    /// `format`; empty if there is none.
    pub format: &'static str,
}

/// `minLength`, `maxLength` and `pattern`, of which one is told, and `format`.
pub fn text(value: View<'_>, keywords: &TextKeywords, name: &Name<'_>, out: &mut Report) {
    let text = match value {
        View::Text(text) => text,
        View::Opaque => return out.give_up(),
        _ => return,
    };
    if out.length(name, text, keywords.min, keywords.max)
        && let Some(pattern) = keywords.pattern.filter(|pattern| !pattern.is_match(text))
    {
        match pattern.valid() {
            Some(pattern) => out.no_match(name, text, pattern),
            None => out.give_up(),
        }
    }
    let is_wrong =
        || strfmt::find(Applies::String, keywords.format).is_some_and(|format| !(format.check)(text));
    if !keywords.format.is_empty() && is_wrong() {
        out.wrong_format(name, text, keywords.format);
    }
}

/// `minimum`, `maximum`, `multipleOf`, and the range of the format.
pub fn number(value: View<'_>, keywords: &NumberKeywords, name: &Name<'_>, out: &mut Report) {
    match value {
        View::Int(number) => out.number(name, JsonNumber::Int(number), keywords),
        View::Float(number) => {
            let number = whole(number).map_or(JsonNumber::Float(number), JsonNumber::Int);
            out.number(name, number, keywords);
        }
        View::Opaque => out.give_up(),
        _ => {}
    }
}

/// `enum`, of texts.
pub fn one_of(value: View<'_>, allowed: &[&str], name: &Name<'_>, out: &mut Report) {
    match value {
        View::Text(text) if allowed.contains(&text) => {}
        View::Text(text) => out.unlisted(name, text, allowed),
        _ => out.give_up(),
    }
}

/// `uniqueItems`.
pub fn unique(items: &dyn Items, name: &Name<'_>, out: &mut Report) {
    match scalars(items) {
        Some(items) => out.unique(name, &items),
        None => out.give_up(),
    }
}

/// A list of type `set`.
pub fn set(items: &dyn Items, path: &At<'_>, out: &mut Report) {
    match scalars(items) {
        Some(items) => out.set(path, &items),
        None => out.give_up(),
    }
}

/// A list of type `map`.
pub fn map(items: &dyn Items, keys: &[&str], path: &At<'_>, out: &mut Report) {
    let arena = Arena::new();
    let mut objects = Vec::with_capacity(items.len());
    let is_known = items.all(&mut |item| {
        let mut entries = Vec::with_capacity(keys.len());
        for &key in keys {
            match cel::select(item, key) {
                View::Absent => {}
                value => match scalar(value) {
                    Some(value) => entries.push(Entry { key, value }),
                    None => return false,
                },
            }
        }
        let entries = arena.alloc_slice_copy(&entries);
        objects.push(Value::Object(Object::from_entries(&arena, entries)));
        true
    });
    if is_known {
        out.map(path, keys, &objects);
    } else {
        out.give_up();
    }
}

/// A CEL rule about a value.
#[inline]
pub fn rule(truth: cel::Truth, value: View<'_>, rule: &RuleWords, path: &At<'_>, out: &mut Report) {
    match truth {
        Some(true) => {}
        Some(false) => broken(value, rule, path, out),
        None => out.give_up(),
    }
}

fn broken(value: View<'_>, rule: &RuleWords, path: &At<'_>, out: &mut Report) {
    match value {
        View::List(_) | View::Map(_) | View::Object(_) => out.rule(path, rule, None),
        _ => match scalar(value) {
            Some(value) => out.rule(path, rule, Some(value)),
            None => out.give_up(),
        },
    }
}

fn scalars(items: &dyn Items) -> Option<Vec<Value<'_>>> {
    let mut found = Vec::with_capacity(items.len());
    items
        .all(&mut |item| scalar(item).map(|item| found.push(item)).is_some())
        .then_some(found)
}

/// Floats are left to the engine, which compares them as Go does.
fn scalar(view: View<'_>) -> Option<Value<'_>> {
    match view {
        View::Bool(value) => Some(Value::Bool(value)),
        View::Int(value) => Some(Value::Int(value)),
        View::Text(value) => Some(Value::Str(value)),
        _ => None,
    }
}
