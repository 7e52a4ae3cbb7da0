//! Validation of stateful sets (`ValidateStatefulSetSpec` in pkg/apis/apps/validation/validation.go).

use std::collections::BTreeSet;

use kindsmith_json::{Arena, Object, Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Behavior, FieldError, Release};

use super::super::workload::{
    SPEC, Words, amount, rolling_value, strategy_value, validate_amount, validate_collisions,
    validate_counts, validate_limits, validate_pods, validate_share,
};
use crate::Change;
use crate::field::Field;
use crate::field_check::{
    forbidden, immutable, invalid, invalid_text, items, not_negative, not_supported, required, text,
};
use crate::go_value::internal;
use crate::go_value::json::is_same;
use crate::go_value::json::{as_go, as_json};
use crate::part::volume_claim::validate_claim;
use crate::types::declared;

const WORDS: Words = Words {
    empty: "statefulset",
    broken: "",
    template: "StatefulSet",
};

pub(super) fn validate_spec(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let get = |key| change.get(&["spec", key]);
    validate_management(text(get("podManagementPolicy")), errors);
    validate_strategy(
        get("updateStrategy").unwrap_or_default(),
        &SPEC.child("updateStrategy"),
        errors,
    );
    if let Some(policy) = get("persistentVolumeClaimRetentionPolicy") {
        validate_retention(policy, errors);
    }
    if change.old.is_none() {
        validate_claims(items(get("volumeClaimTemplates")), change.release, errors);
    }
    for key in ["replicas", "minReadySeconds"] {
        not_negative(&SPEC.child(key), get(key), errors);
    }
    let start = change.get(&["spec", "ordinals", "start"]);
    not_negative(&SPEC.child("ordinals.start"), start, errors);
    let service = text(get("serviceName"));
    if change.old.is_none() && !service.is_empty() {
        NameRule::Label.validate(service, &SPEC.child("serviceName"), errors);
    }
    let arena = Arena::new();
    let template = get("template").unwrap_or_default();
    let template = with_claims(&arena, template, items(get("volumeClaimTemplates")));
    validate_pods(change, template, &WORDS, errors);
    if change.old.is_some() {
        validate_fixed(change, errors);
    }
}

/// Claims are checked on create; they do not change.
fn validate_claims(claims: &[Value<'_>], release: Release, errors: &mut Vec<FieldError>) {
    let path = SPEC.child("volumeClaimTemplates");
    for (index, claim) in claims.iter().enumerate() {
        let claim = Field {
            path: path.index(index),
            value: Some(*claim),
            release,
        };
        validate_claim(&claim.child("spec"), errors);
    }
}

/// The template with a volume for each claim, as the pods will have it. Host names are those of the pods.
fn with_claims<'a>(arena: &'a Arena, template: Value<'a>, claims: &[Value<'a>]) -> Value<'a> {
    let mut template = template;
    if template.get("spec").is_none_or(Value::is_null) {
        return template;
    }
    template.unset(arena, &["spec", "subdomain"]);
    template.unset(arena, &["spec", "hostname"]);
    if claims.is_empty() {
        return template;
    }
    let name_of = |claim: &Value<'a>| text(claim.lookup(&["metadata", "name"]));
    let mut volumes = Vec::new();
    // Of several claims with one name, one is left.
    let names: BTreeSet<&str> = claims.iter().map(name_of).collect();
    for name in names {
        let mut volume = Value::Object(Object::EMPTY);
        volume.set(arena, &["name"], Value::Str(name));
        volume.set(arena, &["persistentVolumeClaim"], Value::Object(Object::EMPTY));
        volume.set(arena, &["persistentVolumeClaim", "claimName"], Value::Str(name));
        volumes.push(volume);
    }
    let given = items(template.lookup(&["spec", "volumes"])).iter();
    let is_claim = |volume: &&Value<'a>| {
        let name = text(volume.get("name"));
        claims.iter().any(|claim| name_of(claim) == name)
    };
    volumes.extend(given.filter(|volume| !is_claim(volume)));
    let volumes = Value::Array(arena.alloc_slice_copy(&volumes));
    template.set(arena, &["spec", "volumes"], volumes);
    template
}

