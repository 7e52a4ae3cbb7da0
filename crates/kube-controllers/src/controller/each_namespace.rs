//! For controllers that keep one object in every namespace: which namespaces there are, and which lack it.

use std::collections::BTreeSet;

use crate::cluster::{Change, is_going};

/// The namespaces that are not being deleted.
#[derive(Default)]
pub(super) struct EachNamespace {
    there: BTreeSet<String>,
    dirty: BTreeSet<String>,
}

impl EachNamespace {
    /// Notes a change of a namespace; a new one lacks the object. Returns whether it was one.
    pub(super) fn see(&mut self, change: &Change<'_>) -> bool {
        let place = change.place;
        if !place.is("", "namespaces") {
            return false;
        }
        if change.new.is_none_or(is_going) {
            self.there.remove(&place.name);
        } else if self.there.insert(place.name.clone()) {
            self.dirty.insert(place.name.clone());
        }
        true
    }

    /// Notes that the object of a namespace is missing or wrong.
    pub(super) fn mark(&mut self, namespace: &str) {
        self.dirty.insert(namespace.to_owned());
    }

    /// The namespaces to look at; forgets them.
    pub(super) fn take(&mut self) -> impl Iterator<Item = String> + use<'_> {
        let dirty = std::mem::take(&mut self.dirty);
        dirty
            .into_iter()
            .filter(|namespace| self.there.contains(namespace))
    }
}
