//! Places in objects that a schema describes, and changes of objects at them.

use kindsmith_schema::JsonSchema;
use serde_json::{Map, Value as Json, json};

use super::literal::Literals;
use super::value;

/// Schemas are followed so deep.
const MAX_DEPTH: usize = 16;
/// No more places than this are looked at.
const MAX_PLACES: usize = 4000;
/// Fields that the server itself checks.
const OWN: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// A place that a schema describes.
#[derive(Debug, Clone)]
pub struct Place<'s> {
    /// The way to it.
    pub steps: Vec<Step>,
    /// The schemas on the way, the place's own last.
    pub schemas: Vec<&'s JsonSchema>,
}

/// One step of the way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A member.
    Member(String),
    /// The first element of a list.
    Element,
    /// The first entry of a map.
    Entry,
}

impl<'s> Place<'s> {
    /// The schema of the place.
    #[must_use]
    pub fn schema(&self) -> &'s JsonSchema {
        self.schemas[self.schemas.len() - 1]
    }

    /// The path as messages write it: `spec.hours[].day`.
    #[must_use]
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.steps {
            match step {
                Step::Member(name) if path.is_empty() => path.push_str(name),
                Step::Member(name) => path += &format!(".{name}"),
                Step::Element => path += "[]",
                Step::Entry => path += "[*]",
            }
        }
        path
    }

    /// Constants of the rules on the way.
    pub(super) fn literals(&self) -> Literals {
        let mut literals = Literals::default();
        let rules = self.schemas.iter().flat_map(|schema| schema.validations.iter());
        rules.for_each(|rule| literals.add(&rule.rule));
        literals
    }

    /// The value at the place.
    #[must_use]
    pub fn get<'o>(&self, object: &'o Json) -> Option<&'o Json> {
        self.steps.iter().try_fold(object, |value, step| match step {
            Step::Member(name) => value.get(name),
            Step::Element => value.get(0),
            Step::Entry => value.as_object()?.values().next(),
        })
    }

    /// The object with this value at the place; what is missing on the way is filled in.
    #[must_use]
    pub fn set(&self, object: &Json, value: Json) -> Json {
        let mut object = object.clone();
        let mut here = &mut object;
        for (index, step) in self.steps.iter().enumerate() {
            let schema = self.schemas[index + 1];
            here = match step {
                Step::Member(name) => {
                    if !here.is_object() {
                        *here = json!({});
                    }
                    let missing = here.get(name).is_none_or(Json::is_null);
                    let slot = &mut here[&**name];
                    if missing {
                        *slot = value::smallest(schema, index);
                    }
                    slot
                }
                Step::Element => {
                    if here.as_array().is_none_or(Vec::is_empty) {
                        *here = value::list(self.schemas[index], 1, index);
                    }
                    if here.get(0).is_none() {
                        *here = json!([value::smallest(schema, index)]);
                    }
                    &mut here[0]
                }
                Step::Entry => {
                    if !here.is_object() {
                        *here = Json::Object(Map::new());
                    }
                    let key = here.as_object().and_then(|map| map.keys().next().cloned());
                    let key = key.unwrap_or_else(|| "key0".to_owned());
                    let missing = here.get(&key).is_none();
                    let slot = &mut here[key];
                    if missing {
                        *slot = value::smallest(schema, index);
                    }
                    slot
                }
            };
        }
        *here = value;
        object
    }

    /// The object without the place; `None` if it is not there.
    #[must_use]
    pub fn unset(&self, object: &Json) -> Option<Json> {
        let (last, way) = self.steps.split_last()?;
        let mut object = object.clone();
        let mut here = &mut object;
        for step in way {
            here = match step {
                Step::Member(name) => here.get_mut(name)?,
                Step::Element => here.get_mut(0)?,
                Step::Entry => here.as_object_mut()?.values_mut().next()?,
            };
        }
        match last {
            Step::Member(name) => here.as_object_mut()?.remove(name).map(drop)?,
            Step::Element => {
                let list = here.as_array_mut().filter(|list| !list.is_empty())?;
                drop(list.remove(0));
            }
            Step::Entry => {
                let key = here.as_object()?.keys().next()?.clone();
                here.as_object_mut()?.remove(&key);
            }
        }
        Some(object)
    }
}

/// All places of a schema, from the outside in, but those of metadata.
#[must_use]
pub fn places(schema: &JsonSchema) -> Vec<Place<'_>> {
    let mut all = vec![Place {
        steps: Vec::new(),
        schemas: vec![schema],
    }];
    let mut at = 0;
    while at < all.len() && all.len() < MAX_PLACES {
        let place = all[at].clone();
        at += 1;
        if place.steps.len() >= MAX_DEPTH {
            continue;
        }
        let mut add = |step: Step, schema| {
            let mut below = place.clone();
            below.steps.push(step);
            below.schemas.push(schema);
            all.push(below);
        };
        let here = place.schema();
        for (name, property) in &here.properties {
            if !(place.steps.is_empty() && OWN.contains(&&**name)) {
                add(Step::Member(name.to_string()), property);
            }
        }
        here.item().into_iter().for_each(|item| add(Step::Element, item));
        here.additional()
            .into_iter()
            .for_each(|value| add(Step::Entry, value));
    }
    all
}
