//! Match conditions of a webhook (`ValidateMatchConditions` in pkg/apis/admissionregistration/validation).

use std::collections::HashSet;

use kindsmith_cel::condition::Condition;
use kindsmith_formats::format;
use kindsmith_json::{Path, Value};
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};

use crate::rule::{duplicate, invalid_text, required, text};

/// The limit on conditions.
const MOST: usize = 64;

/// Validates the conditions of a webhook.
pub(super) fn validate(conditions: &[Value<'_>], path: &Path<'_>, errors: &mut Vec<FieldError>) {
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
        let expression = text(condition.get("expression"));
        if expression.trim().is_empty() {
            errors.push(required(&path.child("expression"), ""));
        } else if let Err(why) = Condition::compile(expression.trim()) {
            errors.push(invalid_text(&path.child("expression"), expression, why));
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
