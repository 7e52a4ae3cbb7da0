//! What the scale subresource asks of every write: replicas are integers in range, a selector is a text.
//!
//! Knows the paths, not the subresource itself.

use kindsmith_json::Value;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_schema::Str;

use super::go_value::{go_type, printed};
use crate::error::{BadValue, Detail, ErrorKind, FieldError};

/// Where the scale subresource of a version finds its values. Paths are as written: `.spec.replicas`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalePaths {
    /// `specReplicasPath`.
    pub spec_replicas: Str,
    /// `statusReplicasPath`.
    pub status_replicas: Str,
    /// `labelSelectorPath`.
    pub label_selector: Option<Str>,
}

impl ScalePaths {
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
                let detail = accessor(&fields(path), other, "string");
                errors.push(invalid(path, BadValue::Text("".into()), detail));
            }
            Err(detail) => errors.push(invalid(path, BadValue::Text("".into()), detail)),
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
        Ok(Some(other)) => (0, accessor(&fields(path), other, "int64")),
        Err(detail) => (0, detail),
    };
    errors.push(invalid(path, BadValue::Integer(bad.into()), detail));
}

/// The names of a path. One dot in front does not count.
fn fields(path: &str) -> Vec<&str> {
    path.strip_prefix('.').unwrap_or(path).split('.').collect()
}

/// The value under a path; nothing is found below `null` (`NestedFieldNoCopy` of apimachinery's unstructured).
fn nested<'v>(object: Value<'v>, path: &str) -> Result<Option<Value<'v>>, String> {
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

fn accessor(fields: &[&str], value: Value<'_>, expected: &str) -> String {
    format!(
        ".{} accessor error: {} is of the type {}, expected {expected}",
        fields.join("."),
        printed(value),
        go_type(value)
    )
}

/// Upstream takes the whole path for one name.
fn invalid(path: &str, bad: BadValue, detail: String) -> FieldError {
    let path: PathBuf = [Step::Field(path.into())].into_iter().collect();
    FieldError::new(ErrorKind::Invalid, path, bad, Detail::Text(detail.into()))
}
