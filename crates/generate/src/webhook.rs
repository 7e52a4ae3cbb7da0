//! Webhook configurations from `+kubebuilder:webhook` markers, byte for byte as controller-gen's generator `webhook`
//! writes them.

mod patch;

use std::sync::Arc;

use kindsmith_go::package::Package;
use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Value};
use kindsmith_source::Span;
use kindsmith_tags::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};

use crate::controller_gen::Release;
use crate::manifest::{Manifest, list, object, texts, write};
use crate::package_markers::{Definition, Found, Problem, anywhere};

/// Options of the generator.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Text before the first document.
    pub header: String,
    /// The release of controller-gen to follow.
    pub release: Release,
}

/// Webhook configurations, and what is wrong with markers.
#[derive(Debug, Clone, Default)]
pub struct Webhooks {
    /// The file; `None` if no package has a marker.
    pub manifest: Option<Manifest>,
    /// In the order found.
    pub problems: Vec<Problem>,
}

const WEBHOOK: &str = "kubebuilder:webhook";
const CONFIGURATION: &str = "kubebuilder:webhookconfiguration";

const MARKERS: &[Definition] = &[
    Definition {
        name: WEBHOOK,
        takes: Arguments::Named(&[
            Argument::needed("mutating", ArgumentType::Bool),
            Argument::needed("failurePolicy", ArgumentType::Text),
            Argument::optional("matchPolicy", ArgumentType::Text),
            Argument::optional("sideEffects", ArgumentType::Text),
            Argument::optional("timeoutSeconds", ArgumentType::Int),
            Argument::needed("groups", ArgumentType::Texts),
            Argument::needed("resources", ArgumentType::Texts),
            Argument::needed("verbs", ArgumentType::Texts),
            Argument::needed("versions", ArgumentType::Texts),
            Argument::needed("name", ArgumentType::Text),
            Argument::optional("serviceName", ArgumentType::Text),
            Argument::optional("serviceNamespace", ArgumentType::Text),
            Argument::optional("path", ArgumentType::Text),
            Argument::optional("servicePort", ArgumentType::Int),
            Argument::optional("webhookVersions", ArgumentType::Texts),
            Argument::needed("admissionReviewVersions", ArgumentType::Texts),
            Argument::optional("reinvocationPolicy", ArgumentType::Text),
            Argument::optional("url", ArgumentType::Text),
            Argument::optional("patch", ArgumentType::Text),
        ]),
    },
    Definition {
        name: CONFIGURATION,
        takes: Arguments::Named(&[
            Argument::needed("mutating", ArgumentType::Bool),
            Argument::optional("name", ArgumentType::Text),
        ]),
    },
];

const VERBS: [&str; 5] = ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"];
const FAILURE_POLICIES: [&str; 2] = ["Ignore", "Fail"];
const MATCH_POLICIES: [&str; 2] = ["Exact", "Equivalent"];
const SIDE_EFFECTS: [&str; 3] = ["None", "NoneOnDryRun", "Some"];
const REINVOCATION_POLICIES: [&str; 2] = ["Never", "IfNeeded"];

/// One of the two kinds of configuration, mutating first.
#[derive(Clone, Copy)]
struct Sort {
    mutating: bool,
    kind: &'static str,
    /// The Go type of one webhook, which errors name.
    ty: &'static str,
    name: &'static str,
    word: &'static str,
}

const SORTS: [Sort; 2] = [
    Sort {
        mutating: true,
        kind: "MutatingWebhookConfiguration",
        ty: "MutatingWebhook",
        name: "mutating-webhook-configuration",
        word: "mutating",
    },
    Sort {
        mutating: false,
        kind: "ValidatingWebhookConfiguration",
        ty: "ValidatingWebhook",
        name: "validating-webhook-configuration",
        word: "validating",
    },
];

/// A webhook of a marker.
struct Webhook<'a> {
    name: String,
    value: Value<'a>,
    span: Span,
}

