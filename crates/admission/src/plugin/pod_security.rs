//! `PodSecurity`: what labels of a namespace allow pods to do (k8s.io/pod-security-admission). The rules are those of the
//! latest version, whichever version a label names.

mod check;

use kindsmith_json::{Object, Value};
use kindsmith_request::{AdmissionOperation, AdmissionRequest};

use super::review::forbid;
use super::{Refusal, Review};

use check::violations;

const PREFIX: &str = "pod-security.kubernetes.io/";

/// How much pods may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Privileged,
    Baseline,
    Restricted,
}

impl Level {
    fn named(name: &str) -> Option<Level> {
        Some(match name {
            "privileged" => Level::Privileged,
            "baseline" => Level::Baseline,
            "restricted" => Level::Restricted,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Level::Privileged => "privileged",
            Level::Baseline => "baseline",
            Level::Restricted => "restricted",
        }
    }
}

/// A level, and the version of its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Policy {
    level: Level,
    version: String,
}

impl Policy {
    /// The policy of a mode. An unknown level counts as `fallback`.
    fn of(labels: Object<'_>, mode: &str, fallback: Level) -> Option<Policy> {
        let label = |name: String| labels.get(&name).and_then(Value::as_str);
        let level = label(format!("{PREFIX}{mode}"))?;
        let version = label(format!("{PREFIX}{mode}-version")).unwrap_or("latest");
        Some(Policy {
            level: Level::named(level).unwrap_or(fallback),
            version: version.to_owned(),
        })
    }

    /// What a pod does that the policy does not allow.
    fn text(&self, metadata: Value<'_>, spec: Value<'_>) -> Option<String> {
        let found = match self.level {
            Level::Privileged => Vec::new(),
            Level::Baseline => violations(metadata, spec, check::Strictness::Baseline),
            Level::Restricted => violations(metadata, spec, check::Strictness::Restricted),
        };
        (!found.is_empty()).then(|| {
            format!(
                "PodSecurity \"{}:{}\": {}",
                self.level.name(),
                self.version,
                found.join(", ")
            )
        })
    }
}

/// Where workloads have their template.
const TEMPLATES: [(&str, &str, &[&str]); 8] = [
    ("", "podtemplates", &["template"]),
    ("", "replicationcontrollers", &["spec", "template"]),
    ("apps", "replicasets", &["spec", "template"]),
    ("apps", "deployments", &["spec", "template"]),
    ("apps", "statefulsets", &["spec", "template"]),
    ("apps", "daemonsets", &["spec", "template"]),
    ("batch", "jobs", &["spec", "template"]),
    ("batch", "cronjobs", &["spec", "jobTemplate", "spec", "template"]),
];

/// Judges a pod, or warns about the template of a workload.
pub(crate) fn validate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<(), Refusal> {
    let request = review.request;
    let is_pod = request.group.is_empty() && request.resource == "pods";
    let found = match is_pod {
        true if matches!(request.subresource, "" | "ephemeralcontainers") => Some(object),
        true => None,
        false if !request.subresource.is_empty() => None,
        false => template(request, object),
    };
    let Some(pod) = found.filter(|_| is_news(request, object)) else {
        return Ok(());
    };
    let namespace = review.find("", "namespaces", "", request.namespace);
    let labels = namespace.unwrap_or_default().object(&["metadata", "labels"]);
    let enforced = Policy::of(labels, "enforce", Level::Restricted);
    // Where nothing else is said, what would be refused is warned about.
    let warned = Policy::of(labels, "warn", Level::Privileged).or(enforced.clone());
    let metadata = pod.get("metadata").unwrap_or_default();
    let spec = pod.get("spec").unwrap_or_default();
    let refusal = enforced
        .filter(|_| is_pod)
        .and_then(|policy| policy.text(metadata, spec));
    if let Some(why) = refusal {
        return forbid(format!("violates {why}"));
    }
    if let Some(why) = warned.and_then(|policy| policy.text(metadata, spec)) {
        review.warn(format!("would violate {why}"));
    }
    Ok(())
}

fn template<'a>(request: &AdmissionRequest<'_, 'a>, object: Value<'a>) -> Option<Value<'a>> {
    let (.., path) = TEMPLATES
        .iter()
        .find(|(group, resource, _)| *group == request.group && *resource == request.resource)?;
    object.lookup(path).filter(|template| !template.is_null())
}

/// An update of a pod only counts if it brings another image or another container.
fn is_news(request: &AdmissionRequest<'_, '_>, object: Value<'_>) -> bool {
    let (AdmissionOperation::Update, Some(old), "pods") = (request.operation, request.old, request.resource)
    else {
        return true;
    };
    let images = |pod: Value<'_>| -> Vec<String> {
        let lists = ["containers", "initContainers", "ephemeralContainers"];
        let containers = lists.iter().flat_map(|list| pod.list(&["spec", list]));
        containers
            .map(|container| container.text("image").to_owned())
            .collect()
    };
    images(object) != images(old)
}
