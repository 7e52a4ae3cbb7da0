//! `PodTolerationRestriction`: pods get the default tolerations of their namespace, and only those that it allows
//! (plugin/pkg/admission/podtolerationrestriction/admission.go). The lists of `--admission-control-config-file` are not read.

use kindsmith_builtin::pod_quality;
use kindsmith_json::{Object, Value, parse_str};
use kindsmith_request::Status;

use super::{Refusal, Review};

const DEFAULTS: &str = "scheduler.alpha.kubernetes.io/defaultTolerations";
const ALLOWED: &str = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    if !review.is_of("", "pods", "") {
        return Ok(pod);
    }
    let (arena, mut pod) = (review.arena, pod);
    let mut extra = if review.is_create() {
        of_namespace(review, DEFAULTS)?
    } else {
        Vec::new()
    };
    let spec = pod.get("spec").unwrap_or_default();
    if pod_quality(spec) != "BestEffort" {
        let mut pressure = Object::EMPTY;
        for (key, value) in [
            ("key", "node.kubernetes.io/memory-pressure"),
            ("operator", "Exists"),
            ("effect", "NoSchedule"),
        ] {
            pressure.insert(arena, key, Value::Str(value));
        }
        extra.push(Value::Object(pressure));
    }
    if !extra.is_empty() {
        let all = [spec.list("tolerations"), &extra].concat();
        let merged = arena.alloc_slice_copy(&merged(&all));
        pod.set(arena, &["spec", "tolerations"], Value::Array(merged));
    }
    validate(review, pod).map(|()| pod)
}

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    let tolerations = pod.list(&["spec", "tolerations"]);
    if !review.is_of("", "pods", "") || tolerations.is_empty() {
        return Ok(());
    }
    let allowed = of_namespace(review, ALLOWED)?;
    let is_allowed = |one: &Value<'a>| allowed.iter().any(|known| covers(*known, *one));
    if allowed.is_empty() || tolerations.iter().all(is_allowed) {
        Ok(())
    } else {
        Err(unforeseen(
            "pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist"
                .to_owned(),
        ))
    }
}

fn unforeseen(why: String) -> Refusal {
    Status::unforeseen(why).into()
}

/// The tolerations of an annotation of the namespace.
fn of_namespace<'a>(review: &Review<'_, 'a>, annotation: &str) -> Result<Vec<Value<'a>>, Refusal> {
    let name = review.request.namespace;
    let Some(namespace) = review.find("", "namespaces", "", name) else {
        return Err(Status::not_found("", "namespaces", name).into());
    };
    let text = namespace.text(&["metadata", "annotations", annotation]);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let list = parse_str(review.arena, text).map_err(|error| unforeseen(error.to_string()))?;
    Ok(list.as_array().unwrap_or_default().to_vec())
}

/// The list without what others in it cover; of equal ones the first stays.
fn merged<'a>(all: &[Value<'a>]) -> Vec<Value<'a>> {
    let mut kept: Vec<Value<'a>> = Vec::new();
    for (index, one) in all.iter().enumerate() {
        let is_later = |other: &Value<'a>| !is_equal(*other, *one) && covers(*other, *one);
        let is_redundant =
            kept.iter().any(|known| covers(*known, *one)) || all[index + 1..].iter().any(is_later);
        if !is_redundant {
            kept.push(*one);
        }
    }
    kept
}

const FIELDS: [&str; 4] = ["key", "operator", "value", "effect"];

fn is_equal(left: Value<'_>, right: Value<'_>) -> bool {
    FIELDS.iter().all(|key| left.text(*key) == right.text(*key)) && seconds(left) == seconds(right)
}

fn seconds(toleration: Value<'_>) -> Option<i64> {
    toleration.get("tolerationSeconds").and_then(Value::as_i64)
}

/// Whether a toleration tolerates all that another one does.
fn covers(wide: Value<'_>, narrow: Value<'_>) -> bool {
    let [wide_key, operator, wide_value, wide_effect] = FIELDS.map(|key| wide.text(key));
    let [key, narrow_operator, value, effect] = FIELDS.map(|key| narrow.text(key));
    let is_any_key = wide_key.is_empty() && operator == "Exists";
    let is_shorter = |limit: i64| seconds(narrow).is_some_and(|seconds| seconds <= limit);
    is_equal(wide, narrow)
        || ((key == wide_key || is_any_key)
            && (wide_effect.is_empty() || effect == wide_effect)
            && (wide_effect != "NoExecute" || seconds(wide).is_none_or(is_shorter))
            && match operator {
                "Exists" => true,
                "Equal" | "" => narrow_operator == "Equal" && value == wide_value,
                _ => false,
            })
}
