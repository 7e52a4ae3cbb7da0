//! Objects that kubectl applied client-side before: its annotation lets `kubectl` take over without conflicts and is
//! kept up to date (apimachinery `lastappliedmanager.go`, `lastappliedupdater.go`).

use kindsmith_formats::limit::ANNOTATIONS_BYTES;
use kindsmith_json::write::Format;
use kindsmith_json::{Arena, Value};

use super::FieldManager;
use crate::set::FieldSet;
use crate::typed::Duplicates;

/// The manager these rules are for.
pub(super) const KUBECTL: &str = "kubectl";
const PATH: [&str; 3] = [
    "metadata",
    "annotations",
    "kubectl.kubernetes.io/last-applied-configuration",
];

impl FieldManager<'_> {
    /// Fields that still have the values of kubectl's last client-side apply.
    pub(super) fn last_applied<'a>(&self, arena: &'a Arena, live: Value<'a>) -> Option<FieldSet<'a>> {
        let text = live.lookup(&PATH)?.as_str().filter(|text| !text.is_empty())?;
        let topology = self.topology().ok()?;
        topology.validate(live, Duplicates::Refused).ok()?;
        let last = kindsmith_json::parse_str(arena, text).ok()?;
        if last.get("apiVersion").and_then(Value::as_str) != Some(self.api_version) {
            return None;
        }
        topology.validate(last, Duplicates::Refused).ok()?;
        let change = topology.compare(arena, last, live);
        let fields = topology.field_set(arena, last).difference(arena, change.modified);
        Some(
            fields
                .difference(arena, change.added)
                .difference(arena, change.removed),
        )
    }
}

/// Updates the annotation to the applied configuration, if the object has the annotation.
pub(super) fn refresh<'a>(arena: &'a Arena, mut object: Value<'a>, patch: Value<'a>) -> Value<'a> {
    let known = object.lookup(&PATH).and_then(Value::as_str);
    if known.is_none_or(str::is_empty) {
        return object;
    }
    let mut applied = patch;
    applied.unset(arena, &PATH);
    let text = Format::GO.to_string(applied) + "\n";
    object.set(arena, &PATH, Value::Str(arena.alloc_str(&text)));
    if annotations_size(object) > ANNOTATIONS_BYTES {
        object.unset(arena, &PATH);
    }
    object
}

fn annotations_size(object: Value<'_>) -> usize {
    let annotations = object
        .lookup(&PATH[..2])
        .and_then(Value::as_object)
        .unwrap_or_default();
    let sizes = annotations
        .iter()
        .map(|(key, value)| key.len() + value.as_str().unwrap_or_default().len());
    sizes.sum()
}
