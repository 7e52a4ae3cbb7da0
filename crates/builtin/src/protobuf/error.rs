//! Errors of conversion, with the messages of Kubernetes' generated code where it has one.

use std::fmt;

use kindsmith_schema::Str;

/// Why a conversion between protobuf and values failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There are no bytes at all.
    Empty,
    /// The bytes do not start with the prefix.
    Prefix,
    /// Nothing follows the prefix.
    EmptyBody,
    /// The bytes end within a message.
    UnexpectedEnd,
    /// A number has more than 64 bits.
    Overflow,
    /// A length is negative.
    NegativeLength,
    /// A group ends that did not start, in skipped bytes.
    EndOfGroup,
    /// A group ends that did not start, in this message.
    NoGroup(Str),
    /// A field number is not positive.
    IllegalTag {
        /// The message.
        message: Str,
        /// The number.
        number: i32,
        /// Number and wire type, as sent.
        wire: u64,
    },
    /// The wire type does not exist.
    IllegalWire(u8),
    /// A field has the wrong wire type.
    WrongWire {
        /// The wire type.
        wire: u8,
        /// The Go name of the field.
        field: Str,
    },
    /// A value does not match the type of this field.
    Value(Str),
    /// A string is not a quantity, for this reason.
    Quantity(Str),
    /// Messages are nested too deeply.
    TooDeep,
    /// The type has no message.
    NoMessage(Str),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Empty => out.write_str("empty data"),
            Error::Prefix => out.write_str(
                "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
            ),
            Error::EmptyBody => out.write_str("empty body"),
            Error::UnexpectedEnd => out.write_str("unexpected EOF"),
            Error::Overflow => out.write_str("proto: integer overflow"),
            Error::NegativeLength => out.write_str("proto: negative length found during unmarshaling"),
            Error::EndOfGroup => out.write_str("proto: unexpected end of group"),
            Error::NoGroup(message) => write!(out, "proto: {message}: wiretype end group for non-group"),
            Error::IllegalTag {
                message,
                number,
                wire,
            } => write!(out, "proto: {message}: illegal tag {number} (wire type {wire})"),
            Error::IllegalWire(wire) => write!(out, "proto: illegal wireType {wire}"),
            Error::WrongWire { wire, field } => {
                write!(out, "proto: wrong wireType = {wire} for field {field}")
            }
            Error::Value(field) => write!(out, "field {field} has a value that its type does not have"),
            Error::Quantity(reason) => out.write_str(reason),
            Error::TooDeep => out.write_str("messages are nested too deeply"),
            Error::NoMessage(name) => write!(out, "{name} has no protobuf form"),
        }
    }
}

impl std::error::Error for Error {}
