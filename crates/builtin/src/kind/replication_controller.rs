//! Replication controllers (pkg/registry/core/replicationcontroller/strategy.go). Tags reject negative numbers.

use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, FieldError};

use crate::part::selector::matches_labels;
use crate::rule::{entries, invalid, name_problems, not_negative, number, required};
use crate::strategy::GarbageCollection;
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Preparation, Scaling, Strategy, Subresource, pod};

#[derive(Debug)]
pub(crate) struct ReplicationController;

impl Strategy for ReplicationController {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        Some(&["metadata.name", "metadata.namespace", "status.replicas"])
    }

    fn selectable_text<'a>(&self, field: &str, object: Value<'a>) -> Option<&'a str> {
        let is_absent = field == "status.replicas" && object.lookup(&["status", "replicas"]).is_none();
        is_absent.then_some("0")
    }

    fn name_rule(&self) -> NameRule {
        NameRule::Tagged
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["rc"]
    }

    fn categories(&self) -> &'static [&'static str] {
        &["all"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[Subresource::SCALE, Subresource::STATUS]
    }

    fn scaling(&self) -> Option<Scaling> {
        Some(Scaling::Labels)
    }

    fn garbage_collection(&self) -> GarbageCollection {
        GarbageCollection::Orphan
    }

    fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        match subresource {
            "status" => &[&["spec"]],
            _ => &[&["status"]],
        }
    }

    fn pod_spec(&self) -> Option<&'static [&'static str]> {
        Some(&["spec", "template", "spec"])
    }

    /// Selector and labels default to the labels of the template.
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        if let Some(template) = object
            .lookup(&["spec", "template"])
            .filter(|value| !value.is_null())
        {
            let filled = pod::default_template(arena, template);
            if filled != template {
                object.set(arena, &["spec", "template"], filled);
            }
        }
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

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        prepare_generation(preparation, decoded, &["spec"]);
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

/// Separates spec and status, and increments the generation when a watched member changes.
pub(crate) fn prepare_generation<'a>(
    preparation: &Preparation<'_, 'a>,
    decoded: &mut DecodedObject<'a>,
    watched: &[&'static str],
) {
    let Some(old) = preparation.old else {
        decoded.object.remove(preparation.arena, "status");
        decoded.meta.generation = 1;
        return;
    };
    if preparation.subresource == "status" {
        return decoded.restore(preparation.arena, "spec", old);
    }
    decoded.restore(preparation.arena, "status", old);
    if watched.iter().any(|key| !preparation.is_same(decoded, old, key)) {
        decoded.meta.generation = old.meta.generation.saturating_add(1);
    }
}

/// Warnings about a new controller, or one whose spec has changed.
pub(super) fn controller_warnings(change: &Change<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    match change.old {
        None => warnings = name_warnings(change),
        Some(old) if old.meta.generation == change.new.meta.generation => return warnings,
        Some(_) => {}
    }
    if change.subresource.is_empty()
        && let Some(template) = change.get(&["spec", "template"])
    {
        let spec = Path::root("spec");
        warnings.extend(pod::template_warnings(template, &spec.child("template")));
    }
    warnings
}

/// Warns about names that are not suitable for pods, which are named after their controller.
fn name_warnings(change: &Change<'_>) -> Vec<String> {
    let problems = name_problems(NameRule::Label, change.new.meta.name);
    match problems.is_empty() {
        true => Vec::new(),
        false => vec![format!(
            "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS \
             label is recommended: [{}]",
            problems.join(" ")
        )],
    }
}

fn validate_spec(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let spec = Path::root("spec");
    let selector = entries(change.get(&["spec", "selector"]));
    if selector.is_empty() {
        errors.push(required(&spec.child("selector"), ""));
    }
    let path = spec.child("template");
    match change.get(&["spec", "template"]) {
        None => errors.push(required(&path, "")),
        Some(template) => pod::validate_controlled(
            template,
            |labels| selector.is_empty() || matches_labels(selector, labels),
            "ReplicationController",
            &path,
            errors,
        ),
    }
}

fn validate_status(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let status = Path::root("status");
    let count = |key| change.get(&["status", key]);
    for key in [
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration",
    ] {
        not_negative(&status.child(key), count(key), errors);
    }
    for (key, limit, of) in [
        ("fullyLabeledReplicas", "replicas", "status.replicas"),
        ("readyReplicas", "replicas", "status.replicas"),
        ("availableReplicas", "replicas", "status.replicas"),
        ("availableReplicas", "readyReplicas", "readyReplicas"),
    ] {
        if number(count(key)) > number(count(limit)) {
            let bad = BadValue::Integer(number(count(key)).into());
            errors.push(invalid(
                &status.child(key),
                bad,
                format!("cannot be greater than {of}"),
            ));
        }
    }
}

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
    let [names, images] = row.containers("spec.template.spec.containers");
    vec![
        row.name(),
        row.number("spec.replicas"),
        row.number("status.replicas"),
        row.number("status.readyReplicas"),
        row.age(),
        names,
        images,
        row.labels("spec.selector"),
    ]
}
