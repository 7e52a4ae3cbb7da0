//! `ExtendedResourceToleration`: pods tolerate the taints of nodes with the resources that they request
//! (plugin/pkg/admission/extendedresourcetoleration/admission.go).

use std::collections::BTreeSet;

use kindsmith_builtin::amounts::{Amounts, containers};
use kindsmith_builtin::is_extended_resource;
use kindsmith_json::{Object, Value};

use super::{Refusal, Review};

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    if !review.is_of("", "pods", "") {
        return Ok(pod);
    }
    let names: BTreeSet<String> = containers(pod)
        .flat_map(|container| {
            Amounts::of(container.lookup(&["resources", "requests"]))
                .0
                .into_keys()
        })
        .filter(|name| is_extended_resource(name))
        .collect();
    let (arena, mut pod) = (review.arena, pod);
    let mut tolerations = pod.list(&["spec", "tolerations"]).to_vec();
    let before = tolerations.len();
    for name in &names {
        let is_it = |known: &Value<'_>| {
            known.text("key") == name
                && known.text("effect") == "NoSchedule"
                && known.text("operator") == "Exists"
        };
        if tolerations.iter().any(is_it) {
            continue;
        }
        let mut toleration = Object::EMPTY;
        toleration.insert(arena, "key", Value::Str(arena.alloc_str(name)));
        toleration.insert(arena, "operator", Value::Str("Exists"));
        toleration.insert(arena, "effect", Value::Str("NoSchedule"));
        tolerations.push(Value::Object(toleration));
    }
    if tolerations.len() > before {
        let tolerations = Value::Array(arena.alloc_slice_copy(&tolerations));
        pod.set(arena, &["spec", "tolerations"], tolerations);
    }
    Ok(pod)
}
