//! Pods (pkg/registry/core/pod/strategy.go). Default admission plugins that look at nothing but the pod act here, too:
//! ServiceAccount, DefaultTolerationSeconds and Priority in what they do to a pod that says nothing.

use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_object::FieldError;

use super::described::Described;
use crate::edit::{each, member};
use crate::field::Field;
use crate::rule::{as_json, entries, forbidden, items, text};
use crate::{Change, DecodedObject, Preparation, Strategy, Subresource, pod};

#[derive(Debug)]
pub(crate) struct Pod;

/// Pods leave nodes that are lost after five minutes.
const TOLERATIONS: [&str; 2] = [
    r#"{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}"#,
    r#"{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}"#,
];

impl Strategy for Pod {
    fn short_names(&self) -> &'static [&'static str] {
        &["po"]
    }

    fn categories(&self) -> &'static [&'static str] {
        &["all"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[Subresource::STATUS]
    }

    fn returns_deleted_object(&self) -> bool {
        true
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        match part {
            "status" => &[
                &["metadata", "deletionTimestamp"],
                &["metadata", "ownerReferences"],
                &["spec"],
            ],
            _ => &[&["status"]],
        }
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = pod::default_template(arena, object);
        member(arena, &mut object, &["spec"], |spec| {
            let mut spec = spec;
            if spec.get("enableServiceLinks").is_none_or(Value::is_null) {
                spec.set(arena, &["enableServiceLinks"], Value::Bool(true));
            }
            for key in ["containers", "initContainers"] {
                each(arena, &mut spec, key, |container| {
                    request_limits(arena, container)
                });
            }
            spec
        });
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        Described::STATUS.prepare(preparation, draft);
        let arena = preparation.arena;
        let mut object = draft.value();
        if preparation.subresource.is_empty() {
            member(arena, &mut object, &["spec"], |spec| {
                admitted(arena, spec, preparation.old.is_none())
            });
        }
        if preparation.old.is_none() {
            let class = quality(object.get("spec").unwrap_or_default());
            object.set(arena, &["status", "phase"], Value::Str("Pending"));
            object.set(arena, &["status", "qosClass"], Value::Str(class));
        }
        draft.object = object.as_object().unwrap_or(draft.object);
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
        if change.subresource == "status" {
            return;
        }
        let spec = Field::root(change, "spec");
        pod::validate_spec(spec.value.unwrap_or_default(), &spec.path, errors);
        let ephemeral = spec.child("ephemeralContainers");
        if change.old.is_none() && ephemeral.len() > 0 {
            ephemeral.forbidden("cannot be set on create", errors);
        }
        if change.old.is_some() {
            validate_update(&spec, &Field::old_root(change, "spec"), errors);
        }
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        match change.old.is_none() {
            true => pod::warnings(change.new.value(), None),
            false => Vec::new(),
        }
    }
}

/// A container asks for what it is limited to, unless it asks for something else.
fn request_limits<'a>(arena: &'a Arena, container: Value<'a>) -> Option<Value<'a>> {
    let limits = entries(container.lookup(&["resources", "limits"]));
    let mut requests = entries(container.lookup(&["resources", "requests"]));
    let missing: Vec<_> = limits
        .iter()
        .filter(|(name, _)| requests.get(name).is_none())
        .collect();
    if missing.is_empty() {
        return None;
    }
    for (name, amount) in missing {
        requests.insert(arena, name, amount);
    }
    let mut container = container;
    container.set(arena, &["resources", "requests"], Value::Object(requests));
    Some(container)
}

