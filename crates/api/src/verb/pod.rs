//! Subresources of pods that are not part of the object: bindings and evictions.

pub(crate) mod binding;
pub(crate) mod eviction;

use kindsmith_builtin::find_own;
use kindsmith_json::{Arena, Value};
use kindsmith_request::{AdmissionOperation, Status};

use super::Call;
use crate::plugin;
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
    let name = text(object, &["metadata", "name"]);
    // A collection has no name to compare with.
    if name != call.info.path_name() && !call.info.subresource.is_empty() {
        return Err(Status::bad_request(format!(
            "name in URL does not match name in {kind} object"
        )));
    }
    Ok((object, options))
}

/// Lets `NodeRestriction` judge what was sent.
fn admit_node<'a>(
    call: &Call<'_>,
    arena: &'a Arena,
    subresource: &str,
    object: Value<'a>,
) -> Result<(), Status> {
    plugin::admit_node(&plugin::Attempt {
        call,
        arena,
        operation: AdmissionOperation::Create,
        subresource,
        name: call.info.path_name(),
        object,
        old: Value::Null,
    })
}

fn text<'a>(value: Value<'a>, path: &[&str]) -> &'a str {
    let found = value.lookup(path);
    found.and_then(Value::as_str).unwrap_or_default()
}

fn is_set(value: Value<'_>, path: &[&str]) -> bool {
    value.lookup(path).is_some_and(|value| !value.is_null())
}
