//! Namespaces: finalizers and phase (pkg/registry/core/namespace/strategy.go).

use kindsmith_formats::format;
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::FieldError;
use kindsmith_object::meta::NameRule;

use crate::field_check::{check_finalizer, invalid, invalid_text, items, text};
use crate::go_value::json::as_json;
use crate::strategy::GarbageCollection;
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Preparation, Strategy, Subresource};

const FINALIZER: &str = "kubernetes";
const NAME_LABEL: &str = "kubernetes.io/metadata.name";
const VERBS: &[&str] = &["create", "delete", "get", "list", "patch", "update", "watch"];
const FINALIZE: Subresource = Subresource {
    verbs: &["update"],
    ..Subresource::of("finalize")
};

#[derive(Debug)]
pub(crate) struct Namespace;

impl Strategy for Namespace {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        Some(&["metadata.name", "status.phase"])
    }

    fn is_deleted_in_steps(&self) -> bool {
        true
    }

    fn name_rule(&self) -> NameRule {
        NameRule::Label
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["ns"]
    }

    fn verbs(&self) -> &'static [&'static str] {
        VERBS
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[FINALIZE, Subresource::STATUS]
    }

    fn garbage_collection(&self) -> GarbageCollection {
        GarbageCollection::Background
    }

    fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        match subresource {
            "status" => &[&["spec"]],
            _ => &[&["status"]],
        }
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let name = text(object.lookup(&["metadata", "name"]));
        let label = object.lookup(&["metadata", "labels", NAME_LABEL]);
        if name.is_empty() || label.and_then(Value::as_str) == Some(name) {
            return object;
        }
        let mut object = object;
        object.set(arena, &["metadata", "labels", NAME_LABEL], Value::Str(name));
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        let arena = preparation.arena;
        let Some(old) = preparation.old else {
            let mut finalizers = items(decoded.get(&["spec", "finalizers"])).to_vec();
            if !finalizers.iter().any(|name| name.as_str() == Some(FINALIZER)) {
                finalizers.push(Value::Str(FINALIZER));
            }
            let finalizers = Value::Array(arena.alloc_slice_copy(&finalizers));
            decoded.set(arena, &["spec", "finalizers"], finalizers);
            decoded.object.remove(arena, "status");
            decoded.set(arena, &["status", "phase"], Value::Str("Active"));
            return;
        };
        match preparation.subresource {
            "status" => decoded.restore(arena, "spec", old),
            "finalize" => decoded.restore(arena, "status", old),
            _ => {
                decoded.restore(arena, "spec", old);
                decoded.restore(arena, "status", old);
            }
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        match change.subresource {
            "status" => {
                change.validate_metadata(errors);
                validate_phase(change, errors);
            }
            "finalize" => {
                change.validate_metadata(errors);
                validate_finalizers(change, true, errors);
            }
            _ => {
                change.validate_new_metadata(errors);
                validate_pod_security(change, errors);
                validate_finalizers(change, false, errors);
                if change.old.is_some() {
                    change.validate_metadata(errors);
                }
            }
        }
    }

    fn canonicalize<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        let mut labels = decoded.meta.labels;
        labels.insert(arena, NAME_LABEL, Value::Str(decoded.meta.name));
        decoded.meta.labels = labels;
    }

    /// A deleted namespace becomes `Terminating`; whoever empties it removes the finalizers.
    fn begin_deletion<'a>(&self, arena: &'a Arena, decoded: &mut DecodedObject<'a>) {
        decoded.set(arena, &["status", "phase"], Value::Str("Terminating"));
        decoded.meta.deletion_grace_period_seconds = None;
    }

    fn holds(&self, decoded: &DecodedObject<'_>) -> bool {
        !items(decoded.get(&["spec", "finalizers"])).is_empty()
    }
}

fn validate_finalizers(change: &Change<'_>, by_index: bool, errors: &mut Vec<FieldError>) {
    let spec = Path::root("spec");
    let list = spec.child("finalizers");
    for (index, name) in items(change.get(&["spec", "finalizers"])).iter().enumerate() {
        let name = name.as_str().unwrap_or_default();
        let element = list.index(index);
        let path = if by_index { &element } else { &list };
        if let Some(format) = format::find("k8s-label-key") {
            (format.check)(name, &mut |violation| {
                errors.push(invalid_text(path, name, violation.detail));
            });
        }
        check_finalizer(path, name, errors);
    }
}

/// Checks the labels that say which pods are allowed (admission plugin PodSecurity).
fn validate_pod_security(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let metadata = Path::root("metadata");
    let path = metadata.child("labels");
    for mode in ["enforce", "audit", "warn"] {
        let level = format!("pod-security.kubernetes.io/{mode}");
        let version = format!("{level}-version");
        let word = change
            .get(&["metadata", "labels", &level])
            .map(|value| text(Some(value)));
        if word.is_some_and(|word| !matches!(word, "privileged" | "baseline" | "restricted")) {
            let detail = "must be one of privileged, baseline, restricted";
            errors.push(invalid_text(&path.key(&level), word.unwrap_or_default(), detail));
        }
        let word = change
            .get(&["metadata", "labels", &version])
            .map(|value| text(Some(value)));
        if word.is_some_and(|word| word != "latest" && !is_release(word)) {
            let detail = "must be \"latest\" or \"v1.x\"";
            errors.push(invalid_text(
                &path.key(&version),
                word.unwrap_or_default(),
                detail,
            ));
        }
    }
}

/// Is a text a version of Kubernetes such as `v1.30`?
fn is_release(text: &str) -> bool {
    let minor = text.strip_prefix("v1.").unwrap_or_default();
    let is_number = !minor.is_empty() && minor.bytes().all(|digit| digit.is_ascii_digit());
    is_number && (minor == "0" || !minor.starts_with('0'))
}

fn validate_phase(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let phase = text(change.get(&["status", "phase"]));
    let (expected, when) = match change.new.meta.deletion_timestamp {
        None => ("Active", "empty"),
        Some(_) => ("Terminating", "not empty"),
    };
    if phase != expected {
        let status = Path::root("status");
        errors.push(invalid(
            &status.child("Phase"),
            as_json(Some(Value::Str(phase))),
            format!("may only be '{expected}' if `deletionTimestamp` is {when}"),
        ));
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Status", "core/v1.NamespaceStatus.phase"),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), Value::Str(row.text("status.phase")), row.age()]
}
