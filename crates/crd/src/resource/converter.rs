//! Objects in another version: by name alone, or by a [`Converter`], whose answers are checked here
//! (`webhookConverter.Convert` in apiextensions-apiserver's pkg/apiserver/conversion/webhook_converter.go).
//!
//! Knows no network: who converts is the caller's business.

use std::fmt;

use kindsmith_json::{Arena, Object, Path, Value};
use kindsmith_object::GroupVersion;
use kindsmith_object::meta::{validate_annotations, validate_labels};
use kindsmith_request::aggregate;

use super::Resource;

/// Why an object has no form in another version; shown to the client.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConversionError {
    /// The object is in a version that the CRD does not have.
    From(String),
    /// The converter failed, in its words.
    Converter(String),
    /// The converted object is malformed.
    Malformed(String),
}

impl fmt::Display for ConversionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConversionError::From(version) => {
                write!(
                    out,
                    "request to convert CR from an invalid group/version: {version}"
                )
            }
            ConversionError::Converter(text) | ConversionError::Malformed(text) => out.write_str(text),
        }
    }
}

impl std::error::Error for ConversionError {}

/// Converts objects of a resource.
pub trait Converter: fmt::Debug + Send + Sync {
    /// An object in another version.
    ///
    /// # Errors
    ///
    /// If it cannot be converted.
    fn convert<'a>(
        &self,
        arena: &'a Arena,
        object: Object<'a>,
        api_version: &str,
    ) -> Result<Object<'a>, ConversionError>;

    /// Objects in another version, in their order, converted in one step; `None` if they must be converted one by one, or only
    /// that tells which of them cannot be converted.
    fn convert_all<'a>(
        &self,
        arena: &'a Arena,
        objects: &[Object<'a>],
        api_version: &str,
    ) -> Option<Vec<Result<Object<'a>, ConversionError>>> {
        let _ = (arena, objects, api_version);
        None
    }
}

/// The way of an object to another version.
enum Step<'a> {
    /// It is there.
    Done(Object<'a>),
    /// Only the converter knows.
    Ask(Object<'a>),
}

impl Resource {
    /// An object in another version, with all that the converter made of it.
    ///
    /// # Errors
    ///
    /// If it cannot be converted.
    pub fn convert_object<'a>(
        &self,
        arena: &'a Arena,
        object: Object<'a>,
        version: &str,
    ) -> Result<Object<'a>, ConversionError> {
        let api_version = format!("{}/{version}", self.group);
        match (self.step(arena, object, &api_version)?, &self.converter) {
            (Step::Ask(object), Some(converter)) => converter.convert(arena, object, &api_version),
            (Step::Ask(object) | Step::Done(object), _) => Ok(object),
        }
    }

    /// Objects in another version, in their order, for which the converter is asked once; `None` if it must be asked about each.
    pub(super) fn convert_objects<'a>(
        &self,
        arena: &'a Arena,
        objects: &[Object<'a>],
        version: &str,
    ) -> Option<Vec<Result<Object<'a>, ConversionError>>> {
        let api_version = format!("{}/{version}", self.group);
        let steps: Vec<_> = objects
            .iter()
            .map(|object| self.step(arena, *object, &api_version))
            .collect();
        let asked: Vec<Object<'a>> = steps
            .iter()
            .filter_map(|step| match step {
                Ok(Step::Ask(object)) => Some(*object),
                _ => None,
            })
            .collect();
        if asked.len() < 2 {
            return None;
        }
        let answers = self
            .converter
            .as_ref()?
            .convert_all(arena, &asked, &api_version)?;
        let mut answers = answers.into_iter();
        let converted = steps.into_iter().map(|step| match step? {
            Step::Done(object) => Ok(object),
            Step::Ask(_) => answers
                .next()
                .unwrap_or_else(|| Err(ConversionError::Converter("no answer".to_owned()))),
        });
        Some(converted.collect())
    }

    /// What is to be done with an object: a converter is not asked about one that is in the version, or has only a type.
    fn step<'a>(
        &self,
        arena: &'a Arena,
        mut object: Object<'a>,
        api_version: &str,
    ) -> Result<Step<'a>, ConversionError> {
        let given = object.get("apiVersion").and_then(Value::as_str);
        if given == Some(api_version) {
            return Ok(Step::Done(object));
        }
        if self.converter.is_some() && !is_empty(object) {
            self.check_version_of(given.unwrap_or_default())?;
            return Ok(Step::Ask(object));
        }
        object.insert(arena, "apiVersion", Value::Str(arena.alloc_str(api_version)));
        Ok(Step::Done(object))
    }

    fn check_version_of(&self, api_version: &str) -> Result<(), ConversionError> {
        match GroupVersion::parse(api_version) {
            Ok(known) if *known.group == *self.group && self.version(known.version).is_some() => Ok(()),
            _ => Err(ConversionError::From(api_version.to_owned())),
        }
    }
}

/// Whether an object has nothing but its type: such a one is only renamed.
fn is_empty(object: Object<'_>) -> bool {
    object.entries().len() == 2 && object.get("kind").is_some() && object.get("apiVersion").is_some()
}

