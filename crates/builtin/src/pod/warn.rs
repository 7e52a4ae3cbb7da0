//! Warnings for valid pods and pod templates (`warningsForPodSpecAndMeta` in
//! pkg/api/pod/warnings.go).

mod path_overlap;
mod port_overlap;

use std::collections::HashSet;

use kindsmith_formats::quantity::Quantity;
use kindsmith_gostd::quote::quote;
use kindsmith_json::{Path, Value};
use kindsmith_object::Release;
use kindsmith_object::meta::NameRule;

use super::annotation;
use super::spec::each_container;
use crate::field::Field;
use crate::field_check::{entries, name_problems};
use crate::part::address::address_warning;
use crate::part::node_label::deprecation;

const NO_POD: &str = "a null labelSelector results in matching no pod";
const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// The subject of a warning: a pod or a template.
struct Subject<'s, 'v> {
    annotations: Field<'s, 'v>,
    spec: Field<'s, 'v>,
    is_template: bool,
}

type Warnings = Vec<String>;

/// The rules, in the order of the reference.
const RULES: [fn(&Subject<'_, '_>, &mut Warnings); 14] = [
    warn_node_selector,
    warn_node_affinity,
    warn_constraints,
    warn_annotations,
    warn_volumes,
    path_overlap::warn,
    warn_repeated,
    warn_overhead,
    warn_pod_profile,
    warn_containers,
    port_overlap::warn,
    warn_grace,
    warn_pod_affinity,
    warn_addresses,
];

/// Warnings about a template.
pub(crate) fn template_warnings(template: Value<'_>, path: &Path<'_>, release: Release) -> Vec<String> {
    let template = Field {
        path: *path,
        value: Some(template),
        release,
    };
    let metadata = template.child("metadata");
    collect(&Subject {
        annotations: metadata.child("annotations"),
        spec: template.child("spec"),
        is_template: true,
    })
}

/// Warnings about a new pod.
pub(crate) fn warnings(pod: Value<'_>, release: Release) -> Vec<String> {
    let (metadata, spec) = (Path::root("metadata"), Path::root("spec"));
    let field = |path, key| Field {
        path,
        value: pod.get(key),
        release,
    };
    let metadata = field(metadata, "metadata");
    let subject = Subject {
        annotations: metadata.child("annotations"),
        spec: field(spec, "spec"),
        is_template: false,
    };
    let mut warnings = Vec::new();
    let problems = name_problems(NameRule::Label, metadata.child("name").text());
    if !problems.is_empty() {
        warnings.push(format!(
            "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label \
             is recommended: [{}]",
            problems.join(" ")
        ));
    }
    warnings.extend(collect(&subject));
    warnings
}

fn collect(subject: &Subject<'_, '_>) -> Warnings {
    let mut warnings = Vec::new();
    for rule in RULES {
        rule(subject, &mut warnings);
    }
    warnings
}

fn warn_node_selector(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    for (key, label) in subject.spec.child("nodeSelector").entries() {
        if let Some(text) = deprecation(key) {
            warnings.push(format!("{}: {text}", label.path));
        }
    }
}

fn warn_node_affinity(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    let affinity = subject.spec.child("affinity");
    let nodes = affinity.child("nodeAffinity");
    let required = nodes.child(REQUIRED);
    for term in required.child("nodeSelectorTerms").items() {
        warn_term(&term, false, warnings);
    }
    for weighted in nodes.child(PREFERRED).items() {
        warn_term(&weighted.child("preference"), true, warnings);
    }
}

/// Warns of invalid label values where validation allows them.
fn warn_term(term: &Field<'_, '_>, checks_values: bool, warnings: &mut Warnings) {
    for expression in term.child("matchExpressions").items() {
        let key = expression.child("key");
        if let Some(text) = deprecation(key.text()) {
            warnings.push(format!("{}: {} is {text}", key.path, key.text()));
        }
        if !checks_values {
            continue;
        }
        for value in expression.child("values").items() {
            let mut errors = Vec::new();
            value.format("k8s-label-value", &mut errors);
            for error in errors {
                warnings.push(format!("{}: {}", value.path, error.body()));
            }
        }
    }
}

fn warn_constraints(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    for constraint in subject.spec.child("topologySpreadConstraints").items() {
        let topology = constraint.child("topologyKey");
        if let Some(text) = deprecation(topology.text()) {
            warnings.push(format!("{}: {} is {text}", topology.path, topology.text()));
        }
        warn_null_selector(&constraint, warnings);
    }
}

fn warn_null_selector(holder: &Field<'_, '_>, warnings: &mut Warnings) {
    let selector = holder.child("labelSelector");
    if !selector.is_set() {
        warnings.push(format!("{}: {NO_POD}", selector.path));
    }
}

/// Annotations that no longer have an effect.
const ANNOTATIONS: [(&str, &str); 3] = [
    (
        "scheduler.alpha.kubernetes.io/critical-pod",
        r#"non-functional in v1.16+; use the "priorityClassName" field instead"#,
    ),
    (
        "security.alpha.kubernetes.io/sysctls",
        r#"non-functional in v1.11+; use the "sysctls" field instead"#,
    ),
    (
        "security.alpha.kubernetes.io/unsafe-sysctls",
        r#"non-functional in v1.11+; use the "sysctls" field instead"#,
    ),
];
const SECCOMP: &str = r#"non-functional in v1.27+; use the "seccompProfile" field instead"#;

fn warn_annotations(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    for (key, text) in ANNOTATIONS {
        warn_annotation(subject, key, text, warnings);
    }
}

fn warn_annotation(subject: &Subject<'_, '_>, key: &str, text: &str, warnings: &mut Warnings) {
    let annotations = &subject.annotations;
    if entries(annotations.value).contains_key(key) {
        warnings.push(format!("{}: {text}", annotations.path.key(key)));
    }
}

