//! The fields of metadata, described once. How metadata is decoded and encoded, the order of its keys, what
//! `PartialObjectMetadata` shows and how server-side apply merges it all follow from these tables.
//!
//! Knows names and types, not what a field is for.

use kindsmith_json::{Object, Value};

use super::ObjectMeta;

/// A Go struct of apimachinery's pkg/apis/meta/v1.
#[derive(Debug, Clone, Copy)]
pub struct Struct {
    /// Its name in errors: `OwnerReference`.
    pub name: &'static str,
    /// Its Go type in errors: `v1.OwnerReference`.
    pub go_type: &'static str,
    /// Its fields, in the order of the struct.
    pub fields: &'static [Field],
    /// The field by which lists of it are merged; without one, such lists are atomic.
    pub list_key: Option<&'static str>,
    /// Whether it is merged as a whole.
    pub is_atomic: bool,
}

impl Struct {
    /// The field of a name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// A field of a struct.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its type.
    pub ty: FieldType,
    /// Its Go type in errors.
    pub go_type: &'static str,
}

/// The type of a field, and when it is omitted.
#[derive(Debug, Clone, Copy)]
pub enum FieldType {
    /// A string, omitted if empty.
    Text,
    /// A string that is always written.
    RequiredText,
    /// An integer, omitted if zero.
    Integer,
    /// An integer or nothing.
    OptionalInteger,
    /// A boolean or nothing.
    OptionalBool,
    /// A time, omitted if zero.
    Time,
    /// A time or nothing; the zero time is written as null.
    OptionalTime,
    /// Strings by key.
    Texts,
    /// A set of strings.
    TextSet,
    /// A list of structs.
    Structs(&'static Struct),
    /// Any JSON.
    Raw,
}

const fn field(name: &'static str, ty: FieldType, go_type: &'static str) -> Field {
    Field { name, ty, go_type }
}

/// `metav1.OwnerReference`.
pub static OWNER_REFERENCE: Struct = Struct {
    name: "OwnerReference",
    go_type: "v1.OwnerReference",
    fields: &[
        field("apiVersion", FieldType::RequiredText, "string"),
        field("kind", FieldType::RequiredText, "string"),
        field("name", FieldType::RequiredText, "string"),
        field("uid", FieldType::RequiredText, "types.UID"),
        field("controller", FieldType::OptionalBool, "bool"),
        field("blockOwnerDeletion", FieldType::OptionalBool, "bool"),
    ],
    list_key: Some("uid"),
    is_atomic: true,
};

/// `metav1.ManagedFieldsEntry`.
pub static MANAGED_FIELDS_ENTRY: Struct = Struct {
    name: "ManagedFieldsEntry",
    go_type: "v1.ManagedFieldsEntry",
    fields: &[
        field("manager", FieldType::Text, "string"),
        field("operation", FieldType::Text, "v1.ManagedFieldsOperationType"),
        field("apiVersion", FieldType::Text, "string"),
        field("time", FieldType::OptionalTime, "string"),
        field("fieldsType", FieldType::Text, "string"),
        field("fieldsV1", FieldType::Raw, "v1.FieldsV1"),
        field("subresource", FieldType::Text, "string"),
    ],
    list_key: None,
    is_atomic: false,
};

/// A field of [`ObjectMeta`], with access to it.
#[derive(Debug, Clone, Copy)]
pub struct MetaField {
    /// Name and type.
    pub field: Field,
    /// The encoded value; `None` if it is omitted.
    pub(super) get: for<'a> fn(&ObjectMeta<'a>) -> Option<Value<'a>>,
    /// Takes a decoded value.
    pub(super) set: for<'a> fn(&mut ObjectMeta<'a>, Value<'a>),
}

/// One line of the table: name, type, Go type, member of [`ObjectMeta`], how it is written, how it is taken.
macro_rules! meta_field {
    ($name:literal, $ty:expr, $go_type:literal, $member:ident, $get:expr, $set:expr) => {
        MetaField {
            field: field($name, $ty, $go_type),
            get: |meta| $get(meta.$member),
            set: |meta, value| meta.$member = $set(value),
        }
    };
}

