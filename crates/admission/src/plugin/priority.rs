//! `Priority`: pods get the priority of their class (plugin/pkg/admission/priority/admission.go).

use kindsmith_json::Value;

use super::review::forbid;
use super::{Refusal, Review};

const GROUP: &str = "scheduling.k8s.io";
const RESOURCE: &str = "priorityclasses";

const PRIORITY: [&str; 2] = ["spec", "priority"];
const PREEMPTION: [&str; 2] = ["spec", "preemptionPolicy"];

/// Classes that every cluster has.
const SYSTEM: [(&str, i64); 2] = [
    ("system-node-critical", 2_000_001_000),
    ("system-cluster-critical", 2_000_000_000),
];

/// What a class says.
struct Class {
    name: String,
    priority: i64,
    preemption: String,
}

impl Class {
    fn of(class: Value<'_>) -> Class {
        let preemption = match class.text("preemptionPolicy") {
            "" => "PreemptLowerPriority",
            policy => policy,
        };
        Class {
            name: class.text(&["metadata", "name"]).to_owned(),
            priority: value(class),
            preemption: preemption.to_owned(),
        }
    }

    fn simple(name: &str, priority: i64) -> Class {
        Class {
            name: name.to_owned(),
            priority,
            preemption: "PreemptLowerPriority".to_owned(),
        }
    }
}

fn value(class: Value<'_>) -> i64 {
    class.get("value").and_then(Value::as_i64).unwrap_or_default()
}

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    if !review.is_of("", "pods", "") {
        return Ok(pod);
    }
    match review.request.old {
        Some(old) => Ok(kept(review, old, pod)),
        None if review.server.has_objects() => set(review, pod),
        // A class that nobody can look up may demand any priority.
        None => Ok(filled(review, pod)),
    }
}

/// An update that omits priority or preemption keeps them.
fn kept<'a>(review: &Review<'_, 'a>, old: Value<'a>, pod: Value<'a>) -> Value<'a> {
    let mut pod = pod;
    for path in [PRIORITY, PREEMPTION] {
        let is_set = |pod: Value<'a>| pod.lookup(&path).filter(|value| !value.is_null());
        if let (None, Some(value)) = (is_set(pod), is_set(old)) {
            pod.set(review.arena, &path, value);
        }
    }
    pod
}

/// The priority of a pod without a class, unless the pod has its own.
fn filled<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Value<'a> {
    let mut pod = pod;
    for (path, value) in [
        (PRIORITY, Value::from(0)),
        (PREEMPTION, Value::Str("PreemptLowerPriority")),
    ] {
        if pod.lookup(&path).is_none_or(Value::is_null) {
            pod.set(review.arena, &path, value);
        }
    }
    pod
}

fn set<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    let (arena, mut pod) = (review.arena, pod);
    let class = class(review, pod.text(&["spec", "priorityClassName"]))?;
    let (path, policy_path) = (PRIORITY, PREEMPTION);
    let given = pod.lookup(&path).and_then(Value::as_i64);
    if let Some(given) = given.filter(|given| *given != class.priority) {
        return Err(differs(
            "integer",
            "priority",
            &given.to_string(),
            &class.priority.to_string(),
        ));
    }
    let given = pod.lookup(&policy_path).and_then(Value::as_str);
    if let Some(given) = given.filter(|given| *given != class.preemption) {
        return Err(differs("string", "PreemptionPolicy", given, &class.preemption));
    }
    pod.set(arena, &path, Value::from(class.priority));
    pod.set(
        arena,
        &policy_path,
        Value::Str(arena.alloc_str(&class.preemption)),
    );
    if !class.name.is_empty() {
        let name = arena.alloc_str(&class.name);
        pod.set(arena, &["spec", "priorityClassName"], Value::Str(name));
    }
    Ok(pod)
}

fn class(review: &Review<'_, '_>, name: &str) -> Result<Class, Refusal> {
    if name.is_empty() {
        let default = default_class(review);
        return Ok(default.map_or_else(|| Class::simple("", 0), Class::of));
    }
    let found = review.find(GROUP, RESOURCE, "", name).map(Class::of);
    let system = SYSTEM.iter().find(|(system, _)| *system == name);
    found
        .or_else(|| system.map(|(name, priority)| Class::simple(name, *priority)))
        .ok_or_else(|| Refusal::Forbidden(format!("no PriorityClass with name {name} was found")))
}

/// The default class; of several, the lowest.
fn default_class<'a>(review: &Review<'_, 'a>) -> Option<Value<'a>> {
    let classes = review.all_of_cluster(GROUP, RESOURCE).into_iter();
    let defaults = classes.filter(|class| class.get("globalDefault") == Some(Value::Bool(true)));
    defaults.min_by_key(|class| value(*class))
}

/// Only one class is the default.
pub(crate) fn validate<'a>(review: &Review<'_, 'a>, class: Value<'a>) -> Result<(), Refusal> {
    if !review.is_of(GROUP, RESOURCE, "") || class.get("globalDefault") != Some(Value::Bool(true)) {
        return Ok(());
    }
    let name = |class: Value<'a>| class.text(&["metadata", "name"]);
    match default_class(review) {
        Some(other) if review.is_create() || name(other) != name(class) => forbid(format!(
            "PriorityClass {} is already marked as default. Only one default can exist",
            name(other)
        )),
        _ => Ok(()),
    }
}

fn differs(kind: &str, what: &str, given: &str, computed: &str) -> Refusal {
    Refusal::Forbidden(format!(
        "the {kind} value of {what} ({given}) must not be provided in pod spec; priority admission controller computed \
         {computed} from the given PriorityClass name"
    ))
}
