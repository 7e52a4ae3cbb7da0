//! Creates values in one of two forms. Knows no struct.

use std::cell::RefCell;

use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_schema::SharedVec;
use rustc_hash::FxHashMap;

/// The form of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As the API returns them: JSON keys, empty values left out.
    Api,
    /// As Go prints the internal types in errors: Go names, nothing left out.
    Go,
}

/// Creates values of one form. Lists shared between clones become one value, which the writer can detect.
pub(crate) struct Making<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) form: Form,
    /// By address of the list. The list is borrowed as long as its value, so no other can take its address.
    shared: RefCell<FxHashMap<usize, Value<'a>>>,
}

impl<'a> Making<'a> {
    pub(crate) fn new(arena: &'a Arena, form: Form) -> Self {
        Self {
            arena,
            form,
            shared: RefCell::default(),
        }
    }

    /// An object of entries whose keys are distinct.
    pub(crate) fn object(&self, entries: &[Entry<'a>]) -> Value<'a> {
        let entries = self.arena.alloc_slice_copy(entries);
        Value::Object(Object::from_entries(self.arena, entries))
    }

    /// The value of a list, created on first use.
    pub(super) fn once<T>(&self, list: &'a SharedVec<T>, make: impl FnOnce() -> Value<'a>) -> Value<'a> {
        // All empty lists have the same address, whatever their type.
        if list.is_empty() {
            return make();
        }
        let place = list.as_ptr().addr();
        if let Some(known) = self.shared.borrow().get(&place) {
            return *known;
        }
        let made = make();
        self.shared.borrow_mut().insert(place, made);
        made
    }
}
