//! Objects of a list that a webhook converts: it is asked once for many of them.
//!
//! The reference asks about each object (as its recordings show), which takes the webhook's time for each. Whatever an answer
//! about many objects does not settle is asked about one by one, so that errors are the reference's.

use kindsmith_json::{Arena, Value};
use kindsmith_store::Entry;

use crate::stored::{self, Freshness};
use crate::{Served, Unreadable};

/// How many bytes of stored objects one call converts: they are in memory several times meanwhile.
const MOST: usize = 8 << 20;

/// Entries in parts, each for one call; a resource without webhook has one part.
pub(crate) fn parts<'e>(served: &Served, entries: &'e [Entry]) -> Vec<&'e [Entry]> {
    if !served.resource.may_wait() {
        return vec![entries];
    }
    let (mut parts, mut start, mut bytes) = (Vec::new(), 0, 0);
    for (index, entry) in entries.iter().enumerate() {
        if index > start && bytes + entry.value.len() > MOST {
            parts.push(&entries[start..index]);
            (start, bytes) = (index, 0);
        }
        bytes += entry.value.len();
    }
    parts.push(&entries[start..]);
    parts
}

/// Objects that were read together, by their place among the entries.
#[derive(Debug, Default)]
pub(crate) struct Together<'a>(Vec<Option<Result<Value<'a>, Unreadable>>>);

impl<'a> Together<'a> {
    /// Reads those of the entries that a webhook converts, except for those that need no decoding.
    pub(crate) fn read(
        arena: &'a Arena,
        served: &'a Served,
        entries: &'a [Entry],
        freshness: Freshness,
        is_copied: impl Fn(&Entry) -> bool,
    ) -> Self {
        let (resource, version) = (&served.resource, &*served.version);
        if !resource.may_wait() {
            return Together::default();
        }
        let is_kept = |entry: &Entry, value| {
            freshness == Freshness::Kept && resource.is_kept(version, entry.modified, value)
        };
        let mut places = Vec::new();
        let mut values = Vec::new();
        for (place, entry) in entries.iter().enumerate().filter(|(_, entry)| !is_copied(entry)) {
            if let Ok(value) = kindsmith_json::parse(arena, &entry.value)
                && !is_kept(entry, value)
            {
                places.push(place);
                values.push(value);
            }
        }
        let Some(read) = resource.read_all(arena, &values, version) else {
            return Together::default();
        };
        let mut together = Vec::new();
        together.resize_with(entries.len(), || None);
        for (place, object) in places.into_iter().zip(read) {
            let revision = entries[place].modified;
            if let Ok(object) = &object
                && freshness == Freshness::Kept
            {
                resource.keep(version, revision, *object);
            }
            together[place] = Some(object.map(|object| stored::with_revision(arena, object, revision)));
        }
        Together(together)
    }

    /// The object of an entry, if it was read.
    pub(crate) fn take(&mut self, place: usize) -> Option<Result<Value<'a>, Unreadable>> {
        self.0.get_mut(place)?.take()
    }
}
