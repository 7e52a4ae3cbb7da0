//! Columns declared by CRDs (`tableconvertor` in apiextensions-apiserver's pkg/registry/customresource).

use kindsmith_builtin::table::{Table, age};
use kindsmith_json::write::{Format, append_float_general};
use kindsmith_json::{Arena, Value};
use kindsmith_openapi::crd::Column;

use super::{Columns, Header};
use crate::jsonpath::{JsonPath, Search};

/// How much the cells of a row may visit, as multiples of what one path may; those beyond it are empty.
const SEARCHES: usize = 4;
/// How many bytes the cells of a row may print, about as many as the largest object has; those beyond it are empty.
const PRINTED: usize = 3 << 19;

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
        order: None,
    }
}

impl Cells {
    /// The cells of an object, its name first.
    pub(super) fn of<'a>(&self, arena: &'a Arena, object: Value<'a>, now: i128) -> Vec<Value<'a>> {
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
        let name = Value::Str(name.unwrap_or_default());
        let (mut search, mut printed) = (Search::for_many(SEARCHES), 0);
        let others = self.0.iter().map(|(ty, path)| {
            if printed > PRINTED {
                return Value::Null;
            }
            let found = path.find_within(object, &mut search);
            let Some(value) = found.and_then(|found| found.first().copied()) else {
                return Value::Null;
            };
            let cell = cell(arena, ty, value, now);
            printed += cell.as_str().map_or(0, str::len);
            cell
        });
        std::iter::once(name).chain(others).collect()
    }
}

fn cell<'a>(arena: &'a Arena, ty: &str, value: Value<'_>, now: i128) -> Value<'a> {
    match (ty, value) {
        ("string", value) => Value::Str(arena.alloc_str(&print(value))),
        ("integer", Value::Int(number)) => Value::Int(number),
        ("integer", Value::Float(number)) => Value::Int(as_integer(number)),
        ("number", Value::Int(number)) => Value::Float(number as f64),
        ("number", Value::Float(number)) => Value::Float(number),
        ("boolean", Value::Bool(truth)) => Value::Bool(truth),
        ("date", Value::Str(text)) => Value::Str(arena.alloc_str(&age(text, now))),
        _ => Value::Null,
    }
}

/// A number as an integer, as amd64 converts it: one that is too large becomes the lowest.
fn as_integer(number: f64) -> i64 {
    if number < -(i64::MIN as f64) {
        number as i64
    } else {
        i64::MIN
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

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn cells(paths: &[&str]) -> Cells {
        let path = |text: &&str| JsonPath::parse(text).unwrap_or_else(|| panic!("{text} parses"));
        Cells(
            paths
                .iter()
                .map(|text| ("string".to_owned(), path(text)))
                .collect(),
        )
    }

    /// How many cells are not empty, and their bytes.
    fn filled(paths: &[&str], object: &str) -> (usize, usize) {
        let arena = Arena::new();
        let object = kindsmith_json::parse_str(&arena, object).expect("it is JSON");
        let row = cells(paths).of(&arena, object, 0);
        assert_eq!(row.len(), paths.len() + 1);
        let texts = row.iter().skip(1).filter_map(|cell| cell.as_str());
        texts.fold((0, 0), |(count, bytes), text| (count + 1, bytes + text.len()))
    }

    #[test]
    fn large_numbers_are_the_lowest_integer() {
        for (number, expected) in [
            (2.9, 2),
            (-3.5, -3),
            (1e30, i64::MIN),
            (-1e30, i64::MIN),
            (f64::NAN, i64::MIN),
        ] {
            assert_eq!(as_integer(number), expected, "{number}");
        }
    }

    #[test]
    fn a_row_prints_no_more_than_an_object_holds() {
        let object = format!(r#"{{"spec":{{"a":"{}"}}}}"#, "x".repeat(500_000));
        let (count, bytes) = filled(&[".spec"; 100], &object);
        assert_eq!(count, 4);
        assert!(bytes < PRINTED + 600_000, "{bytes}");
        assert_eq!(filled(&[".spec.a"; 2], &object).0, 2);
    }

    #[test]
    fn a_row_visits_no_more_than_a_few_searches() {
        let mut items = String::new();
        for number in 0..30_000 {
            write!(items, "{}{{\"n\":{number}}}", if number > 0 { "," } else { "" })
                .expect("strings take text");
        }
        let object = format!(r#"{{"spec":[{items}]}}"#);
        let (count, _) = filled(&["..n"; 200], &object);
        assert!((20..200).contains(&count), "{count}");
        assert_eq!(filled(&["..n"; 10], &object).0, 10);
    }
}
