//! YAML of values that share parts: an object that was written before at the same indentation is copied as
//! text.
//!
//! Identifies objects by their address. The writer decides how they look.

use std::marker::PhantomData;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Order;
use super::yaml::append;
use crate::{Object, Value};

/// Documents of values that may share parts.
///
/// ```
/// use kindsmith_json::write::{Documents, Order};
/// use kindsmith_json::{Arena, parse_str};
///
/// let arena = Arena::new();
/// let value = parse_str(&arena, r#"{"b": 1, "a": [2]}"#)?;
/// let mut documents = Documents::new(Order::Sorted);
/// documents.add(String::from("---\n"), value);
/// assert_eq!(documents.into_texts(), ["---\na:\n- 2\nb: 1\n"]);
/// # Ok::<(), kindsmith_json::ReadError>(())
/// ```
#[derive(Debug)]
pub struct Documents<'a> {
    order: Order,
    texts: Vec<String>,
    written: FxHashMap<Part, Written>,
    escapes: bool,
    /// The values live as long as this does, so no address is reused.
    values: PhantomData<Value<'a>>,
}

impl<'a> Documents<'a> {
    /// No documents yet; keys will be written in the given order.
    #[must_use]
    pub fn new(order: Order) -> Self {
        Self {
            order,
            texts: Vec::new(),
            written: FxHashMap::default(),
            escapes: false,
            values: PhantomData,
        }
    }

    /// Adds a document that starts with a text, which must be empty or end with a line break.
    pub fn add(&mut self, mut text: String, value: Value<'a>) {
        let known = Known {
            earlier: &self.texts,
            written: &mut self.written,
            values: PhantomData,
        };
        self.escapes |= append(&mut text, value, self.order, Some(known));
        self.texts.push(text);
    }

    /// Whether some string in some document has escapes of other characters than quotes, backslashes, tabs and line breaks.
    #[must_use]
    pub fn has_escapes(&self) -> bool {
        self.escapes
    }

    /// The documents in the order they were added.
    #[must_use]
    pub fn into_texts(self) -> Vec<String> {
        self.texts
    }
}

/// Writing shorter texts is as fast as remembering them.
const WORTH_KEEPING: usize = 128;

/// An object by the address of its entries and its place: its text depends on nothing else.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Part {
    address: usize,
    len: usize,
    place: Place,
}

impl Part {
    fn new(object: Object<'_>, place: Place) -> Self {
        let entries = object.entries();
        Self {
            address: entries.as_ptr().addr(),
            len: entries.len(),
            place,
        }
    }
}

/// The place of a container in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// The indentation of its children.
    pub(super) indent: usize,
    /// Whether its first child continues the current line.
    pub(super) inline: bool,
}

/// The place of a text: the document and the range in it.
#[derive(Debug)]
struct Written {
    document: usize,
    range: Range<usize>,
}

/// The texts written so far, while another document is written.
pub(super) struct Known<'o, 'a> {
    earlier: &'o [String],
    written: &'o mut FxHashMap<Part, Written>,
    values: PhantomData<Value<'a>>,
}

impl<'a> Known<'_, 'a> {
    /// Appends an object if its text is known.
    pub(super) fn copy(&self, out: &mut String, object: Object<'a>, place: Place) -> bool {
        let Some(known) = self.written.get(&Part::new(object, place)) else {
            return false;
        };
        match self.earlier.get(known.document) {
            Some(earlier) => out.push_str(&earlier[known.range.clone()]),
            None => out.extend_from_within(known.range.clone()),
        }
        true
    }

    /// Records the text of an object in the current document.
    pub(super) fn remember(&mut self, object: Object<'a>, place: Place, range: Range<usize>) {
        if range.len() < WORTH_KEEPING {
            return;
        }
        let document = self.earlier.len();
        let written = Written { document, range };
        self.written.insert(Part::new(object, place), written);
    }
}
