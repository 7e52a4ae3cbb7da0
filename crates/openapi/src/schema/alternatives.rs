//! Keywords with several forms: `items`, `additionalProperties`, `dependencies`. These types decode
//! themselves, so nothing below them is reported as unknown.
//!
//! After apiextensions-apiserver's `pkg/apis/apiextensions/v1/marshal.go`.

use kindsmith_json::{Arena, Entry, Value};
use kindsmith_schema::{Dependency, ExternalDocs, Items, JsonSchema, SchemaOrBool, Shared, SharedVec, Str};

use crate::record::{self, Decoder, Element, Fault, Field, Form, Making, Member, Record, field};

const SCHEMA: &str = <JsonSchema as Element>::TYPE;

impl Member for Option<Shared<Items>> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, _: &str, value: Value<'v>) -> Result<(), Fault> {
        *self = None;
        let items = match value {
            Value::Null => return Ok(()),
            Value::Object(_) => Items::Each(*read_schema(decoder, value)?),
            Value::Array(_) => {
                let mut schemas = Vec::new();
                decoder.inside(|decoder| Member::read(&mut schemas, decoder, "[]$JSONSchemaProps", value))?;
                Items::Positional(schemas)
            }
            // Neither is an error; the result is just empty.
            _ => Items::Positional(Vec::new()),
        };
        *self = Some(Shared::new(items));
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        let (schema, schemas) = match self.as_deref() {
            None => return Value::Null,
            Some(Items::Each(schema)) => (schema.value(to), Value::Null),
            Some(Items::Positional(schemas)) => (Value::Null, Member::value(schemas, to)),
        };
        match to.form {
            Form::Api if schemas.is_null() => schema,
            Form::Api => schemas,
            Form::Go => object(to, &[("Schema", schema), ("JSONSchemas", schemas)]),
        }
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }
}

impl Member for Option<Shared<SchemaOrBool>> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, _: &str, value: Value<'v>) -> Result<(), Fault> {
        *self = None;
        let either = match value {
            Value::Null => return Ok(()),
            Value::Bool(allowed) => SchemaOrBool::Allowed(allowed),
            Value::Object(_) => SchemaOrBool::Schema(*read_schema(decoder, value)?),
            _ => return Err(Fault::Text("boolean or JSON schema expected".into())),
        };
        *self = Some(Shared::new(either));
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        let (allows, schema) = match self.as_deref() {
            None => return Value::Null,
            Some(SchemaOrBool::Allowed(allowed)) => (Value::Bool(*allowed), Value::Null),
            Some(SchemaOrBool::Schema(schema)) => (Value::Bool(true), schema.value(to)),
        };
        match to.form {
            Form::Api if schema.is_null() => allows,
            Form::Api => schema,
            Form::Go => object(to, &[("Allows", allows), ("Schema", schema)]),
        }
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }
}

/// Reads a schema with a decoder of its own. Schemas are large and this recurses, so they are kept off the
/// stack.
fn read_schema<'v>(decoder: &mut Decoder<'v>, value: Value<'v>) -> Result<Box<JsonSchema>, Fault> {
    let mut schema = Box::<JsonSchema>::default();
    decoder.inside(|decoder| schema.as_mut().read(decoder, SCHEMA, value))?;
    Ok(schema)
}

/// A dependency while it is read; the model has no empty one.
pub(crate) struct DependencySlot(Dependency);

impl Member for SharedVec<(Str, Dependency)> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        let mut slots: Vec<(Str, DependencySlot)> = Vec::new();
        Member::read(&mut slots, decoder, ty, value)?;
        *self = slots.into_iter().map(|(key, slot)| (key, slot.0)).collect();
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        if self.is_empty() {
            return Value::Null;
        }
        let mut entries: Vec<_> = self
            .iter()
            .map(|(key, dependency)| Entry {
                key,
                value: dependency_value(dependency, to),
            })
            .collect();
        entries.sort_by_key(|entry| entry.key);
        entries.dedup_by_key(|entry| entry.key);
        to.object(&entries)
    }

    fn is_empty(&self) -> bool {
        Vec::is_empty(self)
    }
}

fn dependency_value<'a>(dependency: &'a Dependency, to: &Making<'a>) -> Value<'a> {
    let (schema, members) = match dependency {
        Dependency::Schema(schema) => (schema.value(to), Value::Null),
        Dependency::Members(members) => (Value::Null, Member::value(members, to)),
    };
    match to.form {
        Form::Api if members.is_null() => schema,
        Form::Api => members,
        Form::Go => object(to, &[("Schema", schema), ("Property", members)]),
    }
}

impl Default for DependencySlot {
    fn default() -> Self {
        Self(Dependency::Members(Vec::new()))
    }
}

impl Element for DependencySlot {
    const TYPE: &'static str = "$JSONSchemaPropsOrStringArray";
}

impl Member for DependencySlot {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, _: &str, value: Value<'v>) -> Result<(), Fault> {
        self.0 = match value {
            Value::Object(_) => Dependency::Schema(*read_schema(decoder, value)?),
            Value::Array(_) => {
                let mut members: Vec<Str> = Vec::new();
                decoder.inside(|decoder| Member::read(&mut members, decoder, "[]string", value))?;
                Dependency::Members(members)
            }
            _ => Dependency::Members(Vec::new()),
        };
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        dependency_value(&self.0, to)
    }

    fn is_empty(&self) -> bool {
        false
    }
}

/// A link to documentation as the API has it.
#[derive(Default)]
pub(crate) struct DocsSlot {
    description: Str,
    url: Str,
}

impl Record for DocsSlot {
    const NAME: &'static str = "ExternalDocumentation";
    const FIELDS: &'static [Field<Self>] = &[
        field!("description", "Description", "string", description),
        field!("url", "URL", "string", url),
    ];
}

impl Member for Option<ExternalDocs> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        let docs: Option<DocsSlot> = record::read_pointer(decoder, ty, value)?;
        *self = docs.map(|docs| ExternalDocs {
            url: docs.url,
            description: (!docs.description.is_empty()).then_some(docs.description),
        });
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        self.as_ref().map_or(Value::Null, |docs| {
            let slot = DocsSlot {
                description: docs.description.clone().unwrap_or_default(),
                url: docs.url.clone(),
            };
            slot.value(&Making::new(&Arena::new(), to.form)).copy_in(to.arena)
        })
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }
}

fn object<'a>(to: &Making<'a>, entries: &[(&'static str, Value<'a>)]) -> Value<'a> {
    let entries = entries.iter().map(|&(key, value)| Entry { key, value });
    to.object(&entries.collect::<Vec<_>>())
}
