//! The objects of a list as text of some form, copied from the store where possible. Knows no store and no request.

use kindsmith_gostd::budget;
use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Entry as Member, Object, Value};
use kindsmith_store::Entry;

use crate::response::Pieces;
use crate::response::negotiate::MetaVersion;
use crate::response::partial::partial;
use crate::verbatim::{Copied, Part, Verbatim};
use crate::{Served, stored};

/// What takes the objects of a list, in order.
pub(super) trait Items {
    /// Takes an object; `entry` is where it is stored, if it is.
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, entry: Option<&Entry>);

    /// Takes an object that need not be decoded. Returns whether it did; otherwise it gets the object.
    fn copied(&mut self, copied: Copied<'_>, revision: u64) -> bool {
        let _ = (copied, revision);
        false
    }

    /// How much of each object it looks at.
    fn part(&self) -> Part {
        Part::Whole
    }
}

/// Looks at nothing but metadata.
pub(super) struct MetadataItems<F>(pub(super) F);

impl<F: for<'a> FnMut(&'a Arena, Value<'a>)> Items for MetadataItems<F> {
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, _: Option<&Entry>) {
        self.0(arena, object);
    }

    fn part(&self) -> Part {
        Part::Metadata
    }
}

impl<F: for<'a> FnMut(&'a Arena, Value<'a>)> Items for F {
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, _: Option<&Entry>) {
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
            head: format!(
                "{{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"{}\",\"metadata\":",
                version.api_version()
            ),
            order: stored::order(served),
        }
    }

    /// Whether metadata is copied as if the object had been decoded; checked whenever it is, except in release builds.
    fn is_what_decoding_gives(&self, copied: Copied<'_>, metadata: Copied<'_>, revision: u64) -> bool {
        let (arena, mut expected, mut text) = (Arena::new(), String::new(), self.head.clone().into_bytes());
        metadata.append(&mut text, revision);
        text.push(b'}');
        let object = copied.object(&arena, Part::Metadata, revision);
        json(Order::Kept).append(
            &mut expected,
            partial(&arena, object.unwrap_or_default(), self.version),
        );
        text == expected.as_bytes()
    }

    fn separate(&mut self) {
        budget::grow(self.text.len());
        if !self.text.is_empty() {
            self.text.push(b',');
        }
    }
}

impl Items for PartialItems {
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, _: Option<&Entry>) {
        self.separate();
        self.scratch.clear();
        json(Order::Kept).append(&mut self.scratch, partial(arena, object, self.version));
        self.text.extend(self.scratch.as_bytes());
    }

    fn copied(&mut self, copied: Copied<'_>, revision: u64) -> bool {
        // Sorted metadata is not in the order of the Go struct.
        if self.order == Order::Sorted {
            return false;
        }
        let Some(metadata) = copied.metadata() else {
            return false;
        };
        debug_assert!(self.is_what_decoding_gives(copied, metadata, revision));
        self.separate();
        self.text.extend(self.head.as_bytes());
        metadata.append_to(&mut self.text, revision);
        self.text.push(b'}');
        true
    }

    fn part(&self) -> Part {
        Part::Metadata
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
    fn object<'a>(&mut self, arena: &'a Arena, object: Value<'a>, entry: Option<&Entry>) {
        self.separate();
        let item = if self.is_custom {
            object
        } else {
            without_type(arena, object)
        };
        self.scratch.clear();
        json(self.order).append(&mut self.scratch, item);
        self.text.extend(self.scratch.as_bytes());
        if let (Some(verbatim), Some(entry)) = (&self.verbatim, entry) {
            verbatim.learn_item(entry, self.scratch.as_bytes());
        }
    }

    fn copied(&mut self, copied: Copied<'_>, revision: u64) -> bool {
        self.separate();
        if let Some(verbatim) = &self.verbatim {
            verbatim.append_item(&mut self.text, copied, revision);
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
