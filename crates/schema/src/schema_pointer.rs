//! Nodes of a published schema by JSON pointer: `/properties/spec/items`.
//!
//! Knows the spine only (properties, items, additional properties), because other parts describe no field.

use crate::{Items, JsonSchema, SchemaOrBool};

impl JsonSchema {
    /// The node that a JSON pointer leads to; the empty pointer leads to the schema itself.
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<&JsonSchema> {
        let mut node = self;
        for step in SpineStep::parse(pointer)? {
            node = match step {
                SpineStep::Property(name) => node.property(&name)?,
                SpineStep::Items => node.item()?,
                SpineStep::Additional => node.additional()?,
            };
        }
        Some(node)
    }

    /// Like `at`, mutable.
    pub fn at_mut(&mut self, pointer: &str) -> Option<&mut JsonSchema> {
        let mut node = self;
        for step in SpineStep::parse(pointer)? {
            node = match step {
                SpineStep::Property(name) => {
                    let mut named = node.properties.iter_mut();
                    named.find_map(|(key, schema)| (**key == *name).then_some(schema))?
                }
                SpineStep::Items => match node.items.as_deref_mut()? {
                    Items::Each(schema) => schema,
                    Items::Positional(_) => return None,
                },
                SpineStep::Additional => match node.additional_properties.as_deref_mut()? {
                    SchemaOrBool::Schema(schema) => schema,
                    SchemaOrBool::Allowed(_) => return None,
                },
            };
        }
        Some(node)
    }
}

/// One step down the spine of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpineStep {
    /// To a named property.
    Property(String),
    /// To the items of a list.
    Items,
    /// To the values of a map.
    Additional,
}

impl SpineStep {
    /// The steps of a JSON pointer; `None` if it leaves the spine.
    #[must_use]
    pub fn parse(pointer: &str) -> Option<Vec<SpineStep>> {
        let mut steps = Vec::new();
        if pointer.is_empty() {
            return Some(steps);
        }
        let mut parts = pointer.strip_prefix('/')?.split('/');
        while let Some(part) = parts.next() {
            steps.push(match part {
                "properties" => {
                    let name = parts.next()?;
                    SpineStep::Property(name.replace("~1", "/").replace("~0", "~"))
                }
                "items" => SpineStep::Items,
                "additionalProperties" => SpineStep::Additional,
                _ => return None,
            });
        }
        Some(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shared;

    fn leaf(title: &str) -> JsonSchema {
        JsonSchema {
            title: title.into(),
            ..JsonSchema::default()
        }
    }

    #[test]
    fn pointers_lead_down_the_spine() {
        let list = JsonSchema {
            items: Some(Shared::new(Items::Each(leaf("item")))),
            ..leaf("list")
        };
        let map = JsonSchema {
            additional_properties: Some(Shared::new(SchemaOrBool::Schema(list))),
            ..leaf("map")
        };
        let mut root = JsonSchema {
            properties: vec![("items".into(), leaf("named items")), ("a/~b".into(), map)].into(),
            ..leaf("root")
        };
        for (pointer, title) in [
            ("", Some("root")),
            ("/properties/items", Some("named items")),
            ("/properties/a~1~0b", Some("map")),
            ("/properties/a~1~0b/additionalProperties/items", Some("item")),
            ("/properties", None),
            ("/properties/b", None),
            ("/items", None),
            ("/title", None),
            ("properties/items", None),
        ] {
            assert_eq!(root.at(pointer).map(|node| &*node.title), title, "{pointer}");
            assert_eq!(root.at_mut(pointer).map(|node| &*node.title), title, "{pointer}");
        }
    }
}
