//! Rules of single fields of pods: variables, resources, hosts, profiles (pkg/apis/core/validation/validation.go).

use std::collections::HashSet;

use kindsmith_json::{Path, Value};
use kindsmith_object::BadValue;
use kindsmith_object::meta::NameRule;

use crate::address::check_address;
use crate::field::{Errors, Field};
use crate::resource_name::{allows_overcommit, check_amount, check_container_name, is_huge_page};
use crate::rule::{as_json, check_key, duplicate, invalid, invalid_text, not_supported, required, too_long};

const SOURCES: [&str; 5] = [
    "fieldRef",
    "resourceFieldRef",
    "configMapKeyRef",
    "secretKeyRef",
    "fileKeyRef",
];
const RESOURCES: [&str; 6] = [
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
];

/// Checks the fields of a pod's spec that stand alone.
pub(super) fn validate_fields(spec: Value<'_>, path: &Path<'_>, errors: &mut Errors) {
    let spec = Field {
        path: *path,
        value: Some(spec),
    };
    for alias in spec.child("hostAliases").items() {
        check_address(&alias.child("ip").or_empty(), &[], errors);
        for host in alias.child("hostnames").items() {
            host.name(NameRule::Subdomain, errors);
        }
    }
    for (key, names) in [
        ("hostname", NameRule::Label),
        ("subdomain", NameRule::Label),
        ("nodeName", NameRule::Subdomain),
    ] {
        let name = spec.child(key);
        if !name.text().is_empty() {
            name.name(names, errors);
        }
    }
    validate_profiles(&spec.child("securityContext"), errors);
    let restart = spec.child("restartPolicy").text();
    for key in ["initContainers", "containers"] {
        for container in spec.child(key).items() {
            validate_container(&container, restart, errors);
        }
    }
}

fn validate_container(container: &Field<'_, '_>, restart: &str, errors: &mut Errors) {
    for port in container.child("ports").items() {
        let name = port.child("name");
        if !name.text().is_empty() {
            name.port_name(errors);
        }
    }
    for variable in container.child("env").items() {
        let name = variable.child("name");
        match name.text() {
            "" => name.required("", errors),
            _ => check_variable(&name, errors),
        }
        validate_source(&variable, errors);
    }
    let sources = container.child("envFrom");
    for source in sources.items() {
        validate_sources(&sources, &source, errors);
    }
    validate_resources(&container.child("resources"), errors);
    validate_resizing(&container.child("resizePolicy"), restart, errors);
    validate_profiles(&container.child("securityContext"), errors);
}

/// A variable may be called by anything that prints, but `=`.
fn check_variable(name: &Field<'_, '_>, errors: &mut Errors) {
    let is_part = |letter: char| matches!(letter, ' '..='~') && letter != '=';
    if !name.text().chars().all(is_part) {
        let detail = "a valid environment variable name must consist only of printable ASCII characters other than '='";
        name.invalid(detail, errors);
    }
}

fn validate_source(variable: &Field<'_, '_>, errors: &mut Errors) {
    let source = variable.child("valueFrom");
    if !source.is_set() {
        return;
    }
    let selector = source.child("resourceFieldRef");
    if selector.is_set() {
        validate_resource_field(&selector, errors);
    }
    for key in ["configMapKeyRef", "secretKeyRef"] {
        let selector = source.child(key);
        if selector.is_set() {
            selector
                .child("name")
                .or_empty()
                .name(NameRule::Subdomain, errors);
            let key = selector.child("key");
            match key.text() {
                "" => key.required("", errors),
                text => check_key_at(&key, text, errors),
            }
        }
    }
    let number = SOURCES.iter().filter(|key| source.child(key).is_set()).count();
    let problem = match (number, variable.child("value").text()) {
        (0, _) => {
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        }
        (1, "") => return,
        (_, "") => "may not have more than one field specified at a time",
        _ => "may not be specified when `value` is not empty",
    };
    errors.push(invalid_text(&source.path, "", problem));
}

/// Checks a key of a ConfigMap, reported at the field that names it.
fn check_key_at(field: &Field<'_, '_>, key: &str, errors: &mut Errors) {
    let mut problems = Vec::new();
    check_key(&Path::NIL, key, &mut problems);
    for problem in problems {
        field.invalid(problem.detail.to_string(), errors);
    }
}

