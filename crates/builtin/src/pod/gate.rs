//! Fields behind disabled feature gates: dropped silently, unless the stored object uses them
//! (`dropDisabledFields` in pkg/api/pod/util.go).

use kindsmith_json::{Arena, ArrayEdit, Value};

use crate::rule::items;

/// One step of a path: a member, or every element of a list.
const EACH: &str = "[]";

/// Feature-gated fields, by their path below the spec.
const GATED: [&[&str]; 27] = [
    &["evictionResponders"],
    &["schedulingGroup"],
    &["containers", EACH, "lifecycle", "stopSignal"],
    &["initContainers", EACH, "lifecycle", "stopSignal"],
    &["containers", EACH, "volumeMounts", EACH, "bindMountOptions"],
    &["initContainers", EACH, "volumeMounts", EACH, "bindMountOptions"],
    &[
        "ephemeralContainers",
        EACH,
        "volumeMounts",
        EACH,
        "bindMountOptions",
    ],
    &["volumes", EACH, "emptyDir", "mode"],
    &["volumes", EACH, "secret", "defaultUser"],
    &["volumes", EACH, "secret", "items", EACH, "user"],
    &["volumes", EACH, "configMap", "defaultUser"],
    &["volumes", EACH, "configMap", "items", EACH, "user"],
    &["volumes", EACH, "downwardAPI", "defaultUser"],
    &["volumes", EACH, "downwardAPI", "items", EACH, "user"],
    &["volumes", EACH, "projected", "defaultUser"],
    &[
        "volumes",
        EACH,
        "projected",
        "sources",
        EACH,
        "secret",
        "items",
        EACH,
        "user",
    ],
    &[
        "volumes",
        EACH,
        "projected",
        "sources",
        EACH,
        "configMap",
        "items",
        EACH,
        "user",
    ],
    &[
        "volumes",
        EACH,
        "projected",
        "sources",
        EACH,
        "downwardAPI",
        "items",
        EACH,
        "user",
    ],
    &[
        "volumes",
        EACH,
        "projected",
        "sources",
        EACH,
        "serviceAccountToken",
        "user",
    ],
    &[
        "volumes",
        EACH,
        "projected",
        "sources",
        EACH,
        "clusterTrustBundle",
        "user",
    ],
    &[
        "volumes",
        EACH,
        "projected",
        "sources",
        EACH,
        "podCertificate",
        "user",
    ],
    &[
        "containers",
        EACH,
        "lifecycle",
        "postStart",
        "httpGet",
        "protocol",
    ],
    &["containers", EACH, "lifecycle", "preStop", "httpGet", "protocol"],
    &[
        "initContainers",
        EACH,
        "lifecycle",
        "postStart",
        "httpGet",
        "protocol",
    ],
    &[
        "initContainers",
        EACH,
        "lifecycle",
        "preStop",
        "httpGet",
        "protocol",
    ],
    &["ephemeralContainers", EACH, "lifecycle", "stopSignal"],
    &["volumes", EACH, "image", "digest"],
];
const PROBES: [&str; 3] = ["livenessProbe", "readinessProbe", "startupProbe"];
const IN_PROBES: [&[&str]; 2] = [&["httpGet", "protocol"], &["grpc", "mode"]];

/// Drops the fields of disabled gates, unless the stored spec uses them.
pub(crate) fn drop_gated<'a>(arena: &'a Arena, spec: Value<'a>, old: Value<'a>) -> Value<'a> {
    let mut spec = drop_signals(arena, spec, old);
    let mut drop = |path: &[&'static str]| {
        if let Some(changed) = without(arena, spec, path)
            && without(arena, old, path).is_none()
        {
            spec = changed;
        }
    };
    for path in GATED {
        drop(path);
    }
    for list in ["containers", "initContainers"] {
        for probe in PROBES {
            for tail in IN_PROBES {
                let path: Vec<&'static str> = [list, EACH, probe].iter().chain(tail).copied().collect();
                drop(&path);
            }
        }
    }
    spec
}

