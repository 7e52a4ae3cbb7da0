//! `matchLabelKeys`: keys whose labels a new pod copies into its own selectors (`mutatePodAffinity` and
//! `mutateTopologySpreadConstraints` in pkg/registry/core/pod/strategy.go).

use kindsmith_json::{Arena, Object, Value};

use crate::edit::each;
use crate::field_check::{entries, items};

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// Adds the pod's labels with these keys to the selectors beside them.
pub(crate) fn merge_label_keys<'a>(arena: &'a Arena, metadata: Value<'a>, spec: Value<'a>) -> Value<'a> {
    let labels = entries(metadata.get("labels"));
    let mut spec = spec;
    each(arena, &mut spec, "topologySpreadConstraints", |constraint| {
        merged(arena, constraint, labels, &[("matchLabelKeys", "In")])
    });
    let both = [("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn")];
    for kind in ["podAffinity", "podAntiAffinity"] {
        let path = ["affinity", kind];
        let Some(affinity) = spec.lookup(&path).filter(|affinity| !affinity.is_null()) else {
            continue;
        };
        let mut affinity = affinity;
        each(arena, &mut affinity, PREFERRED, |weighted| {
            let term = weighted.get("podAffinityTerm")?;
            let term = merged(arena, term, labels, &both)?;
            let mut weighted = weighted;
            weighted.set(arena, &["podAffinityTerm"], term);
            Some(weighted)
        });
        each(arena, &mut affinity, REQUIRED, |term| {
            merged(arena, term, labels, &both)
        });
        spec.set(arena, &path, affinity);
    }
    spec
}

fn merged<'a>(
    arena: &'a Arena,
    term: Value<'a>,
    labels: Object<'a>,
    lists: &[(&str, &'static str)],
) -> Option<Value<'a>> {
    let selector = term.get("labelSelector").filter(|selector| !selector.is_null())?;
    let mut expressions = items(selector.get("matchExpressions")).to_vec();
    let before = expressions.len();
    for (list, operator) in lists {
        for key in items(term.get(list)) {
            let Some(label) = key.as_str().and_then(|key| labels.get(key)) else {
                continue;
            };
            let mut expression = Value::Object(Object::EMPTY);
            expression.set(arena, &["key"], *key);
            expression.set(arena, &["operator"], Value::Str(operator));
            expression.set(arena, &["values"], Value::Array(arena.alloc_slice_copy(&[label])));
            expressions.push(expression);
        }
    }
    if expressions.len() == before {
        return None;
    }
    let mut term = term;
    let expressions = Value::Array(arena.alloc_slice_copy(&expressions));
    term.set(arena, &["labelSelector", "matchExpressions"], expressions);
    Some(term)
}
