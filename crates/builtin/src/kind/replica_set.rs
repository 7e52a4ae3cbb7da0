//! Replica sets (pkg/registry/apps/replicaset/strategy.go and pkg/apis/apps/validation/validation.go).

use kindsmith_json::{Arena, Value};
use kindsmith_object::FieldError;

use super::replication_controller::{controller_warnings, prepare_generation};
use super::workload::{SPEC, Words, default_template, validate_counts, validate_limits, validate_pods};
use crate::go_value::json::as_json;
use crate::go_value::json::is_same;
use crate::rule::{immutable, not_negative};
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Preparation, Scaling, Strategy, Subresource};

#[derive(Debug)]
pub(crate) struct ReplicaSet;

impl Strategy for ReplicaSet {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["rs"]
    }

    fn categories(&self) -> &'static [&'static str] {
        &["all"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[Subresource::SCALE, Subresource::STATUS]
    }

    fn scaling(&self) -> Option<Scaling> {
        Some(Scaling::Selector)
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        match part {
            "status" => &[&["spec"]],
            _ => &[&["status"]],
        }
    }

    fn pod_spec(&self) -> Option<&'static [&'static str]> {
        Some(&["spec", "template", "spec"])
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        default_template(arena, &mut object, &["spec", "template"]);
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        prepare_generation(preparation, draft, &["spec"]);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
        match change.subresource {
            "status" => validate_status(change, errors),
            _ => validate_spec(change, errors),
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        controller_warnings(change)
    }
}

/// Kubernetes names the wrong kind for an empty selector.
const WORDS: Words = Words {
    empty: "deployment",
    broken: "invalid label selector",
    template: "ReplicaSet",
};

fn validate_spec(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let get = |key| change.get(&["spec", key]);
    for key in ["replicas", "minReadySeconds"] {
        not_negative(&SPEC.child(key), get(key), errors);
    }
    let selector = get("selector");
    validate_pods(change, get("template").unwrap_or_default(), &WORDS, errors);
    if change.old.is_some() && !is_same(selector, change.get_old(&["spec", "selector"])) {
        immutable(&SPEC.child("selector"), as_json(selector), errors);
    }
}

fn validate_status(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let counts = [
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration",
        "terminatingReplicas",
    ];
    validate_counts(change, &counts, errors);
    let limits = [
        ("fullyLabeledReplicas", "replicas", "status.replicas"),
        ("readyReplicas", "replicas", "status.replicas"),
        ("availableReplicas", "replicas", "status.replicas"),
        ("availableReplicas", "readyReplicas", "readyReplicas"),
    ];
    validate_limits(change, &limits, errors);
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::count("Desired", "apps/v1.ReplicaSetSpec.replicas"),
    column::count("Current", "apps/v1.ReplicaSetStatus.replicas"),
    column::count("Ready", "apps/v1.ReplicaSetStatus.readyReplicas"),
    column::AGE,
    column::CONTAINERS,
    column::IMAGES,
    column::wide("Selector", "apps/v1.ReplicaSetSpec.selector"),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("spec.template.spec.containers");
    vec![
        row.name(),
        row.number("spec.replicas"),
        row.number("status.replicas"),
        row.number("status.readyReplicas"),
        row.age(),
        names,
        images,
        row.selector("spec.selector"),
    ]
}
