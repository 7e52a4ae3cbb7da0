//! The rules of pod templates (`ValidatePodTemplateSpec` in pkg/apis/core/validation/validation.go).

use std::collections::HashSet;

use kindsmith_json::{Object, Path, Value};
use kindsmith_object::meta::{NameRule, validate_annotations, validate_labels};
use kindsmith_object::{BadValue, FieldError};

use crate::field::Field;
use crate::rule::{
    as_json, duplicate, entries, forbidden, invalid, invalid_text, items, not_found, not_supported, number,
    required, text,
};
use crate::toleration::check_tolerations;

const PROTOCOLS: [&str; 3] = ["SCTP", "TCP", "UDP"];
const RESTARTS: [&str; 3] = ["Always", "OnFailure", "Never"];
const DNS: [&str; 4] = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const PULLS: [&str; 3] = ["Always", "IfNotPresent", "Never"];
const MESSAGES: [&str; 2] = ["File", "FallbackToLogsOnError"];

/// Checks the template of a controller that keeps pods running: its labels must be those the controller selects.
pub(crate) fn validate_controlled(
    template: Value<'_>,
    is_selected: impl Fn(Object<'_>) -> bool,
    controller: &str,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    let labels = template.lookup(&["metadata", "labels"]);
    if !is_selected(entries(labels)) {
        let metadata = path.child("metadata");
        let detail = "`selector` does not match template `labels`";
        errors.push(invalid(&metadata.child("labels"), as_json(labels), detail));
    }
    validate_template(template, path, errors);
    let spec_path = path.child("spec");
    let restart = text(template.lookup(&["spec", "restartPolicy"]));
    if restart != "Always" {
        errors.push(not_supported(
            &spec_path.child("restartPolicy"),
            restart,
            &["Always"],
        ));
    }
    let deadline = template.lookup(&["spec", "activeDeadlineSeconds"]);
    if deadline.is_some_and(|deadline| !deadline.is_null()) {
        let detail = format!("activeDeadlineSeconds in {controller} is not Supported");
        errors.push(forbidden(&spec_path.child("activeDeadlineSeconds"), detail));
    }
}

/// Checks a template by itself.
pub(crate) fn validate_template(template: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let labels = entries(template.lookup(&["metadata", "labels"]));
    validate_labels(labels, &path.child("labels"), errors);
    let annotations = entries(template.lookup(&["metadata", "annotations"]));
    validate_annotations(annotations, &path.child("annotations"), errors);
    let spec = template.get("spec").unwrap_or_default();
    let path = path.child("spec");
    validate_spec(spec, &path, errors);
    if !items(spec.get("ephemeralContainers")).is_empty() {
        let detail = "ephemeral containers not allowed in pod template";
        errors.push(forbidden(&path.child("ephemeralContainers"), detail));
    }
}

/// Checks the spec of a pod.
pub(crate) fn validate_spec(spec: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let volumes = validate_volumes(spec, &path.child("volumes"), errors);
    let containers = path.child("containers");
    if items(spec.get("containers")).is_empty() {
        errors.push(required(&containers, ""));
    }
    let mut names = HashSet::new();
    validate_containers(
        spec.get("initContainers"),
        &volumes,
        &mut names,
        &path.child("initContainers"),
        errors,
    );
    validate_containers(spec.get("containers"), &volumes, &mut names, &containers, errors);
    word(path, spec, "restartPolicy", &RESTARTS, errors);
    word(path, spec, "dnsPolicy", &DNS, errors);
    let seconds = spec.get("activeDeadlineSeconds").and_then(Value::as_i64);
    if let Some(seconds) = seconds.filter(|seconds| !(1..=i64::from(i32::MAX)).contains(seconds)) {
        let detail = format!("must be between 1 and {}, inclusive", i32::MAX);
        let bad = BadValue::Integer(seconds.into());
        errors.push(invalid(&path.child("activeDeadlineSeconds"), bad, detail));
    }
    let account = text(spec.get("serviceAccountName"));
    if !account.is_empty() {
        NameRule::Subdomain.validate(account, &path.child("serviceAccountName"), errors);
    }
    let field = Field {
        path: *path,
        value: Some(spec),
    };
    super::field::validate_fields(spec, path, errors);
    check_tolerations(&field.child("tolerations"), errors);
    field.child("nodeSelector").labels(errors);
}

/// A member that must be one of a few words.
fn word(path: &Path<'_>, object: Value<'_>, key: &str, known: &[&str], errors: &mut Vec<FieldError>) {
    match text(object.get(key)) {
        "" => errors.push(required(&path.child(key), "")),
        word if !known.contains(&word) => errors.push(not_supported(&path.child(key), word, known)),
        _ => {}
    }
}

/// Checks volumes, and gives the names of those that are right.
fn validate_volumes<'v>(spec: Value<'v>, path: &Path<'_>, errors: &mut Vec<FieldError>) -> HashSet<&'v str> {
    let mut names = HashSet::new();
    for (index, volume) in items(spec.get("volumes")).iter().enumerate() {
        let path = path.index(index);
        let before = errors.len();
        let sources = volume.as_object().unwrap_or_default();
        let sources = sources
            .iter()
            .filter(|(key, value)| *key != "name" && !value.is_null());
        let extra: Vec<&str> = sources.map(|(key, _)| key).collect();
        // Every source but the one the server looks at first is one too many.
        let mut extra_sorted = extra.clone();
        extra_sorted.sort_by_key(|key| (*key != "emptyDir", *key));
        for source in extra_sorted.iter().skip(1) {
            let detail = "may not specify more than 1 volume type";
            errors.push(forbidden(&path.child(source), detail));
        }
        if extra.is_empty() {
            errors.push(required(&path, "must specify a volume type"));
        }
        let name = text(volume.get("name"));
        match name {
            "" => errors.push(required(&path.child("name"), "")),
            name => NameRule::Label.validate(name, &path.child("name"), errors),
        }
        if names.contains(name) {
            errors.push(duplicate(&path.child("name"), name));
        }
        if errors.len() == before {
            names.insert(name);
        }
    }
    names
}

fn validate_containers<'v>(
    containers: Option<Value<'v>>,
    volumes: &HashSet<&str>,
    names: &mut HashSet<&'v str>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    for (index, container) in items(containers).iter().enumerate() {
        let path = path.index(index);
        let name = text(container.get("name"));
        match name {
            "" => errors.push(required(&path.child("name"), "")),
            name => {
                NameRule::Label.validate(name, &path.child("name"), errors);
                if !names.insert(name) {
                    errors.push(duplicate(&path.child("name"), name));
                }
            }
        }
        if text(container.get("image")).is_empty() {
            errors.push(required(&path.child("image"), ""));
        }
        word(&path, *container, "terminationMessagePolicy", &MESSAGES, errors);
        word(&path, *container, "imagePullPolicy", &PULLS, errors);
        validate_ports(*container, &path.child("ports"), errors);
        validate_mounts(*container, volumes, &path.child("volumeMounts"), errors);
    }
}

