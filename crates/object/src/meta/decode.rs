//! Decodes metadata from JSON, as `objectmeta.GetObjectMetaWithOptions` of apiextensions-apiserver does.

use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Object, Value};

use super::decoder::{Decoder, Order};
use super::{DecodeError, ObjectMeta};

/// How a known field with a value of the wrong type is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// Reject the metadata: for requests.
    Refuse,
    /// Drop the field: stored objects must stay readable.
    Drop,
}

/// Whether unknown fields are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownFields {
    /// They are dropped silently.
    Ignore,
    /// They are dropped and listed.
    List,
}

/// Decoded metadata.
#[derive(Debug, Clone, Default)]
pub struct Decoded<'a> {
    /// The fields.
    pub meta: ObjectMeta<'a>,
    /// The metadata written back as an object; the very object that was read if nothing changed.
    pub object: Object<'a>,
    /// Paths of unknown fields below the metadata, if requested: `stray`, `ownerReferences[0].stray`.
    pub unknown: Vec<PathBuf>,
}

/// Decodes metadata.
///
/// Allocates nothing when the value is already in the server's form.
///
/// ```
/// use kindsmith_object::meta::{Malformed, UnknownFields, decode};
/// use kindsmith_json::{Arena, parse_str};
///
/// let arena = Arena::new();
/// let value = parse_str(&arena, r#"{"name": "a", "labels": {"k": null}, "stray": 1}"#)?;
/// let decoded = decode(&arena, value, Malformed::Refuse, UnknownFields::List).expect("types fit");
/// assert_eq!(decoded.meta.name, "a");
/// assert_eq!(decoded.unknown[0].dotted(), "stray");
/// assert_eq!(format!("{:?}", decoded.object), r#"{"name":"a","labels":{"k":""}}"#);
/// # Ok::<(), kindsmith_json::ReadError>(())
/// ```
///
/// # Errors
///
/// With [`Malformed::Refuse`], the first value of a wrong type; with [`Malformed::Drop`], only metadata that
/// is not an object.
pub fn decode<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    malformed: Malformed,
    unknown: UnknownFields,
) -> Result<Decoded<'a>, DecodeError> {
    let Value::Object(object) = value else {
        return not_an_object(value, malformed);
    };
    let mut decoder = Decoder::new(arena, Order::AsWritten, malformed, unknown);
    let decoded = decoder.metadata(object);
    if decoder.is_clean() {
        return Ok(decoded);
    }
    // The server marshals the metadata first, which sorts the keys. So the first error and the order of
    // unknown fields follow the sorted keys.
    let mut decoder = Decoder::new(arena, Order::Sorted, malformed, unknown);
    let decoded = decoder.metadata(object);
    decoder.finish(&decoded)
}

/// Decodes metadata that is the field `metadata` of a Go struct, as in a built-in kind.
///
/// Errors name the field within the struct: `ObjectMeta.metadata.name`.
///
/// # Errors
///
/// The first value of a wrong type, in the given order of keys.
pub fn decode_field<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    owner: &'static str,
    order: Order,
    unknown: UnknownFields,
) -> Result<Decoded<'a>, DecodeError> {
    match value {
        Value::Null => Ok(Decoded::default()),
        Value::Object(object) => {
            let mut decoder = Decoder::new(arena, order, Malformed::Refuse, unknown).within();
            let decoded = decoder.metadata(object);
            decoder.finish(&decoded)
        }
        other => Err(DecodeError::Type {
            found: other.go_json_name().into(),
            field: Some((owner, "metadata".into())),
            expected: "v1.ObjectMeta",
        }),
    }
}

