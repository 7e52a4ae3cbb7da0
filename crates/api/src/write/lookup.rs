//! Stored objects that admission plugins look at.

use kindsmith_builtin::own_kinds;
use kindsmith_builtin::pod_admission::Lookup;
use kindsmith_json::{Arena, Value};
use kindsmith_store::{Entry, List};

use crate::context::Call;
use crate::stored;

/// Finds objects in the store of a call. What cannot be read is not there.
pub(crate) struct StoreLookup<'c, 'a> {
    call: &'c Call<'c>,
    arena: &'a Arena,
}

impl<'c, 'a> StoreLookup<'c, 'a> {
    pub(crate) fn new(call: &'c Call<'c>, arena: &'a Arena) -> Self {
        StoreLookup { call, arena }
    }

    fn read(&self, entry: &Entry) -> Option<Value<'a>> {
        let object = stored::copy(self.arena, entry).ok()?;
        Some(stored::with_revision(self.arena, object, entry.modified))
    }
}

/// Where the objects of a resource are stored.
fn prefix(group: &str, resource: &str) -> Option<String> {
    let mut kinds = own_kinds().iter();
    let kind = kinds.find(|kind| *kind.names.group == *group && *kind.names.plural == *resource)?;
    Some(kind.key_prefix())
}

impl<'a> Lookup<'a> for StoreLookup<'_, 'a> {
    fn find(&self, group: &str, resource: &str, namespace: &str, name: &str) -> Option<Value<'a>> {
        let prefix = prefix(group, resource)?;
        let key = match namespace {
            "" => format!("{prefix}{name}"),
            namespace => format!("{prefix}{namespace}/{name}"),
        };
        let entry = self.call.store.get(key.as_bytes(), None).ok()??;
        self.read(&entry)
    }

    fn all(&self, group: &str, resource: &str, namespace: &str) -> Vec<Value<'a>> {
        let Some(mut prefix) = prefix(group, resource) else {
            return Vec::new();
        };
        if !namespace.is_empty() {
            prefix = format!("{prefix}{namespace}/");
        }
        let page = self.call.store.list(&List::of(prefix.as_bytes()));
        let entries = page.map(|page| page.entries).unwrap_or_default();
        let objects = entries.iter();
        objects.filter_map(|entry| self.read(entry)).collect()
    }
}
