//! Apply configurations that expressions make: plain data, and what Go values are left that are no JSON
//! (`ObjectVal` in apiserver's pkg/cel/mutation/dynamic).

use kindsmith_gostd::duration::Duration;
use kindsmith_json::{Entry, Object, Value as Json};

use crate::eval::Scratch;
use crate::eval::time;
use crate::eval::value::{Record, Time, Value};

use super::unusable::{Misnamed, Unusable};
use super::walk::{elements, pay};

/// An apply configuration.
#[derive(Debug)]
pub struct Configuration<'a> {
    /// The object.
    pub object: Json<'a>,
    /// Values in it that no schema takes.
    pub foreign: Vec<Foreign<'a>>,
}

/// A Go value that JSON does not have.
#[derive(Debug)]
pub struct Foreign<'a> {
    /// The placeholder for it, identified by its address in memory.
    pub stand_in: &'a str,
    /// Its Go type.
    pub go_type: &'static str,
    /// As `%v` prints it.
    pub plain: String,
    /// As `%#v` prints it.
    pub syntax: String,
}

/// The configuration that an expression made.
///
/// # Errors
///
/// If it is not one.
pub fn configuration<'a>(scratch: &'a Scratch, value: Value<'a>) -> Result<Configuration<'a>, Unusable> {
    let Value::Record(record) = value else {
        return Err(Unusable::NotAnObject(value.type_name().to_owned()));
    };
    check_names(scratch, value, record.name)?;
    let mut maker = Maker {
        scratch,
        foreign: Vec::new(),
        depth: 0,
    };
    match maker.record(record)? {
        Some(object) => Ok(Configuration {
            object,
            foreign: maker.foreign,
        }),
        None => Err(Unusable::Keys),
    }
}

/// Types of objects within objects are named by the fields that lead there.
pub(super) fn check_names(scratch: &Scratch, value: Value<'_>, path: &str) -> Result<(), Unusable> {
    let mut errors = Vec::new();
    collect_misnamed(scratch, value, path, &mut errors, 0)?;
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Unusable::Misnamed(errors))
    }
}

fn collect_misnamed(
    scratch: &Scratch,
    value: Value<'_>,
    path: &str,
    errors: &mut Vec<Misnamed>,
    depth: usize,
) -> Result<(), Unusable> {
    if !pay(scratch, depth) {
        return Err(Unusable::Cancelled);
    }
    if let Value::Record(record) = value
        && record.name != path
    {
        errors.push(Misnamed {
            found: record.name.to_owned(),
            expected: path.to_owned(),
        });
    }
    let mut below = |value: Value<'_>, path: &str| collect_misnamed(scratch, value, path, errors, depth + 1);
    match value {
        Value::Record(record) => {
            for (name, field) in record.fields {
                below(*field, &format!("{path}.{name}"))?;
            }
        }
        Value::List(elements) => elements.iter().try_for_each(|element| below(*element, path))?,
        Value::Map(map) => map
            .entries
            .iter()
            .try_for_each(|(_, entry)| below(*entry, path))?,
        Value::Optional(Some(inner)) => below(*inner, path)?,
        _ => {}
    }
    Ok(())
}

struct Maker<'a> {
    scratch: &'a Scratch,
    foreign: Vec<Foreign<'a>>,
    depth: usize,
}

/// The JSON of a value; `None` for a map whose keys are not strings, an error for one that is too large.
type Made<'a> = Result<Option<Json<'a>>, Unusable>;

impl<'a> Maker<'a> {
    fn record(&mut self, record: &Record<'a>) -> Made<'a> {
        let mut entries = Vec::with_capacity(record.fields.len());
        for &(key, value) in record.fields {
            let Some(value) = self.value(value)? else {
                return Ok(None);
            };
            entries.push(Entry { key, value });
        }
        Ok(Some(self.object(&entries)))
    }

    fn object(&self, entries: &[Entry<'a>]) -> Json<'a> {
        Json::Object(Object::from_entries(
            self.scratch.arena(),
            self.scratch.arena().alloc_slice_copy(entries),
        ))
    }

    fn value(&mut self, value: Value<'a>) -> Made<'a> {
        if !pay(self.scratch, self.depth) {
            return Err(Unusable::Cancelled);
        }
        self.depth += 1;
        let made = self.made(value);
        self.depth -= 1;
        made
    }

    fn made(&mut self, value: Value<'a>) -> Made<'a> {
        Ok(Some(match value {
            Value::Bool(truth) => Json::Bool(truth),
            Value::Int(number) => Json::Int(number),
            Value::Double(number) => Json::Float(number),
            Value::String(text) => Json::Str(text),
            Value::Optional(Some(inner)) => return self.value(*inner),
            Value::Record(record) => return self.record(record),
            Value::Map(map) => {
                let mut entries = Vec::with_capacity(map.entries.len());
                for (key, value) in map.entries {
                    let Value::String(key) = key else {
                        return Ok(None);
                    };
                    let Some(value) = self.value(*value)? else {
                        return Ok(None);
                    };
                    entries.push(Entry { key, value });
                }
                self.object(&entries)
            }
            _ if value.is_list() => {
                let mut items = Vec::new();
                for element in elements(self.scratch, value) {
                    let Some(item) = self.value(element)? else {
                        return Ok(None);
                    };
                    items.push(item);
                }
                Json::Array(self.scratch.arena().alloc_slice_copy(&items))
            }
            other => self.foreign(other),
        }))
    }

    fn foreign(&mut self, value: Value<'a>) -> Json<'a> {
        let stand_in: &'a str = self.scratch.arena().alloc_str(value.type_name());
        let (go_type, plain, syntax) = go_texts(value);
        self.foreign.push(Foreign {
            stand_in,
            go_type,
            plain,
            syntax,
        });
        Json::Str(stand_in)
    }
}

/// The Go type of a value, and how Go prints it.
fn go_texts(value: Value<'_>) -> (&'static str, String, String) {
    match value {
        Value::Null => ("structpb.NullValue", "NULL_VALUE".to_owned(), "0".to_owned()),
        Value::Uint(number) => ("uint64", number.to_string(), format!("{number:#x}")),
        Value::Bytes(bytes) => {
            let plain: Vec<String> = bytes.iter().map(u8::to_string).collect();
            let syntax: Vec<String> = bytes.iter().map(|byte| format!("{byte:#x}")).collect();
            (
                "[]uint8",
                format!("[{}]", plain.join(" ")),
                format!("[]uint8{{{}}}", syntax.join(", ")),
            )
        }
        Value::Duration(nanos) => ("time.Duration", Duration(nanos).to_string(), nanos.to_string()),
        Value::Timestamp(moment) => ("time.Time", time::go_string(moment), date_call(moment)),
        other => {
            let name = other.type_name().to_owned();
            ("interface {}", name.clone(), name)
        }
    }
}

/// A time as Go source.
fn date_call(moment: Time) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let text = time::rfc3339(Time { offset: 0, ..moment });
    let number = |range: std::ops::Range<usize>| {
        let digits = text.get(range).unwrap_or_default();
        digits.parse::<usize>().unwrap_or_default()
    };
    let month = MONTHS.get(number(5..7).wrapping_sub(1)).unwrap_or(&"");
    format!(
        "time.Date({}, time.{month}, {}, {}, {}, {}, {}, time.UTC)",
        number(0..4),
        number(8..10),
        number(11..13),
        number(14..16),
        number(17..19),
        moment.nanos
    )
}
