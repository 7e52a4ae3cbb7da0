//! Paths from a node to a field below it, as in a rule's `fieldPath` and in selectable fields:
//! `.spec.names['a.b']`.
//!
//! Follows `ValidFieldPath` (apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go).

use std::fmt;

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_schema::{JsonSchema, SchemaOrBool};

/// Why a path matches no field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldPathError {
    /// `['name']` where only `.name` is allowed.
    ArrayNotation,
    /// The path ends too early.
    UnexpectedEnd,
    /// Not a quoted string between brackets.
    NotQuoted(String),
    /// An unknown escape sequence.
    BadEscape(String),
    /// A bracket is not closed.
    NotClosed(String),
    /// A step starts with neither a dot nor a bracket.
    NoStep(String),
    /// The schema has no such field.
    NoField,
}

impl fmt::Display for FieldPathError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ArrayNotation => out.write_str("array notation is not allowed"),
            Self::UnexpectedEnd => out.write_str("unexpected end of JSON path"),
            Self::NotQuoted(token) => write!(out, "expected single quoted string but got {token}"),
            Self::BadEscape(text) => write!(out, "invalid string literal: invalid escape char {text}"),
            Self::NotClosed(token) => write!(out, "expected ] but got {token}"),
            Self::NoStep(token) => write!(out, "expected [ or . but got: {token}"),
            Self::NoField => out.write_str("does not refer to a valid field"),
        }
    }
}

impl std::error::Error for FieldPathError {}

/// Whether `['name']` is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brackets {
    /// In addition to `.name`.
    Allowed,
    /// Only `.name`.
    Refused,
}

/// A field found by its path.
#[derive(Debug, Clone)]
pub struct FoundField<'s> {
    /// The path to it: names of properties, and keys below `additionalProperties`.
    pub path: PathBuf,
    /// Its schema; `None` below `additionalProperties: true`.
    pub schema: Option<&'s JsonSchema>,
}

/// Follows a path down a schema.
///
/// # Errors
/// When the path is not well-formed, or leads to no field of the schema.
pub fn resolve<'s>(
    path: &str,
    schema: &'s JsonSchema,
    brackets: Brackets,
) -> Result<FoundField<'s>, FieldPathError> {
    let mut found = FoundField {
        path: PathBuf::default(),
        schema: Some(schema),
    };
    let mut tokens = Tokens(path);
    while let Some(token) = tokens.next() {
        match token {
            "[" if brackets == Brackets::Refused => return Err(FieldPathError::ArrayNotation),
            "[" => {
                let quoted = tokens.next().ok_or(FieldPathError::UnexpectedEnd)?;
                let inner = quoted
                    .strip_prefix('\'')
                    .and_then(|rest| rest.strip_suffix('\''))
                    .ok_or_else(|| FieldPathError::NotQuoted(quoted.to_owned()))?;
                found.step(&unescape(inner)?)?;
                match tokens.next() {
                    Some("]") => {}
                    Some(other) => return Err(FieldPathError::NotClosed(other.to_owned())),
                    None => return Err(FieldPathError::UnexpectedEnd),
                }
            }
            "." => found.step(tokens.next().ok_or(FieldPathError::UnexpectedEnd)?)?,
            other => return Err(FieldPathError::NoStep(other.to_owned())),
        }
    }
    Ok(found)
}

impl FoundField<'_> {
    fn step(&mut self, name: &str) -> Result<(), FieldPathError> {
        let schema = self.schema.ok_or(FieldPathError::NoField)?;
        if !schema.properties.is_empty() {
            self.path.push(Step::Field(name.into()));
            self.schema = Some(schema.property(name).ok_or(FieldPathError::NoField)?);
            return Ok(());
        }
        let values = schema
            .additional_properties
            .as_deref()
            .ok_or(FieldPathError::NoField)?;
        self.path.push(Step::Key(name.into()));
        self.schema = match values {
            SchemaOrBool::Schema(schema) => Some(schema),
            SchemaOrBool::Allowed(_) => None,
        };
        Ok(())
    }
}

/// Delimiters one by one, quoted strings whole, and the text between them.
struct Tokens<'t>(&'t str);

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = self.0.as_bytes();
        let end = match text.first()? {
            b'.' | b'[' | b']' => 1,
            b'\'' => (1..text.len())
                .find(|&at| text[at] == b'\'' && text[at - 1] != b'\\')
                .map_or(text.len(), |at| at + 1),
            _ => text
                .iter()
                .position(|byte| matches!(byte, b'.' | b'[' | b']'))
                .unwrap_or(text.len()),
        };
        let (token, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(token)
    }
}

fn unescape(text: &str) -> Result<String, FieldPathError> {
    let mut out = String::with_capacity(text.len());
    let mut bad = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('a') => out.push('\u{7}'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('v') => out.push('\u{b}'),
            Some(same @ ('\'' | '\\')) => out.push(same),
            // Kubernetes' pattern keeps a backslash at the end of the text or line.
            None => out.push('\\'),
            Some('\n') => out.push_str("\\\n"),
            Some(other) => bad = Some(format!("\\{other}")),
        }
    }
    // If there are several, Kubernetes reports the last.
    bad.map_or(Ok(out), |text| Err(FieldPathError::BadEscape(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> JsonSchema {
        let object = |properties: Vec<(&str, JsonSchema)>| JsonSchema {
            ty: "object".into(),
            properties: properties
                .into_iter()
                .map(|(name, schema)| (name.into(), schema))
                .collect(),
            ..JsonSchema::default()
        };
        let map = |values: SchemaOrBool| JsonSchema {
            additional_properties: Some(values.into()),
            ..JsonSchema::default()
        };
        let leaf = JsonSchema::default();
        object(vec![
            ("a", object(vec![("b.c", leaf.clone()), ("d'", leaf.clone())])),
            ("m", map(SchemaOrBool::Schema(object(vec![("v", leaf)])))),
            ("any", map(SchemaOrBool::Allowed(true))),
        ])
    }

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let found = match resolve(path, &schema(), Brackets::Allowed) {
            Ok(found) => found.path.to_string(),
            Err(error) => format!("error: {error}"),
        };
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn paths_lead_through_properties_and_maps() {
        check(".a", "a");
        check(".a['b.c']", "a.b.c");
        check("['a']['d\\'']", "a.d'");
        check(".m.k1.v", "m[k1].v");
        check(".m['k.1'].v", "m[k.1].v");
        check(".any.x", "any[x]");
    }

    #[test]
    fn wrong_paths_are_explained() {
        check("a", "error: expected [ or . but got: a");
        check(".b", "error: does not refer to a valid field");
        check(".a.", "error: unexpected end of JSON path");
        check("[", "error: unexpected end of JSON path");
        check("['a'", "error: unexpected end of JSON path");
        check("[a]", "error: expected single quoted string but got a");
        check("['a'x", "error: expected ] but got x");
        check(
            "['\\q']",
            "error: invalid string literal: invalid escape char \\q",
        );
        check(".any.x.y", "error: does not refer to a valid field");
        check(".a['b.c'].d", "error: does not refer to a valid field");
        let schema = schema();
        let refused = resolve("['a']", &schema, Brackets::Refused);
        assert_eq!(
            refused.map(|found| found.path),
            Err(FieldPathError::ArrayNotation)
        );
    }
}
