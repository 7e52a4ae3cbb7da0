//! Decodes built-in kinds, from a body or from the result of a patch or an apply.

use kindsmith_engine::{DecodeError, Wanted};
use kindsmith_json::path::PathBuf;
use kindsmith_json::read::Duplicate;
use kindsmith_json::{Arena, Entry, Object, Path, Value, locate};
use kindsmith_object::Behavior;
use kindsmith_request::body::{self, Body, BuiltIn, FieldValidation, Media, Unreadable};
use kindsmith_request::{Status, Warning, Write};

use super::{duplicate, numbers};
use crate::served_kind::PatchedType;
use crate::{Kind, pod};

/// How many errors of strict decoding are reported.
const MOST_STRICT: usize = 100;

impl Kind {
    /// Decodes a body: checks that it fits the type, drops and reports unknown fields.
    pub(super) fn decode_body<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        body: Body<'a>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Value<'a>, Status> {
        let (sent, object, strict) = self.read_sent(arena, body, write.field_validation)?;
        warnings.extend(body::warnings(strict));
        Ok(match write.operation.old() {
            Some(_) => reset_managers(arena, sent, object),
            None => object,
        })
    }

    /// The object with its defaults, as Go would encode it: a default that is the zero value may be omitted.
    pub(super) fn filled<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let object = match self.strategy.pod_spec() {
            Some(path) if !self.release.has(Behavior::InitAnnotationsInRequests) => {
                pod::without_init_at(arena, object, path)
            }
            _ => object,
        };
        let filled = self.defaulted(arena, object);
        match (object, filled) {
            (Value::Object(before), Value::Object(after))
                if std::ptr::eq(before.entries(), after.entries()) =>
            {
                filled
            }
            _ => self.plan().decoded(arena, filled),
        }
    }

    /// Reads a body as an object of the type, as Go would encode it, with what strict decoding rejects.
    ///
    /// # Errors
    ///
    /// The response for a body that cannot be decoded, or that strict decoding rejects if it is on.
    pub fn read_body<'a>(
        &'a self,
        arena: &'a Arena,
        body: Body<'a>,
        validation: FieldValidation,
    ) -> Result<(Value<'a>, Vec<Warning>), Status> {
        let (_, object, strict) = self.read_sent(arena, body, validation)?;
        Ok((object, strict))
    }

    /// Reads a body: what was sent, the object of the type, and what strict decoding rejects.
    fn read_sent<'a>(
        &'a self,
        arena: &'a Arena,
        body: Body<'a>,
        validation: FieldValidation,
    ) -> Result<(Value<'a>, Value<'a>, Vec<Warning>), Status> {
        let names = &self.names;
        let refuse = |error: &Unreadable| error.status(&names.kind, body.bytes);
        let expected = (&*names.kind, &*names.group, &*names.version);
        let parsed = body::parse_built_in(arena, body, expected).map_err(|error| refuse(&error))?;
        let refuse =
            |message: String| refuse(&Unreadable::recognized(message, &parsed.kind, &parsed.version));
        let is_ours =
            *parsed.kind == *names.kind && *parsed.group == *names.group && *parsed.version == *names.version;
        if let Some(message) = self.other_version(&parsed) {
            return Err(Status::bad_request(message));
        }
        if !is_ours {
            return Err(refuse(self.why_not(&parsed)));
        }
        let value = self.whole(arena, &parsed, body);
        self.plan()
            .decode(value)
            .map_err(|error| refuse(numbers::as_written(error, body).to_string()))?;
        let strict = match validation {
            FieldValidation::Ignore => Vec::new(),
            FieldValidation::Warn | FieldValidation::Strict => self.strict(value, &parsed, body),
        };
        if validation == FieldValidation::Strict && !strict.is_empty() {
            return Err(refuse(body::strict_error(&strict)));
        }
        let object = self.plan().decoded(arena, value);
        match self.strategy.conversion_error(object) {
            Some(message) => Err(refuse(message)),
            None => Ok((value, self.with_type(arena, object), strict)),
        }
    }

    /// The value as Go's decoder sees it: keys of YAML are sorted first, duplicate keys of JSON are decoded one after
    /// the other.
    fn whole<'a>(&self, arena: &'a Arena, parsed: &BuiltIn<'a>, body: Body<'a>) -> Value<'a> {
        let value = match body.media {
            Media::Yaml => sorted(arena, parsed.value, 0),
            Media::Json if parsed.duplicates.is_empty() => parsed.value,
            Media::Json => duplicate::merged(arena, body.bytes).unwrap_or(parsed.value),
        };
        match value {
            // Null decodes to an empty object.
            Value::Null => Value::Object(Object::EMPTY),
            value => value,
        }
    }

    /// What strict decoding rejects, in the order of the body.
    fn strict(&self, value: Value<'_>, parsed: &BuiltIn<'_>, body: Body<'_>) -> Vec<Warning> {
        let unknown = self.plan().unknown_fields(value);
        let mut reports: Vec<(usize, Warning)> = Vec::new();
        let text = std::str::from_utf8(body.bytes).unwrap_or_default();
        let has_order = body.media == Media::Json && !parsed.duplicates.is_empty() && !unknown.is_empty();
        let index = has_order.then(|| locate::Index::new(text)).flatten();
        for path in &unknown {
            let offset = match (&index, has_order) {
                (_, false) => 0,
                (index, true) => {
                    let found = match index {
                        Some(index) => index.find(path.segments()),
                        None => locate::in_json(text, path.segments()),
                    };
                    found.key.map_or(found.value.start, |key| key.start)
                }
            };
            reports.push((offset, unknown_field(path)));
        }
        let is_known = |duplicate: &&Duplicate| {
            !unknown
                .iter()
                .any(|path| duplicate.path.steps().starts_with(path.steps()))
        };
        let known = parsed.duplicates.iter().filter(is_known);
        reports.extend(known.map(|duplicate| (duplicate.offset, duplicate.into())));
        reports.sort_by_key(|&(offset, _)| offset);
        // The reference stops there (`saveStrictError` in sigs.k8s.io/json).
        reports.truncate(MOST_STRICT);
        let mut strict = parsed.strict.clone();
        strict.extend(reports.into_iter().map(|(_, warning)| warning));
        strict
    }

    /// Decodes the result of a patch. `text` shows it in errors, `strict` is what strict decoding rejects in the patch
    /// itself.
    pub(crate) fn decode_patched<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        object: Value<'a>,
        (text, strict): (&str, &[&str]),
        warnings: &mut Vec<Warning>,
    ) -> Result<Value<'a>, Status> {
        let refuse = |message: &str| body::invalid_patch(text, message);
        // A strategic merge patch is shown as Go prints its map; its result is converted from a map, not decoded from
        // text.
        let is_strategic = !text.starts_with('{');
        if let Some(problem) = self.plan().restore_error(object).filter(|_| is_strategic) {
            return Err(refuse(&problem));
        }
        let ty = match self.patched_type(object) {
            _ if is_strategic => PatchedType::Own,
            Ok(ty) => ty,
            Err(problem) => return Err(refuse(&problem)),
        };
        let object = match ty {
            PatchedType::Own if is_strategic => self.converted(arena, object),
            PatchedType::Own => self.plan().decode(object).map(|()| object),
            PatchedType::Internal => Ok(object),
        };
        let object = object.map_err(|error| refuse(&error.to_string()))?;
        let mut strict: Vec<Warning> = strict.iter().map(|&text| text.to_owned().into()).collect();
        if write.field_validation != FieldValidation::Ignore {
            let unknown = match ty {
                PatchedType::Own => self.plan().unknown_fields(object),
                PatchedType::Internal => outside_type(object),
            };
            strict.extend(unknown.iter().map(unknown_field));
        }
        if write.field_validation == FieldValidation::Strict && !strict.is_empty() {
            return Err(refuse(&body::strict_error(&strict)));
        }
        warnings.extend(body::warnings(strict));
        let object = match ty {
            PatchedType::Own => object,
            PatchedType::Internal => Value::Object(Object::EMPTY),
        };
        let decoded = self.with_type(arena, self.plan().decoded(arena, object));
        Ok(reset_managers(arena, object, decoded))
    }

    /// An object that is converted, not decoded from text, with its numbers as Go converts them.
    fn converted<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Result<Value<'a>, DecodeError> {
        if self.plan().decode(object).is_ok() {
            return Ok(object);
        }
        let restored = self.plan().restored(arena, object);
        self.plan().decode(restored).map(|()| restored)
    }

    /// Decodes the result of an apply.
    pub(super) fn decode_applied<'a>(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
    ) -> Result<Value<'a>, Status> {
        let object = self
            .converted(arena, object)
            .map_err(|error| self.unconvertible(object, &error))?;
        Ok(self.with_type(arena, self.plan().decoded(arena, object)))
    }

    /// The error for an apply whose result does not fit the type (`StructuredMergeManager.Apply` in apimachinery's
    /// pkg/util/managedfields/internal/structuredmerge.go).
    fn unconvertible(&self, object: Value<'_>, error: &DecodeError) -> Status {
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
        let names = &self.names;
        let kind = format!("{}/{}, Kind={}", names.group, names.version, names.kind);
        let place = if *error.wanted() == Wanted::Base64 {
            "error decoding from json: "
        } else {
            ""
        };
        Status::unforeseen(format!(
            "failed to convert new object (/{}; {kind}) to proper version: unable to convert unstructured object to \
             {kind}: {place}{error}",
            name.unwrap_or_default()
        ))
    }
}

