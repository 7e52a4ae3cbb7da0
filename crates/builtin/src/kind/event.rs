//! Events of both groups (pkg/apis/core/validation/events.go). Those of `events.k8s.io` are stored and checked as those of the core
//! group, which has other names for some fields (pkg/apis/events/v1/conversion.go).

use std::borrow::Cow;

use kindsmith_json::{Arena, Object, Path, Value};
use kindsmith_object::{BadValue, FieldError};

use crate::field::Field;
use crate::field_check::{immutable, invalid_text, number, required, text};
use crate::go_value::internal::{self, CORE};
use crate::go_value::json::as_json;
use crate::go_value::json::is_same;
use crate::strategy::GarbageCollection;
use crate::table::{Heading, Row, Table, column};
use crate::{Change, Conversion, Names, Strategy};

#[derive(Debug)]
pub(crate) struct Event {
    conversion: Option<&'static Conversion>,
}

impl Event {
    /// Events of the core group.
    pub(crate) const CORE: Event = Event { conversion: None };
    /// Events of the group `events.k8s.io`.
    pub(crate) const RENAMED: Event = Event {
        conversion: Some(&CONVERSION),
    };
}

const CONVERSION: Conversion = Conversion {
    group: "",
    version: "v1",
    to_storage: |arena, event| renamed(arena, event, |(new, old)| (new, old)),
    from_storage: |arena, event| renamed(arena, event, |(new, old)| (old, new)),
};

/// Fields that the groups call differently: in `events.k8s.io`, and in the core group.
const NAMES: [(&str, &str); 7] = [
    ("regarding", "involvedObject"),
    ("note", "message"),
    ("reportingController", "reportingComponent"),
    ("deprecatedSource", "source"),
    ("deprecatedFirstTimestamp", "firstTimestamp"),
    ("deprecatedLastTimestamp", "lastTimestamp"),
    ("deprecatedCount", "count"),
];

type Pair = (&'static str, &'static str);

/// The event with other names; `order` says from which to which.
fn renamed<'a>(arena: &'a Arena, event: Value<'a>, order: fn(Pair) -> Pair) -> Value<'a> {
    let mut event = event;
    for (from, to) in NAMES.map(order) {
        if let Some(value) = event.unset(arena, &[from]) {
            event.set(arena, &[to], value);
        }
    }
    event
}

impl Strategy for Event {
    fn conversion(&self) -> Option<&'static Conversion> {
        self.conversion
    }

    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn selectable_fields(&self, names: &Names) -> Option<&'static [&'static str]> {
        match &*names.group {
            "" => Some(CORE_FIELDS),
            _ => Some(FIELDS),
        }
    }

    /// `source` selects by the reporting component, in the old or the new field.
    fn selectable_text<'a>(&self, field: &str, object: Value<'a>) -> Option<Cow<'a, str>> {
        if field != "source" {
            return None;
        }
        let component = [&["source", "component"] as &[&str], &["reportingComponent"]]
            .iter()
            .filter_map(|path| object.lookup(path).and_then(Value::as_str))
            .find(|text| !text.is_empty());
        Some(component.unwrap_or_default().into())
    }

    fn lifetime_seconds(&self) -> Option<u64> {
        Some(3600)
    }

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
        let of_object = text(change.get(&["involvedObject", "namespace"]));
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
        if is_core(change) {
            return;
        }
        match change.old {
            None => validate_strictly(change, errors),
            Some(_) => validate_fixed(change, errors),
        }
    }
}

/// Events with an `eventTime` must name their reporter.
fn validate_new_form(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    const LIMIT: usize = 128;
    let reporter = Field::root(change, "reportingComponent").or_empty();
    let reporter = reporter.at(Path::root(if is_core(change) {
        "reportingComponent"
    } else {
        "reportingController"
    }));
    if reporter.text().is_empty() {
        reporter.required("", errors);
    }
    reporter.label_key(errors);
    for key in ["reportingInstance", "action", "reason"] {
        let field = Field::root(change, key);
        if field.text().is_empty() {
            field.required("", errors);
        }
        if field.text().len() > LIMIT {
            let detail = format!("can have at most {LIMIT} characters");
            errors.push(invalid_text(&field.path, "", detail));
        }
    }
    if text(change.get(&["message"])).len() > 1024 {
        let detail = "can have at most 1024 characters";
        errors.push(invalid_text(&Path::root("message"), "", detail));
    }
}

/// Whether an event is written in the core group, which checks less.
fn is_core(change: &Change<'_>) -> bool {
    change.group.is_empty()
}

/// What the group `events.k8s.io` checks of a new event: fields of the old form stay empty.
fn validate_strictly(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    change.validate_new_metadata(errors);
    validate_series(change, errors);
    if text(change.get(&["eventTime"])).is_empty() {
        errors.push(required(&Path::root("eventTime"), ""));
    }
    let kind = text(change.get(&["type"]));
    if !matches!(kind, "Normal" | "Warning") {
        let detail = format!("has invalid value: {kind}");
        errors.push(invalid_text(&Path::root("type"), "", detail));
    }
    for key in ["firstTimestamp", "lastTimestamp", "count", "source"] {
        let is_set = match change.get(&[key]) {
            Some(Value::Object(source)) => ["component", "host"]
                .iter()
                .any(|key| !text(source.get(key)).is_empty()),
            Some(Value::Str(time)) => !time.is_empty(),
            Some(count) => count != Value::Int(0),
            None => false,
        };
        if is_set {
            errors.push(invalid_text(&Path::root(key), "", "needs to be unset"));
        }
    }
}

