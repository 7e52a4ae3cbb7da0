//! Priority: pods get the priority of their class (plugin/pkg/admission/priority/admission.go).

use kindsmith_json::Value;
use kindsmith_request::AdmissionRequest;

use super::{PodAdmission, Refusal};
use crate::rule::{number, text, truth};

const GROUP: &str = "scheduling.k8s.io";
const RESOURCE: &str = "priorityclasses";

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
        let preemption = match text(class.get("preemptionPolicy")) {
            "" => "PreemptLowerPriority",
            policy => policy,
        };
        Class {
            name: text(class.lookup(&["metadata", "name"])).to_owned(),
            priority: number(class.get("value")),
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

pub(super) fn mutate<'a>(
    plugins: &PodAdmission<'_, 'a>,
    _: &AdmissionRequest<'_, 'a>,
    pod: Value<'a>,
) -> Result<Value<'a>, Refusal> {
    let (arena, mut pod) = (plugins.arena, pod);
    let class = class(plugins, text(pod.lookup(&["spec", "priorityClassName"])))?;
    let (path, policy_path) = (["spec", "priority"], ["spec", "preemptionPolicy"]);
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

fn class(plugins: &PodAdmission<'_, '_>, name: &str) -> Result<Class, Refusal> {
    if name.is_empty() {
        let classes = plugins.lookup.all(GROUP, RESOURCE, "");
        let defaults = classes.iter().filter(|class| truth(class.get("globalDefault")));
        // Of several default classes, the lowest counts.
        let lowest = defaults.min_by_key(|class| number(class.get("value")));
        return Ok(lowest.map_or_else(|| Class::simple("", 0), |class| Class::of(*class)));
    }
    let found = plugins.lookup.find(GROUP, RESOURCE, "", name).map(Class::of);
    let system = SYSTEM.iter().find(|(system, _)| *system == name);
    found
        .or_else(|| system.map(|(name, priority)| Class::simple(name, *priority)))
        .ok_or_else(|| Refusal::Forbidden(format!("no PriorityClass with name {name} was found")))
}

fn differs(kind: &str, what: &str, given: &str, computed: &str) -> Refusal {
    Refusal::Forbidden(format!(
        "the {kind} value of {what} ({given}) must not be provided in pod spec; priority admission controller computed \
         {computed} from the given PriorityClass name"
    ))
}