/// Volume types that are removed or deprecated.
const VOLUMES: [(&str, &str); 9] = [
    (
        "photonPersistentDisk",
        "deprecated in v1.11, non-functional in v1.16+",
    ),
    (
        "gitRepo",
        "deprecated in v1.11, and disabled by default in v1.33+",
    ),
    ("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("flocker", "deprecated in v1.22, non-functional in v1.25+"),
    ("storageos", "deprecated in v1.22, non-functional in v1.25+"),
    ("quobyte", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("rbd", "deprecated in v1.28, non-functional in v1.31+"),
];

fn warn_volumes(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    for volume in subject.spec.child("volumes").items() {
        for (key, text) in VOLUMES {
            if volume.child(key).is_set() {
                // The reference spells this one differently here.
                let key = if key == "storageos" { "storageOS" } else { key };
                warnings.push(format!("{}: {text}", volume.path.child(key)));
            }
        }
        let ephemeral = volume.child("ephemeral");
        let template = ephemeral.child("volumeClaimTemplate");
        let claim = template.child("spec");
        let resources = claim.child("resources");
        warn_fractions(&resources.child("requests"), &["storage"], warnings);
        warn_fractions(&resources.child("limits"), &["storage"], warnings);
    }
}

/// Fractions of a byte have no effect.
fn warn_fractions(amounts: &Field<'_, '_>, names: &[&str], warnings: &mut Warnings) {
    for name in names {
        let amount = amounts.child(name).quantity();
        if let Some(amount) = amount.filter(is_fraction) {
            warnings.push(format!(
                "{}: fractional byte value {} is invalid, must be an integer",
                amounts.path.key(name),
                quote(&amount.to_string())
            ));
        }
    }
}

fn is_fraction(amount: &Quantity) -> bool {
    amount.to_string().ends_with(['m', 'u', 'n'])
}

fn warn_repeated(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    for (list, key) in [("hostAliases", "ip"), ("imagePullSecrets", "name")] {
        let mut seen = HashSet::new();
        for item in subject.spec.child(list).items() {
            let value = item.child(key);
            if !seen.insert(value.text()) {
                warnings.push(format!("{}: duplicate {key} {}", value.path, quote(value.text())));
            }
        }
    }
    for secret in subject.spec.child("imagePullSecrets").items() {
        let name = secret.child("name");
        if name.is_blank() {
            warnings.push(format!("{}: invalid empty name \"\"", name.path));
        }
    }
}

fn warn_overhead(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    let overhead = subject.spec.child("overhead");
    warn_fractions(&overhead, &["memory", "ephemeral-storage"], warnings);
}

fn warn_pod_profile(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    let context = subject.spec.child("securityContext");
    if !context.child("seccompProfile").is_set() {
        warn_annotation(
            subject,
            "seccomp.security.alpha.kubernetes.io/pod",
            SECCOMP,
            warnings,
        );
    }
}

fn warn_containers(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    let annotated = if subject.is_template {
        annotation::armor_warnings(&subject.annotations, &subject.spec)
    } else {
        Vec::new()
    };
    each_container(&subject.spec, |container| {
        let name = container.child("name").text();
        let context = container.child("securityContext");
        if !context.child("seccompProfile").is_set() {
            let key = format!("container.seccomp.security.alpha.kubernetes.io/{name}");
            warn_annotation(subject, &key, SECCOMP, warnings);
        }
        let armor = format!("container.apparmor.security.beta.kubernetes.io/{name}]: ");
        warnings.extend(
            annotated
                .iter()
                .filter(|warning| warning.contains(&armor))
                .cloned(),
        );
        let resources = container.child("resources");
        for unit in ["memory", "ephemeral-storage"] {
            warn_fractions(&resources.child("limits"), &[unit], warnings);
            warn_fractions(&resources.child("requests"), &[unit], warnings);
        }
        warn_hidden_variables(container, warnings);
    });
}

/// A variable that is set twice hides its first value, unless the second one uses it.
fn warn_hidden_variables(container: &Field<'_, '_>, warnings: &mut Warnings) {
    let mut names = HashSet::new();
    for variable in container.child("env").items() {
        let (name, value) = (variable.child("name").text(), variable.child("value").text());
        if names.insert(name) {
            continue;
        }
        let reference = format!("$({name})");
        let is_bad =
            variable.child("valueFrom").is_set() || value == reference || !value.contains(&reference);
        if is_bad {
            warnings.push(format!(
                "{}: hides previous definition of {}, which may be dropped when using apply",
                variable.path,
                quote(name)
            ));
        }
    }
}

fn warn_grace(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    let grace = subject.spec.child("terminationGracePeriodSeconds");
    if grace.number() < 0 {
        warnings.push(format!(
            "{}: must be >= 0; negative values are invalid and will be treated as 1",
            grace.path
        ));
    }
}

fn warn_pod_affinity(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    let affinity = subject.spec.child("affinity");
    for key in ["podAffinity", "podAntiAffinity"] {
        let pods = affinity.child(key);
        for term in pods.child(REQUIRED).items() {
            warn_null_selector(&term, warnings);
        }
        for weighted in pods.child(PREFERRED).items() {
            warn_null_selector(&weighted.child("podAffinityTerm"), warnings);
        }
    }
}

fn warn_addresses(subject: &Subject<'_, '_>, warnings: &mut Warnings) {
    let config = subject.spec.child("dnsConfig");
    for server in config.child("nameservers").items() {
        warnings.extend(address_warning(&server));
    }
    for alias in subject.spec.child("hostAliases").items() {
        warnings.extend(address_warning(&alias.child("ip").or_empty()));
    }
}
