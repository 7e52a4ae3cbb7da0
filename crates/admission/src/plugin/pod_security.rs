//! `PodSecurity`: what labels of a namespace allow pods to do (k8s.io/pod-security-admission), by the rules of the version that a
//! label names, or of the release.

mod check;

use std::fmt;

use kindsmith_json::{Object, Value};
use kindsmith_object::Release;
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

/// The version of rules: 1.`minor`, or the latest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Version(Option<u32>);

impl Version {
    /// Reads a label; what is no version is the latest.
    fn read(text: &str) -> Version {
        let minor = text.strip_prefix("v1.");
        let is_number = |minor: &&str| *minor == "0" || !minor.starts_with(['0', '+']);
        Version(minor.filter(is_number).and_then(|minor| minor.parse().ok()))
    }

    /// The second number of the version; a release knows no later one than its own.
    fn minor(self, release: Release) -> u32 {
        let newest = u32::from(release.number());
        self.0.map_or(newest, |minor| minor.min(newest))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(minor) => write!(out, "v1.{minor}"),
            None => out.write_str("latest"),
        }
    }
}

/// A level, and the version of its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Policy {
    level: Level,
    version: Version,
}

impl Policy {
    /// What labels enforce, and what they warn about (`PolicyToEvaluate` in pod-security-admission's api/helpers.go). An unknown
    /// level enforces most, and warns about nothing.
    fn of(labels: Object<'_>) -> (Policy, Policy) {
        let label = |name: &str| labels.get(&format!("{PREFIX}{name}")).and_then(Value::as_str);
        let version = |name: &str| label(name).map(Version::read);
        let asked = label("enforce").map(Level::named);
        let enforced = Policy {
            level: asked.map_or(Level::Privileged, |level| level.unwrap_or(Level::Restricted)),
            version: version("enforce-version").unwrap_or_default(),
        };
        // Where nothing else is said, what would be refused is warned about.
        let (level, fallback) = match label("warn") {
            Some(level) => (Level::named(level), Version::default()),
            None => (asked.flatten(), enforced.version),
        };
        let warned = Policy {
            level: level.unwrap_or(Level::Privileged),
            version: version("warn-version").unwrap_or(fallback),
        };
        (enforced, warned)
    }

    /// What a pod does that the policy does not allow.
    fn text(self, release: Release, metadata: Value<'_>, spec: Value<'_>) -> Option<String> {
        let strictness = match self.level {
            Level::Privileged => return None,
            Level::Baseline => check::Strictness::Baseline,
            Level::Restricted => check::Strictness::Restricted,
        };
        let found = violations(metadata, spec, strictness, self.version.minor(release));
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
    let (enforced, warned) = Policy::of(labels);
    let release = review.settings.release;
    let metadata = pod.get("metadata").unwrap_or_default();
    let spec = pod.get("spec").unwrap_or_default();
    if is_pod && let Some(why) = enforced.text(release, metadata, spec) {
        return forbid(format!("violates {why}"));
    }
    if let Some(why) = warned.text(release, metadata, spec) {
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
