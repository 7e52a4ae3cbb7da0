//! `metadata.managedFields`: reading, writing, the identity and the order of entries
//! (apimachinery `pkg/util/managedfields/internal/managedfields.go`). Knows no topology.

use std::fmt;

use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Arena, Entry as Member, Object, Value};

use crate::set::{DecodeError, FieldSet};

/// How fields came to be owned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// By server-side apply.
    Apply,
    /// By every other write.
    Update,
}

impl Operation {
    /// The name in entries.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Operation::Apply => "Apply",
            Operation::Update => "Update",
        }
    }
}

/// What one manager owns: one entry of `managedFields`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManagedEntry<'a> {
    /// Name of the manager.
    pub manager: &'a str,
    /// How it wrote.
    pub operation: Operation,
    /// The version whose field names are used.
    pub api_version: &'a str,
    /// Time of the last change, as written.
    pub time: Option<&'a str>,
    /// The subresource it wrote through; empty for the object itself.
    pub subresource: &'a str,
    /// What it owns.
    pub fields: FieldSet<'a>,
}

impl ManagedEntry<'_> {
    /// Reports whether both entries are of one manager. The version matters for updates only: a manager that applies
    /// has one entry for all versions.
    #[must_use]
    pub(crate) fn is_same_manager(&self, other: &ManagedEntry<'_>) -> bool {
        self.manager == other.manager
            && self.operation == other.operation
            && self.subresource == other.subresource
            && (self.operation == Operation::Apply || self.api_version == other.api_version)
    }

    /// Upstream's identifier of the manager, which is the sort key in messages and when entries are merged.
    pub(crate) fn identity(&self) -> String {
        let mut text = String::from("{");
        let api_version = match self.operation {
            Operation::Apply => "",
            Operation::Update => self.api_version,
        };
        let members = [
            ("manager", self.manager),
            ("operation", self.operation.name()),
            ("apiVersion", api_version),
            ("subresource", self.subresource),
        ];
        for (key, value) in members.into_iter().filter(|(_, value)| !value.is_empty()) {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&format!("\"{key}\":"));
            text.push_str(&kindsmith_json::write::Format::GO.to_string(Value::Str(value)));
        }
        text.push('}');
        text
    }

    /// The time in seconds; zero without one.
    pub(crate) fn seconds(&self) -> i64 {
        self.time
            .and_then(parse_time)
            .map_or(0, |time| time.unix_seconds())
    }
}

fn parse_time(text: &str) -> Option<Time> {
    Time::parse(Layout::Rfc3339, text).ok()
}

/// Why an entry of `managedFields` cannot be read. `Display` is upstream's text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryError {
    /// The operation is unknown.
    Operation,
    /// There is no version.
    ApiVersion,
    /// The form of the fields is missing.
    NoFieldsType {
        /// The entry, from 0.
        position: usize,
    },
    /// The form of the fields is unknown.
    FieldsType {
        /// What it is.
        found: String,
        /// The entry, from 0.
        position: usize,
    },
    /// The fields cannot be read.
    Fields(DecodeError),
}

impl fmt::Display for EntryError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operation => out.write_str("operation must be `Apply` or `Update`"),
            Self::ApiVersion => out.write_str("apiVersion must not be empty"),
            Self::NoFieldsType { position } => {
                write!(out, "missing fieldsType in managed fields entry {position}")
            }
            Self::FieldsType { found, position } => {
                let found = kindsmith_gostd::quote::quote(found);
                write!(
                    out,
                    "invalid fieldsType {found} in managed fields entry {position}"
                )
            }
            Self::Fields(error) => write!(out, "error decoding versioned set: error decoding set: {error}"),
        }
    }
}

impl std::error::Error for EntryError {}

impl From<EntryError> for String {
    fn from(error: EntryError) -> Self {
        error.to_string()
    }
}

/// Reads `managedFields`. If a manager has several entries, the last one counts.
///
/// # Errors
/// If an entry is invalid, with upstream's message. Anything other than a list of entries counts as absent.
pub fn decode<'a>(arena: &'a Arena, list: Option<Value<'a>>) -> Result<Vec<ManagedEntry<'a>>, EntryError> {
    let mut entries: Vec<ManagedEntry<'a>> = Vec::new();
    for (position, raw) in read(arena, list).unwrap_or_default().iter().enumerate() {
        let entry = raw.decode(arena, position)?;
        match entries.iter_mut().find(|known| known.is_same_manager(&entry)) {
            Some(known) => *known = entry,
            None => entries.push(entry),
        }
    }
    Ok(entries)
}

