//! The subresource `scale` of a resource: `GET`, `PUT` and the object a patch starts from.

use kindsmith_engine::meta::{self, Malformed, UnknownFields};
use kindsmith_json::{Arena, Value};
use kindsmith_wire::body::{self, Unreadable};
use kindsmith_wire::{Admission, Body, Outcome, Status, Write};

use super::Call;
use crate::options::{Kind, WriteOptions};
use crate::resource::ScaleWrite;
use crate::write::Change;
use crate::{Resource, Response, input, reply, stored, write};

/// Answers the scale of an object.
pub(crate) fn get(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = reply::accepted(call)?;
    let key = call.key_of(call.info.path_name())?;
    let entry = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    let entry = entry.ok_or_else(|| call.not_found())?;
    let arena = Arena::new();
    let object = stored::read(&arena, call.served, &entry)?;
    let scale = call.served.resource.scale(&arena, &call.served.version, object)?;
    Ok(reply::object(call, accepted, 200, scale))
}

/// Sets the scale of an object.
pub(crate) fn update(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = reply::accepted(call)?;
    let bytes = input::body(call.request)?;
    let options = WriteOptions::read(call.request, call.query, Kind::Update)?;
    let media = input::media(call.request)?;
    let change = SentScale {
        resource: &*call.served.resource,
        body: Body { bytes, media },
    };
    let done = write::update(call, &options, &change, |_, scale| {
        Ok(reply::object(call, accepted, 200, scale))
    })?;
    Ok(done.answer)
}

/// A `Scale` that a request sends whole.
struct SentScale<'r> {
    resource: &'r dyn Resource,
    body: Body<'r>,
}

impl Change for SentScale<'_> {
    fn make<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a> {
        let expected = ("Scale", "autoscaling", "v1");
        let read = body::parse_native(arena, self.body, expected)
            .map_err(|error| error.status("Scale", self.body.bytes))
            .and_then(|parsed| {
                let refuse = |message: String| {
                    Unreadable::recognized(message, &parsed.kind, &parsed.version)
                        .status("Scale", self.body.bytes)
                };
                scale_write(arena, parsed.value, true).map_err(refuse)
            });
        match read {
            Ok(scale) => self.resource.write_scale(arena, write, &scale, admission),
            Err(status) => Outcome {
                result: Err(status),
                warnings: Vec::new(),
            },
        }
    }
}

/// Reads a `Scale`; the error is the decoder's.
pub(crate) fn scale_write<'a>(
    arena: &'a Arena,
    scale: Value<'a>,
    is_body: bool,
) -> Result<ScaleWrite<'a>, String> {
    let metadata = scale.get("metadata").unwrap_or_default();
    let metadata = meta::decode(arena, metadata, Malformed::Refuse, UnknownFields::Ignore)
        .map_err(|error| error.to_string())?;
    let replicas = match scale.lookup(&["spec", "replicas"]) {
        None | Some(Value::Null) => is_body.then_some(0),
        Some(Value::Int(number)) => Some(i32::try_from(number).map_err(|_| {
            format!("json: cannot unmarshal number {number} into Go struct field ScaleSpec.spec.replicas of type int32")
        })?),
        Some(other) => {
            return Err(format!(
                "json: cannot unmarshal {} into Go struct field ScaleSpec.spec.replicas of type int32",
                other.kind().name()
            ));
        }
    };
    Ok(ScaleWrite {
        metadata: metadata.meta,
        replicas,
        is_body,
    })
}
