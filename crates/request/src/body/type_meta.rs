//! The kind, group and version in a body.

use std::borrow::Cow;

use kindsmith_json::Value;
use kindsmith_object::GroupVersion;

use super::Unreadable;

/// The kind, group and version in a body.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TypeMeta<'a> {
    pub(crate) kind: &'a str,
    pub(crate) group: &'a str,
    pub(crate) version: &'a str,
}

/// Reads kind and version (`SimpleMetaFactory.Interpret` in apimachinery's pkg/runtime/serializer/json/meta.go); keys
/// match in any case.
pub(crate) fn interpret(value: Value<'_>) -> Result<TypeMeta<'_>, Unreadable> {
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
                other.go_json_name()
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
                let text = format!(
                    "{} into Go struct field .{name} of type string",
                    other.go_json_name()
                );
                return Err(refuse(text));
            }
        }
    }
    let GroupVersion { group, version } =
        GroupVersion::parse(api_version).map_err(|error| Unreadable::unrecognized(error.to_string()))?;
    Ok(TypeMeta { kind, group, version })
}

/// Folds a key as Go's encoding/json does: ASCII lower case, and the two letters beyond ASCII that fold into it.
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