/// Generates the webhook configurations of all packages; their order counts if the release does not
/// [sort webhooks](Release::sorts_webhooks).
#[must_use]
pub fn configurations(packages: &[Arc<Package>], options: &Options) -> Webhooks {
    let mut problems = Vec::new();
    let found: Vec<Vec<Found>> = packages
        .iter()
        .map(|package| anywhere(package, MARKERS, &mut problems))
        .collect();
    let arena = Arena::new();
    let documents: Vec<Value<'_>> = SORTS
        .iter()
        .filter_map(|sort| configuration(&arena, *sort, &found, options.release, &mut problems))
        .collect();
    let manifest = (!documents.is_empty()).then(|| Manifest {
        file_name: "manifests.yaml".to_owned(),
        text: write(&options.header, &documents),
    });
    Webhooks { manifest, problems }
}

/// The configuration with all webhooks of one sort; `None` if there are none.
fn configuration<'a>(
    arena: &'a Arena,
    sort: Sort,
    packages: &[Vec<Found>],
    release: Release,
    problems: &mut Vec<Problem>,
) -> Option<Value<'a>> {
    let mut webhooks: Vec<Webhook<'a>> = Vec::new();
    let mut name = sort.name;
    for package in packages {
        let own = |wanted: &'static str| {
            package.iter().filter(move |found| {
                found.name == wanted && found.values.bool("mutating") == Some(sort.mutating)
            })
        };
        let mut named = own(CONFIGURATION);
        if let Some(found) = named.next() {
            name = match found.values.text("name") {
                None | Some("") => sort.name,
                Some(name) => arena.alloc_str(name),
            };
        }
        for twice in named {
            let name = twice.values.text("name").unwrap_or_default();
            problems.push(Problem::new(
                twice.span,
                format!("duplicate {} {CONFIGURATION} with name {name}", sort.word),
            ));
        }
        let first = webhooks.len();
        for found in own(WEBHOOK) {
            match webhook(arena, sort, &found.values) {
                Ok(value) => webhooks.push(Webhook {
                    name: found.values.text("name").unwrap_or_default().to_owned(),
                    value,
                    span: found.span,
                }),
                Err(message) => problems.push(Problem::new(found.span, message)),
            }
        }
        let sorted = if release.sorts_webhooks() { 0 } else { first };
        webhooks[sorted..].sort_by(|one, other| one.name.cmp(&other.name));
    }
    for webhook in &webhooks {
        problems.extend(rejected(webhook.value).map(|message| Problem::new(webhook.span, message)));
    }
    let values: Vec<Value<'a>> = webhooks.iter().map(|webhook| webhook.value).collect();
    (!values.is_empty()).then(|| {
        let metadata = object(arena, &[("name", Some(name.into()))]);
        object(
            arena,
            &[
                ("apiVersion", Some("admissionregistration.k8s.io/v1".into())),
                ("kind", Some(sort.kind.into())),
                ("metadata", Some(metadata)),
                ("webhooks", Some(list(arena, &values))),
            ],
        )
    })
}