fn validate_resource_field(selector: &Field<'_, '_>, errors: &mut Errors) {
    const BYTES: [&str; 13] = [
        "1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei",
    ];
    let (resource, divisor) = (selector.child("resource"), selector.child("divisor"));
    let name = resource.text();
    let is_page = |name: &str| {
        let page = name.strip_prefix("requests.").or(name.strip_prefix("limits."));
        page.is_some_and(is_huge_page)
    };
    match name {
        "" => resource.required("", errors),
        name if !is_page(name) => resource.one_of(&RESOURCES, errors),
        _ => {}
    }
    let Some(amount) = divisor.quantity().filter(|amount| amount.sign() != 0) else {
        return;
    };
    let unit = match name.split_once('.').map_or("", |(_, unit)| unit) {
        "cpu" => "cpu",
        "memory" => "memory",
        "ephemeral-storage" => "local ephemeral storage",
        _ if is_page(name) => "hugepages",
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

/// Faults of what is named are reported there, those of the number of sources on the list.
fn validate_sources(list: &Field<'_, '_>, source: &Field<'_, '_>, errors: &mut Errors) {
    let prefix = source.child("prefix");
    if !prefix.text().is_empty() {
        check_variable(&prefix, errors);
    }
    let keys = ["configMapRef", "secretRef"];
    for key in keys {
        let reference = source.child(key);
        if !reference.is_set() {
            continue;
        }
        let name = reference.child("name");
        match name.text() {
            "" => name.required("", errors),
            _ => name.name(NameRule::Subdomain, errors),
        }
    }
    let problem = match keys.iter().filter(|key| source.child(key).is_set()).count() {
        0 => "must specify one of: `configMapRef` or `secretRef`",
        1 => return,
        _ => "may not have more than one field specified at a time",
    };
    errors.push(invalid_text(&list.path, "", problem));
}

/// Checks what a container asks for and is limited to.
fn validate_resources(resources: &Field<'_, '_>, errors: &mut Errors) {
    let (limits, requests) = (resources.child("limits"), resources.child("requests"));
    let (mut has_pages, mut has_compute) = (false, false);
    for (name, amount) in limits.entries().chain(requests.entries()) {
        check_container_name(name, &amount, errors);
        check_amount(name, &amount, errors);
        has_pages |= is_huge_page(name);
        has_compute |= matches!(name, "cpu" | "memory");
    }
    for (name, request) in requests.entries() {
        let limit = limits.child(name).quantity();
        let (Some(limit), Some(request)) = (limit, request.quantity()) else {
            if !allows_overcommit(name) {
                let detail = "Limit must be set for non overcommitable resources";
                errors.push(required(&limits.path, detail));
            }
            continue;
        };
        let detail = if request != limit && !allows_overcommit(name) {
            format!("must be equal to {name} limit of {limit}")
        } else if request > limit {
            format!("must be less than or equal to {name} limit of {limit}")
        } else {
            continue;
        };
        errors.push(invalid_text(&requests.path, &request.to_string(), detail));
    }
    if has_pages && !has_compute {
        resources.forbidden("HugePages require cpu or memory", errors);
    }
}

/// All faults are reported on the list.
fn validate_resizing(policies: &Field<'_, '_>, restart: &str, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for policy in policies.items() {
        let (resource, action) = (
            policy.child("resourceName").text(),
            policy.child("restartPolicy").text(),
        );
        if !seen.insert(resource) {
            errors.push(duplicate(&policy.path, resource));
        }
        for (word, known) in [
            (resource, ["cpu", "memory"]),
            (action, ["NotRequired", "RestartContainer"]),
        ] {
            if word.is_empty() {
                policies.required("", errors);
            } else if !known.contains(&word) {
                errors.push(not_supported(&policies.path, word, &known));
            }
        }
        if restart == "Never" && action != "NotRequired" {
            let detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
            errors.push(invalid_text(&policies.path, action, detail));
        }
    }
}

fn validate_profiles(context: &Field<'_, '_>, errors: &mut Errors) {
    let types = ["Localhost", "RuntimeDefault", "Unconfined"];
    let seccomp = context.child("seccompProfile");
    if seccomp.is_set() {
        let (kind, file) = (seccomp.child("type"), seccomp.child("localhostProfile"));
        match kind.text() {
            "" => kind.required("type is required when seccompProfile is set", errors),
            _ => kind.one_of(&types, errors),
        }
        match (kind.text() == "Localhost", file.is_set()) {
            (true, false) => file.required("must be set when seccomp type is Localhost", errors),
            (false, true) => {
                let show = |field: &Field<'_, '_>| as_json(field.or_empty().value).to_json();
                let bad = format!(r#"{{"Type":{},"LocalhostProfile":{}}}"#, show(&kind), show(&file));
                let detail = "can only be set when seccomp type is Localhost";
                errors.push(invalid(&file.path, BadValue::Json(bad.into()), detail));
            }
            _ => {}
        }
    }
    let armor = context.child("appArmorProfile");
    if armor.is_set() {
        validate_armor(&armor, &types, errors);
    }
}

fn validate_armor(armor: &Field<'_, '_>, types: &[&str], errors: &mut Errors) {
    const LIMIT: usize = 4095;
    let (kind, file) = (armor.child("type"), armor.child("localhostProfile"));
    match kind.text() {
        "" => kind.required("type is required when appArmorProfile is set", errors),
        "Localhost" => {
            let text = file.text();
            if text.trim() != text {
                file.invalid("must not be padded with whitespace", errors);
            } else if text.is_empty() {
                file.required("must be set when AppArmor type is Localhost", errors);
            }
            if text.len() > LIMIT {
                errors.push(too_long(&file.path, LIMIT as i64));
            }
        }
        word if types.contains(&word) => {
            if file.is_set() {
                file.invalid("can only be set when AppArmor type is Localhost", errors);
            }
        }
        _ => kind.one_of(types, errors),
    }
}
