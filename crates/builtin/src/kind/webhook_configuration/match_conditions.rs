//! Conditions of a webhook or policy (`ValidateMatchConditions` in pkg/apis/admissionregistration/validation).

use std::collections::HashSet;

use kindsmith_cel::dialect::Dialect;
use kindsmith_cel::policy::{Purpose, Scope, compile};
use kindsmith_formats::format;
use kindsmith_json::{Path, Value};
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError, Release};

use crate::field_check::{duplicate, invalid_text, required, text};
use crate::kind::admission_policy::refused;

/// The limit on conditions.
const MOST: usize = 64;

/// Checks the conditions of a webhook or policy.
pub(in crate::kind) fn validate(
    release: Release,
    conditions: &[Value<'_>],
    has_params: bool,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    let scope = Scope {
        has_params,
        variables: None,
        dialect: Dialect::of_release(release.number()),
    };
    if conditions.len() > MOST {
        errors.push(FieldError::new(
            ErrorKind::TooMany,
            path.to_owned(),
            BadValue::Integer(conditions.len() as i128),
            Detail::AtMostItems(MOST as i64),
        ));
    }
    let mut names = HashSet::new();
    for (index, condition) in conditions.iter().enumerate() {
        let path = path.index(index);
        let expression = text(condition.get("expression")).trim();
        if expression.is_empty() {
            errors.push(required(&path.child("expression"), ""));
        } else if let Err(error) = compile(expression, Purpose::Condition, &scope) {
            errors.push(refused(&path.child("expression"), expression, error));
        }
        let name = text(condition.get("name"));
        validate_name(name, &path.child("name"), errors);
        if !name.is_empty() && !names.insert(name) {
            errors.push(duplicate(&path.child("name"), name));
        }
    }
}

fn validate_name(name: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    if name.is_empty() {
        errors.push(required(path, ""));
        return;
    }
    let Some(format) = format::find("k8s-label-key") else {
        return;
    };
    (format.check)(name, &mut |violation| {
        errors.push(invalid_text(path, name, violation.detail));
    });
}
