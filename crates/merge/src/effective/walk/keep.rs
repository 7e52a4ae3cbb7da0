//! Keeping live values: a field, an object or an item, without the parts that can never be kept.

use kindsmith_json::{Entry, Value};

use super::{Place, Walk};
use crate::MAX_DEPTH;
use crate::effective::keyed::Keyed;
use crate::effective::path::Step;
use crate::effective::shape::Shape;
use crate::effective::{Kept, KeptBy};

impl<'a> Walk<'a, '_> {
    /// Keeps the live value of a listed field that the spec does not set, without the parts that can never be kept.
    pub(super) fn keep<'s>(&mut self, live: Value<'a>, place: &Place<'a, 's>) -> Option<Value<'a>> {
        if place.site.rules.unkeepable().is_some() {
            return None;
        }
        let shape = Shape::of(place.site.schema);
        match (shape, live) {
            (Shape::Object(_), Value::Object(object))
                if !object.is_empty() && self.path.len() <= MAX_DEPTH =>
            {
                let mut entries = Vec::new();
                for (key, value) in object {
                    let Some(below) = place.field(key).filter(|_| !value.is_null()) else {
                        continue;
                    };
                    self.path.push(Step::Field(key.into()));
                    let value = self.keep(value, &below);
                    self.path.pop();
                    entries.extend(value.map(|value| Entry { key, value }));
                }
                (!entries.is_empty()).then(|| self.object_of(&entries))
            }
            (Shape::ListMap { keys, .. }, Value::Array(items)) if !items.is_empty() => {
                match Keyed::of(self.arena, items, keys) {
                    Some(items) => Some(self.keep_items(&items, place)),
                    None => Some(self.keep_leaf(live, place)),
                }
            }
            _ => Some(self.keep_leaf(live, place)),
        }
    }

    fn keep_leaf(&mut self, live: Value<'a>, place: &Place<'a, '_>) -> Value<'a> {
        let path = self.text();
        if place.applied.is_listed() {
            self.released.push(path.clone());
        }
        self.kept.push(Kept {
            path,
            value: live,
            by: kept_by(place),
        });
        live
    }

    fn keep_items(&mut self, items: &Keyed<'a>, place: &Place<'a, '_>) -> Value<'a> {
        let mut kept = Vec::new();
        for item in &items.0 {
            self.path.push(Step::Item(item.texts.clone()));
            let below = place.item(item.keys, &item.texts);
            kept.extend(self.keep_item(item.value, &below));
            self.path.pop();
        }
        Value::Array(self.arena.alloc_slice_copy(&kept))
    }

    /// Keeps a live item as a whole.
    pub(super) fn keep_item(&mut self, live: Value<'a>, place: &Place<'a, '_>) -> Option<Value<'a>> {
        let (kept, released) = (self.kept.len(), self.released.len());
        let value = self.keep(live, place)?;
        self.kept.truncate(kept);
        let path = self.text();
        if self.released.len() > released {
            self.released.truncate(released);
            self.released.push(path.clone());
        }
        self.kept.push(Kept {
            path,
            value,
            by: kept_by(place),
        });
        Some(value)
    }
}

fn kept_by(place: &Place<'_, '_>) -> KeptBy {
    match (place.unmanaged.path(), place.keep.path()) {
        (Some(path), _) => KeptBy::Unmanaged(path.to_owned()),
        (None, Some(path)) => KeptBy::Listed(path.to_owned()),
        (None, None) => KeptBy::Required,
    }
}
