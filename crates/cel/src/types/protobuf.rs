//! The well-known protobuf messages and their fields, for message literals.

use std::sync::Arc;

use super::Type;

/// Message name, and its fields with the notation of signatures.
const MESSAGES: &[(&str, &[(&str, &str)])] = &[
    (
        "google.protobuf.Any",
        &[("type_url", "string"), ("value", "bytes")],
    ),
    ("google.protobuf.BoolValue", &[("value", "bool")]),
    ("google.protobuf.BytesValue", &[("value", "bytes")]),
    ("google.protobuf.DoubleValue", &[("value", "double")]),
    (
        "google.protobuf.Duration",
        &[("seconds", "int"), ("nanos", "int")],
    ),
    ("google.protobuf.Empty", &[]),
    ("google.protobuf.FloatValue", &[("value", "double")]),
    ("google.protobuf.Int32Value", &[("value", "int")]),
    ("google.protobuf.Int64Value", &[("value", "int")]),
    ("google.protobuf.ListValue", &[("values", "list(dyn)")]),
    ("google.protobuf.StringValue", &[("value", "string")]),
    ("google.protobuf.Struct", &[("fields", "map(string, dyn)")]),
    (
        "google.protobuf.Timestamp",
        &[("seconds", "int"), ("nanos", "int")],
    ),
    ("google.protobuf.UInt32Value", &[("value", "uint")]),
    ("google.protobuf.UInt64Value", &[("value", "uint")]),
    (
        "google.protobuf.Value",
        &[
            ("null_value", "int"),
            ("number_value", "double"),
            ("string_value", "string"),
            ("bool_value", "bool"),
            ("struct_value", "map(string, dyn)"),
            ("list_value", "list(dyn)"),
        ],
    ),
];

/// The type of a message name.
pub fn message(name: &str) -> Option<Type> {
    MESSAGES.iter().find(|(known, _)| *known == name)?;
    Some(match name.strip_prefix("google.protobuf.")? {
        "Any" => Type::Any,
        "BoolValue" => Type::Wrapper(Arc::new(Type::Bool)),
        "BytesValue" => Type::Wrapper(Arc::new(Type::Bytes)),
        "DoubleValue" | "FloatValue" => Type::Wrapper(Arc::new(Type::Double)),
        "Int32Value" | "Int64Value" => Type::Wrapper(Arc::new(Type::Int)),
        "UInt32Value" | "UInt64Value" => Type::Wrapper(Arc::new(Type::Uint)),
        "StringValue" => Type::Wrapper(Arc::new(Type::String)),
        "Duration" => Type::Duration,
        "Timestamp" => Type::Timestamp,
        "ListValue" => Type::list(Type::Dyn),
        "Struct" => Type::map(Type::String, Type::Dyn),
        "Value" => Type::Dyn,
        _ => Type::object(name),
    })
}

/// The type of a message's field.
pub fn field(message: &str, field: &str) -> Option<Type> {
    let (_, fields) = MESSAGES.iter().find(|(known, _)| *known == message)?;
    let (_, ty) = fields.iter().find(|(name, _)| *name == field)?;
    Some(match *ty {
        "bool" => Type::Bool,
        "bytes" => Type::Bytes,
        "double" => Type::Double,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "string" => Type::String,
        "list(dyn)" => Type::list(Type::Dyn),
        _ => Type::map(Type::String, Type::Dyn),
    })
}
