//! Errors of a strategic merge patch whose result does not fit the Go type: Kubernetes converts the result instead of
//! decoding it, and the converter has its own messages (`fromUnstructured` in apimachinery's pkg/runtime/converter.go).

use kindsmith_request::{Status, body};

/// Replaces a decoder error by the converter's; `shown` is the patch as errors show it.
pub(super) fn refusal(status: Status, shown: &str) -> Status {
    let causes = status.details.as_ref().map(|details| details.causes.as_slice());
    let text = match causes {
        Some([cause]) if cause.field == "patch" => converted(&cause.message),
        _ => None,
    };
    match text {
        Some(text) => body::invalid_patch(shown, &text),
        None => status,
    }
}

/// The converter's message for a decoder message.
fn converted(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("json: cannot unmarshal ")?;
    let (value, rest) = rest.split_once(" into Go ")?;
    let (_, ty) = rest.rsplit_once(" of type ")?;
    let value = value.split(' ').next().unwrap_or_default();
    Some(match (value, ty) {
        // Go would convert an integer to the character with that number, so the converter rejects it.
        ("number", "string") => "cannot convert int64 to string".to_owned(),
        (value, ty) if ty.starts_with("[]") => format!("cannot restore slice from {}", go_kind(value)),
        (value, ty) if ty.starts_with("map[") => format!("cannot restore map from {}", go_kind(value)),
        (value, ty) if ty.contains('.') => format!("cannot restore struct from: {}", go_kind(value)),
        (_, ty) => format!("unrecognized type: {ty}"),
    })
}

/// The Go type of a JSON value.
fn go_kind(value: &str) -> &str {
    match value {
        "number" => "int64",
        "array" => "slice",
        "object" => "map",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::converted;

    fn check(decoder: &str, expected: Option<&str>) {
        assert_eq!(converted(decoder).as_deref(), expected, "{decoder}");
    }

    #[test]
    fn the_converter_has_its_own_messages() {
        check(
            "Invalid value: \"x\": json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
            Some("cannot convert int64 to string"),
        );
        check(
            "json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type string",
            Some("unrecognized type: string"),
        );
        check(
            "json: cannot unmarshal string into Go struct field X.y of type []string",
            Some("cannot restore slice from string"),
        );
        check("strict decoding error: unknown field \"a\"", None);
    }
}
