//! The contents of a page: kinds, each with the objects below it as a tree, where a page is made of CRDs.

use super::{Page, Section};

/// One line of the contents.
pub(super) struct Entry<'p> {
    /// How deep it is below its kind; 0 for the kind.
    pub(super) depth: usize,
    /// What it is called there: the title of a kind, the name of a field.
    pub(super) name: &'p str,
    pub(super) section: &'p Section,
}

/// The kinds of a page with what is below them.
pub(super) fn kinds(page: &Page) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    for kind in &page.kinds {
        entries.push(Entry {
            depth: 0,
            name: &kind.title,
            section: kind,
        });
        for section in &page.types {
            if let Some(place) = section.place.as_ref().filter(|place| place.kind == kind.anchor) {
                entries.push(Entry {
                    depth: place.depth,
                    name: &place.name,
                    section,
                });
            }
        }
    }
    entries
}

/// The types of a page that are not below one of its kinds.
pub(super) fn types(page: &Page) -> Vec<&Section> {
    let is_listed = |section: &Section| {
        let place = section.place.as_ref();
        place.is_some_and(|place| page.kinds.iter().any(|kind| kind.anchor == place.kind))
    };
    let types = page.types.iter();
    types.filter(|section| !is_listed(section)).collect()
}