fn not_an_object(value: Value<'_>, malformed: Malformed) -> Result<Decoded<'_>, DecodeError> {
    if value.is_null() {
        return Ok(Decoded::default());
    }
    if malformed == Malformed::Drop {
        return Err(DecodeError::NotAnObject {
            found: value.go_type(),
        });
    }
    Err(DecodeError::Type {
        found: value.go_json_name().into(),
        field: None,
        expected: "v1.ObjectMeta",
    })
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{parse_str, to_string};

    use super::*;

    fn run(text: &str, malformed: Malformed) -> Result<(String, Vec<String>), String> {
        let arena = Arena::new();
        let value = parse_str(&arena, text).expect("JSON");
        match decode(&arena, value, malformed, UnknownFields::List) {
            Ok(decoded) => {
                let unknown = decoded.unknown.iter().map(PathBuf::dotted).collect();
                Ok((to_string(Value::Object(decoded.object)), unknown))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn becomes(text: &str, object: &str) {
        assert_eq!(
            run(text, Malformed::Refuse),
            Ok((object.into(), vec![])),
            "{text}"
        );
    }

    fn refused(text: &str, error: &str) {
        assert_eq!(run(text, Malformed::Refuse), Err(error.into()), "{text}");
    }

    fn salvaged(text: &str, object: &str) {
        let kept = run(text, Malformed::Drop).map(|(object, _)| object);
        assert_eq!(kept, Ok(object.into()), "{text}");
    }

    #[test]
    fn metadata_is_written_back_as_the_server_writes_it() {
        becomes("{}", "{}");
        becomes("null", "{}");
        becomes(r#"{"name":"","labels":{},"finalizers":[],"generation":0}"#, "{}");
        becomes(
            r#"{"labels":{"a":null,"b":"c"}}"#,
            r#"{"labels":{"a":"","b":"c"}}"#,
        );
        becomes(r#"{"finalizers":[null,"x"]}"#, r#"{"finalizers":["","x"]}"#);
        becomes(r#"{"creationTimestamp":null,"deletionTimestamp":null}"#, "{}");
        becomes(
            r#"{"creationTimestamp":"2001-01-01T02:00:00.5+02:00"}"#,
            r#"{"creationTimestamp":"2001-01-01T00:00:00Z"}"#,
        );
        becomes(r#"{"creationTimestamp":"0001-01-01T00:00:00Z"}"#, "{}");
        becomes(
            r#"{"deletionTimestamp":"0001-01-01T00:00:00Z"}"#,
            r#"{"deletionTimestamp":null}"#,
        );
        becomes(
            r#"{"deletionGracePeriodSeconds":0,"generation":2.0}"#,
            r#"{"deletionGracePeriodSeconds":0,"generation":2}"#,
        );
        becomes(
            r#"{"ownerReferences":[null,{"kind":"K","controller":null,"uid":"u","blockOwnerDeletion":false}]}"#,
            r#"{"ownerReferences":[{"apiVersion":"","kind":"","name":"","uid":""},{"kind":"K","uid":"u","blockOwnerDeletion":false,"apiVersion":"","name":""}]}"#,
        );
        becomes(
            r#"{"managedFields":[{"manager":"","time":"2020-01-01T00:00:00Z","fieldsV1":{"f:a":{}}},null]}"#,
            r#"{"managedFields":[{"time":"2020-01-01T00:00:00Z","fieldsV1":{"f:a":{}}},{}]}"#,
        );
    }

    #[test]
    fn canonical_metadata_is_not_copied() {
        let text = r#"{"annotations":{"a":"b"},"creationTimestamp":"2001-01-01T00:00:00Z","finalizers":["x"],
            "generation":1,"labels":{"a":""},"managedFields":[{"manager":"m","fieldsV1":{}}],"name":"n",
            "ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u"}]}"#;
        let arena = Arena::new();
        let value = parse_str(&arena, text).expect("JSON");
        let before = arena.allocated_bytes_including_metadata();
        let decoded = decode(&arena, value, Malformed::Refuse, UnknownFields::List).expect("types fit");
        let entries = value.as_object().expect("an object").entries().as_ptr();
        assert_eq!(decoded.object.entries().as_ptr(), entries);
        assert_eq!(arena.allocated_bytes_including_metadata(), before);
    }

    #[test]
    fn wrong_types_are_rejected_with_gos_messages() {
        let field = |found: &str, field: &str, ty: &str| {
            format!("json: cannot unmarshal {found} into Go struct field {field} of type {ty}")
        };
        refused(
            "[]",
            "json: cannot unmarshal array into Go value of type v1.ObjectMeta",
        );
        refused(r#"{"name":5}"#, &field("number", "ObjectMeta.name", "string"));
        refused(r#"{"uid":true}"#, &field("bool", "ObjectMeta.uid", "types.UID"));
        refused(
            r#"{"generation":1.5}"#,
            &field("number 1.5", "ObjectMeta.generation", "int64"),
        );
        refused(
            r#"{"generation":9223372036854775808}"#,
            &field("number 9223372036854776000", "ObjectMeta.generation", "int64"),
        );
        refused(
            r#"{"labels":[]}"#,
            &field("array", "ObjectMeta.labels", "map[string]string"),
        );
        refused(
            r#"{"labels":{"a":{}}}"#,
            &field("object", "ObjectMeta.labels", "string"),
        );
        refused(
            r#"{"finalizers":{}}"#,
            &field("object", "ObjectMeta.finalizers", "[]string"),
        );
        refused(
            r#"{"finalizers":[1]}"#,
            &field("number", "ObjectMeta.finalizers", "string"),
        );
        refused(
            r#"{"ownerReferences":[1]}"#,
            &field("number", "ObjectMeta.ownerReferences", "v1.OwnerReference"),
        );
        refused(
            r#"{"ownerReferences":[{"uid":1}]}"#,
            &field("number", "OwnerReference.ownerReferences.uid", "types.UID"),
        );
        refused(
            r#"{"creationTimestamp":1}"#,
            &field("number", "ObjectMeta.creationTimestamp", "string"),
        );
        refused(
            r#"{"managedFields":[{"time":[]}]}"#,
            &field("array", "ManagedFieldsEntry.managedFields.time", "string"),
        );
        refused(
            r#"{"managedFields":[{"operation":1}]}"#,
            &field(
                "number",
                "ManagedFieldsEntry.managedFields.operation",
                "v1.ManagedFieldsOperationType",
            ),
        );
    }

    #[test]
    fn errors_name_the_field_of_a_native_kind() {
        let check = |text: &str, order, expected: &str| {
            let arena = Arena::new();
            let value = parse_str(&arena, text).expect("JSON");
            let decoded = decode_field(&arena, value, "ConfigMap", order, UnknownFields::Ignore);
            assert_eq!(decoded.expect_err("it is wrong").to_string(), expected, "{text}");
        };
        let wrong = "json: cannot unmarshal number into Go struct field";
        check(
            "1",
            Order::AsWritten,
            &format!("{wrong} ConfigMap.metadata of type v1.ObjectMeta"),
        );
        let text = r#"{"name":1,"labels":1}"#;
        let name = format!("{wrong} ObjectMeta.metadata.name of type string");
        check(text, Order::AsWritten, &name);
        let labels = format!("{wrong} ObjectMeta.metadata.labels of type map[string]string");
        check(text, Order::Sorted, &labels);
        check(
            r#"{"ownerReferences":[{"uid":1}]}"#,
            Order::AsWritten,
            &format!("{wrong} OwnerReference.metadata.ownerReferences.uid of type types.UID"),
        );
    }

    #[test]
    fn the_first_error_follows_sorted_keys_but_times_come_first() {
        refused(
            r#"{"name":1,"labels":1}"#,
            "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string",
        );
        refused(
            r#"{"annotations":1,"creationTimestamp":"x"}"#,
            r#"parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006""#,
        );
    }

    #[test]
    fn unknown_fields_are_listed_by_sorted_keys() {
        let text = r#"{"z":1,"a":{"b":1},"ownerReferences":[{"y":1,"x":1}],"managedFields":[{"q":1}]}"#;
        let unknown = run(text, Malformed::Refuse).expect("types fit").1;
        assert_eq!(
            unknown,
            [
                "a",
                "managedFields[0].q",
                "ownerReferences[0].x",
                "ownerReferences[0].y",
                "z"
            ]
        );
    }

    #[test]
    fn storage_drops_malformed_fields() {
        salvaged(
            r#"{"name":"a","labels":{"a":1,"b":"c"},"generation":"1"}"#,
            r#"{"name":"a"}"#,
        );
        salvaged(
            r#"{"creationTimestamp":"x","uid":"u","stray":1}"#,
            r#"{"uid":"u"}"#,
        );
        assert_eq!(
            run("[]", Malformed::Drop),
            Err("invalid metadata: expected object, got []interface {}".into())
        );
    }
}
