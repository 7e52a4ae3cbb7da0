//! Admission policies of both sorts and their bindings (pkg/apis/admissionregistration/validation).

mod binding;
mod expressions;
mod match_resources;
mod param_kind;
mod status;
pub(crate) mod table;

use std::collections::HashSet;

use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_object::{Behavior, Gate};

pub(crate) use binding::{validate_mutating_binding, validate_validating_binding};
use expressions::Expressions;
pub(super) use expressions::refused;
use match_resources::{only_mutating, validate_match_resources};
pub(super) use param_kind::label_problems;
use param_kind::validate_param_kind;
use status::validate_status;

use super::webhook_configuration::validate_match_conditions;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{invalid, invalid_text, required};
use crate::go_value::json::as_json;
use crate::types::words;

/// The most annotations of a policy.
const MOST_ANNOTATIONS: usize = 20;
/// The longest expression of an annotation, in bytes.
const LONGEST_ANNOTATION: usize = 5 * 1024;

/// Checks a validating policy.
pub(crate) fn validate_validating_policy(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        return validate_status(&Field::root(change, "status"), errors);
    }
    validate_name(change, errors);
    let spec = Field::root(change, "spec");
    validate_common(&spec, errors);
    let variables = spec.child("variables");
    let mut expressions = Expressions::new(
        change.release,
        spec.child("paramKind").is_set(),
        variables.len() > 0,
    );
    validate_variables(&variables, &mut expressions, errors);
    let (validations, annotations) = (spec.child("validations"), spec.child("auditAnnotations"));
    if validations.len() == 0 && annotations.len() == 0 {
        let detail = "validations or auditAnnotations must contain at least one item";
        validations.required(detail, errors);
        annotations.required(detail, errors);
        return;
    }
    for validation in validations.items() {
        validate_validation(&validation, &expressions, errors);
    }
    validate_annotations(change.new.meta.name, &annotations, &expressions, errors);
}

/// Checks a mutating policy.
pub(crate) fn validate_mutating_policy(change: &Change<'_>, errors: &mut Errors) {
    validate_name(change, errors);
    let spec = Field::root(change, "spec");
    validate_common(&spec, errors);
    only_mutating(&spec.child("matchConstraints"), errors);
    let mut expressions = Expressions::new(change.release, spec.child("paramKind").is_set(), true);
    validate_variables(&spec.child("variables"), &mut expressions, errors);
    let mutations = spec.child("mutations");
    if mutations.len() == 0 {
        mutations.required("mutations must contain at least one item", errors);
    }
    for mutation in mutations.items() {
        validate_mutation(&mutation, &expressions, errors);
    }
    let again = spec.child("reinvocationPolicy");
    match again.text() {
        "" => again.required("", errors),
        _ => again.one_of(words("admissionregistration/v1.ReinvocationPolicyType"), errors),
    }
}

/// Names of configurations that are files cannot be taken by objects.
fn validate_name(change: &Change<'_>, errors: &mut Errors) {
    if change.old.is_some() {
        change.validate_new_metadata(errors);
    }
    validate_name_of_file(change, errors);
}

/// Names of files cannot be taken by new objects, where files are supported.
pub(in crate::kind) fn validate_name_of_file(change: &Change<'_>, errors: &mut Errors) {
    let has_files = change.release.enables(Gate::ManifestBasedAdmissionControlConfig);
    if change.old.is_none() && has_files && is_of_file(change) {
        let path = kindsmith_json::Path::root("metadata");
        errors.push(invalid_text(&path.child("name"), change.new.meta.name, RESERVED));
    }
}

const RESERVED: &str = "names ending with \".static.k8s.io\" are reserved for static manifest-based configurations and \
                        cannot be managed via the API";

fn is_of_file(change: &Change<'_>) -> bool {
    change.new.meta.name.ends_with(".static.k8s.io")
}

/// The warning about a name that is only for files (`WarningsForStaticSuffix`).
pub(crate) fn name_warnings(change: &Change<'_>) -> Vec<String> {
    let has_files = change.release.enables(Gate::ManifestBasedAdmissionControlConfig);
    let is_accepted = change.old.is_some() || !has_files;
    let is_object = change.subresource.is_empty();
    if is_object && is_accepted && is_of_file(change) && change.release.has(Behavior::NamesOfFilesWarned) {
        vec![format!("metadata.name: {RESERVED}")]
    } else {
        Vec::new()
    }
}

/// What policies of both sorts share, up to their conditions.
fn validate_common(spec: &Field<'_, '_>, errors: &mut Errors) {
    let failure = spec.child("failurePolicy");
    if failure.is_set() {
        failure.one_of(words("admissionregistration/v1.FailurePolicyType"), errors);
    } else {
        failure.required("", errors);
    }
    let kind = spec.child("paramKind");
    if kind.is_set() {
        validate_param_kind(&kind, errors);
    }
    let constraints = spec.child("matchConstraints");
    if constraints.is_set() {
        validate_match_resources(&constraints, errors);
        let rules = constraints.child("resourceRules");
        if rules.len() == 0 {
            rules.required("", errors);
        }
    } else {
        constraints.required("", errors);
    }
    let conditions = spec.child("matchConditions");
    let values: Vec<Value<'_>> = conditions.items().filter_map(|item| item.value).collect();
    validate_match_conditions(spec.release, &values, kind.is_set(), &conditions.path, errors);
}