/// Fields of a status behind disabled gates.
const IN_STATUS: [&[&str]; 5] = [
    &["nodeAllocatableResourceClaimStatuses"],
    &["volumeHealth"],
    &["containerStatuses", EACH, "volumeMounts", EACH, "volumeStatus"],
    &[
        "initContainerStatuses",
        EACH,
        "volumeMounts",
        EACH,
        "volumeStatus",
    ],
    &[
        "ephemeralContainerStatuses",
        EACH,
        "volumeMounts",
        EACH,
        "volumeStatus",
    ],
];

/// Drops the fields of disabled gates from a status, unless the stored one uses them (`dropDisabledPodStatusFields`).
pub(crate) fn drop_gated_status<'a>(arena: &'a Arena, status: Value<'a>, old: Value<'a>) -> Value<'a> {
    let mut status = status;
    for path in IN_STATUS {
        if without(arena, old, path).is_none() {
            status = without(arena, status, path).unwrap_or(status);
        }
    }
    status
}

/// A `lifecycle` with nothing but `stopSignal` is dropped as a whole.
fn drop_signals<'a>(arena: &'a Arena, spec: Value<'a>, old: Value<'a>) -> Value<'a> {
    let mut spec = spec;
    for list in ["containers", "initContainers", "ephemeralContainers"] {
        if without(arena, old, &[list, EACH, "lifecycle", "stopSignal"]).is_some() {
            continue;
        }
        crate::edit::each(arena, &mut spec, list, |container| {
            let lifecycle = container.get("lifecycle")?.as_object()?;
            let mut container = container;
            (lifecycle.keys().eq(["stopSignal"])).then(|| {
                container.unset(arena, &["lifecycle"]);
                container
            })
        });
    }
    spec
}

/// The value without the field; `None` if the field is not set.
fn without<'a>(arena: &'a Arena, value: Value<'a>, path: &[&'static str]) -> Option<Value<'a>> {
    let (mut object, (key, rest)) = (value.as_object()?, path.split_first()?);
    let old = object.get(key)?;
    let new = match rest {
        [] => {
            object.remove(arena, key);
            return Some(Value::Object(object));
        }
        [EACH, rest @ ..] => without_in_list(arena, items(Some(old)), rest)?,
        rest => without(arena, old, rest)?,
    };
    object.insert(arena, key, new);
    Some(Value::Object(object))
}

fn without_in_list<'a>(arena: &'a Arena, list: &'a [Value<'a>], path: &[&'static str]) -> Option<Value<'a>> {
    let mut edit = ArrayEdit::new(arena, list);
    for (index, item) in list.iter().enumerate() {
        if let Some(changed) = without(arena, *item, path) {
            edit.set(index, changed);
        }
    }
    edit.is_changed().then(|| Value::Array(edit.finish()))
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str, to_string};

    use super::drop_gated;

    #[test]
    fn drops_what_gates_hide_unless_it_is_stored() {
        for (spec, old, expected) in [
            (
                r#"{"schedulingGroup":{},"nodeName":"n"}"#,
                "{}",
                r#"{"nodeName":"n"}"#,
            ),
            (
                r#"{"schedulingGroup":{}}"#,
                r#"{"schedulingGroup":{}}"#,
                r#"{"schedulingGroup":{}}"#,
            ),
            (
                r#"{"containers":[{"name":"c","lifecycle":{"stopSignal":"SIGKILL"}}]}"#,
                "{}",
                r#"{"containers":[{"name":"c"}]}"#,
            ),
            (
                r#"{"volumes":[{"name":"v","emptyDir":{"mode":1}}]}"#,
                "{}",
                r#"{"volumes":[{"name":"v","emptyDir":{}}]}"#,
            ),
        ] {
            let arena = Arena::new();
            let read = |text| parse_str(&arena, text).expect("it is JSON");
            assert_eq!(to_string(drop_gated(&arena, read(spec), read(old))), expected);
        }
    }
}
