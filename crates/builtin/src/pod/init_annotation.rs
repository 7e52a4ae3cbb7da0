//! Annotations that listed init containers before pods had a field for them. They are dropped (`DropInitContainerAnnotations` in
//! pkg/api/pod/util.go; up to 1.36 `dropInitContainerAnnotations` in pkg/apis/core/v1/conversion.go).

use kindsmith_json::{Arena, Object, Value};

const NAMES: [&str; 4] = [
    "pod.beta.kubernetes.io/init-containers",
    "pod.alpha.kubernetes.io/init-containers",
    "pod.beta.kubernetes.io/init-container-statuses",
    "pod.alpha.kubernetes.io/init-container-statuses",
];

/// The annotations of a pod without those that are dropped.
#[must_use]
pub fn without_init<'a>(arena: &'a Arena, annotations: Object<'a>) -> Object<'a> {
    let mut annotations = annotations;
    for name in NAMES {
        if annotations.contains_key(name) {
            annotations.remove(arena, name);
        }
    }
    annotations
}

/// The object without such annotations of the pod whose spec is at a path.
pub(crate) fn without_init_at<'a>(
    arena: &'a Arena,
    object: Value<'a>,
    spec: &'static [&'static str],
) -> Value<'a> {
    let mut object = object;
    let above = spec.split_last().map_or(spec, |(_, above)| above);
    let path = [above, &["metadata", "annotations"]].concat();
    let Some(annotations) = object.lookup(&path).and_then(Value::as_object) else {
        return object;
    };
    let kept = without_init(arena, annotations);
    if kept.entries().is_empty() && !annotations.entries().is_empty() {
        object.unset(arena, &path);
    } else if kept.entries().len() < annotations.entries().len() {
        object.set(arena, &path, Value::Object(kept));
    }
    object
}