/// `metav1.ObjectMeta`, in the order of the struct.
pub static OBJECT_META: [MetaField; 15] = {
    use FieldType::{Integer, OptionalInteger, OptionalTime, Structs, Text, TextSet, Texts, Time};
    let owners = Structs(&OWNER_REFERENCE);
    let managers = Structs(&MANAGED_FIELDS_ENTRY);
    [
        meta_field!("name", Text, "string", name, text, to_text),
        meta_field!("generateName", Text, "string", generate_name, text, to_text),
        meta_field!("namespace", Text, "string", namespace, text, to_text),
        meta_field!("selfLink", Text, "string", self_link, text, to_text),
        meta_field!("uid", Text, "types.UID", uid, text, to_text),
        meta_field!("resourceVersion", Text, "string", resource_version, text, to_text),
        meta_field!("generation", Integer, "int64", generation, number, to_number),
        meta_field!(
            "creationTimestamp",
            Time,
            "string",
            creation_timestamp,
            time,
            Value::as_str
        ),
        meta_field!(
            "deletionTimestamp",
            OptionalTime,
            "string",
            deletion_timestamp,
            time,
            Value::as_str
        ),
        meta_field!(
            "deletionGracePeriodSeconds",
            OptionalInteger,
            "int64",
            deletion_grace_period_seconds,
            optional_number,
            Value::as_i64
        ),
        meta_field!("labels", Texts, "map[string]string", labels, map, to_map),
        meta_field!(
            "annotations",
            Texts,
            "map[string]string",
            annotations,
            map,
            to_map
        ),
        meta_field!(
            "ownerReferences",
            owners,
            "[]v1.OwnerReference",
            owner_references,
            list,
            to_list
        ),
        meta_field!("finalizers", TextSet, "[]string", finalizers, list, to_list),
        meta_field!(
            "managedFields",
            managers,
            "[]v1.ManagedFieldsEntry",
            managed_fields,
            list,
            to_list
        ),
    ]
};

/// The positions in [`OBJECT_META`] by name.
pub(super) static SORTED: [usize; 15] = sorted(&OBJECT_META);

fn text(text: &str) -> Option<Value<'_>> {
    (!text.is_empty()).then_some(Value::Str(text))
}

fn to_text(value: Value<'_>) -> &str {
    value.as_str().unwrap_or_default()
}

fn number<'a>(number: i64) -> Option<Value<'a>> {
    (number != 0).then_some(Value::Int(number))
}

fn to_number(value: Value<'_>) -> i64 {
    value.as_i64().unwrap_or_default()
}

fn optional_number<'a>(number: Option<i64>) -> Option<Value<'a>> {
    number.map(Value::Int)
}

fn time(time: Option<&str>) -> Option<Value<'_>> {
    time.map(Value::Str)
}

fn map(map: Object<'_>) -> Option<Value<'_>> {
    (!map.is_empty()).then_some(Value::Object(map))
}

fn to_map(value: Value<'_>) -> Object<'_> {
    value.as_object().unwrap_or_default()
}

fn list<'a>(list: &'a [Value<'a>]) -> Option<Value<'a>> {
    (!list.is_empty()).then_some(Value::Array(list))
}

fn to_list(value: Value<'_>) -> &[Value<'_>] {
    value.as_array().unwrap_or_default()
}

const fn sorted<const N: usize>(fields: &[MetaField; N]) -> [usize; N] {
    let mut order = [0; N];
    let mut count = 0;
    while count < N {
        let mut place = count;
        while place > 0 && is_before(fields[count].field.name, fields[order[place - 1]].field.name) {
            order[place] = order[place - 1];
            place -= 1;
        }
        order[place] = count;
        count += 1;
    }
    order
}

const fn is_before(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut at = 0;
    while at < left.len() && at < right.len() {
        if left[at] != right[at] {
            return left[at] < right[at];
        }
        at += 1;
    }
    left.len() < right.len()
}
