//! Errors in expressions, with Go's messages.

use std::fmt;

/// Why an expression was rejected; prints as Go's `regexp.Compile` error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of error.
    pub code: ErrorCode,
    /// The part of the expression that is wrong.
    pub expression: String,
}

/// The kinds of [`Error`] (`syntax.ErrorCode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// A range in a class is reversed or a class name is unknown.
    InvalidCharRange,
    /// A backslash is not followed by a known escape.
    InvalidEscape,
    /// The name of a group is malformed.
    InvalidNamedCapture,
    /// `(?` is not followed by known flags or a group name.
    InvalidPerlOp,
    /// Two repetition operators follow each other.
    InvalidRepeatOp,
    /// A repeat count is above 1000 or reversed.
    InvalidRepeatSize,
    /// A class is not closed.
    MissingBracket,
    /// A group is not closed.
    MissingParen,
    /// There is nothing to repeat.
    MissingRepeatArgument,
    /// The expression ends in a backslash.
    TrailingBackslash,
    /// A closing parenthesis has no opening one.
    UnexpectedParen,
    /// Groups and repetitions are nested more than 1000 deep.
    NestingDepth,
    /// The expression would need too much memory.
    Large,
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorCode::InvalidCharRange => "invalid character class range",
            ErrorCode::InvalidEscape => "invalid escape sequence",
            ErrorCode::InvalidNamedCapture => "invalid named capture",
            ErrorCode::InvalidPerlOp => "invalid or unsupported Perl syntax",
            ErrorCode::InvalidRepeatOp => "invalid nested repetition operator",
            ErrorCode::InvalidRepeatSize => "invalid repeat count",
            ErrorCode::MissingBracket => "missing closing ]",
            ErrorCode::MissingParen => "missing closing )",
            ErrorCode::MissingRepeatArgument => "missing argument to repetition operator",
            ErrorCode::TrailingBackslash => "trailing backslash at end of expression",
            ErrorCode::UnexpectedParen => "unexpected )",
            ErrorCode::NestingDepth => "expression nests too deeply",
            ErrorCode::Large => "expression too large",
        })
    }
}

impl ErrorCode {
    pub(super) fn at(self, expression: &str) -> Error {
        Error {
            code: self,
            expression: expression.to_owned(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error parsing regexp: {}: `{}`", self.code, self.expression)
    }
}

impl std::error::Error for Error {}
