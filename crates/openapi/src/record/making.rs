//! Where values are made, and in which form. Knows no struct.

use std::cell::RefCell;

use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_schema::SharedVec;
use rustc_hash::FxHashMap;

/// How values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As the API answers: JSON keys, without what is empty.
    Api,
    /// As Go prints the internal types in errors: Go names, and everything is there.
    Go,
}

/// Makes values of one form. Lists that copies share become one value, which whoever writes it can tell.
pub(crate) struct Making<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) form: Form,
    /// By where a list is. It is borrowed as long as its value, so no other comes to stand in its place.
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

    /// The value of a list, made when first asked for.
    pub(super) fn once<T>(&self, list: &'a SharedVec<T>, make: impl FnOnce() -> Value<'a>) -> Value<'a> {
        // All empty lists are in one place, whatever their type.
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
