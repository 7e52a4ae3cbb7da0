//! Objects in the requested form: unchanged, as a table, or metadata only (`transformResponseObject` in apiserver's
//! pkg/endpoints/handlers/response.go).

use kindsmith_builtin::find_own;
use kindsmith_builtin::protobuf::{Sealed, seal};
use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Value};
use kindsmith_object::{GroupVersion, Release};
use kindsmith_request::Status;

use crate::context::Call;
use crate::response::Pieces;
use crate::response::negotiate::{self, Accepted, Encoding, Endpoint, MetaVersion, Shape};
use crate::response::partial::partial;
use crate::response::table::{Columns, Include, RowForm};
use crate::stored::order;
use crate::{Content, Response, Served};

/// The forms in which a resource can be requested.
pub(crate) fn endpoint(served: &Served) -> Endpoint {
    if served.resource.is_custom() {
        Endpoint::Custom
    } else {
        Endpoint::BuiltIn
    }
}

/// The forms in which the answer to a call can be requested: a `Scale` has a type, whatever it is the scale of.
pub(crate) fn endpoint_of(call: &Call<'_>) -> Endpoint {
    if is_scale(call) {
        return Endpoint::BuiltIn;
    }
    let endpoint = endpoint(call.served);
    let part = call.served.subresource(&call.info.subresource);
    if endpoint == Endpoint::BuiltIn && part.is_some_and(|part| !part.has_table) {
        Endpoint::Untabled
    } else {
        endpoint
    }
}

fn is_scale(call: &Call<'_>) -> bool {
    call.info.subresource == "scale"
}

/// Responds with one object.
///
/// # Errors
///
/// If the requested form is not available.
pub(crate) fn object(
    call: &Call<'_>,
    accepted: Accepted,
    code: u16,
    object: Value<'_>,
) -> Result<Response, Status> {
    let arena = Arena::new();
    match accepted.shape {
        Shape::Table(version) => table(call, accepted, code, object.copy_in(&arena), version),
        Shape::Partial(version) => {
            let partial = partial(&arena, object.copy_in(&arena), version);
            Ok(match accepted.encoding {
                Encoding::Protobuf => {
                    let kind = "PartialObjectMetadata";
                    let message = negotiate::meta_message(kind, partial);
                    protobuf(code, version.api_version(), kind, &message)
                }
                _ => negotiate::value(accepted, code, partial, Order::Kept),
            })
        }
        Shape::PartialList(_) if call.served.resource.is_custom() && !is_scale(call) => {
            Err(Status::unforeseen("content is not a list"))
        }
        Shape::PartialList(_) => Err(negotiate::not_acceptable_because(format!(
            "you requested PartialObjectMetadataList, but the requested object is not a list ({})",
            match (is_scale(call), call.served.resource.is_custom()) {
                (true, true) => "*v1.Scale".to_owned(),
                (true, false) => "*autoscaling.Scale".to_owned(),
                (false, _) => go_type(call.served, &call.served.kind),
            }
        ))),
        Shape::Plain | Shape::Discovery => Ok(plain(call.served, accepted, code, object)),
    }
}

/// Responds with the unchanged object.
fn plain(served: &Served, accepted: Accepted, code: u16, object: Value<'_>) -> Response {
    let is_own_kind = object.text("kind") == &*served.kind;
    if accepted.encoding == Encoding::Protobuf && is_own_kind {
        let mut message = Vec::new();
        if served
            .resource
            .append_protobuf(&mut message, &served.version, object)
        {
            return protobuf(code, &api_version(served), &served.kind, &message);
        }
    }
    if is_own_kind {
        return negotiate::value(accepted, code, object, order(served));
    }
    if accepted.encoding == Encoding::Protobuf
        && let Some(response) = own_message(code, object)
    {
        return response;
    }
    negotiate::value(accepted, code, object, Order::Kept)
}

/// Responds with an object of one of the server's own kinds as protobuf, such as the `Scale` of another object.
fn own_message(code: u16, object: Value<'_>) -> Option<Response> {
    let (version, kind) = (object.text("apiVersion"), object.text("kind"));
    let parsed = GroupVersion::parse(version).ok()?;
    let found = find_own(Release::NEWEST, parsed.group, parsed.version, kind)?;
    let message = found.codec().encode_message(found.ty, object).ok()?;
    Some(protobuf(code, version, kind, &message))
}

fn table(
    call: &Call<'_>,
    accepted: Accepted,
    code: u16,
    object: Value<'_>,
    version: MetaVersion,
) -> Result<Response, Status> {
    let arena = Arena::new();
    let form = RowForm {
        include: Include::decode(call.query)?,
        version,
        order: order(call.served),
        now: call.environment.now(),
    };
    let resource_version = object
        .lookup(&["metadata", "resourceVersion"])
        .and_then(Value::as_str);
    let metadata = ListMeta {
        resource_version: resource_version.unwrap_or_default().to_owned(),
        ..ListMeta::default()
    };
    let mut rows = String::new();
    let columns = if is_scale(call) {
        Columns::of_scale(call.served)
    } else {
        Columns::new(call.served)
    };
    columns.append_row(&mut rows, &arena, object.copy_in(&arena), &form);
    let text = table_text(&columns, version, &metadata, rows.into_bytes().into());
    Ok(json_text(accepted, code, text.join()))
}

