//! Which fields of a resource can be selected, and their texts. Knows the built-in kinds that have fields of their own
//! (`AddFieldLabelConversionFunc` and `ToSelectableFields` of each kind).

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Value, write};
use kindsmith_object::meta::Scope;

use super::{FieldSelector, Term};
use crate::Served;
use crate::jsonpath::JsonPath;

/// Kinds of the server itself with fields of their own: group, plural, and the fields.
const KINDS: &[(&str, &str, &[&str])] = &[
    ("", "events", EVENT),
    ("events.k8s.io", "events", NEW_EVENT),
    ("", "namespaces", &["metadata.name", "status.phase"]),
    (
        "",
        "replicationcontrollers",
        &["metadata.name", "metadata.namespace", "status.replicas"],
    ),
    ("", "secrets", &["metadata.name", "metadata.namespace", "type"]),
    (
        "",
        "services",
        &[
            "metadata.name",
            "metadata.namespace",
            "spec.clusterIP",
            "spec.type",
        ],
    ),
    (
        "certificates.k8s.io",
        "certificatesigningrequests",
        &["metadata.name", "spec.signerName"],
    ),
];

const NEW_EVENT: &[&str] = &[
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

const EVENT: &[&str] = &[
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

/// A field selector together with where its fields are in an object.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    terms: Vec<(Term, Place)>,
}

#[derive(Debug)]
enum Place {
    /// Members of members.
    Members,
    /// A path of a custom resource's definition.
    Path(JsonPath),
    /// A number, which is zero if it is absent.
    Number,
    /// The source of an event, or else its reporting component.
    EventSource,
}

impl Fields {
    /// Finds the fields of a selector in a resource.
    ///
    /// # Errors
    ///
    /// Upstream's text for a field that cannot be selected.
    pub(crate) fn new(selector: &FieldSelector, served: &Served) -> Result<Self, String> {
        let terms = selector.terms.iter();
        let terms = terms.map(|term| Ok((term.clone(), place(served, &term.field)?)));
        Ok(Fields {
            terms: terms.collect::<Result<_, String>>()?,
        })
    }

    /// Whether everything is selected.
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether an object is selected.
    pub(crate) fn matches(&self, object: Value<'_>) -> bool {
        self.terms
            .iter()
            .all(|(term, place)| (text(&term.field, place, object) == term.value) != term.is_negated)
    }
}

fn place(served: &Served, field: &str) -> Result<Place, String> {
    if served.resource.is_custom() {
        return custom_place(served, field);
    }
    let kind = KINDS
        .iter()
        .find(|(group, plural, _)| *served.group == **group && *served.plural == **plural);
    match kind {
        Some((_, _, fields)) if fields.contains(&field) => Ok(match field {
            "status.replicas" => Place::Number,
            "source" => Place::EventSource,
            _ => Place::Members,
        }),
        Some(_) => Err(format!("field label not supported: {field}")),
        None if matches!(field, "metadata.name" | "metadata.namespace") => Ok(Place::Members),
        None => Err(format!(
            "{} is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
            quote(field)
        )),
    }
}

fn custom_place(served: &Served, field: &str) -> Result<Place, String> {
    let is_namespaced = served.scope == Scope::Namespaced;
    if field == "metadata.name" || (is_namespaced && field == "metadata.namespace") {
        return Ok(Place::Members);
    }
    let mut declared = served.resource.selectable_fields(&served.version).iter();
    declared
        .find(|declared| {
            declared
                .json_path
                .strip_prefix('.')
                .unwrap_or(&declared.json_path)
                == field
        })
        .and_then(|declared| JsonPath::parse(&declared.json_path))
        .map(Place::Path)
        .ok_or_else(|| format!("field label not supported: {field}"))
}

/// The text of a field; what is absent is empty.
fn text(field: &str, place: &Place, object: Value<'_>) -> String {
    match place {
        Place::Members => member(object, field).map(print).unwrap_or_default(),
        Place::Number => member(object, field).map_or_else(|| "0".to_owned(), print),
        Place::Path(path) => {
            let found = path.find(object).and_then(|found| found.first().copied());
            found
                .filter(|value| !value.is_null())
                .map(print)
                .unwrap_or_default()
        }
        Place::EventSource => ["source.component", "reportingComponent"]
            .iter()
            .filter_map(|field| member(object, field).and_then(Value::as_str))
            .find(|text| !text.is_empty())
            .unwrap_or_default()
            .to_owned(),
    }
}

fn member<'v>(object: Value<'v>, field: &str) -> Option<Value<'v>> {
    field.split('.').try_fold(object, |value, key| value.get(key))
}

/// A value as `fmt.Sprint` prints it; scalars are all that can be selected.
fn print(value: Value<'_>) -> String {
    match value {
        Value::Str(text) => text.to_owned(),
        Value::Float(number) => {
            let mut out = String::new();
            write::append_float_general(&mut out, number);
            out
        }
        other => kindsmith_json::to_string(other),
    }
}
