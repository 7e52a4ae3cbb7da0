//! Property lists that a pass over schemas changed, so that a list that many schemas share is changed once and stays shared.
//! Knows no pass.

use kindsmith_schema::{JsonSchema, SharedVec, Str};
use rustc_hash::FxHashMap;

/// Properties by name.
pub(crate) type Members = SharedVec<(Str, JsonSchema)>;

/// Lists before and after a pass.
#[derive(Default)]
pub(crate) struct Changed {
    /// By the address of the list before.
    lists: FxHashMap<*const (Str, JsonSchema), Pair>,
}

struct Pair {
    /// Kept alive so that its address is not reused.
    _before: Members,
    after: Members,
}

impl Changed {
    /// What became of a list.
    pub(crate) fn get(&self, before: &Members) -> Option<&Members> {
        self.lists.get(&before.as_ptr()).map(|pair| &pair.after)
    }

    pub(crate) fn keep(&mut self, before: Members, after: &Members) {
        let (address, after) = (before.as_ptr(), after.clone());
        self.lists.insert(
            address,
            Pair {
                _before: before,
                after,
            },
        );
    }
}
