//! Validation of ingresses and ingress classes beyond tags (pkg/apis/networking/validation/validation.go).

use kindsmith_formats::format::{grammar, message};
use kindsmith_formats::limit;
use kindsmith_gostd::ip;
use kindsmith_object::Behavior;
use kindsmith_object::meta::NameRule;

use super::described::Described;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{invalid_text, too_long};
use crate::part::address::check_address;
use crate::table::{Heading, Row, Table, column, text_of};
use crate::types::words;
use kindsmith_json::Value;
use std::collections::BTreeSet;

pub(crate) const INGRESS: Described = Described {
    short_names: &["ing"],
    rules: validate_ingress,
    warns: ingress_warnings,
    table: Table {
        headings: INGRESS_COLUMNS,
        cells: ingress_cells,
    },
    ..Described::STATUS
};

const INGRESS_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Class", "networking/v1.IngressSpec.ingressClassName"),
    column::in_words("Hosts", "Hosts of the rules."),
    column::text("Address", "networking/v1.IngressStatus.loadBalancer"),
    column::in_words("Ports", "Ports that are listened at."),
    column::AGE,
];

pub(crate) const INGRESS_CLASS: Described = Described {
    rules: validate_ingress_class,
    table: Table {
        headings: INGRESS_CLASS_COLUMNS,
        cells: ingress_class_cells,
    },
    ..Described::SPEC
};

const INGRESS_CLASS_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("Controller", "networking/v1.IngressClassSpec.controller"),
    column::text("Parameters", "networking/v1.IngressClassSpec.parameters"),
    column::AGE,
];

const CLASS: &str = "kubernetes.io/ingress.class";

/// Validates an ingress, or only its status.
pub(crate) fn validate_ingress(change: &Change<'_>, errors: &mut Errors) {
    if change.subresource == "status" {
        return validate_status(change, errors);
    }
    if change.old.is_some() {
        change.validate_new_metadata(errors);
    }
    let spec = Field::root(change, "spec");
    let (rules, backend) = (spec.child("rules"), spec.child("defaultBackend"));
    if rules.len() == 0 && !backend.is_set() {
        let detail = "either `defaultBackend` or `rules` must be specified";
        errors.push(crate::field_check::invalid(&spec.path, rules.shown(), detail));
    }
    if backend.is_set() {
        validate_backend(&backend, errors);
    }
    let old = Field::old_root(change, "spec");
    let keeps_wildcards = has_bad_wildcard(&old);
    for rule in rules.items() {
        validate_rule(&rule, keeps_wildcards, errors);
    }
    let keeps_secrets = old.child("tls").items().any(|tls| has_bad_secret(&tls));
    for tls in spec.child("tls").items() {
        for host in tls.child("hosts").items() {
            validate_host(&host, errors);
        }
        if !keeps_secrets && has_bad_secret(&tls) {
            tls.child("secretName").name(NameRule::Subdomain, errors);
        }
    }
    let class = spec.child("ingressClassName");
    if class.is_set() {
        class.name(NameRule::Subdomain, errors);
    }
    if change.old.is_none() {
        validate_annotation(change, &class, errors);
    }
}

/// The annotation that predates the field must not contradict it.
fn validate_annotation(change: &Change<'_>, class: &Field<'_, '_>, errors: &mut Errors) {
    let annotation = change.get(&["metadata", "annotations", CLASS]);
    let Some(annotation) = annotation.and_then(|value| value.as_str()) else {
        return;
    };
    if class.is_set() && annotation != class.text() {
        let root = kindsmith_json::Path::root("annotations");
        let detail = "must match `ingressClassName` when both are specified";
        errors.push(invalid_text(&root.child(CLASS), annotation, detail));
    }
}

/// Warns about the annotation of a new ingress.
pub(crate) fn ingress_warnings(change: &Change<'_>) -> Vec<String> {
    let is_used = change.get(&["metadata", "annotations", CLASS]).is_some();
    let has_class = change.get(&["spec", "ingressClassName"]).is_some();
    if change.old.is_none() && is_used && !has_class {
        vec![format!(
            "annotation \"{CLASS}\" is deprecated, please use 'spec.ingressClassName' instead"
        )]
    } else {
        Vec::new()
    }
}

fn has_bad_secret(tls: &Field<'_, '_>) -> bool {
    let name = tls.child("secretName");
    !name.text().is_empty() && !crate::field_check::name_problems(NameRule::Subdomain, name.text()).is_empty()
}

