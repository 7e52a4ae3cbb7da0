//! Encodes events (`watchEncoder` in apiserver's pkg/endpoints/handlers/response.go).

use std::sync::Arc;

use kindsmith_builtin::protobuf::{frame, seal};
use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Value};
use kindsmith_request::Status;
use kindsmith_store::Entry;

use super::event_type::EventType;
use super::shared::{Key, Shared};
use crate::response::negotiate::{self, Accepted, Encoding, Shape};
use crate::response::partial::partial;
use crate::response::render::{self, ListMeta};
use crate::response::table::{Columns, Include, RowForm};
use crate::verbatim::{Copied, Part, Verbatim};
use crate::{Environment, Served, Time, stored};
use kindsmith_json::object_of;

/// The format of events.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Form {
    /// The negotiated form.
    pub(crate) accepted: Accepted,
    /// How much of its object a row of a table carries.
    pub(crate) include: Include,
}

/// Encodes the events of one watch.
pub(crate) struct Encoder {
    served: Arc<Served>,
    form: Form,
    shared: Arc<Shared>,
    environment: Arc<dyn Environment>,
    /// The columns, for tables.
    columns: Option<Box<Columns>>,
    /// Whether the column headings were sent.
    has_headers: bool,
    /// What is known about objects that can be copied, if the form allows that.
    verbatim: Option<Verbatim>,
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Encoder")
            .field("form", &self.form)
            .finish_non_exhaustive()
    }
}

impl Encoder {
    /// An encoder for a resource.
    pub(crate) fn new(
        served: &Arc<Served>,
        form: Form,
        shared: &Arc<Shared>,
        environment: &Arc<dyn Environment>,
    ) -> Self {
        let is_table = matches!(form.accepted.shape, Shape::Table(_));
        let is_plain = form.accepted.shape == Shape::Plain && form.accepted.encoding == Encoding::Json;
        Encoder {
            served: Arc::clone(served),
            form,
            shared: Arc::clone(shared),
            environment: Arc::clone(environment),
            columns: is_table.then(|| Box::new(Columns::new(served))),
            has_headers: false,
            verbatim: is_plain.then(|| Verbatim::of(served)).flatten(),
        }
    }

    /// Appends an event with a copy of its object. Returns whether it could.
    pub(super) fn append_copied(
        &self,
        out: &mut Vec<u8>,
        ty: EventType,
        copied: Copied<'_>,
        revision: u64,
    ) -> bool {
        if self.verbatim.is_none() {
            return false;
        }
        // Every watcher of a burst does this: one allocation of the right size, not several that grow.
        out.reserve(copied.stored().len() + EVENT);
        begin_json(out, ty);
        copied.append(out, revision);
        out.extend_from_slice(b"}\n");
        true
    }

    /// How much of an object the form shows.
    pub(super) fn part(&self) -> Part {
        match self.form.accepted.shape {
            Shape::Partial(_) => Part::Metadata,
            _ => Part::Whole,
        }
    }

    /// Learns from the event that shows an entry.
    pub(super) fn learn(&self, entry: &Entry, ty: EventType, event: &[u8]) {
        let Some(verbatim) = &self.verbatim else { return };
        let mut head = Vec::new();
        begin_json(&mut head, ty);
        let object = event
            .strip_prefix(&*head)
            .and_then(|rest| rest.strip_suffix(b"}\n"));
        if let Some(object) = object {
            verbatim.learn(entry, object);
        }
    }

    /// The watched resource.
    pub(super) fn served(&self) -> &Arc<Served> {
        &self.served
    }

    /// Appends an event already encoded for another watcher, if there is one.
    pub(super) fn append_shared(&self, out: &mut Vec<u8>, ty: EventType, revision: u64) -> bool {
        let Some(bytes) = self.key(ty, revision).and_then(|key| self.shared.get(&key)) else {
            return false;
        };
        out.extend_from_slice(&bytes);
        true
    }