/// What admission adds.
fn admitted<'a>(arena: &'a Arena, spec: Value<'a>, is_new: bool) -> Value<'a> {
    let mut spec = spec;
    let mut tolerations = items(spec.get("tolerations")).to_vec();
    for toleration in TOLERATIONS {
        let toleration = parse_str(arena, toleration).expect("the constants above are JSON");
        let key = text(toleration.get("key"));
        let covers = |known: &Value<'_>| {
            let (known_key, effect) = (text(known.get("key")), text(known.get("effect")));
            (known_key == key || known_key.is_empty()) && matches!(effect, "NoExecute" | "")
        };
        if !tolerations.iter().any(covers) {
            tolerations.push(toleration);
        }
    }
    spec.set(
        arena,
        &["tolerations"],
        Value::Array(arena.alloc_slice_copy(&tolerations)),
    );
    if !is_new {
        return spec;
    }
    if text(spec.get("serviceAccountName")).is_empty() {
        spec.set(arena, &["serviceAccountName"], Value::Str("default"));
    }
    let account = spec.get("serviceAccountName").unwrap_or_default();
    spec.set(arena, &["serviceAccount"], account);
    for (key, value) in [
        ("priority", Value::from(0)),
        ("preemptionPolicy", Value::Str("PreemptLowerPriority")),
    ] {
        if spec.get(key).is_none_or(Value::is_null) {
            spec.set(arena, &[key], value);
        }
    }
    spec
}

/// How well a pod is served when a node runs short (`ComputePodQOS` in pkg/apis/core/helper/qos/qos.go).
fn quality(spec: Value<'_>) -> &'static str {
    const COMPUTE: [&str; 2] = ["cpu", "memory"];
    let amount = |holder: Value<'_>, key: &str, name: &str| {
        let amount = entries(holder.lookup(&["resources", key])).get(name);
        amount
            .and_then(Value::as_str)
            .filter(|text| *text != "0")
            .map(str::to_owned)
    };
    let lists = [spec.get("initContainers"), spec.get("containers")];
    let containers: Vec<Value<'_>> = lists.iter().flat_map(|list| items(*list)).copied().collect();
    let is_used = |holder: &Value<'_>| {
        COMPUTE.iter().any(|name| {
            amount(*holder, "requests", name).is_some() || amount(*holder, "limits", name).is_some()
        })
    };
    let is_bounded = |holder: &Value<'_>| {
        COMPUTE.iter().all(|name| {
            let limit = amount(*holder, "limits", name);
            limit.is_some() && limit == amount(*holder, "requests", name)
        })
    };
    if is_used(&spec) {
        return if is_bounded(&spec) {
            "Guaranteed"
        } else {
            "Burstable"
        };
    }
    if !containers.iter().any(is_used) {
        return "BestEffort";
    }
    match containers.iter().all(is_bounded) {
        true => "Guaranteed",
        false => "Burstable",
    }
}

/// Few things may change. The reference also shows what did.
fn validate_update(spec: &Field<'_, '_>, old: &Field<'_, '_>, errors: &mut Vec<FieldError>) {
    const FREE: [&str; 5] = [
        "containers",
        "initContainers",
        "activeDeadlineSeconds",
        "tolerations",
        "schedulingGates",
    ];
    let keys = entries(spec.value).iter().chain(entries(old.value).iter());
    let has_changed = keys
        .map(|(key, _)| key)
        .filter(|key| !FREE.contains(key))
        .any(|key| as_json(spec.child(key).value) != as_json(old.child(key).value));
    let without_image = |container: &Field<'_, '_>| {
        let members = entries(container.value).iter();
        let members = members.filter(|(key, _)| *key != "image");
        members
            .map(|(key, value)| (key.to_owned(), as_json(Some(value))))
            .collect::<Vec<_>>()
    };
    let has_other = |key: &str| {
        let (new, old) = (spec.child(key), old.child(key));
        let shown: Vec<_> = new.items().map(|item| without_image(&item)).collect();
        let before: Vec<_> = old.items().map(|item| without_image(&item)).collect();
        shown != before
    };
    if has_changed || has_other("containers") || has_other("initContainers") {
        let detail = "pod updates may not change fields other than `spec.containers[*].image`,\
                      `spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to \
                      existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was \
                      previously negative)\n";
        errors.push(forbidden(&spec.path, detail));
    }
}
