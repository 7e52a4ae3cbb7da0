//! Subresources of pods that are not part of the object: bindings and evictions.

pub(crate) mod binding;
pub(crate) mod eviction;

use kindsmith_builtin::find_own;
use kindsmith_json::{Arena, Object, Value};
use kindsmith_request::Status;

use super::Call;
use crate::request::body::{self, Input};
use crate::request::write_options::{Kind, WriteOptions};

/// The body of such a request: an object of its own kind.
fn sent<'a>(
    call: &'a Call<'_>,
    arena: &'a Arena,
    (group, version, kind): (&str, &str, &str),
) -> Result<(Value<'a>, WriteOptions), Status> {
    let input = Input::read(call.request)?;
    body::check_size(call.request)?;
    let options = WriteOptions::read(call.request, call.query, Kind::Create)?;
    let known = find_own(group, version, kind);
    let known = known.ok_or_else(|| Status::internal(&format!("no kind {kind}")))?;
    let body = input.json(|bytes| known.json_body(arena, bytes))?;
    let (object, strict) = known.read_body(arena, body, options.field_validation)?;
    call.warn(kindsmith_request::body::warnings(strict));
    Ok((object, options))
}

/// What was sent must be about the pod of the path.
fn check_name(call: &Call<'_>, object: Value<'_>, kind: &str) -> Result<(), Status> {
    let name = text(object, &["metadata", "name"]);
    // A collection has no name to compare with.
    match name == call.info.path_name() || call.info.subresource.is_empty() {
        true => Ok(()),
        false => Err(Status::bad_request(format!(
            "name in URL does not match name in {kind} object"
        ))),
    }
}

/// A pod with a condition that is true, in the place of one of its type (`UpdatePodCondition` in pkg/api/pod/util.go).
fn with_condition<'a>(
    arena: &'a Arena,
    pod: Value<'a>,
    ty: &'a str,
    reason: &[(&'a str, Value<'a>)],
    now: &'a str,
) -> Value<'a> {
    let path = ["status", "conditions"];
    let conditions = pod.lookup(&path).and_then(Value::as_array).unwrap_or_default();
    let mut conditions = conditions.to_vec();
    let place = conditions
        .iter()
        .position(|condition| text(*condition, &["type"]) == ty);
    let before = place.map(|place| conditions[place]);
    let since = before.filter(|before| text(*before, &["status"]) == "True");
    let since = since.and_then(|before| before.get("lastTransitionTime"));
    let mut condition = Value::Object(Object::EMPTY);
    let members = [
        ("type", Value::Str(ty)),
        ("status", Value::Str("True")),
        ("lastProbeTime", Value::Null),
        ("lastTransitionTime", since.unwrap_or(Value::Str(now))),
    ];
    for &(key, value) in members.iter().chain(reason) {
        condition.set(arena, &[key], value);
    }
    match place {
        Some(place) => conditions[place] = condition,
        None => conditions.push(condition),
    }
    let mut pod = pod;
    pod.set(arena, &path, Value::Array(arena.alloc_slice_copy(&conditions)));
    pod
}

fn text<'a>(value: Value<'a>, path: &[&str]) -> &'a str {
    let found = value.lookup(path);
    found.and_then(Value::as_str).unwrap_or_default()
}

fn is_set(value: Value<'_>, path: &[&str]) -> bool {
    value.lookup(path).is_some_and(|value| !value.is_null())
}
