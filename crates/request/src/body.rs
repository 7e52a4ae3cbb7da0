//! A request's bytes as a value: syntax, `kind` and `apiVersion`, duplicate keys, and the errors about them.
//!
//! Must not know schemas: which fields are allowed is checked later.

mod built_in;
mod excerpt;
mod read;
mod type_meta;
mod unreadable;

use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::FieldError;

use crate::{Status, Warning, WarningReason};
use excerpt::lossy;
use read::{read_json, read_yaml};
use type_meta::{TypeMeta, interpret};

pub use built_in::{BuiltIn, parse_built_in, patched_built_in};
pub use unreadable::Unreadable;

/// The format of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// `application/json`.
    Json,
    /// `application/yaml`.
    Yaml,
}

/// How unknown and duplicate fields are handled: the query parameter `fieldValidation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FieldValidation {
    /// They are ignored.
    Ignore,
    /// They cause warnings.
    #[default]
    Warn,
    /// The request is rejected.
    Strict,
}

impl FieldValidation {
    /// Reads the query parameter of a write; `options` is the kind of its options, such as `CreateOptions`.
    ///
    /// # Errors
    ///
    /// The answer to an unknown value.
    pub fn parse(text: &str, options: &str) -> Result<Self, Status> {
        match text {
            "" | "Warn" => Ok(FieldValidation::Warn),
            "Ignore" => Ok(FieldValidation::Ignore),
            "Strict" => Ok(FieldValidation::Strict),
            other => {
                let words = ["", "Ignore", "Strict", "Warn"];
                let error = FieldError::not_supported(&Path::root("fieldValidation"), other, &words);
                Err(Status::invalid("meta.k8s.io", options, "", &[error]))
            }
        }
    }
}

/// A request's body.
#[derive(Debug, Clone, Copy)]
pub struct Body<'a> {
    /// The bytes as they came.
    pub bytes: &'a [u8],
    /// Their format.
    pub media: Media,
}

/// A parsed body: an object with a kind.
#[derive(Debug, Clone)]
pub struct Parsed<'a> {
    /// The object.
    pub value: Value<'a>,
    /// What strict decoding rejects so far: duplicate keys.
    pub strict: Vec<Warning>,
}

/// Reads a body for an object without a Go type (`Serializer.Decode` in apimachinery's
/// pkg/runtime/serializer/json/json.go, with an `Unstructured` to decode into).
pub fn parse<'a>(
    arena: &'a Arena,
    body: Body<'a>,
    expected: (&str, &str),
    validation: FieldValidation,
) -> Result<Parsed<'a>, Unreadable> {
    let (value, strict) = match body.media {
        Media::Json => {
            let (value, duplicates) = read_json(arena, body.bytes, expected)?;
            (value, duplicates.iter().map(Warning::from).collect())
        }
        Media::Yaml => read_yaml(arena, body.bytes)?,
    };
    interpret(value)?;
    let kind = value.get("kind").and_then(Value::as_str).unwrap_or_default();
    if kind.is_empty() {
        return Err(missing_kind(value, body, expected, validation));
    }
    let strict = match validation {
        FieldValidation::Ignore => Vec::new(),
        FieldValidation::Warn | FieldValidation::Strict => strict,
    };
    Ok(Parsed { value, strict })
}

fn missing_kind(
    value: Value<'_>,
    body: Body<'_>,
    expected: (&str, &str),
    validation: FieldValidation,
) -> Unreadable {
    if validation == FieldValidation::Ignore {
        // The lenient decoder sees the object in its JSON form and keeps the expected kind.
        let data = match body.media {
            Media::Json => lossy(body.bytes),
            Media::Yaml => kindsmith_json::write::Format::GO.to_string(value),
        };
        let TypeMeta { kind, version, .. } = interpret(value).unwrap_or_default();
        let kind = if kind.is_empty() { expected.0 } else { kind };
        let version = if version.is_empty() { expected.1 } else { version };
        return Unreadable::recognized(format!("Object 'Kind' is missing in '{data}'"), kind, version);
    }
    Unreadable::unrecognized(format!("Object 'Kind' is missing in '{}'", lossy(body.bytes)))
}

/// The warnings for what strict decoding rejects: YAML's multi-line error becomes one warning per line
/// (`addStrictDecodingWarnings` in apiserver's pkg/endpoints/handlers/rest.go).
pub fn warnings(strict: Vec<Warning>) -> Vec<Warning> {
    let mut warnings = Vec::with_capacity(strict.len());
    for error in strict {
        if error.reason == WarningReason::YamlErrors {
            let lines = error.message.lines().skip(1);
            warnings.extend(lines.map(|line| line.trim().to_owned().into()));
        } else {
            warnings.push(error);
        }
    }
    warnings
}

/// The error for what strict decoding rejects.
#[must_use]
pub fn strict_error(strict: &[Warning]) -> String {
    let texts: Vec<&str> = strict.iter().map(|warning| &*warning.message).collect();
    format!("strict decoding error: {}", texts.join(", "))
}

/// The error for a patched object that cannot be read: it blames the patch and names no kind or object
/// (`applyPatchToCurrentObject` in apiserver's pkg/endpoints/handlers/patch.go).
pub fn invalid_patch(text: &str, message: &str) -> Status {
    let error = FieldError::invalid(&Path::root("patch"), text, message);
    Status::invalid("", "", "", &[error])
}
