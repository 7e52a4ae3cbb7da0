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
    let parsed = body::parse_built_in(arena, sent, (kind, group, version.name()))
        .map_err(|error| error.message().to_owned())?;
    let is_known =
        parsed.group == group && parsed.kind == kind && ["v1", "v1beta1"].contains(&&*parsed.version);
    if !is_known && is_registered(&parsed.kind, &parsed.group, &parsed.version, group) {
        return Err(format!(
            "converting (v1.{}) to ({}.{kind}): unknown conversion",
            parsed.kind,
            version.name()
        ));
    }
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

/// Whether the client of webhooks can decode a kind other than reviews: unversioned kinds in every group, options in the
/// group of the reviews (`AddToGroupVersion` in apimachinery's pkg/apis/meta/v1/register.go).
fn is_registered(kind: &str, group: &str, version: &str, reviews: &str) -> bool {
    const UNVERSIONED: [&str; 5] = [
        "Status",
        "APIVersions",
        "APIGroupList",
        "APIGroup",
        "APIResourceList",
    ];
    const OPTIONS: [&str; 6] = [
        "ListOptions",
        "GetOptions",
        "DeleteOptions",
        "CreateOptions",
        "UpdateOptions",
        "PatchOptions",
    ];
    UNVERSIONED.contains(&kind)
        || group == reviews
            && ["v1", "v1beta1"].contains(&version)
            && (kind == "WatchEvent" || OPTIONS.contains(&kind))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_kinds_have_the_words_of_the_scheme() {
        let check = |body: &str, version, expected: &str| {
            let arena = Arena::new();
            let decoded = decode(
                &arena,
                body.as_bytes(),
                "AdmissionReview",
                "admission.k8s.io",
                version,
            );
            assert_eq!(decoded.err().as_deref(), Some(expected), "{body}");
        };
        let (v1, beta) = (ReviewVersion::V1, ReviewVersion::V1beta1);
        let status = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"boom"}"#;
        check(
            status,
            v1,
            "converting (v1.Status) to (v1.AdmissionReview): unknown conversion",
        );
        check(
            status,
            beta,
            "converting (v1.Status) to (v1beta1.AdmissionReview): unknown conversion",
        );
        check(
            r#"{"kind":"Status","apiVersion":"meta.k8s.io/v1"}"#,
            v1,
            "converting (v1.Status) to (v1.AdmissionReview): unknown conversion",
        );
        check(
            r#"{"kind":"CreateOptions","apiVersion":"admission.k8s.io/v1"}"#,
            v1,
            "converting (v1.CreateOptions) to (v1.AdmissionReview): unknown conversion",
        );
        check(
            r#"{"kind":"DeleteOptions","apiVersion":"v1"}"#,
            v1,
            "no kind \"DeleteOptions\" is registered for version \"v1\" in scheme \"k8s.io/apiserver/pkg/util/webhook/client.go:74\"",
        );
    }
}
