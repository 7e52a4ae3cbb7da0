//! What is known of lists of members that many schemas share: a check that found nothing in such a list need not look
//! at it again. Knows no rule.

use std::cell::RefCell;

use kindsmith_schema::{JsonSchema, SharedVec, Str};
use rustc_hash::FxHashMap;

/// Members by name.
pub(super) type Members = SharedVec<(Str, JsonSchema)>;

/// Checks that remember in which lists they found nothing. What one finds in a list must not depend on what is around
/// the list, or it remembers only what it finds in the usual surroundings.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// What has no structural form.
    Convertible,
    /// What structural schemas obey.
    StructuralSchema,
    /// Defaults, of members that are no part of metadata.
    Defaults,
    /// Keywords and their values, of members that are no part of metadata, where nothing refuses defaults.
    Keywords,
    /// What an author is warned of.
    Warnings,
    /// Embedded resources.
    Embedded,
}

/// Lists of members and what was found out about them. All of it must be asked for with the same demands.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// By where a list is.
    lists: RefCell<FxHashMap<usize, Facts>>,
}

#[derive(Debug)]
struct Facts {
    /// Kept, so that no other list comes to stand in its place.
    _list: Members,
    /// The checks that found nothing, one bit each.
    clean: u8,
    /// How many levels there are.
    height: Option<usize>,
}

impl Known {
    /// Lets a check look at a list, unless it found nothing there before; `look` says whether there is nothing.
    pub(super) fn once(&self, check: Check, list: &Members, look: impl FnOnce() -> bool) {
        if list.is_empty() {
            return;
        }
        let is_clean = |facts: &Facts| facts.clean & bit(check) != 0;
        if self.lists.borrow().get(&place(list)).is_some_and(is_clean) {
            return;
        }
        if look() {
            self.learn(list, |facts| facts.clean |= bit(check));
        }
    }

    /// How many levels there are in a list, if that was found out before.
    pub(super) fn height(&self, list: &Members) -> Option<usize> {
        self.lists.borrow().get(&place(list))?.height
    }

    pub(super) fn set_height(&self, list: &Members, height: usize) {
        self.learn(list, |facts| facts.height = Some(height));
    }

    fn learn(&self, list: &Members, fact: impl FnOnce(&mut Facts)) {
        let mut lists = self.lists.borrow_mut();
        fact(lists.entry(place(list)).or_insert_with(|| Facts {
            _list: list.clone(),
            clean: 0,
            height: None,
        }));
    }
}

fn place(list: &Members) -> usize {
    list.as_ptr().addr()
}

fn bit(check: Check) -> u8 {
    1 << check as u8
}
