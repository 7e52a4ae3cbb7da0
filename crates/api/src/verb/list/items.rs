//! The objects of a list as text of some form, copied from the store where possible. Knows no store and no request.

use std::sync::Arc;

use kindsmith_builtin::protobuf::item_head;
use kindsmith_gostd::budget;
use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Entry as Member, Object, Value};
use kindsmith_request::Status;
use kindsmith_store::Entry;

use crate::response::Pieces;
use crate::response::negotiate::MetaVersion;
use crate::response::partial::{partial, partial_head};
use crate::response::table::{Columns, Include, RowForm};
use crate::verbatim::{Copied, Part, Verbatim};
use crate::{Served, stored};

/// What takes the objects of a list, in order.
pub(super) trait Items {
    /// Takes an object.
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, origin: Origin<'_>);

    /// Takes an object that need not be decoded. Returns whether it did; otherwise it gets the object.
    fn copied(&mut self, entry: &Entry, copied: Copied<'_>) -> bool {
        let _ = (entry, copied);
        false
    }

    /// How much of each object it looks at.
    fn part(&self) -> Part {
        Part::Whole
    }
}

/// Where an object of a list comes from.
#[derive(Clone, Copy)]
pub(super) enum Origin<'e> {
    /// It is not stored.
    Made,
    /// It was decoded.
    Decoded(&'e Entry),
    /// It is stored as it is answered.
    Copied(Copied<'e>, &'e Entry),
}

impl<F: for<'a> FnMut(&'a Arena, Value<'a>)> Items for F {
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, _: Origin<'_>) {
        self(arena, object);
    }
}

/// The items of a list of metadata in JSON.
pub(super) struct PartialItems {
    pub(super) text: Pieces,
    scratch: String,
    version: MetaVersion,
    /// What is before the metadata of an object.
    head: String,
    /// The field order of stored objects.
    order: Order,
}

impl PartialItems {
    pub(super) fn new(served: &Served, version: MetaVersion) -> Self {
        PartialItems {
            text: Pieces::default(),
            scratch: String::new(),
            version,
            head: partial_head(version),
            order: stored::order(served),
        }
    }
}

impl Items for PartialItems {
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, _: Origin<'_>) {
        separate(&mut self.text);
        self.scratch.clear();
        json(Order::Kept).append(&mut self.scratch, partial(arena, object, self.version));
        self.text.extend(self.scratch.as_bytes());
    }

    fn copied(&mut self, entry: &Entry, copied: Copied<'_>) -> bool {
        let Some(metadata) = copied.typed_metadata(self.order) else {
            return false;
        };
        let revision = entry.modified;
        debug_assert!(is_what_decoding_gives(self.version, copied, metadata, revision));
        separate(&mut self.text);
        append_metadata(&mut self.text, &self.head, metadata, revision);
        true
    }

    fn part(&self) -> Part {
        Part::Metadata
    }
}

/// Appends an object reduced to its metadata, which begins with `head`.
fn append_metadata(out: &mut Pieces, head: &str, metadata: Copied<'_>, revision: u64) {
    out.extend(head.as_bytes());
    metadata.append_to(out, revision);
    out.push(b'}');
}

/// Whether metadata is copied as if the object had been decoded; checked whenever it is, except in release builds.
fn is_what_decoding_gives(
    version: MetaVersion,
    copied: Copied<'_>,
    metadata: Copied<'_>,
    revision: u64,
) -> bool {
    let (arena, mut expected, mut text) = (Arena::new(), String::new(), Pieces::default());
    append_metadata(&mut text, &partial_head(version), metadata, revision);
    let object = copied.object(&arena, Part::Metadata, revision);
    json(Order::Kept).append(
        &mut expected,
        partial(&arena, object.unwrap_or_default(), version),
    );
    text.join() == expected.as_bytes()
}

/// The items of a list as protobuf messages, which a function appends; it says whether it could.
pub(super) struct ProtobufItems<F> {
    /// The messages with their heads.
    pub(super) messages: Pieces,
    /// Whether all objects have one.
    pub(super) is_complete: bool,
    message: Vec<u8>,
    part: Part,
    /// What marks messages that are kept for the next list, if they are.
    mark: Option<u64>,
    append: F,
}

impl<F> ProtobufItems<F> {
    pub(super) fn new(part: Part, mark: Option<u64>, append: F) -> Self {
        ProtobufItems {
            messages: Pieces::default(),
            is_complete: true,
            message: Vec::new(),
            part,
            mark,
            append,
        }
    }
}

impl<F: for<'a> FnMut(&mut Vec<u8>, &'a Arena, Value<'a>) -> bool> ProtobufItems<F> {
    fn encode<'a>(&mut self, arena: &'a Arena, object: Value<'a>) {
        self.message.clear();
        self.is_complete &= (self.append)(&mut self.message, arena, object);
        let head = item_head(self.message.len());
        self.message.splice(..0, head);
    }

    /// Whether a message that was kept is what encoding gives; checked whenever it is sent, except in release builds.
    fn is_what_encoding_gives(&mut self, kept: &[u8], copied: Copied<'_>, revision: u64) -> bool {
        let arena = Arena::new();
        let object = copied.object(&arena, self.part, revision);
        self.encode(&arena, object.unwrap_or_default());
        self.message == kept
    }
}

