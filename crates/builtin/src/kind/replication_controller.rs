//! Replication controllers (pkg/registry/core/replicationcontroller/strategy.go). Tags reject negative numbers.

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{Behavior, FieldError};

use super::workload::{SPEC, Workload, controller_warnings, validate_counts, validate_limits};
use crate::field_check::{entries, required};
use crate::part::selector::matches_labels;
use crate::table::{Heading, Row, Table, column};
use crate::{Change, GarbageCollection, Scaling, pod};

pub(crate) const REPLICATION_CONTROLLER: Workload = Workload {
    short_names: &["rc"],
    name_rule: NameRule::Tagged,
    tagged_since: Some(Behavior::NamesByTag),
    scaling: Some(Scaling::Labels),
    garbage_collection: GarbageCollection::Orphan,
    selectable: Some(&["metadata.name", "metadata.namespace", "status.replicas"]),
    table: Table {
        headings: HEADINGS,
        cells,
    },
    default: default_labels,
    spec: validate_spec,
    status: validate_status,
    warns: warnings,
    ..Workload::PLAIN
};

/// An update is warned about the template there was: `WarningsOnUpdate` passes the two in the wrong order.
fn warnings(change: &Change<'_>) -> Vec<String> {
    let Some(old) = change.old else {
        return controller_warnings(change);
    };
    let is_same = old.meta.generation == change.new.meta.generation;
    match old.get(&["spec", "template"]) {
        Some(template) if !is_same && change.subresource.is_empty() => {
            pod::template_warnings(template, &SPEC.child("template"), change.release)
        }
        _ => Vec::new(),
    }
}

/// Selector and labels default to the labels of the template.
fn default_labels<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    let labels = object.lookup(&["spec", "template", "metadata", "labels"]);
    if let Some(labels) = labels.filter(|labels| !labels.is_null()) {
        for path in [&["spec", "selector"], &["metadata", "labels"]] {
            if entries(object.lookup(path)).is_empty() {
                object.set(arena, path, labels);
            }
        }
    }
    object
}

fn validate_spec(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let selector = entries(change.get(&["spec", "selector"]));
    if selector.is_empty() {
        errors.push(required(&SPEC.child("selector"), ""));
    }
    let path = SPEC.child("template");
    match change.get(&["spec", "template"]) {
        None => errors.push(required(&path, "")),
        Some(template) => pod::validate_controlled(
            template,
            |labels| selector.is_empty() || matches_labels(selector, labels),
            "ReplicationController",
            &path,
            change.release,
            errors,
        ),
    }
}

fn validate_status(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let counts = [
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration",
    ];
    validate_counts(change, &counts, errors);
    validate_limits(change, &REPLICA_LIMITS, errors);
}

/// Counts of a status that another count limits; ReplicaSets have the same.
pub(super) const REPLICA_LIMITS: [(&str, &str, &str); 4] = [
    ("fullyLabeledReplicas", "replicas", "status.replicas"),
    ("readyReplicas", "replicas", "status.replicas"),
    ("availableReplicas", "replicas", "status.replicas"),
    ("availableReplicas", "readyReplicas", "readyReplicas"),
];

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::count("Desired", "core/v1.ReplicationControllerSpec.replicas"),
    column::count("Current", "core/v1.ReplicationControllerStatus.replicas"),
    column::count("Ready", "core/v1.ReplicationControllerStatus.readyReplicas"),
    column::AGE,
    column::CONTAINERS,
    column::IMAGES,
    column::wide("Selector", "core/v1.ReplicationControllerSpec.selector"),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    replica_cells(row, row.labels("spec.selector"))
}

/// The cells of an object that keeps a number of pods.
pub(super) fn replica_cells<'a>(row: &Row<'a>, selector: Value<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("spec.template.spec.containers");
    vec![
        row.name(),
        row.number("spec.replicas"),
        row.number("status.replicas"),
        row.number("status.readyReplicas"),
        row.age(),
        names,
        images,
        selector,
    ]
}