/// Why a converted object is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It is not an object with a kind; the message does not name the webhook.
    Undecodable(String),
    /// It breaks a rule; said after `conversion webhook for KIND returned`.
    Invalid(String),
}

/// The converted object as it is taken over: labels and annotations are the converter's, all other metadata is that of the
/// original.
///
/// # Errors
///
/// If it is not the same object in the version that was asked for.
pub fn accept_converted<'a>(
    arena: &'a Arena,
    original: Object<'a>,
    converted: Value<'a>,
    api_version: &str,
) -> Result<Object<'a>, Refusal> {
    let mut object = decode(converted).map_err(Refusal::Undecodable)?;
    let received = text(object, &["apiVersion"]);
    let invalid = |why: String| Err(Refusal::Invalid(why));
    if received != api_version {
        return invalid(format!(
            "invalid object at index 0: invalid groupVersion (expected {api_version}, received {received})"
        ));
    }
    let (expected, received) = (text(original, &["kind"]), text(object, &["kind"]));
    if expected != received {
        return invalid(format!(
            "invalid object at index 0: invalid kind (expected {expected}, received {received})"
        ));
    }
    for (word, key) in [("name", "name"), ("namespace", "namespace"), ("UID", "uid")] {
        let (before, after) = (
            text(original, &["metadata", key]),
            text(object, &["metadata", key]),
        );
        if before != after {
            return invalid(format!(
                "invalid object: must have the same {word}: {before} != {after}"
            ));
        }
    }
    let metadata = restore(arena, original, object)
        .map_err(|why| Refusal::Invalid(format!("invalid metadata: {why}")))?;
    object.insert(arena, "metadata", Value::Object(metadata));
    Ok(object)
}

/// An object of a kind (`unstructuredJSONScheme` in apimachinery's pkg/apis/meta/v1/unstructured).
fn decode(converted: Value<'_>) -> Result<Object<'_>, String> {
    let object = match converted {
        Value::Null => return Err("unexpected end of JSON input".to_owned()),
        Value::Object(object) => object,
        other => {
            return Err(format!(
                "json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
                other.go_json_name()
            ));
        }
    };
    let has_kind = !text(object, &["kind"]).is_empty();
    // A version that makes no sense hides the kind, too.
    let has_version = text(object, &["apiVersion"]).split('/').count() <= 2;
    if has_kind && has_version {
        Ok(object)
    } else {
        Err(format!(
            "Object 'Kind' is missing in '{}'",
            kindsmith_json::to_string(converted)
        ))
    }
}

fn text<'a>(object: Object<'a>, path: &[&str]) -> &'a str {
    Value::Object(object).text(path)
}

/// The metadata of the original, with the labels and annotations of the converted object.
fn restore<'a>(arena: &'a Arena, original: Object<'a>, converted: Object<'a>) -> Result<Object<'a>, String> {
    let answered = match converted.get("metadata") {
        None => return Err("missing metadata in converted object".to_owned()),
        Some(Value::Object(metadata)) => metadata,
        Some(other) => {
            return Err(format!(
                "invalid metadata of type {} in converted object",
                other.go_type()
            ));
        }
    };
    let mut metadata = match original.get("metadata") {
        None => Object::default(),
        Some(Value::Object(metadata)) => metadata,
        Some(other) => {
            return Err(format!(
                "invalid metadata of type {} in input object",
                other.go_type()
            ));
        }
    };
    for key in ["labels", "annotations"] {
        match answered.get(key).filter(|value| !value.is_null()) {
            None => _ = metadata.remove(arena, key),
            Some(Value::Object(texts)) => {
                check_texts(key, metadata.get(key), texts)?;
                metadata.insert(arena, key, Value::Object(texts));
            }
            Some(other) => {
                return Err(format!(
                    "invalid metadata.{key} of type {} in converted object",
                    other.go_type()
                ));
            }
        }
    }
    Ok(metadata)
}

