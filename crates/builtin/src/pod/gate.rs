//! Fields behind disabled feature gates: dropped silently, unless the stored object uses the feature
//! (`dropDisabledFields` and `dropDisabledPodStatusFields` in pkg/api/pod/util.go). A field names its gate with `+featureGate`.

use std::sync::OnceLock;

use kindsmith_json::{Arena, Value};
use kindsmith_object::Gate;
use kindsmith_object::feature_gate::Release;
use kindsmith_schema::{Field, TypeName};

use crate::edit::at_path;
use crate::types::{Steps, own_schema, paths};

/// The fields of one gate.
struct Gated {
    gate: Gate,
    paths: Vec<Steps>,
}

/// Drops the fields of disabled gates from the spec of a pod, unless the stored spec uses them.
pub(crate) fn drop_gated<'a>(arena: &'a Arena, spec: Value<'a>, old: Value<'a>) -> Value<'a> {
    static GATED: OnceLock<Vec<Gated>> = OnceLock::new();
    drop_all(arena, GATED.get_or_init(|| gated("PodSpec")), spec, old)
}

/// Drops the fields of disabled gates from a status, unless the stored one uses them.
pub(crate) fn drop_gated_status<'a>(arena: &'a Arena, status: Value<'a>, old: Value<'a>) -> Value<'a> {
    static GATED: OnceLock<Vec<Gated>> = OnceLock::new();
    drop_all(arena, GATED.get_or_init(|| gated("PodStatus")), status, old)
}

fn drop_all<'a>(arena: &'a Arena, gates: &[Gated], value: Value<'a>, old: Value<'a>) -> Value<'a> {
    let mut value = value;
    for Gated { paths, .. } in gates {
        let mut kept = None;
        for path in paths {
            kept = without(arena, kept.unwrap_or(value), path).or(kept);
        }
        let is_used = || paths.iter().any(|path| without(arena, old, path).is_some());
        if let Some(kept) = kept.filter(|_| !is_used()) {
            value = kept;
        }
    }
    value
}

/// The disabled gates of all fields below a type of `core/v1`.
fn gated(name: &str) -> Vec<Gated> {
    let Some(root) = own_schema().find(&TypeName::new("k8s.io/api/core/v1", name)) else {
        return Vec::new();
    };
    let gate_of = |field: &'static Field| {
        let (_, gate) = field.markers.iter().find(|(name, _)| &**name == "featureGate")?;
        Gate::named(gate).filter(|gate| !gate.is_default(Release::CURRENT))
    };
    let mut gates: Vec<Gated> = Vec::new();
    for (gate, path) in paths(root, gate_of) {
        match gates.iter_mut().find(|known| known.gate == gate) {
            Some(known) => known.paths.push(path),
            None => gates.push(Gated {
                gate,
                paths: vec![path],
            }),
        }
    }
    gates
}

/// The value without the field; `None` if the field is not set.
fn without<'a>(arena: &'a Arena, value: Value<'a>, path: &[&'static str]) -> Option<Value<'a>> {
    // Go drops a `lifecycle` in which nothing is left (`dropContainerStopSignals`).
    if let [above @ .., "lifecycle", "stopSignal"] = path {
        return at_path(arena, value, above, &|mut container| {
            let mut lifecycle = container.get("lifecycle")?.as_object()?;
            lifecycle.get("stopSignal")?;
            lifecycle.remove(arena, "stopSignal");
            if lifecycle.is_empty() {
                container.unset(arena, &["lifecycle"]);
            } else {
                container.set(arena, &["lifecycle"], Value::Object(lifecycle));
            }
            Some(container)
        });
    }
    let (key, above) = path.split_last()?;
    at_path(arena, value, above, &|holder| {
        let mut holder = holder.as_object()?;
        holder.get(key)?;
        holder.remove(arena, key);
        Some(Value::Object(holder))
    })
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
            // A gate whose feature is used anywhere keeps all its fields.
            (
                r#"{"containers":[{"name":"c","lifecycle":{"stopSignal":"SIGKILL"}}]}"#,
                r#"{"initContainers":[{"name":"i","lifecycle":{"stopSignal":"SIGTERM"}}]}"#,
                r#"{"containers":[{"name":"c","lifecycle":{"stopSignal":"SIGKILL"}}]}"#,
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
