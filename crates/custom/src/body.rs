//! A request's bytes as a value: syntax, `kind` and `apiVersion`, repeated keys, and the words for what is wrong with
//! them.
//!
//! Knows no schema: what may be in the object is for its readers.

use std::borrow::Cow;

use kindsmith_engine::{BadValue, Detail, ErrorKind, FieldError};
use kindsmith_json::read::{Options, ReadErrorKind};
use kindsmith_json::{Arena, Path, Value, read, yaml};

use crate::Status;

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// `application/json`.
    Json,
    /// `application/yaml`.
    Yaml,
}

/// What becomes of fields that are unknown or there twice: the query parameter `fieldValidation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FieldValidation {
    /// Nobody hears of them.
    Ignore,
    /// They are warned about.
    #[default]
    Warn,
    /// The request is refused.
    Strict,
}

impl FieldValidation {
    /// Reads the query parameter of a write; `options` is the kind of its options, such as `CreateOptions`.
    ///
    /// # Errors
    ///
    /// The answer to a word the server does not know.
    pub fn parse(text: &str, options: &str) -> Result<Self, Status> {
        match text {
            "" | "Warn" => Ok(FieldValidation::Warn),
            "Ignore" => Ok(FieldValidation::Ignore),
            "Strict" => Ok(FieldValidation::Strict),
            other => {
                let words = ["", "Ignore", "Strict", "Warn"].map(Into::into).to_vec();
                let error = FieldError::new(
                    ErrorKind::NotSupported,
                    Path::root("fieldValidation").to_owned(),
                    BadValue::Text(other.into()),
                    Detail::Supported(words),
                );
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
    /// How they are to be read.
    pub media: Media,
}

/// A body that was read: an object with a kind.
#[derive(Debug, Clone)]
pub(crate) struct Parsed<'a> {
    pub(crate) value: Value<'a>,
    /// What a strict decoder minds so far: repeated keys.
    pub(crate) strict: Vec<String>,
}

/// Why a body cannot be handled.
#[derive(Debug, Clone)]
pub(crate) struct Unreadable {
    message: String,
    /// Kind and version, if reading got that far.
    recognized: Option<(String, String)>,
}

impl Unreadable {
    pub(crate) fn recognized(message: impl Into<String>, kind: &str, version: &str) -> Self {
        Unreadable {
            message: message.into(),
            recognized: Some((kind.to_owned(), version.to_owned())),
        }
    }

    fn unrecognized(message: impl Into<String>) -> Self {
        Unreadable {
            message: message.into(),
            recognized: None,
        }
    }

    /// What is wrong.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The answer (`transformDecodeError` in apiserver's pkg/endpoints/handlers/rest.go).
    pub(crate) fn status(&self, expected: &str, body: &[u8]) -> Status {
        let message = &self.message;
        match &self.recognized {
            Some((kind, version)) if !kind.is_empty() => {
                let version = kindsmith_scalar::quote::quote(version);
                Status::bad_request(format!(
                    "{kind} in version {version} cannot be handled as a {expected}: {message}"
                ))
            }
            _ => Status::bad_request(format!(
                "the object provided is unrecognized (must be of type {expected}): {message} ({})",
                summary(body)
            )),
        }
    }
}

/// Reads a body for an object without a Go type (`Serializer.Decode` in apimachinery's
/// pkg/runtime/serializer/json/json.go, with an `Unstructured` to decode into).
pub(crate) fn parse<'a>(
    arena: &'a Arena,
    body: Body<'a>,
    expected: (&str, &str),
    validation: FieldValidation,
) -> Result<Parsed<'a>, Unreadable> {
    let (value, strict) = match body.media {
        Media::Json => {
            let (value, duplicates) = read_json(arena, body.bytes, expected)?;
            (value, duplicates.iter().map(ToString::to_string).collect())
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

/// A body for an object with a Go type.
#[derive(Debug, Clone)]
pub(crate) struct Native<'a> {
    pub(crate) value: Value<'a>,
    /// Repeated keys of JSON, for those who know which of them a strict decoder minds.
    pub(crate) duplicates: Vec<read::Duplicate>,
    /// What a strict decoder minds so far: repeated keys of YAML.
    pub(crate) strict: Vec<String>,
    pub(crate) kind: String,
    pub(crate) group: String,
    pub(crate) version: String,
}

/// Reads a body for an object with a Go type, whose kind, group and version may be left out.
pub(crate) fn parse_native<'a>(
    arena: &'a Arena,
    body: Body<'a>,
    (kind, group, version): (&str, &str, &str),
) -> Result<Native<'a>, Unreadable> {
    let (value, duplicates, strict) = match body.media {
        Media::Json => {
            let (value, duplicates) = read_json(arena, body.bytes, (kind, version))?;
            (value, duplicates, Vec::new())
        }
        Media::Yaml => {
            let (value, strict) = read_yaml(arena, body.bytes)?;
            (value, Vec::new(), strict)
        }
    };
    let given = interpret(value)?;
    let or = |text: &str, default: &str| if text.is_empty() { default } else { text }.to_owned();
    let is_open = given.version.is_empty() && (given.group.is_empty() || given.group == group);
    Ok(Native {
        value,
        duplicates,
        strict,
        kind: or(given.kind, kind),
        group: if is_open {
            group.to_owned()
        } else {
            given.group.to_owned()
        },
        version: if is_open {
            version.to_owned()
        } else {
            given.version.to_owned()
        },
    })
}