fn validate_ports(container: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let mut names = HashSet::new();
    for (index, port) in items(container.get("ports")).iter().enumerate() {
        let path = path.index(index);
        let name = text(port.get("name"));
        if !name.is_empty() && !names.insert(name) {
            errors.push(duplicate(&path.child("name"), name));
        }
        match number(port.get("containerPort")) {
            0 => errors.push(required(&path.child("containerPort"), "")),
            number => port_number(&path.child("containerPort"), number, errors),
        }
        match number(port.get("hostPort")) {
            0 => {}
            number => port_number(&path.child("hostPort"), number, errors),
        }
        word(&path, *port, "protocol", &PROTOCOLS, errors);
    }
}

/// Refuses what is no number of a port.
pub(crate) fn port_number(path: &Path<'_>, number: i64, errors: &mut Vec<FieldError>) {
    if !(1..=65535).contains(&number) {
        let detail = "must be between 1 and 65535, inclusive";
        errors.push(invalid(path, BadValue::Integer(number.into()), detail));
    }
}

fn validate_mounts(
    container: Value<'_>,
    volumes: &HashSet<&str>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    let mut places = HashSet::new();
    for (index, mount) in items(container.get("volumeMounts")).iter().enumerate() {
        let path = path.index(index);
        let (name, place) = (text(mount.get("name")), text(mount.get("mountPath")));
        if name.is_empty() {
            errors.push(required(&path.child("name"), ""));
        }
        if !volumes.contains(name) {
            errors.push(not_found(&path.child("name"), name));
        }
        if place.is_empty() {
            errors.push(required(&path.child("mountPath"), ""));
        }
        if !places.insert(place) {
            errors.push(invalid_text(&path.child("mountPath"), place, "must be unique"));
        }
    }
}
