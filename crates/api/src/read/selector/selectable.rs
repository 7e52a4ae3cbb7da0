//! Field selectors on objects: the selectable fields of each resource and their values
//! (`AddFieldLabelConversionFunc` and `ToSelectableFields` of each kind).

use kindsmith_builtin::Strategy;
use kindsmith_gostd::quote::quote;
use kindsmith_json::{Value, write};
use kindsmith_object::meta::Scope;

use super::{FieldSelector, Term};
use crate::Served;
use crate::jsonpath::JsonPath;

/// A field selector and where to find each of its fields in an object.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    terms: Vec<(Term, Place)>,
}

#[derive(Debug)]
enum Place {
    /// Nested members.
    Members,
    /// A JSON path from the CRD.
    Path(JsonPath),
    /// Decided by the strategy of a built-in kind, which falls back to nested members.
    Kind(&'static dyn Strategy),
}

impl Fields {
    /// Resolves the fields of a selector for a resource.
    ///
    /// # Errors
    ///
    /// Kubernetes' text for a field that cannot be selected.
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

    /// The members of an object that decide whether it is selected; `None` if that needs the whole object.
    pub(crate) fn paths(&self) -> Option<Vec<Vec<String>>> {
        let members = |field: &str| field.split('.').map(str::to_owned).collect();
        let path = |(term, place): &(Term, Place)| match place {
            Place::Members => Some(members(&term.field)),
            // A field that is more than a member has a text in every object.
            Place::Kind(strategy) => match strategy.selectable_text(&term.field, Value::default()) {
                Some(_) => None,
                None => Some(members(&term.field)),
            },
            Place::Path(path) => path.members(),
        };
        self.terms.iter().map(path).collect()
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
    let kind = served.resource.built_in();
    let fields = kind.and_then(|kind| Some((kind, kind.strategy.selectable_fields(&kind.names)?)));
    match fields {
        Some((kind, fields)) if fields.contains(&field) => Ok(Place::Kind(kind.strategy)),
        Some((kind, _)) => Err(kind.strategy.not_selectable(field)),
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

/// The text of a field; empty if it is absent.
fn text(field: &str, place: &Place, object: Value<'_>) -> String {
    match place {
        Place::Members => member(object, field).map(print).unwrap_or_default(),
        Place::Kind(strategy) => match strategy.selectable_text(field, object) {
            Some(text) => text.into_owned(),
            None => member(object, field).map(print).unwrap_or_default(),
        },
        Place::Path(path) => {
            let found = path.find(object).and_then(|found| found.first().copied());
            found
                .filter(|value| !value.is_null())
                .map(print)
                .unwrap_or_default()
        }
    }
}

fn member<'v>(object: Value<'v>, field: &str) -> Option<Value<'v>> {
    field.split('.').try_fold(object, |value, key| value.get(key))
}

/// A value as `fmt.Sprint` prints it; only scalars can be selected.
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
