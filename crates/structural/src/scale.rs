//! Checks of the scale subresource on every write: replicas are integers in range, a selector is a string.
//!
//! Knows the paths, not the subresource itself.

use std::fmt;

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::Str;

use kindsmith_object::go_value::printed;
use kindsmith_object::{BadValue, FieldError};

/// The paths of a version's scale subresource, as written: `.spec.replicas`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalePaths {
    /// `specReplicasPath`.
    pub spec_replicas: Str,
    /// `statusReplicasPath`.
    pub status_replicas: Str,
    /// `labelSelectorPath`.
    pub label_selector: Option<Str>,
}

/// The values that the scale subresource shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScaleValues<'v> {
    /// The desired number of replicas, if set.
    pub spec_replicas: Option<i64>,
    /// The observed number of replicas; zero if absent.
    pub status_replicas: i64,
    /// The label selector; empty if absent.
    pub selector: &'v str,
}

/// Why the scale of an object cannot be read or written. `Display` is the text of apimachinery's accessors.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScaleError {
    /// A value has another type.
    Type {
        /// Its path, without a dot in front.
        path: String,
        /// The value, as Go prints it.
        found: String,
        /// Its Go type.
        ty: &'static str,
        /// The Go type that is wanted.
        expected: &'static str,
    },
    /// A value on the way is not an object.
    NoMap {
        /// Its path, without a dot in front.
        path: String,
    },
}

impl fmt::Display for ScaleError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type {
                path,
                found,
                ty,
                expected,
            } => write!(
                out,
                ".{path} accessor error: {found} is of the type {ty}, expected {expected}"
            ),
            Self::NoMap { path } => {
                write!(
                    out,
                    "value cannot be set because .{path} is not a map[string]interface{{}}"
                )
            }
        }
    }
}

impl std::error::Error for ScaleError {}

impl From<ScaleError> for String {
    fn from(error: ScaleError) -> Self {
        error.to_string()
    }
}

impl ScalePaths {
    /// Reads replicas and selector out of an object.
    ///
    /// # Errors
    /// When a value has the wrong type, with the messages of apimachinery's accessors.
    pub fn values<'v>(&self, object: Value<'v>) -> Result<ScaleValues<'v>, ScaleError> {
        let selector = match &self.label_selector {
            None => "",
            Some(path) => match nested(object, path)? {
                None => "",
                Some(Value::Str(text)) => text,
                Some(other) => return Err(accessor(&fields(path), other, "string")),
            },
        };
        Ok(ScaleValues {
            spec_replicas: integer(object, &self.spec_replicas)?,
            status_replicas: integer(object, &self.status_replicas)?.unwrap_or_default(),
            selector,
        })
    }

    /// Sets the desired number of replicas, creating missing objects on the path.
    ///
    /// # Errors
    /// When a value on the path is not an object (`SetNestedField` of apimachinery's unstructured).
    pub fn set_spec_replicas<'a>(
        &'a self,
        arena: &'a Arena,
        object: &mut Value<'a>,
        replicas: i64,
    ) -> Result<(), ScaleError> {
        let fields = fields(&self.spec_replicas);
        for depth in 1..fields.len() {
            match object.lookup(&fields[..depth]) {
                None => break,
                Some(Value::Object(_)) => {}
                Some(_) => {
                    let path = fields[..depth].join(".");
                    return Err(ScaleError::NoMap { path });
                }
            }
        }
        object.set(arena, &fields, Value::Int(replicas));
        Ok(())
    }

    /// Checks the desired number of replicas (`ValidateScaleSpec`).
    pub(super) fn validate_spec(&self, object: Value<'_>, errors: &mut Vec<FieldError>) {
        check_replicas(object, &self.spec_replicas, errors);
    }

    /// Checks the observed number of replicas and the selector (`ValidateScaleStatus`).
    pub(super) fn validate_status(&self, object: Value<'_>, errors: &mut Vec<FieldError>) {
        check_replicas(object, &self.status_replicas, errors);
        let Some(path) = &self.label_selector else { return };
        match nested(object, path) {
            Ok(None | Some(Value::Str(_))) => {}
            Ok(Some(other)) => {
                let error = accessor(&fields(path), other, "string");
                errors.push(invalid(path, BadValue::Text("".into()), error.to_string()));
            }
            Err(error) => errors.push(invalid(path, BadValue::Text("".into()), error.to_string())),
        }
    }
}

fn check_replicas(object: Value<'_>, path: &str, errors: &mut Vec<FieldError>) {
    let (bad, detail) = match nested(object, path) {
        Ok(None) => return,
        Ok(Some(Value::Int(count))) => match count {
            ..0 => (count, "should be a non-negative integer".to_owned()),
            _ if count > i64::from(i32::MAX) => {
                (count, format!("should be less than or equal to {}", i32::MAX))
            }
            _ => return,
        },
        Ok(Some(other)) => (0, accessor(&fields(path), other, "int64").to_string()),
        Err(error) => (0, error.to_string()),
    };
    errors.push(invalid(path, BadValue::Integer(bad.into()), detail));
}

fn integer(object: Value<'_>, path: &str) -> Result<Option<i64>, ScaleError> {
    match nested(object, path)? {
        None => Ok(None),
        Some(Value::Int(number)) => Ok(Some(number)),
        Some(other) => Err(accessor(&fields(path), other, "int64")),
    }
}

/// The names in a path. One leading dot is ignored.
fn fields(path: &str) -> Vec<&str> {
    path.strip_prefix('.').unwrap_or(path).split('.').collect()
}

/// The value at a path; below `null` there is none (`NestedFieldNoCopy` of apimachinery's unstructured).
fn nested<'v>(object: Value<'v>, path: &str) -> Result<Option<Value<'v>>, ScaleError> {
    let fields = fields(path);
    let mut here = object;
    for (depth, field) in fields.iter().enumerate() {
        match here {
            Value::Null => return Ok(None),
            Value::Object(object) => match object.get(field) {
                Some(value) => here = value,
                None => return Ok(None),
            },
            other => return Err(accessor(&fields[..=depth], other, "map[string]interface{}")),
        }
    }
    Ok(Some(here))
}

fn accessor(fields: &[&str], value: Value<'_>, expected: &'static str) -> ScaleError {
    ScaleError::Type {
        path: fields.join("."),
        found: printed(value),
        ty: value.go_type(),
        expected,
    }
}

/// Upstream treats the whole path as one name.
fn invalid(path: &str, bad: BadValue, detail: String) -> FieldError {
    let path: PathBuf = [Step::Field(path.into())].into_iter().collect();
    FieldError::invalid(path, bad, detail)
}
