//! Validation of flow schemas beyond tags (pkg/apis/flowcontrol/validation/validation.go).

use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};

use super::priority_level_configuration::validate_conditions;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{invalid, name_problems};
use crate::go_value::internal;
use crate::go_value::json::as_json;
use crate::go_value::json::is_same;
use crate::types::words;

const VERBS: [&str; 9] = [
    "create",
    "delete",
    "deletecollection",
    "get",
    "list",
    "patch",
    "proxy",
    "update",
    "watch",
];

/// Kinds of subjects, and the field of each.
const SUBJECTS: [(&str, &str); 3] = [
    ("ServiceAccount", "serviceAccount"),
    ("User", "user"),
    ("Group", "group"),
];

/// Validates a schema, or only its status.
pub(crate) fn validate_flow_schema(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        return validate_conditions(change, errors);
    }
    change.validate_new_metadata(errors);
    let spec = Field::root(change, "spec");
    validate_precedence(change, &spec.child("matchingPrecedence"), errors);
    let method = spec.child("distinguisherMethod");
    let methods = words("flowcontrol/v1.FlowDistinguisherMethodType");
    if method.is_set() && !methods.contains(&method.child("type").text()) {
        let kind = method.child("type").or_empty();
        let bad = format!(r#"{{"Type":{}}}"#, as_json(kind.value).to_json());
        errors.push(not_supported(&kind, BadValue::Json(bad.into()), methods));
    }
    let level = spec.child("priorityLevelConfiguration");
    let name = level.child("name");
    match name.text() {
        "" => name.required("must reference a priority level", errors),
        _ => name.name(NameRule::Subdomain, errors),
    }
    for rule in spec.child("rules").items() {
        validate_rule(&rule, errors);
    }
    validate_fixed(change, &spec, errors);
    validate_conditions(change, errors);
}

/// Schemas that the server needs, and what they say.
const FIXED: [(&str, &str); 2] = [
    (
        "exempt",
        r#"{"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":1,"rules":[{"subjects":[{"kind":"Group","group":{"name":"system:masters"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}"#,
    ),
    (
        "catch-all",
        r#"{"priorityLevelConfiguration":{"name":"catch-all"},"matchingPrecedence":10000,"distinguisherMethod":{"type":"ByUser"},"rules":[{"subjects":[{"kind":"Group","group":{"name":"system:unauthenticated"}},{"kind":"Group","group":{"name":"system:authenticated"}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}"#,
    ),
];

fn validate_fixed(change: &Change<'_>, spec: &Field<'_, '_>, errors: &mut Errors) {
    let name = change.new.meta.name;
    let Some((_, fixed)) = FIXED.iter().find(|(fixed, _)| *fixed == name) else {
        return;
    };
    let arena = Arena::new();
    if !is_same(spec.value, parse_str(&arena, fixed).ok()) {
        let shown = internal::shown(spec.release, "flowcontrol/v1", "FlowSchemaSpec", spec.value);
        let detail = format!("spec of '{name}' must equal the fixed value");
        errors.push(invalid(&spec.path, shown, detail));
    }
}

fn not_supported(field: &Field<'_, '_>, bad: BadValue, known: &[&str]) -> FieldError {
    let known = known.iter().map(|&word| word.into()).collect();
    FieldError::new(
        ErrorKind::NotSupported,
        field.path.to_owned(),
        bad,
        Detail::Supported(known),
    )
}

fn validate_precedence(change: &Change<'_>, precedence: &Field<'_, '_>, errors: &mut Errors) {
    const LOWEST: i64 = 10_000;
    let precedence = Field {
        value: Some(precedence.value.unwrap_or(Value::from(0))),
        ..*precedence
    };
    if precedence.number() <= 0 {
        precedence.invalid("must be a positive value", errors);
    }
    if precedence.number() > LOWEST {
        precedence.invalid(format!("must not be greater than {LOWEST}"), errors);
    }
    if precedence.number() == 1 && change.new.meta.name != "exempt" {
        let detail = "only the schema named 'exempt' may have matchingPrecedence 1";
        precedence.invalid(detail, errors);
    }
}

fn validate_rule(rule: &Field<'_, '_>, errors: &mut Errors) {
    let subjects = rule.child("subjects");
    if subjects.len() == 0 {
        subjects.required("subjects must contain at least one value", errors);
    }
    for subject in subjects.items() {
        validate_subject(&subject, errors);
    }
    let (resources, urls) = (rule.child("resourceRules"), rule.child("nonResourceRules"));
    if resources.len() == 0 && urls.len() == 0 {
        let detail = "at least one of resourceRules and nonResourceRules has to be non-empty";
        rule.required(detail, errors);
    }
    for rule in resources.items() {
        validate_resources(&rule, errors);
    }
    for rule in urls.items() {
        validate_urls(&rule, errors);
    }
}

