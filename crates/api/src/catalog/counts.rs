//! How many objects of each resource are stored.

use std::collections::BTreeSet;

use kindsmith_store::List;

use crate::Api;

impl Api {
    /// Group, resource and number of objects of everything that is stored, sorted; nothing for a store on another machine, which
    /// would be asked once for each resource.
    #[must_use]
    pub fn stored_objects(&self) -> Vec<(String, String, u64)> {
        if self.store.is_remote() {
            return Vec::new();
        }
        let catalog = self.catalog();
        let stored = catalog.served.iter().filter(|served| served.resource.is_stored());
        // Versions of a resource share its objects, and groups may share them too.
        let mut seen = BTreeSet::new();
        let mut counts: Vec<(String, String, u64)> = stored
            .filter(|served| seen.insert(served.key_prefix.to_string()))
            .filter_map(|served| {
                let page = self.store.list(&List {
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