fn read_yaml<'a>(arena: &'a Arena, bytes: &'a [u8]) -> Result<(Value<'a>, Vec<String>), Unreadable> {
    let read = yaml::read(arena, bytes, Options::default())
        .map_err(|error| Unreadable::unrecognized(error.to_string()))?;
    let strict = read.strict_error().into_iter().collect();
    Ok((read.value, strict))
}

fn read_json<'a>(
    arena: &'a Arena,
    bytes: &'a [u8],
    expected: (&str, &str),
) -> Result<(Value<'a>, Vec<read::Duplicate>), Unreadable> {
    let error = match read::read(arena, bytes, Options::default()) {
        Ok(read) => return Ok((read.value, read.duplicates)),
        Err(error) => error,
    };
    if error.kind != ReadErrorKind::NumberOutOfRange {
        let message = format!("couldn't get version/kind; json parse error: {error}");
        return Err(Unreadable::unrecognized(message));
    }
    // Kind and version are looked for first, which steps over numbers without reading them.
    let (kind, version) = type_despite_number(bytes, error.offset, 0)?;
    let kind = if kind.is_empty() { expected.0 } else { &kind };
    let version = if version.is_empty() { expected.1 } else { &version };
    Err(Unreadable::recognized(error.to_string(), kind, version))
}

/// How many numbers out of range are stepped over.
const STEPS: usize = 16;

/// Kind and version of a text with a number out of range at `offset`.
fn type_despite_number(bytes: &[u8], offset: usize, step: usize) -> Result<(String, String), Unreadable> {
    let mut harmless = bytes.to_vec();
    let number = harmless[offset..]
        .iter_mut()
        .take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
    for (position, byte) in number.enumerate() {
        *byte = if position == 1 { b'.' } else { b'1' };
    }
    let arena = Arena::new();
    match read::read(&arena, &harmless, Options::default()) {
        Ok(read) => {
            let found = interpret(read.value)?;
            Ok((found.kind.to_owned(), found.version.to_owned()))
        }
        Err(error) if error.kind == ReadErrorKind::NumberOutOfRange && step < STEPS => {
            type_despite_number(&harmless, error.offset, step + 1)
        }
        Err(error) => Err(Unreadable::unrecognized(format!(
            "couldn't get version/kind; json parse error: {error}"
        ))),
    }
}

/// What a body says it is.
#[derive(Debug, Clone, Copy, Default)]
struct TypeMeta<'a> {
    kind: &'a str,
    group: &'a str,
    version: &'a str,
}