impl<F: for<'a> FnMut(&mut Vec<u8>, &'a Arena, Value<'a>) -> bool> Items for ProtobufItems<F> {
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, origin: Origin<'_>) {
        self.encode(arena, object);
        budget::grow(self.messages.len() + self.message.len());
        self.messages.extend(&self.message);
        if let (Some(mark), Origin::Copied(_, entry), true) = (self.mark, origin, self.is_complete) {
            entry.value.keep_form(mark, &self.message);
        }
    }

    fn copied(&mut self, entry: &Entry, copied: Copied<'_>) -> bool {
        let Some(kept) = self.mark.and_then(|mark| entry.value.form(mark)) else {
            return false;
        };
        debug_assert!(self.is_what_encoding_gives(kept, copied, entry.modified));
        self.messages.share(Arc::clone(kept));
        true
    }

    fn part(&self) -> Part {
        self.part
    }
}

/// The rows of a table.
pub(super) struct RowItems<'c> {
    columns: &'c Columns,
    form: RowForm,
    rows: Pieces,
    row: String,
    /// What is before the metadata of an object.
    head: String,
    /// How many bytes the cells take.
    printed: usize,
    /// The rows with the numbers they are sorted by, where they are.
    ordered: Vec<(Option<i64>, Vec<u8>)>,
}

/// How many bytes the cells of a table may take.
const MOST_CELLS: usize = 256 << 20;

impl<'c> RowItems<'c> {
    pub(super) fn new(columns: &'c Columns, form: RowForm) -> Self {
        RowItems {
            columns,
            rows: Pieces::default(),
            row: String::new(),
            head: partial_head(form.version),
            form,
            printed: 0,
            ordered: Vec::new(),
        }
    }

    /// The metadata of an object with its revision, if rows carry it as it is stored.
    fn copied_metadata<'e>(&self, origin: Origin<'e>) -> Option<(Copied<'e>, u64)> {
        let Origin::Copied(copied, entry) = origin else {
            return None;
        };
        if self.form.include != Include::Metadata {
            return None;
        }
        let metadata = copied.typed_metadata(self.form.order)?;
        let (version, revision) = (self.form.version, entry.modified);
        debug_assert!(is_what_decoding_gives(version, copied, metadata, revision));
        Some((metadata, revision))
    }

    /// All rows in order.
    ///
    /// # Errors
    ///
    /// If their cells take too much.
    pub(super) fn finish(mut self) -> Result<Pieces, Status> {
        if self.printed > MOST_CELLS {
            return Err(Status::too_large(
                "the cells of the table take more than 256 MiB; ask for fewer objects with limit",
            ));
        }
        self.ordered.sort_by_key(|(number, _)| *number);
        for (_, row) in &self.ordered {
            separate(&mut self.rows);
            self.rows.extend(row);
        }
        Ok(self.rows)
    }
}

impl Items for RowItems<'_> {
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, origin: Origin<'_>) {
        if self.printed > MOST_CELLS {
            return;
        }
        let order = self.columns.order;
        let mut out = match order {
            Some(_) => Pieces::default(),
            None => std::mem::take(&mut self.rows),
        };
        separate(&mut out);
        self.row.clear();
        if let Some((metadata, revision)) = self.copied_metadata(origin) {
            self.printed += self.columns.begin_row(&mut self.row, arena, object, &self.form);
            out.extend(self.row.as_bytes());
            append_metadata(&mut out, &self.head, metadata, revision);
            out.push(b'}');
        } else {
            self.printed += self.columns.append_row(&mut self.row, arena, object, &self.form);
            out.extend(self.row.as_bytes());
        }
        match order {
            Some(order) => {
                let number = object.lookup(order).and_then(Value::as_i64);
                self.ordered.push((number, out.join()));
            }
            None => self.rows = out,
        }
    }
}

/// Begins the next item of a list, whose memory is paid for.
fn separate(items: &mut Pieces) {
    budget::grow(items.len());
    if !items.is_empty() {
        items.push(b',');
    }
}

/// The items of a list of JSON.
pub(super) struct PlainItems {
    pub(super) text: Pieces,
    scratch: String,
    order: Order,
    is_custom: bool,
    verbatim: Option<Verbatim>,
}

impl PlainItems {
    pub(super) fn new(served: &Served) -> Self {
        PlainItems {
            text: Pieces::default(),
            scratch: String::new(),
            order: stored::order(served),
            is_custom: served.resource.is_custom(),
            verbatim: Verbatim::of(served),
        }
    }

    fn separate(&mut self) {
        if !self.text.is_empty() {
            self.text.push(b',');
        }
    }
}

impl Items for PlainItems {
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, origin: Origin<'_>) {
        self.separate();
        let item = if self.is_custom {
            object
        } else {
            without_type(arena, object)
        };
        self.scratch.clear();
        json(self.order).append(&mut self.scratch, item);
        self.text.extend(self.scratch.as_bytes());
        if let (Some(verbatim), Origin::Decoded(entry)) = (&self.verbatim, origin) {
            verbatim.learn_item(entry, self.scratch.as_bytes());
        }
    }

    fn copied(&mut self, entry: &Entry, copied: Copied<'_>) -> bool {
        if let Some(verbatim) = &self.verbatim {
            verbatim.append_item(&mut self.text, entry, copied);
        }
        true
    }
}

fn json(order: Order) -> Format<'static> {
    Format::GO.order(order)
}

/// Items of typed lists have no `apiVersion` and `kind`.
fn without_type<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let entries = object.as_object().unwrap_or_default().entries();
    let entries: Vec<Member<'a>> = entries
        .iter()
        .filter(|entry| !matches!(entry.key, "kind" | "apiVersion"))
        .copied()
        .collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
}
