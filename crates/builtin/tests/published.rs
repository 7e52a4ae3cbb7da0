//! The server's own types match those that Kubernetes publishes: every field with its place, names, type, struct tags,
//! markers and rules. Needs the published modules from the Go toolchain; without them the test prints that it was
//! skipped.

use std::collections::{BTreeSet, HashMap};

use kindsmith_builtin::types;
use kindsmith_schema::{Default, Facet, Family, Field, Rule, Schema, Shape, Type};
use kindsmith_testkit::GoPackages;
use kindsmith_testkit::tool::{Tool, download, left_out};

/// Modules, and the packages of each with types of ours.
const MODULES: &[(&str, &[&str])] = &[
    (
        "k8s.io/api",
        &[
            "admissionregistration/v1",
            "apps/v1",
            "authentication/v1",
            "authorization/v1",
            "autoscaling/v1",
            "autoscaling/v2",
            "batch/v1",
            "certificates/v1",
            "coordination/v1",
            "core/v1",
            "discovery/v1",
            "events/v1",
            "flowcontrol/v1",
            "networking/v1",
            "node/v1",
            "policy/v1",
            "rbac/v1",
            "resource/v1",
            "scheduling/v1",
            "scheduling/v1alpha3",
            "storage/v1",
            "storagemigration/v1",
        ],
    ),
    ("k8s.io/apimachinery", &["pkg/apis/meta/v1"]),
    ("k8s.io/apiextensions-apiserver", &["pkg/apis/apiextensions/v1"]),
    ("k8s.io/kube-aggregator", &["pkg/apis/apiregistration/v1"]),
];

const VERSION: &str = "v0.37.2";

/// The published types; `None`, with a line that says what was skipped, if they are not available.
fn published(what: &str) -> Option<Schema> {
    let (mut packages, mut patterns) = (GoPackages::default(), Vec::new());
    for (module, below) in MODULES {
        let Some(directory) = download(&format!("{module}@{VERSION}")) else {
            left_out(Tool::Go, what);
            return None;
        };
        let directory = directory.to_str().expect("text");
        packages = packages.module(module, directory);
        patterns.extend(below.iter().map(|package| format!("{directory}/{package}")));
    }
    Some(packages.read_all(&patterns).schema)
}

#[test]
fn own_types_match_the_published_ones() {
    let Some(published) = published("the server's own types beside those published") else {
        return;
    };
    let own = types::own_schema();
    let mut wrong = Vec::new();
    for (_, ty) in own.types() {
        // Types that are not under `api/` are fallbacks of the reader.
        let ours = own.package(&ty.name.package).is_some_and(|package| package.input);
        if !ours || ty.well_known.is_some_and(|known| known.is_opaque()) {
            continue;
        }
        match published.find(&ty.name) {
            None => wrong.push(format!("{} is not published", ty.name)),
            Some(id) => compare(own, ty, &published, published.ty(id), &mut wrong),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Published kinds that the server does not need: messages between clients and webhooks, and a list of anything.
const LEFT_OUT: &[&str] = &["ApplyOptions", "ConversionReview", "List"];

/// Every published kind has its type under `api/`.
#[test]
fn every_published_kind_exists() {
    let Some(published) = published("the kinds that are published") else {
        return;
    };
    let is_kind = |ty: &Type| {
        let mut fields = ty.fields().iter();
        fields.any(|field| field.embedded && &*field.name == "TypeMeta")
    };
    let own = types::own_schema();
    let mut missing = Vec::new();
    for (_, ty) in published.types().filter(|(_, ty)| is_kind(ty)) {
        // Versions that are not served contain only what other versions embed.
        let is_input = published
            .package(&ty.name.package)
            .is_some_and(|package| package.input);
        if is_input
            && !ty.name.package.ends_with("/v1alpha3")
            && !LEFT_OUT.contains(&&*ty.name.name)
            && own.find(&ty.name).is_none()
        {
            missing.push(ty.name.to_string());
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

fn compare(own: &Schema, ours: &Type, published: &Schema, theirs: &Type, wrong: &mut Vec<String>) {
    let name = &ours.name;
    let mut differ = |what: &str, ours: String, theirs: String| {
        if ours != theirs {
            wrong.push(format!("{name}: {what}\n     ours {ours}\n  theirs {theirs}"));
        }
    };
    differ("rules", rules(&ours.rules), rules(&theirs.rules));
    let values = |ty: &Type| -> BTreeSet<String> {
        let constants = ty.constants.iter();
        constants
            .map(|constant| format!("{:?}", constant.value))
            .collect()
    };
    // Constants of the same type may be in other files; only those of an enum are all of its values.
    if theirs.rules.iter().any(|rule| matches!(rule.facet, Facet::Enum)) {
        differ(
            "constants",
            format!("{:?}", values(ours)),
            format!("{:?}", values(theirs)),
        );
    }
    let target = |schema: &Schema, ty: &Type| match &ty.shape {
        Shape::Def(to) | Shape::Alias(to) => schema.view().text(to),
        _ => String::new(),
    };
    differ("definition", target(own, ours), target(published, theirs));
    let names =
        |ty: &Type| -> Vec<String> { ty.fields().iter().map(|field| field.name.to_string()).collect() };
    differ(
        "fields",
        format!("{:?}", names(ours)),
        format!("{:?}", names(theirs)),
    );
    let theirs: HashMap<&str, &Field> = theirs
        .fields()
        .iter()
        .map(|field| (&*field.name, field))
        .collect();
    for field in ours.fields() {
        let Some(other) = theirs.get(&*field.name) else {
            continue;
        };
        let mut differ = |what: &str, ours: String, theirs: String| {
            differ(&format!("{}: {what}", field.name), ours, theirs);
        };
        differ(
            "type",
            own.view().text(&field.ty),
            published.view().text(&other.ty),
        );
        differ("json", format!("{:?}", field.json), format!("{:?}", other.json));
        differ(
            "protobuf",
            format!("{:?}", field.protobuf),
            format!("{:?}", other.protobuf),
        );
        differ(
            "patch",
            format!("{:?}", field.patch),
            format!("{:?}", other.patch),
        );
        differ("rules", rules(&field.rules), rules(&other.rules));
        // Our tags also set what Kubernetes defaults in code.
        if other.default.is_some() {
            differ("default", default(field), default(other));
        }
    }
}

/// The rules that the server knows: not those of CRDs, those that need hand-written code, or those that only mark a
/// field optional.
fn rules(rules: &[Rule]) -> String {
    let kept = rules.iter().filter(|rule| {
        rule.family != Family::Kubebuilder && !matches!(rule.facet, Facet::CustomValidation | Facet::Optional)
    });
    let texts: Vec<String> = kept.map(|rule| format!("{rule:?}")).collect();
    texts.join("\n          ")
}

fn default(field: &Field) -> String {
    format!("{:?}", field.default.as_ref().and_then(Default::value))
}