fn validate_subject(subject: &Field<'_, '_>, errors: &mut Errors) {
    let kind = subject.child("kind");
    if !SUBJECTS.iter().any(|(known, _)| *known == kind.text()) {
        return kind.one_of(words("flowcontrol/v1.SubjectKind"), errors);
    }
    // Its own field comes first.
    let own = SUBJECTS.iter().filter(|(known, _)| *known == kind.text());
    let others = SUBJECTS.iter().filter(|(known, _)| *known != kind.text());
    for &(known, key) in own.chain(others) {
        let part = subject.child(key);
        match (known == kind.text(), part.is_set()) {
            (true, true) => validate_identity(known, &part, errors),
            (true, false) => {
                part.required(
                    &format!("{key} is required when subject kind is '{known}'"),
                    errors,
                );
            }
            (false, true) => {
                let detail = format!("{key} is forbidden when subject kind is not '{known}'");
                part.forbidden(&detail, errors);
            }
            (false, false) => {}
        }
    }
}

fn validate_identity(kind: &str, identity: &Field<'_, '_>, errors: &mut Errors) {
    let name = identity.child("name");
    if name.text().is_empty() {
        name.required("", errors);
    } else if kind == "ServiceAccount" && name.text() != "*" {
        name.name(NameRule::Subdomain, errors);
    }
    if kind == "ServiceAccount" {
        let namespace = identity.child("namespace");
        match namespace.text() {
            "" => namespace.required("must specify namespace for service account", errors),
            _ => namespace.name(NameRule::Label, errors),
        }
    }
}

fn has_wildcard(list: &Field<'_, '_>) -> bool {
    list.items().any(|item| item.text() == "*")
}

/// Rejects a wildcard next to other values.
fn check_wildcard(list: &Field<'_, '_>, others: &str, errors: &mut Errors) {
    if list.len() > 1 && has_wildcard(list) {
        list.invalid(
            format!("if '*' is present, must not specify other {others}"),
            errors,
        );
    }
}

fn validate_verbs(verbs: &Field<'_, '_>, errors: &mut Errors) {
    if verbs.len() == 0 {
        verbs.required("verbs must contain at least one value", errors);
    } else if has_wildcard(verbs) {
        check_wildcard(verbs, "verbs", errors);
    } else if verbs.items().any(|verb| !VERBS.contains(&verb.text())) {
        errors.push(not_supported(verbs, verbs.shown(), &VERBS));
    }
}

fn validate_resources(rule: &Field<'_, '_>, errors: &mut Errors) {
    validate_verbs(&rule.child("verbs"), errors);
    for (key, one, many) in [
        ("apiGroups", "api group", "api groups"),
        ("resources", "resource", "resources"),
    ] {
        let list = rule.child(key);
        if list.len() == 0 {
            list.required(&format!("resource rules must supply at least one {one}"), errors);
        }
        check_wildcard(&list, many, errors);
    }
    let namespaces = rule.child("namespaces");
    if namespaces.len() == 0 && !rule.child("clusterScope").truth() {
        let detail = "resource rules that are not cluster scoped must supply at least one namespace";
        namespaces.required(detail, errors);
    } else if has_wildcard(&namespaces) {
        check_wildcard(&namespaces, "namespaces", errors);
    } else {
        for namespace in namespaces.items() {
            for problem in name_problems(NameRule::Label, namespace.text()) {
                let detail = format!("each member of this list must be '*' or a DNS-1123 label; {problem}");
                namespace.invalid(detail, errors);
            }
        }
    }
}

fn validate_urls(rule: &Field<'_, '_>, errors: &mut Errors) {
    validate_verbs(&rule.child("verbs"), errors);
    let urls = rule.child("nonResourceURLs");
    if urls.len() == 0 {
        urls.required("nonResourceURLs must contain at least one value", errors);
    } else if has_wildcard(&urls) {
        check_wildcard(&urls, "non-resource URLs", errors);
    } else {
        for url in urls.items() {
            if let Some(problem) = url_problem(url.text()) {
                url.invalid(problem, errors);
            }
        }
    }
}

fn url_problem(path: &str) -> Option<&'static str> {
    let wildcards = path.matches('*').count();
    match path {
        "" => Some("must not be empty"),
        "/" => None,
        path if !path.starts_with('/') => Some("must start with slash"),
        path if path.contains(' ') => Some("must not contain white-space"),
        path if path.contains("//") => Some("must not contain double slash"),
        path if wildcards > 1 || (wildcards == 1 && !path.ends_with("/*")) => {
            Some("wildcard can only do suffix matching")
        }
        _ => None,
    }
}