/// Finds kind and version (`SimpleMetaFactory.Interpret` in apimachinery's pkg/runtime/serializer/json/meta.go), which
/// reads keys in any case.
fn interpret<'a>(value: Value<'a>) -> Result<TypeMeta<'a>, Unreadable> {
    const EXPECTED: &str = concat!(
        "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; ",
        "Kind string \"json:\\\"kind,omitempty\\\"\" }"
    );
    let refuse = |text: String| {
        Unreadable::unrecognized(format!(
            "couldn't get version/kind; json parse error: json: cannot unmarshal {text}"
        ))
    };
    let object = match value {
        Value::Object(object) => object,
        Value::Null => return Ok(TypeMeta::default()),
        other => {
            return Err(refuse(format!(
                "{} into Go value of type {EXPECTED}",
                go_name(other)
            )));
        }
    };
    let (mut kind, mut api_version) = ("", "");
    for (key, value) in object {
        let (slot, name) = match fold(key).as_ref() {
            "kind" => (&mut kind, "kind"),
            "apiversion" => (&mut api_version, "apiVersion"),
            _ => continue,
        };
        match value {
            Value::Str(text) => *slot = text,
            Value::Null => {}
            other => {
                let text = format!("{} into Go struct field .{name} of type string", go_name(other));
                return Err(refuse(text));
            }
        }
    }
    match group_version(api_version) {
        Some((group, version)) => Ok(TypeMeta { kind, group, version }),
        None => Err(Unreadable::unrecognized(format!(
            "unexpected GroupVersion string: {api_version}"
        ))),
    }
}

/// Splits `group/version` or `version`; `None` if there is more (`schema.ParseGroupVersion`).
pub(crate) fn group_version(text: &str) -> Option<(&str, &str)> {
    match text.split_once('/') {
        None => Some(("", text)),
        Some((_, rest)) if rest.contains('/') => None,
        Some(parts) => Some(parts),
    }
}

/// A key as Go's encoding/json folds it: ASCII lower case, and the two letters beyond ASCII that fold into it.
fn fold(key: &str) -> Cow<'_, str> {
    // Only keys of these lengths can be `kind` or `apiVersion` after folding.
    if !(4..=14).contains(&key.len()) {
        return Cow::Borrowed(key);
    }
    let fold = |letter| match letter {
        '\u{212a}' => 'k',
        '\u{17f}' => 's',
        other => char::to_ascii_lowercase(&other),
    };
    Cow::Owned(key.chars().map(fold).collect())
}

fn missing_kind(
    value: Value<'_>,
    body: Body<'_>,
    expected: (&str, &str),
    validation: FieldValidation,
) -> Unreadable {
    if validation == FieldValidation::Ignore {
        // The lenient decoder meets the object in its JSON form and keeps the kind it was told to expect.
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

fn go_name(value: Value<'_>) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        other => other.kind().name(),
    }
}

/// The beginning of a body, for finding it again (`summarizeData` in apiserver's pkg/endpoints/handlers/rest.go).
fn summary(body: &[u8]) -> String {
    const LENGTH: usize = 30;
    let start = &body[..body.len().min(LENGTH)];
    let text = match start.first() {
        None => return "<empty>".to_owned(),
        Some(b'{') => lossy(start),
        Some(_) => start.iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    match body.len() > LENGTH {
        true => text + " ...",
        false => text,
    }
}

/// Text with U+FFFD for every byte that is not UTF-8, as Go writes it in JSON.
fn lossy(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

/// The warnings for what a strict decoder minds: YAML's one error of many lines is one warning for each
/// (`addStrictDecodingWarnings` in apiserver's pkg/endpoints/handlers/rest.go).
pub(crate) fn warnings(strict: Vec<String>) -> Vec<String> {
    let mut warnings = Vec::with_capacity(strict.len());
    for error in strict {
        match error.strip_prefix("yaml: unmarshal errors:\n") {
            Some(lines) => warnings.extend(lines.split('\n').map(|line| line.trim().to_owned())),
            None => warnings.push(error),
        }
    }
    warnings
}

/// A patched object that cannot be read is the patch's fault, and no kind or name is told
/// (`applyPatchToCurrentObject` in apiserver's pkg/endpoints/handlers/patch.go).
pub(crate) fn invalid_patch(text: &str, message: &str) -> Status {
    let error = FieldError::new(
        ErrorKind::Invalid,
        Path::root("patch").to_owned(),
        BadValue::Text(text.into()),
        Detail::Text(message.into()),
    );
    Status::invalid("", "", "", &[error])
}