/// The decoded object, with a list of managers that still says that they are reset: an empty one is omitted, and one
/// empty manager means the same (`isResetManagedFields` in apimachinery's
/// pkg/util/managedfields/internal/fieldmanager.go).
fn reset_managers<'a>(arena: &'a Arena, sent: Value<'a>, mut decoded: Value<'a>) -> Value<'a> {
    const MANAGERS: [&str; 2] = ["metadata", "managedFields"];
    if let Some(Value::Array([])) = sent.lookup(&MANAGERS) {
        let nobody = arena.alloc_slice_copy(&[Value::Object(Object::EMPTY)]);
        decoded.set(arena, &MANAGERS, Value::Array(nobody));
    }
    decoded
}

/// The members that a type without any JSON names does not know.
fn outside_type(object: Value<'_>) -> Vec<PathBuf> {
    let members = object.as_object().unwrap_or_default();
    let unknown = members
        .keys()
        .filter(|key| !matches!(*key, "apiVersion" | "kind"));
    let mut unknown: Vec<PathBuf> = unknown.map(|key| Path::root(key).to_owned()).collect();
    unknown.sort_unstable();
    unknown
}

fn unknown_field(path: &PathBuf) -> Warning {
    Warning::unknown_field(path.clone())
}

/// How deep values are sorted; deeper parts have no type.
const DEPTH: usize = 256;

fn sorted<'a>(arena: &'a Arena, value: Value<'a>, depth: usize) -> Value<'a> {
    if depth > DEPTH {
        return value;
    }
    match value {
        Value::Array(items) => {
            let items = items.iter().map(|&item| sorted(arena, item, depth + 1));
            Value::Array(arena.alloc_slice_fill_iter(items.collect::<Vec<_>>()))
        }
        Value::Object(object) => {
            let entries: Vec<Entry<'a>> = object
                .sorted()
                .into_iter()
                .map(|entry| Entry {
                    key: entry.key,
                    value: sorted(arena, entry.value, depth + 1),
                })
                .collect();
            Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
        }
        scalar => scalar,
    }
}