/// The webhook of a marker, with its patch applied.
fn webhook<'a>(arena: &'a Arena, sort: Sort, marker: &MarkerValues) -> Result<Value<'a>, String> {
    let text = |name| marker.text(name).filter(|text| !text.is_empty());
    let own = |text: &str| Value::Str(arena.alloc_str(text));
    let words = |name: &str| {
        marker
            .texts(name)
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    if let Some(version) = marker
        .texts("webhookVersions")
        .into_iter()
        .find(|version| *version != "v1")
    {
        return Err(format!("unsupported webhook version: {version}"));
    }
    let match_policy = match text("matchPolicy") {
        None => None,
        Some(given) => Some(
            spelled(&MATCH_POLICIES, given)
                .ok_or_else(|| format!("unknown value {} for matchPolicy", quote(given)))?,
        ),
    };
    let failure_policy = marker.text("failurePolicy").unwrap_or_default();
    let failure_policy =
        spelled(&FAILURE_POLICIES, failure_policy).map_or_else(|| own(failure_policy), Value::from);
    let side_effects = text("sideEffects").and_then(|given| spelled(&SIDE_EFFECTS, given));
    let reinvocation = text("reinvocationPolicy")
        .filter(|_| sort.mutating)
        .and_then(|given| spelled(&REINVOCATION_POLICIES, given));
    let groups = words("groups")
        .into_iter()
        .map(|group| if group == "core" { String::new() } else { group });
    let operations = words("verbs")
        .into_iter()
        .map(|verb| spelled(&VERBS, &verb).map_or(verb, str::to_owned));
    let rule = [
        ("apiGroups", texts(arena, groups)),
        ("apiVersions", texts(arena, words("versions"))),
        ("operations", texts(arena, operations)),
        ("resources", texts(arena, words("resources"))),
    ];
    let versions = texts(arena, words("admissionReviewVersions"));
    let timeout = marker.int("timeoutSeconds").filter(|seconds| *seconds != 0);
    let members = [
        ("admissionReviewVersions", Some(versions.unwrap_or(Value::Null))),
        ("clientConfig", Some(client_config(arena, marker)?)),
        ("failurePolicy", Some(failure_policy)),
        ("matchPolicy", match_policy.map(Value::from)),
        ("name", marker.text("name").map(own)),
        ("reinvocationPolicy", reinvocation.map(Value::from)),
        ("rules", Some(list(arena, &[object(arena, &rule)]))),
        ("sideEffects", Some(side_effects.map_or(Value::Null, Value::from))),
        ("timeoutSeconds", timeout.map(Value::from)),
    ];
    let webhook = object(arena, &members);
    match text("patch") {
        None => Ok(webhook),
        Some(patch) => patch::apply(arena, webhook, patch, sort.ty)
            .map_err(|error| format!("failed to apply patch: {error}")),
    }
}

/// Where the server calls the webhook.
fn client_config<'a>(arena: &'a Arena, marker: &MarkerValues) -> Result<Value<'a>, String> {
    let text = |name| marker.text(name).filter(|text| !text.is_empty());
    let own = |text: &str| Value::Str(arena.alloc_str(text));
    match (text("path"), text("url")) {
        (None, Some(url)) => Ok(object(arena, &[("url", Some(own(url)))])),
        (Some(path), None) => {
            let service = [
                (
                    "name",
                    Some(own(text("serviceName").unwrap_or("webhook-service"))),
                ),
                (
                    "namespace",
                    Some(own(text("serviceNamespace").unwrap_or("system"))),
                ),
                ("path", Some(own(path))),
                ("port", marker.int("servicePort").map(Value::from)),
            ];
            Ok(object(arena, &[("service", Some(object(arena, &service)))]))
        }
        _ => Err("`url` or `path` markers are required and mutually exclusive".to_owned()),
    }
}

/// The API's spelling of a word in any case.
fn spelled(known: &[&'static str], given: &str) -> Option<&'static str> {
    let given = given.to_lowercase();
    known.iter().copied().find(|word| word.to_lowercase() == given)
}

/// What the API does not accept of a webhook.
fn rejected(webhook: Value<'_>) -> Option<&'static str> {
    match webhook.get("sideEffects").and_then(Value::as_str) {
        None => {
            return Some("SideEffects is required for creating v1 {Mutating,Validating}WebhookConfiguration");
        }
        Some("Some" | "Unknown") => {
            return Some(
                "SideEffects should not be set to `Some` or `Unknown` for v1 {Mutating,Validating}WebhookConfiguration",
            );
        }
        Some(_) => {}
    }
    let timeout = webhook.get("timeoutSeconds").and_then(Value::as_i64);
    if timeout.is_some_and(|seconds| !(1..=30).contains(&seconds)) {
        return Some("TimeoutSeconds must be between 1 and 30 seconds");
    }
    let versions = webhook.get("admissionReviewVersions").and_then(Value::as_array);
    versions
        .unwrap_or_default()
        .is_empty()
        .then_some("AdmissionReviewVersions is mandatory for v1 {Mutating,Validating}WebhookConfiguration")
}
