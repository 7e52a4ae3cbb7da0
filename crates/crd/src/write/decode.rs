//! Decoding of CRDs from a body or from the result of a patch.

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::{self, Order, UnknownFields};
use kindsmith_openapi::crd::{self, Definition, Source};
use kindsmith_openapi::{Report, ReportKind};
use kindsmith_request::body::{self, Body, FieldValidation, Media, Unreadable};
use kindsmith_request::{Status, Warning, WarningReason, Write};

use super::{DecodedCrd, KIND};
use crate::definition::GROUP;

/// Decodes the body of a request.
pub(super) fn body<'a>(
    arena: &'a Arena,
    write: &Write<'a>,
    body: Body<'a>,
    warnings: &mut Vec<Warning>,
) -> Result<DecodedCrd<'a>, Status> {
    let refuse = |unreadable: &Unreadable| unreadable.status(KIND, body.bytes);
    let (decoded, version, strict) =
        read_body(arena, write, body).map_err(|unreadable| refuse(&unreadable))?;
    if write.field_validation == FieldValidation::Strict && !strict.is_empty() {
        let unreadable = Unreadable::recognized(body::strict_error(&strict), KIND, &version);
        return Err(refuse(&unreadable));
    }
    warnings.extend(body::warnings(strict));
    if version != "v1" {
        return Err(Status::bad_request(format!(
            "the API version in the data ({GROUP}/{version}) does not match the expected API version ({})",
            crd::ApiVersion::V1.as_str()
        )));
    }
    Ok(decoded)
}

/// Decodes the result of a patch or an apply; errors show `shown`, or else that result as JSON.
pub(super) fn patched<'a>(
    arena: &'a Arena,
    write: &Write<'a>,
    object: Value<'a>,
    shown: Option<&str>,
    warnings: &mut Vec<Warning>,
) -> Result<DecodedCrd<'a>, Status> {
    let text = arena.alloc_str(&kindsmith_json::to_string(object));
    let shown = shown.unwrap_or(text);
    let body = Body {
        bytes: text.as_bytes(),
        media: Media::Json,
    };
    let (decoded, _, strict) = read_body(arena, write, body)
        .map_err(|unreadable| body::invalid_patch(shown, unreadable.message()))?;
    if write.field_validation == FieldValidation::Strict && !strict.is_empty() {
        return Err(body::invalid_patch(shown, &body::strict_error(&strict)));
    }
    warnings.extend(body::warnings(strict));
    Ok(decoded)
}

/// Reads a body as a CRD, with its version and what strict decoding rejects.
fn read_body<'a>(
    arena: &'a Arena,
    write: &Write<'a>,
    body: Body<'a>,
) -> Result<(DecodedCrd<'a>, String, Vec<Warning>), Unreadable> {
    let expected = (KIND, GROUP, "v1");
    let parsed = body::parse_built_in(arena, body, expected)?;
    if parsed.kind != KIND || parsed.group != GROUP || !matches!(&*parsed.version, "v1" | "v1beta1") {
        return Err(not_registered(&parsed));
    }
    let refuse = |message: String| Unreadable::recognized(message, &parsed.kind, &parsed.version);
    let source = source(&parsed, body);
    let order = match body.media {
        Media::Json => Order::AsWritten,
        Media::Yaml => Order::Sorted,
    };
    let metadata = parsed.value.get("metadata").unwrap_or_default();
    let mut meta = meta::decode_field(arena, metadata, KIND, order, UnknownFields::List)
        .map_err(|error| refuse(error.to_string()))?;
    // An empty list is omitted, but resets the managers, as one empty manager does.
    if let Some(Value::Array([])) = metadata.get("managedFields") {
        meta.meta.managed_fields = arena.alloc_slice_copy(&[Value::Object(Object::EMPTY)]);
    }
    let (definition, mut reports) = read_version(&parsed, source).map_err(refuse)?;
    reports.extend(meta.unknown.into_iter().map(metadata_report));
    crd::sort_reports(&mut reports, source);
    let mut strict = parsed.strict;
    match write.field_validation {
        FieldValidation::Ignore => strict.clear(),
        _ => strict.extend(reports.into_iter().map(strict_warning)),
    }
    Ok((
        super::decoded(arena, &definition, meta.meta),
        parsed.version,
        strict,
    ))
}

/// The warning for a field of a CRD that strict decoding rejects.
#[must_use]
pub fn strict_warning(report: Report) -> Warning {
    Warning {
        message: report.to_string(),
        reason: match report.kind {
            ReportKind::Unknown => WarningReason::UnknownField,
            ReportKind::Duplicate => WarningReason::DuplicateField,
        },
        path: report.path,
    }
}

/// Decodes the CRD in its own version.
fn read_version(parsed: &body::BuiltIn<'_>, source: Source<'_>) -> Result<(Definition, Vec<Report>), String> {
    if *parsed.version == *"v1beta1" {
        let read = crd::read_v1beta1(parsed.value, source).map_err(|error| error.to_string())?;
        return Ok((read.definition.to_v1(), read.reports));
    }
    let read = crd::read(parsed.value, source).map_err(|error| error.to_string())?;
    let mut definition = read.definition;
    definition.default_fields();
    Ok((definition, read.reports))
}

fn source<'a>(parsed: &'a body::BuiltIn<'a>, body: Body<'a>) -> Source<'a> {
    match (body.media, std::str::from_utf8(body.bytes)) {
        (Media::Json, Ok(text)) => Source::Json {
            text,
            duplicates: &parsed.duplicates,
        },
        (Media::Json, Err(_)) => Source::Unknown,
        (Media::Yaml, _) => Source::Yaml,
    }
}

/// The error for a kind that the scheme of apiextensions-apiserver does not have; Go names a scheme by its source line.
fn not_registered(parsed: &body::BuiltIn<'_>) -> Unreadable {
    let version = match &*parsed.group {
        "" => parsed.version.clone(),
        group => format!("{group}/{}", parsed.version),
    };
    let message = format!(
        "no kind \"{}\" is registered for version \"{version}\" in scheme \
         \"pkg/apiserver/apiserver.go:56\"",
        parsed.kind
    );
    Unreadable::recognized(message, &parsed.kind, &parsed.version)
}

/// A report about a metadata field.
fn metadata_report(path: PathBuf) -> Report {
    Report {
        kind: ReportKind::Unknown,
        path: [Step::Field("metadata".into())].into_iter().chain(path).collect(),
    }
}
