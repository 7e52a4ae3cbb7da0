//! What tags report.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use kindsmith_engine::{Change, CompileOptions, OptionSet, Plan};
use kindsmith_go::Read;
use kindsmith_json::{Arena, parse_str};
use kindsmith_schema::TypeId;

use super::paths::plain;
use crate::edit::{Edited, Insert};

/// An error of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Its type.
    pub kind: String,
    /// Its field.
    pub field: String,
    /// Its origin.
    pub origin: String,
    /// Whether it stops other checks.
    pub stops: bool,
    /// The tag that was written for it.
    pub tag: Option<Insert>,
}

/// The tags of a type.
pub(super) struct Engine<'e> {
    plan: Plan,
    read: &'e Read,
    edited: &'e BTreeMap<String, Edited>,
    /// The subresource that objects of the type are written to, if they are no resource themselves.
    subresource: Option<String>,
    /// By file and byte: the tag that was written there. Lines are counted once, not for every error.
    tags: RefCell<HashMap<(String, u32), Option<Insert>>>,
}

impl<'e> Engine<'e> {
    pub(super) fn new(read: &'e Read, ty: TypeId, edited: &'e BTreeMap<String, Edited>) -> Self {
        Self {
            plan: Plan::compile_with(&read.schema, ty, &CompileOptions::default()),
            read,
            edited,
            subresource: subresource(read, ty),
            tags: RefCell::default(),
        }
    }

    /// What the tags report for a write.
    pub(super) fn errors(&self, new: &str, old: Option<&str>, on: &BTreeMap<String, bool>) -> Vec<Declared> {
        let arena = Arena::new();
        let value = |text: &str| {
            let parsed = parse_str(&arena, arena.alloc_str(text)).unwrap_or_default();
            self.plan.decoded(&arena, parsed)
        };
        let mut change = match old {
            Some(old) => Change::update(value(new), value(old)),
            None => Change::create(value(new)),
        };
        let options: OptionSet = on.iter().map(|(name, on)| (name.as_str(), *on)).collect();
        change.options = Some(&options);
        let written: Vec<&str> = self.subresource.as_deref().into_iter().collect();
        change.subresources = &written;
        let errors = self.plan.validate(&change).into_iter();
        errors
            .map(|error| Declared {
                kind: error.kind.name().to_owned(),
                field: plain(&error.path.to_string()).to_owned(),
                origin: error.origin.to_string(),
                stops: error.short_circuit,
                tag: error.rule.and_then(|place| self.tag(&place)),
            })
            .collect()
    }

    /// The tag that was written where a rule is.
    fn tag(&self, place: &kindsmith_schema::Place) -> Option<Insert> {
        let span = self.read.origins.span(place)?;
        let file = self.read.sources.file(span.file);
        let edited = self.edited.get(file.name())?;
        let mut tags = self.tags.borrow_mut();
        let found = tags
            .entry((file.name().to_owned(), span.start))
            .or_insert_with(|| {
                let line = file.text()[..span.start as usize].matches('\n').count();
                edited.added.get(&line).cloned()
            });
        found.clone()
    }
}

fn subresource(read: &Read, ty: TypeId) -> Option<String> {
    let path = read.schema.ty(ty).options.is_subresource.as_ref()?;
    Some(path.trim_start_matches('/').to_owned())
}