fn validate_variables(variables: &Field<'_, '_>, expressions: &mut Expressions, errors: &mut Errors) {
    for variable in variables.items() {
        let (name, expression) = (variable.child("name"), variable.child("expression"));
        if name.text().trim().is_empty() {
            name.required("name is not specified", errors);
        } else if !is_identifier(name.text()) {
            name.invalid("must be a valid CEL identifier", errors);
        }
        if expression.text().trim().is_empty() {
            expression.required("expression is not specified", errors);
        } else {
            expressions.declare(name.text(), &expression, errors);
        }
    }
}

/// Whether a text is a name in CEL.
fn is_identifier(text: &str) -> bool {
    let is_part = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    let starts = text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    starts && text.bytes().all(is_part) && !kindsmith_cel::escape::RESERVED.contains(&text)
}

fn validate_validation(validation: &Field<'_, '_>, expressions: &Expressions, errors: &mut Errors) {
    let (expression, message) = (validation.child("expression"), validation.child("message"));
    let made = validation.child("messageExpression");
    match expression.text().trim() {
        "" => expression.required("expression is not specified", errors),
        _ => expressions.check_condition(&expression, errors),
    }
    match (made.text(), made.text().trim()) {
        ("", _) => {}
        (_, "") => made.invalid("must be non-empty if specified", errors),
        _ => expressions.check_message(&made, errors),
    }
    match (message.text(), message.text().trim()) {
        ("", _) => {}
        (_, "") => message.invalid("must be non-empty if specified", errors),
        (_, text) if text.contains(['\n', '\r']) => message.invalid("must not contain line breaks", errors),
        _ => {}
    }
    let reason = validation.child("reason");
    if reason.is_set() {
        reason.one_of(&["Forbidden", "Invalid", "RequestEntityTooLarge"], errors);
    }
}

fn validate_annotations(
    policy: &str,
    annotations: &Field<'_, '_>,
    expressions: &Expressions,
    errors: &mut Errors,
) {
    if annotations.len() > MOST_ANNOTATIONS {
        let detail = format!("must not have more than {MOST_ANNOTATIONS} auditAnnotations");
        let bad = as_go(annotations);
        errors.push(invalid(&annotations.path, bad, detail));
    }
    let mut keys = HashSet::new();
    for annotation in annotations.items() {
        let (key, value) = (annotation.child("key"), annotation.child("valueExpression"));
        let name = key.text();
        if policy.is_empty() {
            key.or_empty()
                .invalid("requires metadata.name be non-empty", errors);
        } else {
            let full = format!("{policy}/{name}");
            let full = Field {
                path: key.path,
                value: Some(Value::Str(&full)),
                release: key.release,
            };
            full.label_key(errors);
        }
        match value.text().trim() {
            "" => value.required("valueExpression is not specified", errors),
            text if text.len() > LONGEST_ANNOTATION => {
                let detail = format!("must not exceed {LONGEST_ANNOTATION} bytes in length");
                errors.push(required(&value.path, &detail));
            }
            _ => expressions.check_annotation(&value, errors),
        }
        if !keys.insert(name) {
            key.or_empty().duplicate(errors);
        }
    }
}

/// Annotations as Go prints its own struct.
fn as_go(annotations: &Field<'_, '_>) -> kindsmith_object::BadValue {
    let arena = Arena::new();
    let shown: Vec<Value<'_>> = annotations
        .items()
        .map(|annotation| {
            let entries = [("Key", "key"), ("ValueExpression", "valueExpression")].map(|(go, key)| Entry {
                key: go,
                value: Value::Str(annotation.child(key).text()),
            });
            Value::Object(Object::from_entries(&arena, arena.alloc_slice_copy(&entries)))
        })
        .collect();
    as_json(Some(Value::Array(&shown)))
}

fn validate_mutation(mutation: &Field<'_, '_>, expressions: &Expressions, errors: &mut Errors) {
    const FORMS: [(&str, &str); 2] = [
        ("ApplyConfiguration", "applyConfiguration"),
        ("JSONPatch", "jsonPatch"),
    ];
    let kind = mutation.child("patchType");
    let word = kind.text();
    if word.is_empty() {
        return kind.required("", errors);
    }
    let Some((_, wanted)) = FORMS.iter().find(|(form, _)| *form == word) else {
        return kind.one_of(words("admissionregistration/v1.PatchType"), errors);
    };
    let patch = mutation.child(wanted);
    if patch.is_set() {
        let expression = patch.child("expression");
        match expression.text().trim() {
            "" => expression.required("", errors),
            _ => expressions.check_mutation(word, &expression, errors),
        }
    } else {
        patch.required(&format!("must be specified when patchType is {word}"), errors);
    }
    for (_, other) in FORMS.iter().filter(|(form, _)| *form != word) {
        let other_patch = mutation.child(other);
        if other_patch.is_set() {
            let detail = format!("must not be specified when patchType is {word}");
            errors.push(invalid_text(&other_patch.path, &format!("{{{other}}}"), detail));
        }
    }
}
