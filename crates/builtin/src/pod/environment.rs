//! Environment variables of containers.

use kindsmith_object::Gate;
use kindsmith_object::meta::NameRule;

use crate::field::{Errors, Field};
use crate::field_check::{check_key, invalid_text};
use crate::part::file_path::check_descending;
use crate::part::volume_source::{check_field_reference, check_resource_reference};

/// Pod fields that `fieldRef` may name.
const FIELDS: [&str; 9] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];

type Check = fn(&Field<'_, '_>, &mut Errors);

/// The sources of a variable's value.
const SOURCES: [(&str, Check); 5] = [
    ("fieldRef", |reference, errors| {
        check_field_reference(reference, &FIELDS, errors);
    }),
    ("resourceFieldRef", check_resource_reference),
    ("configMapKeyRef", check_key_reference),
    ("secretKeyRef", check_key_reference),
    ("fileKeyRef", check_file_reference),
];

/// Checks the environment variables of a container.
pub(super) fn check_variables(container: &Field<'_, '_>, errors: &mut Errors) {
    for variable in container.child("env").items() {
        let name = variable.child("name");
        match name.text() {
            "" => name.required("", errors),
            _ => check_name(&name, errors),
        }
        check_source(&variable, errors);
    }
    let sources = container.child("envFrom");
    for source in sources.items() {
        check_whole_source(&sources, &source, errors);
    }
}

/// A variable's name may have any printable character except `=`.
fn check_name(name: &Field<'_, '_>, errors: &mut Errors) {
    let is_part = |letter: char| matches!(letter, ' '..='~') && letter != '=';
    if !name.text().chars().all(is_part) {
        let detail = "a valid environment variable name must consist only of printable ASCII characters other than '='";
        name.invalid(detail, errors);
    }
}

fn check_source(variable: &Field<'_, '_>, errors: &mut Errors) {
    let source = variable.child("valueFrom");
    if !source.is_set() {
        return;
    }
    let mut number = 0;
    for (key, check) in SOURCES {
        let reference = source.child(key);
        if reference.is_set() {
            number += 1;
            check(&reference, errors);
        }
    }
    let problem = match (number, variable.child("value").text()) {
        (0, _) if !source.release.enables(Gate::EnvFiles) => {
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`"
        }
        (0, _) => {
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        }
        (1, "") => return,
        (_, "") => "may not have more than one field specified at a time",
        _ => "may not be specified when `value` is not empty",
    };
    errors.push(invalid_text(&source.path, "", problem));
}

fn check_key_reference(reference: &Field<'_, '_>, errors: &mut Errors) {
    let name = reference.child("name").or_empty();
    name.name(NameRule::Subdomain, errors);
    let key = reference.child("key");
    if key.is_blank() {
        return key.required("", errors);
    }
    let mut problems = Vec::new();
    check_key(&kindsmith_json::Path::NIL, key.text(), &mut problems);
    for problem in problems {
        key.invalid(problem.detail.to_string(), errors);
    }
}

fn check_file_reference(reference: &Field<'_, '_>, errors: &mut Errors) {
    let (key, volume, path) = (
        reference.child("key"),
        reference.child("volumeName"),
        reference.child("path"),
    );
    match key.text() {
        "" => key.required("", errors),
        _ => check_name(&key, errors),
    }
    volume.required_name(NameRule::Label, errors);
    match path.text() {
        "" => path.required("", errors),
        _ => check_descending(&path, errors),
    }
}

/// Errors in a source are reported on the source, a wrong number of sources on the list.
fn check_whole_source(list: &Field<'_, '_>, source: &Field<'_, '_>, errors: &mut Errors) {
    let prefix = source.child("prefix");
    if !prefix.is_blank() {
        check_name(&prefix, errors);
    }
    let references = ["configMapRef", "secretRef"].map(|key| source.child(key));
    let used = || references.iter().filter(|reference| reference.is_set());
    for reference in used() {
        reference.child("name").required_name(NameRule::Subdomain, errors);
    }
    let problem = match used().count() {
        0 => "must specify one of: `configMapRef` or `secretRef`",
        1 => return,
        _ => "may not have more than one field specified at a time",
    };
    errors.push(invalid_text(&list.path, "", problem));
}
