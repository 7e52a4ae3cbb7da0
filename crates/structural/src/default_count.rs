//! How many values the defaults of a schema make once each is completed with the defaults inside it: a list of ten `{}`
//! whose items have such a list, seven levels deep, makes ten million.

use std::collections::{HashMap, HashSet};

use kindsmith_gostd::budget;
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_schema::{JsonSchema, Str};

/// The most values that the completed defaults of a schema may have together.
pub const MOST_DEFAULTED: u64 = 100_000;

/// Whether the completed defaults of a schema have no more than [`MOST_DEFAULTED`] values.
#[must_use]
pub fn defaults_fit(schema: &JsonSchema) -> bool {
    Count::default().node(schema).is_some()
}

#[derive(Default)]
struct Count {
    /// The size of the completed default of each node that has one.
    filled: HashMap<*const JsonSchema, u64>,
    /// Lists of properties without a default in them, by address. Types that occur in many places share theirs.
    without: HashSet<*const (Str, JsonSchema)>,
    total: u64,
}

impl Count {
    /// Counts a node after everything below it; `None` if there are too many.
    fn node(&mut self, schema: &JsonSchema) -> Option<()> {
        let list = schema.properties.as_ptr();
        if !schema.properties.is_empty() && !self.without.contains(&list) {
            let before = self.total;
            for (_, property) in &schema.properties {
                self.node(property)?;
            }
            if self.total == before {
                self.without.insert(list);
            }
        }
        for below in schema.item().into_iter().chain(schema.additional()) {
            self.node(below)?;
        }
        let Some(default) = &schema.default else {
            return Some(());
        };
        let arena = Arena::new();
        let default = parse_str(&arena, arena.alloc_str(default.as_str())).unwrap_or_default();
        let filled = values(default).saturating_add(self.added(schema, default));
        self.total = self.total.saturating_add(filled);
        self.filled.insert(schema, filled);
        (self.total <= MOST_DEFAULTED).then_some(())
    }

    /// How many values are added to a value of a node.
    fn added(&self, schema: &JsonSchema, value: Value<'_>) -> u64 {
        budget::spend(1 + schema.properties.len() as u64);
        match value {
            Value::Array(items) => schema.item().map_or(0, |item| {
                let added = items.iter().map(|value| self.added(item, *value));
                added.fold(0, u64::saturating_add)
            }),
            Value::Object(object) => {
                let properties = schema.properties.iter();
                let properties = properties.map(|(name, property)| match object.get(name) {
                    Some(value) => self.added(property, value),
                    None => self
                        .filled
                        .get(&std::ptr::from_ref(property))
                        .copied()
                        .unwrap_or(0),
                });
                let of_others = schema.additional().map_or(0, |additional| {
                    let others = object.values().map(|value| self.added(additional, value));
                    others.fold(0, u64::saturating_add)
                });
                properties.fold(of_others, u64::saturating_add)
            }
            _ => 0,
        }
    }
}

/// How many values a value has, itself included.
fn values(value: Value<'_>) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(|item| values(*item)).sum::<u64>(),
        Value::Object(object) => 1 + object.values().map(values).sum::<u64>(),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_schema::Json;

    use super::*;

    /// Objects with so many properties in each of some levels, all with the default `{}`.
    fn nested(width: usize, levels: usize) -> JsonSchema {
        let mut schema = JsonSchema {
            ty: "object".into(),
            ..JsonSchema::default()
        };
        if levels > 0 {
            let mut property = nested(width, levels - 1);
            property.default = Some(Json::parse("{}").expect("it is JSON"));
            let properties = (0..width).map(|name| (name.to_string().as_str().into(), property.clone()));
            schema.properties = properties.collect::<Vec<_>>().into();
        }
        schema
    }

    #[test]
    fn defaults_that_multiply_are_counted() {
        assert!(defaults_fit(&nested(100, 1)));
        assert!(defaults_fit(&nested(10, 3)));
        assert!(!defaults_fit(&nested(10, 5)));
    }

    #[test]
    fn elements_of_a_default_are_counted() {
        let list = |items: usize| {
            let default = format!("[{}]", vec!["{}"; items].join(","));
            let mut schema = JsonSchema {
                ty: "array".into(),
                default: Some(Json::parse(&default).expect("it is JSON")),
                ..JsonSchema::default()
            };
            schema.items = Some(kindsmith_schema::Items::Each(nested(100, 1)).into());
            schema
        };
        assert!(defaults_fit(&list(900)));
        assert!(!defaults_fit(&list(1_000)));
    }
}
