//! Replica sets (pkg/registry/apps/replicaset/strategy.go and pkg/apis/apps/validation/validation.go).

use kindsmith_json::Value;
use kindsmith_object::FieldError;

use super::replication_controller::{REPLICA_LIMITS, replica_cells};
use super::workload::{
    SPEC, Words, Workload, counted, validate_counts, validate_limits, validate_pods, validate_same_selector,
};
use crate::Change;
use crate::field_check::not_negative;
use crate::table::{Heading, Row, Table, column};

pub(crate) const REPLICA_SET: Workload = Workload {
    short_names: &["rs"],
    table: Table {
        headings: HEADINGS,
        cells,
    },
    spec: validate_spec,
    status: validate_status,
    tracked: counted,
    ..Workload::PLAIN
};

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
    validate_pods(change, get("template").unwrap_or_default(), &WORDS, errors);
    validate_same_selector(change, errors);
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
    validate_limits(change, &REPLICA_LIMITS, errors);
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
    replica_cells(row, row.selector("spec.selector"))
}
