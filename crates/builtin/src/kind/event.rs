//! Events of both groups (pkg/apis/core/validation/events.go).

use kindsmith_json::Path;
use kindsmith_object::FieldError;

use crate::rule::{invalid_text, required, text};
use crate::strategy::GarbageCollection;
use crate::{Change, Strategy};

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