    /// Appends an event and keeps it for other watchers.
    pub(super) fn append_and_share<'a>(
        &mut self,
        out: &mut Vec<u8>,
        ty: EventType,
        arena: &'a Arena,
        object: Value<'a>,
        revision: u64,
    ) {
        let start = out.len();
        if self.append_shared(out, ty, revision) {
            return;
        }
        self.append(out, ty, arena, object);
        if let Some(key) = self.key(ty, revision) {
            self.shared.put(key, out[start..].into());
        }
    }

    /// Identifies the encoded event in the cache. Tables are not shared: they contain ages, and headings only once.
    fn key(&self, ty: EventType, revision: u64) -> Option<Key> {
        let Accepted { encoding, shape, .. } = self.form.accepted;
        (!matches!(shape, Shape::Table(_))).then_some(Key {
            revision,
            served: Arc::as_ptr(&self.served) as usize,
            ty,
            encoding,
            shape,
        })
    }

    /// Appends an event.
    pub(super) fn append<'a>(
        &mut self,
        out: &mut Vec<u8>,
        ty: EventType,
        arena: &'a Arena,
        object: Value<'a>,
    ) {
        match (self.form.accepted.encoding, self.form.accepted.shape) {
            (Encoding::Protobuf, shape) => self.append_protobuf(out, ty, arena, object, shape),
            (_, Shape::Table(_)) => {
                let row = self.row(arena, object);
                append_json(out, ty, &row);
            }
            (_, Shape::Partial(version)) => {
                append_json(out, ty, &json(Order::Kept, partial(arena, object, version)));
            }
            _ => append_json(out, ty, &json(stored::order(&self.served), object)),
        }
    }

    fn append_protobuf<'a>(
        &self,
        out: &mut Vec<u8>,
        ty: EventType,
        arena: &'a Arena,
        object: Value<'a>,
        shape: Shape,
    ) {
        let envelope = match shape {
            Shape::Partial(version) => {
                let kind = "PartialObjectMetadata";
                let message = negotiate::meta_message(kind, partial(arena, object, version));
                seal(version.api_version(), kind, &message)
            }
            _ => {
                let (served, mut message) = (&self.served, Vec::new());
                served
                    .resource
                    .append_protobuf(&mut message, &served.version, object);
                seal(&render::api_version(served), &served.kind, &message)
            }
        };
        out.extend(frame(ty.name(), &envelope));
    }

    /// A table of one row; only the first has headings.
    fn row<'a>(&mut self, arena: &'a Arena, object: Value<'a>) -> String {
        let Shape::Table(version) = self.form.accepted.shape else {
            return String::new();
        };
        let annotation = object.lookup(&["metadata", "annotations", INITIAL_EVENTS_END]);
        let include = match self.form.include {
            // Clients look for the annotation that ends the initial events.
            Include::None if annotation.is_some() => Include::Metadata,
            include => include,
        };
        let form = RowForm {
            include,
            version,
            order: stored::order(&self.served),
            now: self.now(),
        };
        let Some(columns) = &self.columns else {
            return String::new();
        };
        let resource_version = object
            .lookup(&["metadata", "resourceVersion"])
            .and_then(Value::as_str);
        let metadata = ListMeta {
            resource_version: resource_version.unwrap_or_default().to_owned(),
            ..ListMeta::default()
        };
        let mut out = format!(
            "{{\"kind\":\"Table\",\"apiVersion\":\"{}\",\"metadata\":",
            version.api_version()
        );
        metadata.append_typed(&mut out);
        out.push_str(",\"columnDefinitions\":");
        if std::mem::replace(&mut self.has_headers, true) {
            out.push_str("null");
        } else {
            columns.append_headers(&mut out);
        }
        out.push_str(",\"rows\":[");
        columns.append_row(&mut out, arena, object, &form);
        out.push_str("]}");
        out
    }

    fn now(&self) -> Time {
        self.environment.now()
    }

    /// Appends a bookmark: an object with only a resource version; the one that ends the initial events has an
    /// annotation.
    pub(super) fn append_bookmark(&mut self, out: &mut Vec<u8>, revision: u64, is_initial_end: bool) {
        let arena = Arena::new();
        let api_version = render::api_version(&self.served);
        let revision = revision.to_string();
        let served = Arc::clone(&self.served);
        let mut members = vec![("resourceVersion", Value::Str(&revision))];
        if is_initial_end {
            let annotations = object_of(&arena, &[(INITIAL_EVENTS_END, Value::Str("true"))]);
            members.push(("annotations", annotations));
        }
        let metadata = object_of(&arena, &members);
        let object = object_of(
            &arena,
            &[
                ("kind", Value::Str(&served.kind)),
                ("apiVersion", Value::Str(&api_version)),
                ("metadata", metadata),
            ],
        );
        let object = served.resource.as_encoded(&arena, object);
        self.append(out, EventType::Bookmark, &arena, object);
    }

    /// Appends the error that ends a watch.
    pub(super) fn append_error(&self, out: &mut Vec<u8>, status: &Status) {
        let arena = Arena::new();
        let status = status.to_value(&arena);
        if self.form.accepted.encoding == Encoding::Protobuf {
            let envelope = negotiate::status_envelope(status);
            out.extend(frame(EventType::Error.name(), &envelope));
            return;
        }
        append_json(out, EventType::Error, &json(Order::Kept, status));
    }
}

/// The annotation of the bookmark that ends the initial events.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

fn json(order: Order, value: Value<'_>) -> String {
    Format::GO.order(order).to_string(value)
}

/// Room for what an event has besides the stored object.
const EVENT: usize = 96;

fn append_json(out: &mut Vec<u8>, ty: EventType, object: &str) {
    out.reserve(object.len() + 40);
    begin_json(out, ty);
    out.extend_from_slice(object.as_bytes());
    out.extend_from_slice(b"}\n");
}

fn begin_json(out: &mut Vec<u8>, ty: EventType) {
    out.extend_from_slice(b"{\"type\":\"");
    out.extend_from_slice(ty.name().as_bytes());
    out.extend_from_slice(b"\",\"object\":");
}
