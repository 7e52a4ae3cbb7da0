//! Stateful sets (pkg/registry/apps/statefulset/strategy.go).

mod validate;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::NameRule;

use super::workload::{SPEC, Workload, counted};
use crate::edit::{each, member};
use crate::field::Field;
use crate::field_check::{items, number, text};
use crate::part::volume_claim::size_warnings;
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, pod};

pub(crate) const STATEFUL_SET: Workload = Workload {
    short_names: &["sts"],
    name_rule: NameRule::Label,
    table: Table {
        headings: HEADINGS,
        cells,
    },
    default,
    spec: validate::validate_spec,
    status: validate::validate_status,
    is_status_first: true,
    warns: warnings,
    tracked: counted,
    ..Workload::PLAIN
};

fn default<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    default_strategy(arena, &mut object);
    member(arena, &mut object, &["spec"], |spec| {
        let mut spec = spec;
        each(arena, &mut spec, "volumeClaimTemplates", |claim| {
            Some(with_kind(arena, claim))
        });
        spec
    });
    object
}

fn warnings(change: &Change<'_>) -> Vec<String> {
    let is_same = |old: &DecodedObject<'_>| old.meta.generation == change.new.meta.generation;
    let mut warnings = Vec::new();
    if !change.subresource.is_empty() {
        return warnings;
    }
    if let Some(template) = change.get(&["spec", "template"])
        && !change.old.is_some_and(is_same)
    {
        warnings = pod::template_warnings(template, &SPEC.child("template"), change.release);
        let claims = SPEC.child("volumeClaimTemplates");
        for (index, claim) in items(change.get(&["spec", "volumeClaimTemplates"]))
            .iter()
            .enumerate()
        {
            let path = claims.index(index);
            // The reference leaves out the spec.
            let resources = Field {
                path: path.child("resources"),
                value: claim.lookup(&["spec", "resources"]),
                release: change.release,
            };
            warnings.extend(size_warnings(&resources));
        }
    }
    if number(change.get(&["spec", "revisionHistoryLimit"])) < 0 {
        let text = "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 \
                    is recommended";
        warnings.push(text.to_owned());
    }
    warnings
}

/// Adds `apiVersion` and `kind` to claims (`Convert_apps_StatefulSetSpec_To_v1_StatefulSetSpec` in
/// pkg/apis/apps/v1/conversion.go).
fn with_kind<'a>(arena: &'a Arena, claim: Value<'a>) -> Value<'a> {
    let mut claim = claim;
    claim.set(arena, &["kind"], Value::Str("PersistentVolumeClaim"));
    claim.set(arena, &["apiVersion"], Value::Str("v1"));
    claim
}

/// The default strategy is a rolling update of all pods, one at a time.
fn default_strategy<'a>(arena: &'a Arena, object: &mut Value<'a>) {
    let path = ["spec", "updateStrategy", "rollingUpdate"];
    let kind = text(object.lookup(&["spec", "updateStrategy", "type"]));
    if kind.is_empty() {
        for path in [&path[..1], &path[..2], &path] {
            if object.lookup(path).is_none_or(Value::is_null) {
                object.set(arena, path, Value::Object(Object::EMPTY));
            }
        }
    }
    let is_rolling = matches!(kind, "" | "RollingUpdate");
    if !is_rolling || object.lookup(&path).is_none_or(Value::is_null) {
        return;
    }
    for (key, pods) in [("partition", 0), ("maxUnavailable", 1)] {
        let path = ["spec", "updateStrategy", "rollingUpdate", key];
        if object.lookup(&path).is_none_or(Value::is_null) {
            object.set(arena, &path, Value::Int(pods));
        }
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::in_words("Ready", "Pods that are ready, of those that are wanted."),
    column::AGE,
    column::CONTAINERS,
    column::IMAGES,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("spec.template.spec.containers");
    let number = |path: &str| row.at(path).as_i64().unwrap_or_default();
    let ready = format!("{}/{}", number("status.readyReplicas"), number("spec.replicas"));
    vec![row.name(), row.cell(&ready), row.age(), names, images]
}
