//! Checks that responses of admission and conversion webhooks share.

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Value};
use kindsmith_request::{Body, Media, body};

use crate::setting::ReviewVersion;

/// The review, if it is one of the version that was sent.
pub(crate) fn decode<'a>(
    arena: &'a Arena,
    bytes: &[u8],
    kind: &str,
    group: &str,
    version: ReviewVersion,
) -> Result<Value<'a>, String> {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let media = match first {
        Some(b'{') => Media::Json,
        _ => Media::Yaml,
    };
    let bytes = arena.alloc_slice_copy(bytes);
    let sent = Body { bytes, media };
    let parsed = body::parse_native(arena, sent, (kind, group, version.name()))
        .map_err(|error| error.message().to_owned())?;
    let is_known =
        parsed.group == group && parsed.kind == kind && ["v1", "v1beta1"].contains(&&*parsed.version);
    if !is_known {
        let api_version = match &*parsed.group {
            "" => parsed.version.clone(),
            group => format!("{group}/{}", parsed.version),
        };
        return Err(format!(
            "no kind {} is registered for version {} in scheme \"k8s.io/apiserver/pkg/util/webhook/client.go:74\"",
            quote(&parsed.kind),
            quote(&api_version)
        ));
    }
    if parsed.version != version.name() {
        return Err(format!(
            "converting ({}.{kind}) to ({}.{kind}): unknown conversion",
            parsed.version,
            version.name()
        ));
    }
    Ok(parsed.value)
}

/// Version 1 must name its type.
pub(crate) fn check_kind(review: Value<'_>, kind: &str, group: &str) -> Result<(), String> {
    let text = |key| review.get(key).and_then(Value::as_str).unwrap_or_default();
    let (api_version, named) = (text("apiVersion"), text("kind"));
    if (api_version, named) == (format!("{group}/v1").as_str(), kind) {
        return Ok(());
    }
    let shown = if api_version.contains('/') {
        api_version.to_owned()
    } else {
        format!("/{api_version}")
    };
    Err(format!(
        "expected webhook response of {group}/v1, Kind={kind}, got {shown}, Kind={named}"
    ))
}

/// Version 1 must name the request that it answers.
pub(crate) fn check_uid(expected: &str, given: &str) -> Result<(), String> {
    if given == expected {
        Ok(())
    } else {
        Err(format!(
            "expected response.uid={}, got {}",
            quote(expected),
            quote(given)
        ))
    }
}

/// A member, if it is set and not null.
pub(crate) fn present(value: Option<Value<'_>>) -> Option<Value<'_>> {
    value.filter(|value| !value.is_null())
}

pub(crate) fn text(value: Option<Value<'_>>, name: &str, ty: &str) -> Result<String, String> {
    match value {
        None => Ok(String::new()),
        Some(Value::Str(text)) => Ok(text.to_owned()),
        Some(other) => Err(unfit(other, name, ty)),
    }
}

/// The words of Go's decoder for a value of another type.
pub(crate) fn unfit(value: Value<'_>, field: &str, ty: &str) -> String {
    let word = match value {
        Value::Bool(_) => "bool".to_owned(),
        Value::Int(_) | Value::Uint(_) | Value::Float(_) if ty != "string" && !ty.contains('.') => {
            if ty.contains("int") {
                format!("number {}", kindsmith_json::to_string(value))
            } else {
                "number".to_owned()
            }
        }
        other => other.kind().name().to_owned(),
    };
    format!("json: cannot unmarshal {word} into Go struct field {field} of type {ty}")
}
