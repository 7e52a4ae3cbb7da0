//! Facts about a pod as files or variables: its own fields, and the resources of its containers.

use kindsmith_formats::format;

use super::check_mode;
use crate::field::{Errors, Field};
use crate::field_check::invalid_text;
use crate::part::file_path::check_unreserved;
use crate::part::resource_name::is_huge_page;

/// Fields that files may hold.
const FILES: [&str; 5] = [
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
];
/// Fields that can be named at all.
const FIELDS: [&str; 15] = [
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.host",
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.phase",
    "status.podIP",
    "status.podIPs",
];
const RESOURCES: [&str; 6] = [
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
];

/// Checks the files of a volume.
pub(super) fn check_files(source: &Field<'_, '_>, errors: &mut Errors) {
    check_mode(&source.child("defaultMode"), errors);
    source.child("defaultUser").user_id(errors);
    check_items(source, errors);
}

/// All faults of files are reported as if there was one file.
pub(super) fn check_items(source: &Field<'_, '_>, errors: &mut Errors) {
    for item in source.child("items").items() {
        check_file(&item.at(source.path), errors);
    }
}

fn check_file(file: &Field<'_, '_>, errors: &mut Errors) {
    file.required_members(&["path"], errors);
    check_unreserved(&file.child("path"), errors);
    let (field, resource) = (file.child("fieldRef"), file.child("resourceFieldRef"));
    match (field.is_set(), resource.is_set()) {
        (true, has_both) => {
            check_field_reference(&field, &FILES, errors);
            if has_both {
                let detail = "fieldRef and resourceFieldRef can not be specified simultaneously";
                errors.push(invalid_text(&file.path, "resource", detail));
            }
        }
        (false, true) => match resource.child("containerName") {
            name if name.is_blank() => {
                name.required("", errors);
                check_divisor(&resource, errors);
            }
            _ => check_resource_reference(&resource, errors),
        },
        (false, false) => file.required("one of fieldRef and resourceFieldRef is required", errors),
    }
    check_mode(&file.child("mode"), errors);
    file.child("user").user_id(errors);
}

/// Checks a reference to a field of the pod; `known` are those that can be used here.
pub(crate) fn check_field_reference(reference: &Field<'_, '_>, known: &[&str], errors: &mut Errors) {
    let (version, path) = (reference.child("apiVersion"), reference.child("fieldPath"));
    if let Some(empty) = [version, path].into_iter().find(Field::is_blank) {
        return empty.required("", errors);
    }
    let text = path.text();
    let refuse = |why: String, errors: &mut Errors| {
        path.invalid(format!("error converting fieldPath: {why}"), errors);
    };
    if version.text() != "v1" {
        return refuse(format!("unsupported pod version: {}", version.text()), errors);
    }
    match subscript(text) {
        Some(("metadata.annotations", key)) => check_key(reference, &key.to_lowercase(), errors),
        Some(("metadata.labels", key)) => check_key(reference, key, errors),
        Some(_) => refuse(format!("field label does not support subscript: {text}"), errors),
        None if !FIELDS.contains(&text) => refuse(format!("field label not supported: {text}"), errors),
        None => {
            let name = if text == "spec.host" {
                "spec.nodeName"
            } else {
                text
            };
            // Upstream shows the name before the subscript, which is missing here.
            if !known.contains(&name) {
                errors.push(crate::field_check::not_supported(&path.path, name, known));
            }
        }
    }
}

/// `a['b']` as `a` and `b`.
fn subscript(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_suffix("']")?;
    let (path, key) = inner.split_once("['")?;
    (!path.is_empty()).then_some((path, key))
}

fn check_key(reference: &Field<'_, '_>, key: &str, errors: &mut Errors) {
    let Some(format) = format::find("k8s-label-key") else {
        return;
    };
    (format.check)(key, &mut |violation| {
        errors.push(invalid_text(&reference.path, key, violation.detail));
    });
}

/// Checks a reference to a container's requests or limits.
pub(crate) fn check_resource_reference(reference: &Field<'_, '_>, errors: &mut Errors) {
    let resource = reference.child("resource");
    match resource.text() {
        "" => resource.required("", errors),
        name if page(name).is_none() => resource.one_of(&RESOURCES, errors),
        _ => {}
    }
    check_divisor(reference, errors);
}

fn page(name: &str) -> Option<&str> {
    let page = name.strip_prefix("requests.").or(name.strip_prefix("limits."));
    page.filter(|page| is_huge_page(page))
}

fn check_divisor(reference: &Field<'_, '_>, errors: &mut Errors) {
    const BYTES: [&str; 13] = [
        "1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei",
    ];
    let name = reference.child("resource").text();
    let divisor = reference.child("divisor");
    let Some(amount) = divisor.quantity().filter(|amount| amount.sign() != 0) else {
        return;
    };
    let unit = match name {
        "limits.cpu" | "requests.cpu" => "cpu",
        "limits.memory" | "requests.memory" => "memory",
        "limits.ephemeral-storage" | "requests.ephemeral-storage" => "local ephemeral storage",
        _ if page(name).is_some() => "hugepages",
        _ => return,
    };
    let known: &[&str] = if unit == "cpu" { &["1m", "1"] } else { &BYTES };
    if !known.contains(&&*amount.to_string()) {
        let listed = match unit {
            "cpu" => "1m and 1".to_owned(),
            _ => BYTES.join(", "),
        };
        let detail = format!("only divisor's values {listed} are supported with the {unit} resource");
        errors.push(invalid_text(&divisor.path, name, detail));
    }
}
