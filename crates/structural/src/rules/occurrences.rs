//! The values of an object at one node of its schema, each with its old value.
//!
//! For trying out an expression: a rule of the node would run for each of them.

use kindsmith_json::Value;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_schema::SpineStep;

use crate::layout::StructuralSchema;
use crate::ratchet::Pair;

/// A value at a node.
#[derive(Debug, Clone)]
pub struct Occurrence<'v> {
    /// Its path.
    pub path: PathBuf,
    /// The value, never `null`.
    pub new: Value<'v>,
    /// The old value, never `null`.
    pub old: Option<Value<'v>>,
}

/// A value found so far.
struct Found<'v> {
    path: PathBuf,
    new: Value<'v>,
    pair: Option<Pair<'v>>,
}

impl StructuralSchema {
    /// The values at the node that the steps lead to from the root, map values by key; `null` is skipped.
    #[must_use]
    pub fn occurrences<'v>(
        &self,
        steps: &[SpineStep],
        new: Value<'v>,
        old: Option<Value<'v>>,
    ) -> Vec<Occurrence<'v>> {
        let mut found = vec![Found {
            path: PathBuf::default(),
            new,
            pair: old.map(|old| Pair::new(new, old, self.root)),
        }];
        for step in steps {
            found = found.iter().flat_map(|found| self.below(found, step)).collect();
        }
        let values = found.into_iter().filter(|found| !found.new.is_null());
        values
            .map(|found| Occurrence {
                path: found.path,
                new: found.new,
                old: found.pair.map(|pair| pair.old).filter(|old| !old.is_null()),
            })
            .collect()
    }

    fn below<'v>(&self, found: &Found<'v>, step: &SpineStep) -> Vec<Found<'v>> {
        let member = |key: &str, value: Value<'v>, step: Step| Found {
            path: found.path.segments().map(Step::from).chain([step]).collect(),
            new: value,
            pair: found.pair.as_ref().and_then(|pair| pair.key(self, key)),
        };
        match (step, found.new) {
            (SpineStep::Property(name), Value::Object(object)) => object
                .get(name)
                .map(|value| member(name, value, Step::Field(name.as_str().into())))
                .into_iter()
                .collect(),
            (SpineStep::Additional, Value::Object(object)) => object
                .sorted()
                .into_iter()
                .map(|entry| member(entry.key, entry.value, Step::Key(entry.key.into())))
                .collect(),
            (SpineStep::Items, Value::Array(items)) => {
                let elements = found.pair.as_ref().and_then(|pair| pair.elements(self));
                let items = items.iter().enumerate();
                items
                    .map(|(index, &value)| Found {
                        path: found
                            .path
                            .segments()
                            .map(Step::from)
                            .chain([Step::Index(index)])
                            .collect(),
                        new: value,
                        pair: elements.as_ref().and_then(|elements| elements.find(value)),
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}
