//! Fields behind disabled feature gates: dropped silently, unless the stored object uses the feature
//! (`dropDisabledFields` and `dropDisabledPodStatusFields` in pkg/api/pod/util.go). A field names its gate with `+featureGate`.

use std::sync::OnceLock;

use kindsmith_json::{Arena, ArrayEdit, Value};
use kindsmith_schema::{Schema, TypeId, TypeName, TypeRef};

use crate::rule::items;
use crate::types::own_schema;

/// One step of a path: a member, or every element of a list.
const EACH: &str = "[]";

/// The path of a field.
type Steps = Vec<&'static str>;

/// The fields of one gate.
struct Gated {
    gate: &'static str,
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

/// The gates of all fields below a type of `core/v1`. All of them are disabled in Kubernetes 1.38.
fn gated(name: &str) -> Vec<Gated> {
    let schema = own_schema();
    let mut gates = Vec::new();
    if let Some(root) = schema.find(&TypeName::new("k8s.io/api/core/v1", name)) {
        collect(schema, root, &mut Vec::new(), &mut gates);
    }
    gates
}

fn collect(schema: &'static Schema, ty: TypeId, path: &mut Steps, gates: &mut Vec<Gated>) {
    for field in schema.ty(ty).fields() {
        let before = path.len();
        path.extend(field.json_name().filter(|_| !field.embedded));
        let marker = field.markers.iter().find(|(name, _)| &**name == "featureGate");
        match (marker, element(&field.ty, path)) {
            (Some((_, gate)), _) => {
                path.truncate(before + 1);
                match gates.iter_mut().find(|known| known.gate == &**gate) {
                    Some(known) => known.paths.push(path.clone()),
                    None => gates.push(Gated {
                        gate,
                        paths: vec![path.clone()],
                    }),
                }
            }
            // Types of pods do not contain themselves.
            (None, Some(ty)) => collect(schema, ty, path, gates),
            (None, None) => {}
        }
        path.truncate(before);
    }
}

/// The named type behind pointers and lists; a list is one more step.
fn element(ty: &TypeRef, path: &mut Steps) -> Option<TypeId> {
    match ty {
        TypeRef::Named(id) => Some(*id),
        TypeRef::Pointer(of) => element(of, path),
        TypeRef::List(of) => {
            path.push(EACH);
            element(of, path)
        }
        _ => None,
    }
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
    // Go drops a `lifecycle` in which nothing is left (`dropContainerStopSignals`).
    match rest == ["stopSignal"] && new.as_object().is_some_and(|new| new.is_empty()) {
        true => object.remove(arena, key),
        false => object.insert(arena, key, new),
    };
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