/// Rejects labels and annotations that are not strings, and new ones that are invalid.
fn check_texts(key: &str, before: Option<Value<'_>>, texts: Object<'_>) -> Result<(), String> {
    let before = match before.filter(|before| !before.is_null()) {
        None => Object::default(),
        Some(Value::Object(before)) => before,
        Some(other) => {
            return Err(format!(
                "invalid metadata.{key} of type {} in original object",
                other.go_type()
            ));
        }
    };
    for (name, value) in texts {
        if value.as_str().is_none() {
            return Err(format!(
                "metadata.{key}[{name}] must be a string, but is {} in converted object",
                value.go_type()
            ));
        }
    }
    let is_changed = before.entries().len() != texts.entries().len()
        || texts.iter().any(|(name, value)| before.get(name) != Some(value));
    if !is_changed {
        return Ok(());
    }
    let mut errors = Vec::new();
    let root = Path::root("metadata");
    match key {
        "labels" => validate_labels(texts, &root.child("labels"), &mut errors),
        // The reference names one annotation where it means all.
        _ => validate_annotations(texts, &root.child("annotation"), &mut errors),
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(aggregate(errors.iter().map(ToString::to_string)))
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::parse_str;

    use super::*;

    const ORIGINAL: &str = r#"{"apiVersion":"g/v1","kind":"Thing","metadata":{"name":"a","namespace":"n","uid":"u",
        "generation":3,"labels":{"l":"1"}},"spec":{"color":"red"}}"#;

    fn accept(converted: &str) -> Result<String, Refusal> {
        let arena = Arena::new();
        let parse = |text| parse_str(&arena, text).expect("JSON");
        let original = parse(ORIGINAL).as_object().expect("an object");
        let accepted = accept_converted(&arena, original, parse(converted), "g/v2")?;
        Ok(kindsmith_json::to_string(Value::Object(accepted)))
    }

    /// A converted object with other metadata.
    fn with(metadata: &str) -> String {
        format!(r#"{{"apiVersion":"g/v2","kind":"Thing","metadata":{metadata}}}"#)
    }

    fn check_metadata(metadata: &str, expected: Result<&str, &str>) {
        let found = accept(&with(metadata));
        let expected = expected.map(with).map_err(|why| Refusal::Invalid(why.to_owned()));
        assert_eq!(found, expected, "{metadata}");
    }

    #[test]
    fn what_is_no_object_of_the_kind_is_refused() {
        let check = |converted, expected| assert_eq!(accept(converted), Err(expected), "{converted}");
        let undecodable = |why: &str| Refusal::Undecodable(why.to_owned());
        let invalid = |why: &str| Refusal::Invalid(format!("invalid object at index 0: {why}"));
        check("null", undecodable("unexpected end of JSON input"));
        check(
            "\"x\"",
            undecodable("json: cannot unmarshal string into Go value of type map[string]interface {}"),
        );
        check(
            "7",
            undecodable("json: cannot unmarshal number into Go value of type map[string]interface {}"),
        );
        check("{}", undecodable("Object 'Kind' is missing in '{}'"));
        check(
            r#"{"apiVersion":"a/b/c","kind":"Thing"}"#,
            undecodable(r#"Object 'Kind' is missing in '{"apiVersion":"a/b/c","kind":"Thing"}'"#),
        );
        check(
            r#"{"kind":"Thing"}"#,
            invalid("invalid groupVersion (expected g/v2, received )"),
        );
        check(
            r#"{"apiVersion":"g/v1","kind":"Thing"}"#,
            invalid("invalid groupVersion (expected g/v2, received g/v1)"),
        );
        check(
            r#"{"apiVersion":"g/v2","kind":"Other"}"#,
            invalid("invalid kind (expected Thing, received Other)"),
        );
    }

    #[test]
    fn identity_must_stay() {
        let refused = |metadata, why: &str| {
            check_metadata(
                metadata,
                Err(&format!("invalid object: must have the same {why}")),
            );
        };
        refused(r#"{"name":"b","namespace":"n","uid":"u"}"#, "name: a != b");
        refused(r#"{"name":"a","namespace":"m","uid":"u"}"#, "namespace: n != m");
        refused(r#"{"name":"a","namespace":"n","uid":"v"}"#, "UID: u != v");
        refused(r#"{"name":"a","namespace":"n"}"#, "UID: u != ");
        refused("{}", "name: a != ");
        refused("null", "name: a != ");
        refused("\"text\"", "name: a != ");
    }

    #[test]
    fn only_labels_and_annotations_change() {
        check_metadata(
            r#"{"name":"a","namespace":"n","uid":"u","generation":9,"finalizers":["f"],"labels":{"l":"1"}}"#,
            Ok(r#"{"name":"a","namespace":"n","uid":"u","generation":3,"labels":{"l":"1"}}"#),
        );
        check_metadata(
            r#"{"name":"a","namespace":"n","uid":"u","annotations":{"b":"c"},"labels":{"l":"2"}}"#,
            Ok(
                r#"{"name":"a","namespace":"n","uid":"u","generation":3,"labels":{"l":"2"},"annotations":{"b":"c"}}"#,
            ),
        );
        check_metadata(
            r#"{"name":"a","namespace":"n","uid":"u","labels":null}"#,
            Ok(r#"{"name":"a","namespace":"n","uid":"u","generation":3}"#),
        );
    }

    #[test]
    fn labels_and_annotations_are_texts_and_valid() {
        let refused = |members: &str, why: &str| {
            check_metadata(
                &format!(r#"{{"name":"a","namespace":"n","uid":"u",{members}}}"#),
                Err(&format!("invalid metadata: {why}")),
            );
        };
        refused(
            r#""labels":[]"#,
            "invalid metadata.labels of type []interface {} in converted object",
        );
        refused(
            r#""labels":{"a":1}"#,
            "metadata.labels[a] must be a string, but is int64 in converted object",
        );
        refused(
            r#""annotations":{"a":null}"#,
            "metadata.annotations[a] must be a string, but is <nil> in converted object",
        );
        refused(
            r#""annotations":{"A_/b/c":"x"}"#,
            "metadata.annotation: Invalid value: \"A_/b/c\": a valid label key must consist of alphanumeric characters, \
             '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or \
             '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS \
             subdomain prefix and '/' (e.g. 'example.com/MyName')",
        );
    }
}
