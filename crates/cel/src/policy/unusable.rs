//! Why the value of a mutation's expression changes no object. Texts are the reference's.

use std::fmt;

use kindsmith_gostd::quote::quote;

use crate::eval::context::CANCELLED;

/// Why a value is neither an apply configuration nor a JSON patch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unusable {
    /// It is too large or too deep, or nobody waits for it any more.
    Cancelled,
    /// An apply configuration must be an object; this is the type it has.
    NotAnObject(String),
    /// A map in an apply configuration has keys other than strings.
    Keys,
    /// Types of objects are not named by the fields that lead to them.
    Misnamed(Vec<Misnamed>),
    /// A JSON patch must be a list.
    NotAList,
    /// A JSON patch has an element of this type.
    NotAnOperation(String),
    /// The value of an operation has no JSON form.
    NoJson(NoJson),
}

/// An object whose type has another name than its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misnamed {
    /// The name.
    pub found: String,
    /// The name that the fields make.
    pub expected: String,
}

/// Why a value has no JSON form.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoJson {
    /// It is too large or too deep, or nobody waits for it any more.
    Cancelled,
    /// A number such as `NaN` or `-Infinity`.
    NotFinite(String),
    /// An optional value that is absent.
    Absent,
    /// The key of a map is of this type, and not a string.
    Key(String),
    /// A type is not a value.
    Type,
    /// A value of this type of a library.
    Library(&'static str),
    /// A value of this Go type.
    Go(String),
}

impl From<NoJson> for Unusable {
    fn from(why: NoJson) -> Self {
        Unusable::NoJson(why)
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Cancelled => out.write_str(CANCELLED),
            Unusable::NotAnObject(found) => {
                write!(
                    out,
                    "unsupported return type from ApplyConfiguration expression: {found}"
                )
            }
            Unusable::Keys => out.write_str("invalid return type: *dynamic.ObjectVal"),
            Unusable::Misnamed(all) => {
                let all: Vec<String> = all.iter().map(ToString::to_string).collect();
                write!(out, "type mismatch: {}", all.join("\n"))
            }
            Unusable::NotAList => {
                out.write_str("type mismatch: JSONPatchType.expression should evaluate to array")
            }
            Unusable::NotAnOperation(found) => write!(
                out,
                "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch, got element of {found}"
            ),
            Unusable::NoJson(why) => write!(
                out,
                "JSONPath valueExpression evaluated to a type that could not marshal to JSON: {why}"
            ),
        }
    }
}

impl std::error::Error for Unusable {}

impl fmt::Display for Misnamed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "unexpected type name {}, expected {}, which matches field name path from root Object type",
            quote(&self.found),
            quote(&self.expected)
        )
    }
}

impl fmt::Display for NoJson {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoJson::Cancelled => out.write_str(CANCELLED),
            NoJson::NotFinite(number) => write!(
                out,
                "json: error calling MarshalJSON for type *structpb.Value: proto: google.protobuf.Value cannot have {number} value"
            ),
            NoJson::Absent => out.write_str("optional.none() dereference"),
            NoJson::Key(ty) => match &**ty {
                "int" | "uint" => write!(out, "unsupported type conversion from '{ty}' to string"),
                "bool" => out.write_str("type conversion error from bool to 'string'"),
                "double" => out.write_str("type conversion error from Double to 'string'"),
                _ => write!(out, "type conversion error from '{ty}' to 'string'"),
            },
            NoJson::Type => out.write_str("type conversion not supported for 'type'"),
            NoJson::Library(name) => {
                write!(out, "type conversion error from '{name}' to '*structpb.Value'")
            }
            NoJson::Go(name) => write!(out, "proto: invalid type: {name}"),
        }
    }
}