/// Writes `managedFields` in upstream's order; `None` without entries.
#[must_use]
pub fn encode<'a>(arena: &'a Arena, mut entries: Vec<ManagedEntry<'a>>) -> Option<Value<'a>> {
    if entries.is_empty() {
        return None;
    }
    entries.sort_by(|left, right| {
        let by = |entry: &ManagedEntry<'a>| (entry.operation, entry.seconds());
        let names = |entry: &ManagedEntry<'a>| (entry.manager, entry.api_version, entry.subresource);
        by(left)
            .cmp(&by(right))
            .then_with(|| names(left).cmp(&names(right)))
    });
    let entries = entries.iter().map(|entry| write(arena, entry));
    Some(Value::Array(
        arena.alloc_slice_fill_iter(entries.collect::<Vec<_>>()),
    ))
}

fn write<'a>(arena: &'a Arena, entry: &ManagedEntry<'a>) -> Value<'a> {
    let texts = [
        ("manager", Some(entry.manager)),
        ("operation", Some(entry.operation.name())),
        ("apiVersion", Some(entry.api_version)),
        ("time", entry.time),
        ("fieldsType", Some("FieldsV1")),
    ];
    let mut members = Vec::with_capacity(7);
    for (key, text) in texts {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            members.push(Member {
                key,
                value: Value::Str(text),
            });
        }
    }
    members.push(Member {
        key: "fieldsV1",
        value: entry.fields.encode(arena),
    });
    if !entry.subresource.is_empty() {
        members.push(Member {
            key: "subresource",
            value: Value::Str(entry.subresource),
        });
    }
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&members)))
}

/// Reports whether the list resets ownership: it is empty, or has one empty entry.
pub(crate) fn is_reset<'a>(arena: &'a Arena, list: Option<Value<'a>>) -> bool {
    match read(arena, list).as_deref() {
        Some([]) => true,
        Some([only]) => *only == Raw::default(),
        _ => false,
    }
}

/// Reports whether there is a list, even an empty one.
pub(crate) fn is_present<'a>(arena: &'a Arena, list: Option<Value<'a>>) -> bool {
    read(arena, list).is_some()
}

/// An entry with the fields of its Go type.
#[derive(Clone, Copy, Default, PartialEq)]
struct Raw<'a> {
    manager: &'a str,
    operation: &'a str,
    api_version: &'a str,
    time: Option<&'a str>,
    fields_type: &'a str,
    fields: Option<Value<'a>>,
    subresource: &'a str,
}

/// The entries; `None` if one does not fit the Go type.
fn read<'a>(arena: &'a Arena, list: Option<Value<'a>>) -> Option<Vec<Raw<'a>>> {
    list?
        .as_array()?
        .iter()
        .map(|entry| Raw::read(arena, *entry))
        .collect()
}

impl<'a> Raw<'a> {
    fn read(arena: &'a Arena, entry: Value<'a>) -> Option<Self> {
        let object = entry.as_object()?;
        let text = |key| match object.get(key) {
            None | Some(Value::Null) => Some(""),
            Some(value) => value.as_str(),
        };
        let time = match object.get("time") {
            None | Some(Value::Null) => None,
            Some(value) => Some(canonical_time(arena, value.as_str()?)?),
        };
        Some(Raw {
            manager: text("manager")?,
            operation: text("operation")?,
            api_version: text("apiVersion")?,
            time,
            fields_type: text("fieldsType")?,
            fields: object.get("fieldsV1").filter(|fields| !fields.is_null()),
            subresource: text("subresource")?,
        })
    }

    fn decode(&self, arena: &'a Arena, position: usize) -> Result<ManagedEntry<'a>, EntryError> {
        let operation = match self.operation {
            "Apply" => Operation::Apply,
            "Update" => Operation::Update,
            _ => return Err(EntryError::Operation),
        };
        if self.api_version.is_empty() {
            return Err(EntryError::ApiVersion);
        }
        match self.fields_type {
            "FieldsV1" => {}
            "" => return Err(EntryError::NoFieldsType { position }),
            other => {
                return Err(EntryError::FieldsType {
                    found: other.to_owned(),
                    position,
                });
            }
        }
        let fields = FieldSet::decode(arena, self.fields.unwrap_or_default());
        let fields = fields.map_err(EntryError::Fields)?;
        Ok(ManagedEntry {
            manager: self.manager,
            operation,
            api_version: self.api_version,
            time: self.time,
            subresource: self.subresource,
            fields,
        })
    }
}

/// A time as Kubernetes writes it: in UTC, to the second.
fn canonical_time<'a>(arena: &'a Arena, text: &'a str) -> Option<&'a str> {
    let time = parse_time(text)?.truncated_to_seconds().utc();
    let canonical = time.format(Layout::Rfc3339);
    Some(if canonical == text {
        text
    } else {
        arena.alloc_str(&canonical)
    })
}
