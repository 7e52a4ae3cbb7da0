//! YAML errors with the messages of sigs.k8s.io/yaml. Does not know how they are found.

use std::borrow::Cow;
use std::fmt;

use super::cursor::Spot;

/// Why YAML text cannot be read. Displays as sigs.k8s.io/yaml prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    message: String,
    /// The line of the problem, from 1.
    pub line: usize,
    /// The column of the problem in characters, from 1.
    pub column: usize,
}

impl YamlError {
    pub(super) fn too_long() -> YamlError {
        YamlError {
            message: "yaml: the text is too long".to_owned(),
            line: 1,
            column: 1,
        }
    }
}

impl fmt::Display for YamlError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for YamlError {}

/// How an error shows its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Invalid characters: counts lines from 1.
    Lexical,
    /// Invalid structure: counts lines from 0, which is upstream's quirk.
    Structural,
    /// Shows no line.
    Unplaced,
    /// Found when converting to JSON: shows no line and no YAML.
    Json,
}

/// An error and its place.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub family: Family,
    pub message: Cow<'static, str>,
    pub spot: Spot,
}

pub(super) type Outcome<T> = Result<T, Box<Fault>>;

impl Fault {
    pub(super) fn new(family: Family, message: impl Into<Cow<'static, str>>, spot: Spot) -> Box<Fault> {
        Box::new(Fault {
            family,
            message: message.into(),
            spot,
        })
    }

    pub(super) fn lexical(message: &'static str, spot: Spot) -> Box<Fault> {
        Fault::new(Family::Lexical, message, spot)
    }

    pub(super) fn structural(message: &'static str, spot: Spot) -> Box<Fault> {
        Fault::new(Family::Structural, message, spot)
    }
}

impl From<Box<Fault>> for YamlError {
    fn from(fault: Box<Fault>) -> Self {
        // The first line is never shown.
        let line = match (fault.family, fault.spot.line) {
            (Family::Unplaced | Family::Json, _) | (_, 0) => None,
            (Family::Lexical, line) => Some(line + 1),
            (Family::Structural, line) => Some(line),
        };
        let message = match line {
            _ if fault.family == Family::Json => fault.message.into_owned(),
            Some(line) => format!("yaml: line {line}: {}", fault.message),
            None => format!("yaml: {}", fault.message),
        };
        YamlError {
            message,
            line: fault.spot.line as usize + 1,
            column: fault.spot.column as usize + 1,
        }
    }
}
