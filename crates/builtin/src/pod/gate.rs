//! Fields behind gates that are off: they are dropped without a word, unless the stored object uses them
//! (`dropDisabledFields` in pkg/api/pod/util.go).

use kindsmith_json::{Arena, Value};

use crate::rule::items;

/// A step on the way to a field: a member, or each element of a list.
const EACH: &str = "[]";

/// Fields behind gates, by where they are below a spec.
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

/// Drops fields of gates that are off.
pub(crate) fn drop_gated<'a>(arena: &'a Arena, spec: Value<'a>) -> Value<'a> {
    let mut spec = drop_signals(arena, spec);
    for path in GATED {
        spec = without(arena, spec, path);
    }
    for list in ["containers", "initContainers"] {
        for probe in PROBES {
            for tail in IN_PROBES {
                let path: Vec<&str> = [list, EACH, probe].iter().chain(tail).copied().collect();
                spec = without(arena, spec, &path);
            }
        }
    }
    spec
}

/// A lifecycle that says nothing but the signal goes as a whole.
fn drop_signals<'a>(arena: &'a Arena, spec: Value<'a>) -> Value<'a> {
    let mut spec = spec;
    for list in ["containers", "initContainers", "ephemeralContainers"] {
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

fn without<'a>(arena: &'a Arena, value: Value<'a>, path: &[&str]) -> Value<'a> {
    match *path {
        [] => value,
        [EACH, ref rest @ ..] => {
            let list = items(Some(value));
            let changed: Vec<Value<'a>> = list.iter().map(|item| without(arena, *item, rest)).collect();
            match changed == list {
                true => value,
                false => Value::Array(arena.alloc_slice_copy(&changed)),
            }
        }
        [key, ref rest @ ..] => {
            let Some(object) = value.as_object() else {
                return value;
            };
            let Some(old) = object.get(key) else { return value };
            let mut object = object;
            let key = arena.alloc_str(key);
            if rest.is_empty() {
                object.remove(arena, key);
                return Value::Object(object);
            }
            let new = without(arena, old, rest);
            if new == old {
                return value;
            }
            object.insert(arena, key, new);
            Value::Object(object)
        }
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str, to_string};

    use super::drop_gated;

    #[test]
    fn drops_what_gates_hide() {
        for (spec, expected) in [
            (r#"{"schedulingGroup":{},"nodeName":"n"}"#, r#"{"nodeName":"n"}"#),
            (
                r#"{"containers":[{"name":"c","lifecycle":{"stopSignal":"SIGKILL"}}]}"#,
                r#"{"containers":[{"name":"c"}]}"#,
            ),
            (
                r#"{"volumes":[{"name":"v","emptyDir":{"mode":1}}]}"#,
                r#"{"volumes":[{"name":"v","emptyDir":{}}]}"#,
            ),
        ] {
            let arena = Arena::new();
            let value = parse_str(&arena, spec).expect("it is JSON");
            assert_eq!(to_string(drop_gated(&arena, value)), expected);
        }
    }
}