/// A complete table from rows that are already encoded.
pub(crate) fn table_text(
    columns: &Columns,
    version: MetaVersion,
    metadata: &ListMeta,
    mut rows: Pieces,
) -> Pieces {
    let mut head = String::new();
    head.push_str("{\"kind\":\"Table\",\"apiVersion\":\"");
    head.push_str(version.api_version());
    head.push_str("\",\"metadata\":");
    metadata.append_typed(&mut head);
    head.push_str(",\"columnDefinitions\":");
    columns.append_headers(&mut head);
    // With the default columns, Kubernetes writes no rows as `null`.
    if rows.is_empty() && columns.may_lack_rows() {
        head.push_str(",\"rows\":null}");
    } else {
        head.push_str(",\"rows\":[");
        rows.extend(b"]}");
    }
    rows.prepend(head.into_bytes());
    rows
}

/// The metadata of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ListMeta {
    /// The revision at which it was read; empty if unknown.
    pub(crate) resource_version: String,
    /// The continue token; empty on the last page.
    pub(crate) continue_token: String,
    /// How many more objects there are, if known.
    pub(crate) remaining: Option<u64>,
}

impl ListMeta {
    /// Appends it as built-in lists encode it.
    pub(crate) fn append_typed(&self, out: &mut String) {
        let mut fields = Vec::new();
        if !self.resource_version.is_empty() {
            fields.push(format!("\"resourceVersion\":\"{}\"", self.resource_version));
        }
        if !self.continue_token.is_empty() {
            fields.push(format!("\"continue\":\"{}\"", self.continue_token));
        }
        fields.extend(
            self.remaining
                .map(|count| format!("\"remainingItemCount\":{count}")),
        );
        out.push('{');
        out.push_str(&fields.join(","));
        out.push('}');
    }

    /// Appends it as lists of custom resources encode it: with empty fields.
    pub(crate) fn append_untyped(&self, out: &mut String) {
        out.push_str("{\"continue\":\"");
        out.push_str(&self.continue_token);
        out.push('"');
        if let Some(count) = self.remaining {
            out.push_str(&format!(",\"remainingItemCount\":{count}"));
        }
        out.push_str(",\"resourceVersion\":\"");
        out.push_str(&self.resource_version);
        out.push_str("\"}");
    }
}

/// Responds with compact JSON, converted to the requested encoding.
pub(crate) fn json_text(accepted: Accepted, code: u16, text: impl Into<Vec<u8>>) -> Response {
    let mut text = text.into();
    if is_compact(accepted) {
        text.push(b'\n');
        return negotiate::bytes(code, Encoding::Json.media_type(), text);
    }
    let arena = Arena::new();
    let value = kindsmith_json::parse(&arena, &text).unwrap_or_default();
    negotiate::value(accepted, code, value, Order::Kept)
}

/// Responds with compact JSON that may be long.
pub(crate) fn json_pieces(accepted: Accepted, mut text: Pieces) -> Response {
    if !is_compact(accepted) {
        return json_text(accepted, 200, text.join());
    }
    text.push(b'\n');
    pieces(Encoding::Json, text)
}

fn pieces(encoding: Encoding, pieces: Pieces) -> Response {
    Response {
        status: 200,
        headers: vec![("content-type", encoding.media_type().into())],
        content: Content::Pieces(pieces),
    }
}

/// Whether an answer of JSON text is that text.
pub(crate) fn is_compact(accepted: Accepted) -> bool {
    !accepted.pretty && accepted.encoding != Encoding::Yaml
}

/// Responds with a protobuf message in its envelope.
pub(crate) fn protobuf(code: u16, api_version: &str, kind: &str, message: &[u8]) -> Response {
    Response {
        status: code,
        headers: vec![("content-type", Encoding::Protobuf.media_type().into())],
        content: Content::Bytes(seal(api_version, kind, message)),
    }
}

/// Responds with a list whose items are protobuf messages with their heads.
pub(crate) fn protobuf_list(
    api_version: &str,
    kind: &str,
    metadata: &ListMeta,
    mut items: Pieces,
) -> Response {
    let (arena, mut text) = (Arena::new(), String::new());
    metadata.append_typed(&mut text);
    let metadata = kindsmith_json::parse_str(&arena, &text).unwrap_or_default();
    let metadata = negotiate::meta_message("ListMeta", metadata);
    let sealed = Sealed::list(api_version, kind, &metadata, items.len());
    items.prepend(sealed.head);
    items.extend(&sealed.tail);
    pieces(Encoding::Protobuf, items)
}

/// Group and version of a resource, as in `apiVersion`.
pub(crate) fn api_version(served: &Served) -> String {
    match &*served.group {
        "" => served.version.to_string(),
        group => format!("{group}/{}", served.version),
    }
}

/// The Go type of a built-in kind, which some errors show.
pub(crate) fn go_type(served: &Served, kind: &str) -> String {
    let package = match &*served.group {
        "" | "events.k8s.io" => "core",
        group => group.split('.').next().unwrap_or_default(),
    };
    format!("*{package}.{kind}")
}
