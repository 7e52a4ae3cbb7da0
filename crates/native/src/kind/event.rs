//! Events of both groups (pkg/apis/core/validation/events.go).

use kindsmith_engine::FieldError;
use kindsmith_json::{Arena, Path, Value};

use crate::column::{self, Column};
use crate::rule::{invalid_text, required, text};
use crate::strategy::GarbageCollection;
use crate::{Change, Selectable, Strategy};

#[derive(Debug)]
pub(crate) struct Event;

impl Strategy for Event {
    fn short_names(&self) -> &'static [&'static str] {
        &["ev"]
    }

    fn creates_on_update(&self) -> bool {
        true
    }

    fn garbage_collection(&self) -> GarbageCollection {
        GarbageCollection::Unsupported
    }

    fn selectable(&self) -> Selectable {
        Selectable::Fields(&[
            "metadata.name",
            "metadata.namespace",
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "reason",
            "reportingComponent",
            "source",
            "type",
        ])
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        let object = object_key(change);
        let of_object = text(change.get(&[object, "namespace"]));
        let namespace = change.new.meta.namespace;
        let is_new = !text(change.get(&["eventTime"])).is_empty();
        let fits = match (of_object, is_new) {
            ("", false) => matches!(namespace, "" | "default"),
            ("", true) => matches!(namespace, "default" | "kube-system"),
            (of_object, false) => of_object == namespace,
            (_, true) => true,
        };
        if !fits {
            let root = Path::root("involvedObject");
            let detail = "does not match event.namespace";
            errors.push(invalid_text(&root.child("namespace"), of_object, detail));
        }
        if is_new {
            validate_new_form(change, errors);
        }
    }

    fn columns(&self) -> &'static [Column] {
        const SEEN: Column = Column::of("Last Seen", "string", "When it was last seen.");
        const TYPE: Column = Column::of("Type", "string", "Whether it is normal.");
        const REASON: Column = Column::of("Reason", "string", "Why it happened, in one word.");
        const OBJECT: Column = Column::of("Object", "string", "What it is about.");
        const MESSAGE: Column = Column::of("Message", "string", "What happened.");
        const NAME: Column = Column {
            format: "name",
            ..Column::of("Name", "string", Column::NAME.description).wide()
        };
        &[SEEN, TYPE, REASON, OBJECT, MESSAGE, NAME]
    }

    fn cells<'a>(&self, arena: &'a Arena, object: Value<'a>, now: i64) -> Vec<Value<'a>> {
        let about = object
            .get("involvedObject")
            .or_else(|| object.get("regarding"))
            .unwrap_or_default();
        let target = format!(
            "{}/{}",
            text(about.get("kind")).to_lowercase(),
            text(about.get("name"))
        );
        let seen = ["lastTimestamp", "firstTimestamp", "eventTime"]
            .into_iter()
            .find_map(|key| object.get(key).filter(|time| !time.is_null()));
        let message = object.get("message").or_else(|| object.get("note"));
        vec![
            column::since(arena, seen, now),
            object.get("type").unwrap_or(Value::Str("")),
            object.get("reason").unwrap_or(Value::Str("")),
            Value::Str(arena.alloc_str(&target)),
            message.unwrap_or(Value::Str("")),
            column::name(object),
        ]
    }
}

/// What the object of an event is called in its group.
fn object_key(change: &Change<'_>) -> &'static str {
    match change.get(&["regarding"]) {
        Some(_) => "regarding",
        None => "involvedObject",
    }
}

/// Events with a time of their own must say who reports them.
fn validate_new_form(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let reporter = match change.get(&["reportingController"]) {
        Some(_) => "reportingController",
        None => "reportingComponent",
    };
    for (key, limit) in [
        (reporter, usize::MAX),
        ("reportingInstance", 128),
        ("action", 128),
        ("reason", 128),
    ] {
        let value = text(change.get(&[key]));
        if value.is_empty() {
            errors.push(required(&Path::root(key), ""));
        }
        if value.len() > limit {
            let detail = format!("can have at most {limit} characters");
            errors.push(invalid_text(&Path::root(key), "", detail));
        }
    }
    if text(change.get(&["message"])).len() > 1024 {
        let detail = "can have at most 1024 characters";
        errors.push(invalid_text(&Path::root("message"), "", detail));
    }
}
