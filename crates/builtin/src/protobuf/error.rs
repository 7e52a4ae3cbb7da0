//! Why bytes or values could not be converted. Wording as that of Kubernetes' generated code, where it has some.

use std::fmt;

use kindsmith_schema::Str;

/// Why something could not be converted between protocol buffers and values.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There are no bytes at all.
    Empty,
    /// The bytes do not begin as Kubernetes' messages do.
    Prefix,
    /// There is nothing behind the beginning.
    EmptyBody,
    /// The bytes end within a message.
    UnexpectedEnd,
    /// A number has more than 64 bits.
    Overflow,
    /// A length is negative.
    NegativeLength,
    /// A group ends that did not begin, inside of skipped bytes.
    EndOfGroup,
    /// A group ends that did not begin, inside of a message.
    NoGroup(Str),
    /// A field has a number that no field has.
    IllegalTag {
        /// The message.
        message: Str,
        /// The number.
        number: i32,
        /// Number and wire type as sent.
        wire: u64,
    },
    /// There is no such wire type.
    IllegalWire(u8),
    /// A field has a wire type of another field.
    WrongWire {
        /// The wire type.
        wire: u8,
        /// The Go name of the field.
        field: Str,
    },
    /// The value of a field is not one of its type.
    Value(Str),
    /// A text is no quantity; the reason.
    Quantity(Str),
    /// Messages are nested too deeply.
    TooDeep,
    /// The type is not one of messages.
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