fn has_bad_wildcard(spec: &Field<'_, '_>) -> bool {
    spec.child("rules").items().any(|rule| {
        let mut errors = Vec::new();
        validate_paths(&rule, &mut errors);
        rule.child("host").text().contains('*') && !errors.is_empty()
    })
}

fn validate_rule(rule: &Field<'_, '_>, keeps_wildcards: bool, errors: &mut Errors) {
    let host = rule.child("host");
    if !host.text().is_empty() {
        if ip::parse_sloppy(host.text()).is_some() {
            host.invalid("must be a DNS name, not an IP address", errors);
        }
        validate_host(&host, errors);
    }
    if !host.text().contains('*') || !keeps_wildcards {
        validate_paths(rule, errors);
    }
}

/// A host is a domain, or a wildcard for one level below a domain.
fn validate_host(host: &Field<'_, '_>, errors: &mut Errors) {
    let name = host.text();
    if !name.contains('*') {
        return host.name(NameRule::Subdomain, errors);
    }
    if name.len() > limit::SUBDOMAIN {
        host.invalid(message::max_length(limit::SUBDOMAIN), errors);
    }
    if !name.strip_prefix("*.").is_some_and(grammar::is_subdomain) {
        let text = "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must \
                    consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
        let expression = format!(r"\*\.{}", grammar::SUBDOMAIN);
        host.invalid(message::regex(text, &expression, &["*.example.com"]), errors);
    }
}

fn validate_paths(rule: &Field<'_, '_>, errors: &mut Errors) {
    let http = rule.child("http");
    if !http.is_set() {
        return;
    }
    let paths = http.child("paths");
    if paths.len() == 0 {
        paths.required("", errors);
    }
    for path in paths.items() {
        validate_path(&path, errors);
    }
}

fn validate_path(rule: &Field<'_, '_>, errors: &mut Errors) {
    let (kind, path) = (rule.child("pathType"), rule.child("path"));
    if !kind.is_set() {
        return kind.required("pathType must be specified", errors);
    }
    let text = path.text();
    let is_absolute = text.starts_with('/');
    let mut refuse = |detail: String| errors.push(invalid_text(&path.path, text, detail));
    match kind.text() {
        "Exact" | "Prefix" => {
            if !is_absolute {
                refuse("must be an absolute path".to_owned());
            }
            for part in ["//", "/./", "/../", "%2f", "%2F"] {
                if text.contains(part) {
                    refuse(format!("must not contain '{part}'"));
                }
            }
            for end in ["/..", "/."] {
                if text.ends_with(end) {
                    refuse(format!("cannot end with '{end}'"));
                }
            }
        }
        "ImplementationSpecific" if !text.is_empty() && !is_absolute => {
            refuse("must be an absolute path".to_owned());
        }
        _ => kind.one_of(words("networking/v1.PathType"), errors),
    }
    validate_backend(&rule.child("backend"), errors);
}

fn validate_backend(backend: &Field<'_, '_>, errors: &mut Errors) {
    let refuse = |detail: &str, errors: &mut Errors| {
        errors.push(invalid_text(&backend.path, "", detail.to_owned()));
    };
    let (resource, service) = (backend.child("resource"), backend.child("service"));
    match (resource.is_set(), service.is_set()) {
        (true, true) => return refuse("cannot set both resource and service backends", errors),
        (true, false) => return validate_reference(&resource, errors),
        (false, false) => return refuse("resource or service backend is required", errors),
        (false, true) => {}
    }
    let names = super::service::service_name_rule(service.release);
    service.child("name").required_name(names, errors);
    let port = service.child("port");
    let (name, number) = (port.child("name"), port.child("number"));
    match (name.text(), number.number()) {
        ("", 0) => backend.required("port name or number is required", errors),
        ("", _) => number.port_number(errors),
        (_, 0) => name.port_name(errors),
        _ => refuse("cannot set both port name & port number", errors),
    }
}

/// Validates a reference by group, kind and name.
fn validate_reference(reference: &Field<'_, '_>, errors: &mut Errors) {
    let group = reference.child("apiGroup");
    if group.is_set() {
        group.name(NameRule::Subdomain, errors);
    }
    for key in ["kind", "name"] {
        reference.child(key).required_name(NameRule::PathSegment, errors);
    }
}