fn validate_management(policy: &str, errors: &mut Vec<FieldError>) {
    let path = SPEC.child("podManagementPolicy");
    match policy {
        "" => errors.push(required(&path, "")),
        "OrderedReady" | "Parallel" => {}
        other => errors.push(invalid_text(&path, other, "must be 'OrderedReady' or 'Parallel'")),
    }
}

/// Members of the internal struct of a rolling update.
const INTERNAL: [(&str, &str, Value<'static>); 2] = [
    ("Partition", "partition", Value::Int(0)),
    ("MaxUnavailable", "maxUnavailable", Value::Null),
];

fn validate_strategy(strategy: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let rolling = strategy.get("rollingUpdate").filter(|value| !value.is_null());
    let rolling_path = path.child("rollingUpdate");
    match (text(strategy.get("type")), rolling) {
        ("", _) => errors.push(required(path, "")),
        ("OnDelete", Some(rolling)) => {
            let detail = "only allowed for updateStrategy 'RollingUpdate'";
            errors.push(invalid(
                &rolling_path,
                rolling_value(Some(rolling), &INTERNAL),
                detail,
            ));
        }
        ("RollingUpdate", Some(rolling)) => validate_rolling(rolling, &rolling_path, errors),
        ("OnDelete" | "RollingUpdate", None) => {}
        _ => {
            let detail = "must be 'RollingUpdate' or 'OnDelete'";
            let bad = strategy_value(strategy, &INTERNAL);
            errors.push(invalid(path, bad, detail));
        }
    }
}

fn validate_rolling(rolling: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    not_negative(&path.child("partition"), rolling.get("partition"), errors);
    let unavailable = rolling.get("maxUnavailable").filter(|value| !value.is_null());
    if unavailable.is_none() {
        return;
    }
    let path = path.child("maxUnavailable");
    validate_amount(unavailable, &path, errors);
    if amount(unavailable) == 0 {
        errors.push(invalid(&path, as_json(unavailable), "cannot be 0"));
    }
    validate_share(unavailable, &path, errors);
}

fn validate_retention(policy: Value<'_>, errors: &mut Vec<FieldError>) {
    let path = SPEC.child("persistentVolumeClaimRetentionPolicy");
    for key in ["whenDeleted", "whenScaled"] {
        let word = text(policy.get(key));
        if !matches!(word, "Retain" | "Delete") {
            errors.push(not_supported(
                &path.child(key),
                word,
                declared("apps/v1.PersistentVolumeClaimRetentionPolicyType"),
            ));
        }
    }
}

const FIXED: &str = "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', \
                     'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and \
                     'minReadySeconds' are forbidden";

/// The selector, the claims, the service and the order of pods stay as they are.
fn validate_fixed(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let show_claims = |value: Option<Value<'_>>| {
        internal::shown_list(change.release, "core/v1", "PersistentVolumeClaim", value)
    };
    let shows: [(&str, Show<'_>); 4] = [
        ("selector", &as_go),
        ("volumeClaimTemplates", &show_claims),
        ("serviceName", &|value| BadValue::Text(text(value).into())),
        ("podManagementPolicy", &|value| BadValue::Text(text(value).into())),
    ];
    let is_changed =
        |(key, _): &(&str, Show<'_>)| !is_same(change.get(&["spec", key]), change.get_old(&["spec", key]));
    if !change.release.has(Behavior::StatefulSetFixedFields) {
        if shows.iter().any(is_changed) {
            errors.push(forbidden(&SPEC, FIXED));
        }
        return;
    }
    for (key, show) in shows {
        let (new, old) = (change.get(&["spec", key]), change.get_old(&["spec", key]));
        if !is_same(new, old) {
            immutable(&SPEC.child(key), show(new), errors);
        }
    }
}

type Show<'s> = &'s dyn Fn(Option<Value<'_>>) -> BadValue;

pub(super) fn validate_status(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let counts = [
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
        "observedGeneration",
        "collisionCount",
    ];
    validate_counts(change, &counts, errors);
    let limits = [
        ("readyReplicas", "replicas", "status.replicas"),
        ("currentReplicas", "replicas", "status.replicas"),
        ("updatedReplicas", "replicas", "status.replicas"),
        ("availableReplicas", "replicas", "status.replicas"),
        ("availableReplicas", "readyReplicas", "status.readyReplicas"),
    ];
    validate_limits(change, &limits, errors);
    validate_collisions(change, errors);
}
