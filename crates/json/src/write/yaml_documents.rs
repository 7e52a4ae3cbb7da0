//! YAML of values that share parts: an object that was written at the same indentation before is copied as text.
//!
//! Knows objects by where they are in memory. How they look is for the writer.

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
    /// Values are there as long as this is, so no other value comes to stand in the place of one.
    values: PhantomData<Value<'a>>,
}

impl<'a> Documents<'a> {
    /// No documents; keys are written in the order given.
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

    /// Adds a document; it begins with a text, which ends with a line break if it is not empty.
    pub fn add(&mut self, mut text: String, value: Value<'a>) {
        let known = Known {
            earlier: &self.texts,
            written: &mut self.written,
            values: PhantomData,
        };
        self.escapes |= append(&mut text, value, self.order, Some(known));
        self.texts.push(text);
    }

    /// Whether some text in some document has escapes, which only double quotes allow.
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

/// Shorter texts are written as fast as they are remembered.
const WORTH_KEEPING: usize = 128;

/// An object by where its entries are, and where it is written: its text depends on nothing else.
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

/// Where a container is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// What its children are indented by.
    pub(super) indent: usize,
    /// Whether its first child goes on the line that is already begun.
    pub(super) inline: bool,
}

/// Where a text is: in which document, and which part of it.
#[derive(Debug)]
struct Written {
    document: usize,
    range: Range<usize>,
}

/// What is written already, while one more document is.
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

    /// Remembers where the text of an object is in the document that is being written.
    pub(super) fn remember(&mut self, object: Object<'a>, place: Place, range: Range<usize>) {
        if range.len() < WORTH_KEEPING {
            return;
        }
        let document = self.earlier.len();
        let written = Written { document, range };
        self.written.insert(Part::new(object, place), written);
    }
}