fn validate_series(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let Some(series) = change.get(&["series"]) else {
        return;
    };
    if number(series.get("count")) < 2 {
        errors.push(invalid_text(
            &Path::root("series.count"),
            "",
            "should be at least 2",
        ));
    }
    if text(series.get("lastObservedTime")).is_empty() {
        errors.push(required(&Path::root("series.lastObservedTime"), ""));
    }
}

/// An event of the group `events.k8s.io` only changes its series.
fn validate_fixed(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    change.validate_metadata(errors);
    let get = |key| (change.get(&[key]), change.get_old(&[key]));
    let (series, old_series) = get("series");
    if !is_same(series, old_series) {
        validate_series(change, errors);
    }
    for key in [
        "involvedObject",
        "reason",
        "message",
        "source",
        "firstTimestamp",
        "lastTimestamp",
        "count",
        "type",
        "eventTime",
        "action",
        "related",
        "reportingComponent",
        "reportingInstance",
    ] {
        let (new, old) = get(key);
        if is_same(new, old) {
            continue;
        }
        let bad = match key {
            "involvedObject" | "related" => internal::shown(change.release, CORE, "ObjectReference", new),
            "source" => internal::shown(
                change.release,
                CORE,
                "EventSource",
                new.or(Some(Value::Object(Object::EMPTY))),
            ),
            "count" => BadValue::Integer(number(new).into()),
            "firstTimestamp" | "lastTimestamp" | "eventTime" => as_json(new),
            _ => BadValue::Text(text(new).into()),
        };
        let shown = match key {
            "reportingComponent" => "reportingController",
            key => key,
        };
        immutable(&Path::root(shown), bad, errors);
    }
}

/// The selectable fields of the group `events.k8s.io`.
const FIELDS: &[&str] = &[
    "reason",
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reportingController",
    "type",
    "metadata.namespace",
    "metadata.name",
];

/// The selectable fields of the core group.
const CORE_FIELDS: &[&str] = &[
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
    "metadata.namespace",
    "metadata.name",
];

/// Events of both groups, which call their fields differently.
const HEADINGS: &[Heading] = &[
    column::text("Last Seen", "core/v1.Event.lastTimestamp"),
    column::text("Type", "core/v1.Event.type"),
    column::text("Reason", "core/v1.Event.reason"),
    column::text("Object", "core/v1.Event.involvedObject"),
    column::wide("Subobject", "core/v1.ObjectReference.fieldPath"),
    column::wide("Source", "core/v1.Event.source"),
    column::text("Message", "core/v1.Event.message"),
    column::wide("First Seen", "core/v1.Event.firstTimestamp"),
    column::wide("Count", "core/v1.Event.count"),
    ("Name", "string", "name", 1, column::NAME.4),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let either = |first: &'static str, second: &'static str| match row.at(first) {
        Value::Null => second,
        _ => first,
    };
    let text = |first, second| row.text(either(first, second));
    let or = |first: &'a str, second: &'a str| if first.is_empty() { second } else { first };
    let first = match text("firstTimestamp", "deprecatedFirstTimestamp") {
        "" => row.since("eventTime"),
        _ => row.since(either("firstTimestamp", "deprecatedFirstTimestamp")),
    };
    let mut last = match text("lastTimestamp", "deprecatedLastTimestamp") {
        "" => first.clone(),
        _ => row.since(either("lastTimestamp", "deprecatedLastTimestamp")),
    };
    let mut count = row.number(either("count", "deprecatedCount"));
    if !row.at("series").is_null() {
        last = row.since("series.lastObservedTime");
        count = row.number("series.count");
    } else if count == Value::Int(0) {
        count = Value::Int(1);
    }
    let kind = text("involvedObject.kind", "regarding.kind").to_lowercase();
    let target = match text("involvedObject.name", "regarding.name") {
        "" => kind,
        name => format!("{kind}/{name}"),
    };
    let source = |key: [&'static str; 2]| text(key[0], key[1]);
    let component = or(
        source(["source.component", "deprecatedSource.component"]),
        source(["reportingComponent", "reportingController"]),
    );
    let host = source(["source.host", "deprecatedSource.host"]);
    let source = match or(host, row.text("reportingInstance")) {
        "" => component.to_owned(),
        instance => format!("{component}, {instance}"),
    };
    vec![
        row.cell(&last),
        Value::Str(row.text("type")),
        Value::Str(row.text("reason")),
        row.cell(&target),
        Value::Str(text("involvedObject.fieldPath", "regarding.fieldPath")),
        row.cell(&source),
        Value::Str(text("message", "note").trim()),
        row.cell(&first),
        count,
        row.name(),
    ]
}
