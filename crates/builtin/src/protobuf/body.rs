//! Converts protobuf request bodies to JSON.

use kindsmith_json::{Arena, Entry, Object, Value, to_string};
use kindsmith_object::GroupVersion;
use kindsmith_request::body::Unreadable;
use kindsmith_request::{Body, Media, Status};
use kindsmith_schema::TypeId;

use super::{Codec, Envelope, open};

/// Converts a protobuf body to the equivalent JSON body. `expected` is the kind, group and version of the request's
/// path; a body may omit its own. A body of another kind is reduced to that kind, so that the reader rejects it for its
/// kind (`Serializer.Decode` in apimachinery's pkg/runtime/serializer/protobuf/protobuf.go).
///
/// # Errors
///
/// The response for a body that cannot be decoded.
pub fn json_body<'a>(
    codec: &Codec,
    arena: &'a Arena,
    ty: TypeId,
    expected: (&str, &str, &str),
    body: &'a [u8],
) -> Result<Body<'a>, Status> {
    let (kind, group, version) = expected;
    let envelope =
        open(body).map_err(|error| Unreadable::unrecognized(error.to_string()).status(kind, body))?;
    let said = said(&envelope, expected);
    let value = if (&*said.kind, &*said.group, &*said.version) == (kind, group, version) {
        codec.decode_opened(arena, ty, &envelope).map_err(|error| {
            Unreadable::recognized(error.to_string(), &said.kind, &said.version).status(kind, body)
        })?
    } else {
        Value::Object(Object::EMPTY)
    };
    let api_version = match &*said.group {
        "" => said.version,
        group => format!("{group}/{}", said.version),
    };
    let text = to_string(with_type(arena, value, &said.kind, &api_version));
    Ok(Body {
        bytes: arena.alloc_str(&text).as_bytes(),
        media: Media::Json,
    })
}

/// The type in a body.
struct Said {
    kind: String,
    group: String,
    version: String,
}

fn said(envelope: &Envelope<'_>, (kind, group, version): (&str, &str, &str)) -> Said {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let own_kind = text(envelope.kind);
    let api_version = text(envelope.api_version);
    let own = GroupVersion::parse(&api_version).unwrap_or_default();
    let (group, version) = match own.version {
        "" => (group, version),
        _ => (own.group, own.version),
    };
    Said {
        kind: if own_kind.is_empty() {
            kind.to_owned()
        } else {
            own_kind
        },
        group: group.to_owned(),
        version: version.to_owned(),
    }
}

fn with_type<'a>(arena: &'a Arena, value: Value<'a>, kind: &str, api_version: &str) -> Value<'a> {
    let mut entries = vec![
        Entry {
            key: "kind",
            value: Value::Str(arena.alloc_str(kind)),
        },
        Entry {
            key: "apiVersion",
            value: Value::Str(arena.alloc_str(api_version)),
        },
    ];
    let members = value.as_object().unwrap_or(Object::EMPTY);
    let is_type = |entry: &&Entry<'_>| matches!(entry.key, "kind" | "apiVersion");
    entries.extend(members.entries().iter().filter(|entry| !is_type(entry)));
    let entries = arena.alloc_slice_copy(&entries);
    Value::Object(Object::from_entries(arena, entries))
}
