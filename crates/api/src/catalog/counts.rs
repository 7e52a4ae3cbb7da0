//! How many objects of each resource are stored.

use std::collections::BTreeSet;

use kindsmith_store::{List, Store};

use super::Catalog;

impl Catalog {
    /// Group, resource and number of objects of everything that is stored, sorted; nothing for a store on another machine, which
    /// would be asked once for each resource.
    pub(crate) fn stored_objects(&self, store: &dyn Store) -> Vec<(String, String, u64)> {
        if store.is_remote() {
            return Vec::new();
        }
        let stored = self.served.iter().filter(|served| served.resource.is_stored());
        // Versions of a resource share its objects, and groups may share them too.
        let mut seen = BTreeSet::new();
        let mut counts: Vec<(String, String, u64)> = stored
            .filter(|served| seen.insert(served.key_prefix.to_string()))
            .filter_map(|served| {
                let page = store.list(&List {
                    limit: 1,
                    counts: true,
                    ..List::of(served.key_prefix.as_bytes())
                });
                let page = page.ok()?;
                let count = page.entries.len() as u64 + page.remaining;
                Some((served.group.to_string(), served.plural.to_string(), count))
            })
            .collect();
        counts.sort();
        counts
    }
}
