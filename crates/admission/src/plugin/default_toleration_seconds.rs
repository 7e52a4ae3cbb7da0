//! `DefaultTolerationSeconds`: pods stay five minutes on a node that is not ready or not reachable
//! (plugin/pkg/admission/defaulttolerationseconds/admission.go).

use kindsmith_json::{Object, Value};

use super::{Refusal, Review, push};

const KEYS: [&str; 2] = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const PATH: [&str; 2] = ["spec", "tolerations"];
const SECONDS: i64 = 300;

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    let (arena, mut pod) = (review.arena, pod);
    if !review.is_of("", "pods", "") {
        return Ok(pod);
    }
    let given = pod.list(&PATH);
    for key in KEYS {
        let covers = |toleration: &Value<'_>| {
            let (known, effect) = (toleration.text("key"), toleration.text("effect"));
            (known == key || known.is_empty()) && matches!(effect, "NoExecute" | "")
        };
        if given.iter().any(covers) {
            continue;
        }
        let mut toleration = Object::EMPTY;
        toleration.insert(arena, "key", Value::Str(key));
        toleration.insert(arena, "operator", Value::Str("Exists"));
        toleration.insert(arena, "effect", Value::Str("NoExecute"));
        toleration.insert(arena, "tolerationSeconds", Value::from(SECONDS));
        push(arena, &mut pod, &PATH, Value::Object(toleration));
    }
    Ok(pod)
}
