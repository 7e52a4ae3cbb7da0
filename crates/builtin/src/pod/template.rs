//! The rules of pod templates (`ValidatePodTemplateSpec` in pkg/apis/core/validation/validation.go).

use kindsmith_json::{Object, Path, Value};
use kindsmith_object::Release;
use kindsmith_object::meta::{validate_annotations, validate_labels};

use super::annotation;
use super::validate::validate_spec;
use crate::field::{Errors, Field};
use crate::field_check::{entries, invalid};
use crate::go_value::json::as_json;

/// Checks the template of a workload: the workload's selector must match its labels.
pub(crate) fn validate_controlled(
    template: Value<'_>,
    is_selected: impl Fn(Object<'_>) -> bool,
    controller: &str,
    path: &Path<'_>,
    release: Release,
    errors: &mut Errors,
) {
    let labels = template.lookup(&["metadata", "labels"]);
    if !is_selected(entries(labels)) {
        let metadata = path.child("metadata");
        let detail = "`selector` does not match template `labels`";
        errors.push(invalid(&metadata.child("labels"), as_json(labels), detail));
    }
    validate_template(template, path, release, errors);
    let template = Field {
        path: *path,
        value: Some(template),
        release,
    };
    let spec = template.child("spec");
    spec.child("restartPolicy").one_of(&["Always"], errors);
    let deadline = spec.child("activeDeadlineSeconds");
    if deadline.is_set() {
        let detail = format!("activeDeadlineSeconds in {controller} is not Supported");
        deadline.forbidden(&detail, errors);
    }
}

/// Checks a template alone.
pub(crate) fn validate_template(template: Value<'_>, path: &Path<'_>, release: Release, errors: &mut Errors) {
    let template = Field {
        path: *path,
        value: Some(template),
        release,
    };
    let metadata = template.child("metadata");
    let labels = entries(metadata.child("labels").value);
    validate_labels(labels, &path.child("labels"), errors);
    let annotations = metadata.child("annotations");
    let annotations = annotations.at(path.child("annotations"));
    validate_annotations(entries(annotations.value), &annotations.path, errors);
    let spec = template.child("spec");
    annotation::check_annotations(&annotations, &spec, errors);
    validate_spec(&spec, None, errors);
    annotation::check_profiles(&annotations, &spec, errors);
    let ephemeral = spec.child("ephemeralContainers");
    if ephemeral.len() > 0 {
        ephemeral.forbidden("ephemeral containers not allowed in pod template", errors);
    }
}
