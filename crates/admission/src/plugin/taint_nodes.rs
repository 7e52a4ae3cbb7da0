//! `TaintNodesByCondition`: new nodes are not ready (plugin/pkg/admission/nodetaint/admission.go).

use kindsmith_json::{Object, Value};

use super::{Refusal, Review, push};

const NOT_READY: &str = "node.kubernetes.io/not-ready";
const PATH: [&str; 2] = ["spec", "taints"];

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, node: Value<'a>) -> Result<Value<'a>, Refusal> {
    let (arena, mut node) = (review.arena, node);
    let is_there = |taint: &Value<'_>| taint.text("key") == NOT_READY && taint.text("effect") == "NoSchedule";
    if !review.is_of("", "nodes", "") || node.list(&PATH).iter().any(is_there) {
        return Ok(node);
    }
    let mut taint = Object::EMPTY;
    taint.insert(arena, "key", Value::Str(NOT_READY));
    taint.insert(arena, "effect", Value::Str("NoSchedule"));
    push(arena, &mut node, &PATH, Value::Object(taint));
    Ok(node)
}
