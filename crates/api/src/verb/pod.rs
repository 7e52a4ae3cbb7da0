//! Subresources of pods that are not part of the object: bindings and evictions.

pub(crate) mod binding;
pub(crate) mod eviction;

use kindsmith_builtin::find_own;
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::Release;
use kindsmith_request::Status;

use crate::context::Call;
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
    let known = find_own(call.core.release, group, version, kind);
    let known = known.ok_or_else(|| Status::internal(&format!("no kind {kind}")))?;
    let body = input.json(|bytes| known.json_body(arena, bytes))?;
    let (object, strict) = known.read_body(arena, body, options.field_validation)?;
    call.warn(kindsmith_request::body::warnings(strict));
    let namespace = object.text(&["metadata", "namespace"]);
    if namespace.is_empty() || namespace == call.namespace() {
        Ok((object, options))
    } else {
        Err(Status::other_namespace())
    }
}

/// What was sent must be about the pod of the path.
fn check_name(call: &Call<'_>, object: Value<'_>, kind: &str) -> Result<(), Status> {
    let name = object.text(&["metadata", "name"]);
    // A collection has no name to compare with.
    if name == call.info.path_name() || call.info.subresource.is_empty() {
        Ok(())
    } else {
        Err(Status::bad_request(format!(
            "name in URL does not match name in {kind} object"
        )))
    }
}

/// An object with a condition, in the place of one of its type (`UpdatePodCondition` in pkg/api/pod/util.go,
/// `SetStatusCondition` in apimachinery's pkg/api/meta). A status that stays keeps its time.
fn with_condition<'a>(
    arena: &'a Arena,
    object: Value<'a>,
    members: &[(&'a str, Value<'a>)],
    now: &'a str,
) -> Value<'a> {
    let path = ["status", "conditions"];
    let conditions = object.lookup(&path).and_then(Value::as_array);
    let mut conditions = conditions.unwrap_or_default().to_vec();
    let mut condition = Value::Object(Object::EMPTY);
    for &(key, value) in members {
        condition.set(arena, &[key], value);
    }
    let place = conditions
        .iter()
        .position(|old| old.text("type") == condition.text("type"));
    let old = place.map(|place| conditions[place]);
    let same = old.filter(|old| old.text("status") == condition.text("status"));
    let since = same.and_then(|old| old.get("lastTransitionTime"));
    let since = since.unwrap_or(Value::Str(now));
    condition.set(arena, &["lastTransitionTime"], since);
    match place {
        Some(place) => conditions[place] = condition,
        None => conditions.push(condition),
    }
    let mut object = object;
    object.set(arena, &path, Value::Array(arena.alloc_slice_copy(&conditions)));
    object
}

/// An object of the server's own kind as it is stored.
fn encoded<'a>(arena: &'a Arena, (group, version, kind): (&str, &str, &str), object: Value<'a>) -> Value<'a> {
    find_own(Release::NEWEST, group, version, kind).map_or(object, |kind| kind.plan().encoded(arena, object))
}

fn is_set(value: Value<'_>, path: &[&str]) -> bool {
    value.lookup(path).is_some_and(|value| !value.is_null())
}
