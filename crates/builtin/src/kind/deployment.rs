//! Deployments (pkg/registry/apps/deployment/strategy.go and pkg/apis/apps/validation/validation.go).

mod validate;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::FieldError;

use super::replication_controller::{controller_warnings, prepare_generation};
use super::workload::default_template;
use crate::part::selector;
use crate::rule::text;
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Preparation, Scaling, Strategy, Subresource};

#[derive(Debug)]
pub(crate) struct Deployment;

impl Strategy for Deployment {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["deploy"]
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

    fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        match subresource {
            "status" => &[&["spec"], &["metadata", "labels"]],
            _ => &[&["status"]],
        }
    }

    fn pod_spec(&self) -> Option<&'static [&'static str]> {
        Some(&["spec", "template", "spec"])
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        default_template(arena, &mut object, &["spec", "template"]);
        let kind = text(object.lookup(&["spec", "strategy", "type"]));
        if matches!(kind, "" | "RollingUpdate") {
            default_rolling(arena, &mut object);
        }
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        prepare_generation(preparation, decoded, &["spec"]);
        let Some(old) = preparation.old else { return };
        match preparation.subresource {
            "status" => decoded.meta.labels = old.meta.labels,
            _ if decoded.meta.annotations != old.meta.annotations => {
                decoded.meta.generation = old.meta.generation.saturating_add(1);
            }
            _ => {}
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
        match change.subresource {
            "status" => validate::validate_status(change, errors),
            _ => validate::validate_spec(change, errors),
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        controller_warnings(change)
    }
}

/// A quarter of the pods may be missing, and a quarter too many, but only if pods are replaced one by one.
fn default_rolling<'a>(arena: &'a Arena, object: &mut Value<'a>) {
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
