//! Deployments (pkg/registry/apps/deployment/strategy.go and pkg/apis/apps/validation/validation.go).

mod validate;

use kindsmith_json::{Arena, Object, Value};

use super::workload::{Workload, counted};
use crate::field_check::text;
use crate::part::selector;
use crate::table::{Heading, Row, Table, column};
use crate::{DecodedObject, Preparation};

pub(crate) const DEPLOYMENT: Workload = Workload {
    short_names: &["deploy"],
    kept_by_status: &[&["spec"], &["metadata", "labels"]],
    table: Table {
        headings: HEADINGS,
        cells,
    },
    default: default_rolling,
    prepare,
    spec: validate::validate_spec,
    status: validate::validate_status,
    tracked: counted,
    ..Workload::PLAIN
};

/// A write of the status keeps labels; a change of annotations counts as a change of the spec.
fn prepare<'a>(preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
    let Some(old) = preparation.old else { return };
    match preparation.subresource {
        "status" => decoded.meta.labels = old.meta.labels,
        _ if decoded.meta.annotations != old.meta.annotations => {
            decoded.meta.generation = old.meta.generation.saturating_add(1);
        }
        _ => {}
    }
}

/// A quarter of the pods may be missing, and a quarter too many, but only if pods are replaced one by one.
fn default_rolling<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    if !matches!(
        text(object.lookup(&["spec", "strategy", "type"])),
        "" | "RollingUpdate"
    ) {
        return object;
    }
    for path in [
        &["spec"][..],
        &["spec", "strategy"],
        &["spec", "strategy", "rollingUpdate"],
    ] {
        if object.lookup(path).is_none_or(Value::is_null) {
            object.set(arena, path, Value::Object(Object::EMPTY));
        }
    }
    for key in ["maxUnavailable", "maxSurge"] {
        let path = ["spec", "strategy", "rollingUpdate", key];
        if object.lookup(&path).is_none_or(Value::is_null) {
            object.set(arena, &path, Value::Str("25%"));
        }
    }
    object
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::in_words("Ready", "Pods that are ready, of those that are wanted."),
    column::text("Up-to-date", "apps/v1.DeploymentStatus.updatedReplicas"),
    column::text("Available", "apps/v1.DeploymentStatus.availableReplicas"),
    column::AGE,
    column::CONTAINERS,
    column::IMAGES,
    column::wide("Selector", "apps/v1.DeploymentSpec.selector"),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("spec.template.spec.containers");
    let ready = format!(
        "{:?}/{:?}",
        row.number("status.readyReplicas"),
        row.number("spec.replicas")
    );
    vec![
        row.name(),
        row.cell(&ready),
        row.number("status.updatedReplicas"),
        row.number("status.availableReplicas"),
        row.age(),
        names,
        images,
        row.cell(&selector::to_text(row.at("spec.selector"))),
    ]
}