fn validate_status(change: &Change<'_>, errors: &mut Errors) {
    let old = Field::old_root(change, "status");
    let old = old.child("loadBalancer");
    let old = old.child("ingress");
    let known: Vec<&str> = old.items().map(|point| point.child("ip").text()).collect();
    let status = Field::root(change, "status");
    for point in status.child("loadBalancer").child("ingress").items() {
        let (address, host) = (point.child("ip"), point.child("hostname"));
        if !address.text().is_empty() {
            check_address(&address, &known, errors);
        }
        if !host.text().is_empty() {
            host.name(NameRule::Subdomain, errors);
            if ip::parse_sloppy(host.text()).is_some() {
                host.invalid("must be a DNS name, not an IP address", errors);
            }
        }
    }
}

/// Validates an ingress class.
pub(crate) fn validate_ingress_class(change: &Change<'_>, errors: &mut Errors) {
    const LIMIT: i64 = 250;
    let spec = Field::root(change, "spec");
    let controller = spec.child("controller");
    if change.old.is_some() {
        let old = Field::old_root(change, "spec");
        if old.child("controller").text() != controller.text() {
            let shown = kindsmith_object::BadValue::Text(controller.text().into());
            crate::field_check::immutable(&controller.path, shown, errors);
        }
        change.validate_new_metadata(errors);
    }
    if controller.text().len() as i64 > LIMIT {
        errors.push(too_long(&controller.path, LIMIT));
    }
    controller.domain_path(errors);
    let parameters = spec.child("parameters");
    if parameters.is_set() {
        validate_reference(&parameters, errors);
        validate_scope(&parameters, errors);
    }
}

fn validate_scope(parameters: &Field<'_, '_>, errors: &mut Errors) {
    let (scope, namespace) = (parameters.child("scope"), parameters.child("namespace"));
    if !scope.is_set() {
        return scope.required("", errors);
    }
    match (scope.text(), namespace.is_set()) {
        ("Namespace", false) => namespace.required("`parameters.scope` is set to 'Namespace'", errors),
        ("Namespace", true) => namespace.name(NameRule::Label, errors),
        ("Cluster", true) => namespace.forbidden("`parameters.scope` is set to 'Cluster'", errors),
        _ => scope.one_of(&["Cluster", "Namespace"], errors),
    }
}

fn ingress_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let class = row.at("spec.ingressClassName").as_str().unwrap_or("<none>");
    let rules = row.items("spec.rules");
    let hosts = rules.iter().map(|rule| text_of(*rule, "host"));
    let hosts: Vec<&str> = hosts.filter(|host| !host.is_empty()).collect();
    let hosts = match hosts.len() {
        0 => "*".to_owned(),
        1..=3 if rules.len() <= 3 => hosts.join(","),
        _ => format!(
            "{} + {} more...",
            hosts[..3.min(hosts.len())].join(","),
            rules.len() - 3
        ),
    };
    let points = row.items("status.loadBalancer.ingress").iter();
    let points: BTreeSet<&str> = points
        .map(|point| match text_of(*point, "ip") {
            "" => text_of(*point, "hostname"),
            address => address,
        })
        .filter(|point| !point.is_empty())
        .collect();
    let points: Vec<&str> = points.into_iter().collect();
    let ports = if row.items("spec.tls").is_empty() {
        "80"
    } else {
        "80, 443"
    };
    vec![
        row.name(),
        Value::Str(class),
        row.cell(&hosts),
        row.cell(&points.join(",")),
        Value::Str(ports),
        row.age(),
    ]
}

fn ingress_class_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let notes = row.at("metadata.annotations");
    let is_default = notes.get("ingressclass.kubernetes.io/is-default-class") == Some(Value::Str("true"));
    let name = if is_default && row.release.has(Behavior::DefaultIngressClassShown) {
        row.cell(&format!("{} (default)", row.text("metadata.name")))
    } else {
        row.name()
    };
    let parameters = row.at("spec.parameters");
    let group = parameters.get("apiGroup").and_then(Value::as_str);
    let parameters = match parameters {
        Value::Null => "<none>".to_owned(),
        parameters => format!(
            "{}{}/{}",
            text_of(parameters, "kind"),
            group.map(|group| format!(".{group}")).unwrap_or_default(),
            text_of(parameters, "name")
        ),
    };
    vec![
        name,
        Value::Str(row.text("spec.controller")),
        row.cell(&parameters),
        row.age(),
    ]
}
