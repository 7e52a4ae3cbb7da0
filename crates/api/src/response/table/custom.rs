//! Columns declared by CRDs (`tableconvertor` in apiextensions-apiserver's pkg/registry/customresource).

use kindsmith_builtin::table::{Table, age};
use kindsmith_json::write::{Format, append_float_general};
use kindsmith_json::{Arena, Value};
use kindsmith_openapi::crd::Column;

use super::{Columns, Header};
use crate::jsonpath::JsonPath;

/// The type and JSON path of each column after the name.
pub(super) struct Cells(Vec<(String, JsonPath)>);

/// The columns of a version; only the age if the CRD declares none.
pub(super) fn columns(declared: &[Column]) -> Columns {
    // Name and creation time have the same descriptions as for built-in kinds.
    let [name, created] = [0, 1].map(|column| Table::DEFAULT.headings[column].4.text());
    let mut headers = vec![Header::new("Name", "string", "name", &name, 0)];
    let mut cells = Vec::new();
    if declared.is_empty() {
        headers.push(Header::new("Age", "date", "", &created, 0));
        cells.extend(JsonPath::parse(".metadata.creationTimestamp").map(|path| ("date".to_owned(), path)));
    }
    for column in declared {
        // The first malformed path ends the columns, as in Kubernetes.
        let Some(path) = JsonPath::parse(&column.json_path) else {
            break;
        };
        let described;
        let description = match &*column.description {
            "" => {
                described = format!(
                    "Custom resource definition column (in JSONPath format): {}",
                    column.json_path
                );
                &described
            }
            text => text,
        };
        headers.push(Header::new(
            &column.name,
            &column.ty,
            &column.format,
            description,
            column.priority,
        ));
        cells.push((column.ty.to_string(), path));
    }
    Columns {
        headers,
        cells: super::Cells::Custom(Cells(cells)),
        completion: None,
    }
}

impl Cells {
    /// The cells of an object, its name first.
    pub(super) fn of<'a>(&self, arena: &'a Arena, object: Value<'a>, now: i128) -> Vec<Value<'a>> {
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
        let name = Value::Str(name.unwrap_or_default());
        let others = self.0.iter().map(|(ty, path)| {
            let found = path.find(object);
            match found.and_then(|found| found.first().copied()) {
                Some(value) => cell(arena, ty, value, now),
                None => Value::Null,
            }
        });
        std::iter::once(name).chain(others).collect()
    }
}

fn cell<'a>(arena: &'a Arena, ty: &str, value: Value<'_>, now: i128) -> Value<'a> {
    match (ty, value) {
        ("string", value) => Value::Str(arena.alloc_str(&print(value))),
        ("integer", Value::Int(number)) => Value::Int(number),
        ("integer", Value::Float(number)) => Value::Int(number as i64),
        ("number", Value::Int(number)) => Value::Float(number as f64),
        ("number", Value::Float(number)) => Value::Float(number),
        ("boolean", Value::Bool(truth)) => Value::Bool(truth),
        ("date", Value::Str(text)) => Value::Str(arena.alloc_str(&age(text, now))),
        _ => Value::Null,
    }
}

/// A value as text (`PrintResults` in client-go's util/jsonpath).
fn print(value: Value<'_>) -> String {
    match value {
        Value::Null => "<no value>".to_owned(),
        Value::Str(text) => text.to_owned(),
        Value::Float(number) => {
            let mut out = String::new();
            append_float_general(&mut out, number);
            out
        }
        other => Format::GO.to_string(other),
    }
}
