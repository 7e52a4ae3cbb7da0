//! The part of a published OpenAPI schema that expressions can see (`PopulateRefs` in apiserver's
//! pkg/cel/openapi/resolver/refs.go, and the `Schema` of pkg/cel/openapi).

use kindsmith_cel::types::decl::{ArrayShape, ObjectShape, Schema, Shape};
use kindsmith_json::Value;

/// How deep schemas are read; what is deeper cannot be seen.
const DEPTH: usize = 64;

/// Reads a schema. `find` knows those that it refers to, by the whole reference.
pub fn read_schema<'a>(schema: Value<'a>, find: &dyn Fn(&str) -> Option<Value<'a>>) -> Schema {
    let mut reader = Reader {
        find,
        inside: Vec::new(),
        depth: 0,
    };
    reader.read(schema)
}

struct Reader<'r, 'a> {
    find: &'r dyn Fn(&str) -> Option<Value<'a>>,
    /// The references that led here.
    inside: Vec<&'a str>,
    depth: usize,
}

impl<'a> Reader<'_, 'a> {
    fn read(&mut self, schema: Value<'a>) -> Schema {
        if self.depth == DEPTH {
            return Schema::default();
        }
        self.depth += 1;
        let read = match reference(schema) {
            Some(name) => self.follow(name),
            None => self.read_here(schema),
        };
        self.depth -= 1;
        read
    }

    /// A type that contains itself is an object without fields there.
    fn follow(&mut self, name: &'a str) -> Schema {
        if self.inside.contains(&name) {
            return Schema {
                shape: Shape::Object(ObjectShape::default()),
                ..Schema::default()
            };
        }
        let Some(found) = (self.find)(name) else {
            return Schema::default();
        };
        self.inside.push(name);
        let read = self.read(found);
        self.inside.pop();
        read
    }

    fn read_here(&mut self, schema: Value<'a>) -> Schema {
        let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default();
        let is = |key: &str| schema.get(key) == Some(Value::Bool(true));
        let shape = match text("type") {
            "object" => Shape::Object(self.object(schema)),
            "array" => Shape::Array(ArrayShape {
                items: self.child(schema, "items"),
                ..ArrayShape::default()
            }),
            scalar => Shape::scalar(scalar, text("format")),
        };
        Schema {
            shape,
            nullable: is("nullable"),
            int_or_string: text("format") == "int-or-string" || is("x-kubernetes-int-or-string"),
            preserve_unknown: is("x-kubernetes-preserve-unknown-fields"),
            embedded: is("x-kubernetes-embedded-resource"),
            ..Schema::default()
        }
    }

    fn object(&mut self, schema: Value<'a>) -> ObjectShape {
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.map(|properties| {
            let read = properties
                .iter()
                .map(|(name, property)| (name.to_owned(), self.read(property)));
            read.collect()
        });
        ObjectShape {
            properties,
            additional: self.child(schema, "additionalProperties"),
            ..ObjectShape::default()
        }
    }

    fn child(&mut self, schema: Value<'a>, key: &str) -> Option<Box<Schema>> {
        let child = schema.get(key).filter(|child| child.as_object().is_some())?;
        Some(Box::new(self.read(child)))
    }
}

/// The schema that this one refers to. The reference may be the only element of an `allOf`, next to a description.
fn reference<'a>(schema: Value<'a>) -> Option<&'a str> {
    let of = |schema: Value<'a>| schema.get("$ref").and_then(Value::as_str);
    let parts = schema.get("allOf").and_then(Value::as_array).unwrap_or_default();
    of(schema).or_else(|| parts.iter().find_map(|&part| of(part)))
}

#[cfg(test)]
mod tests {
    use kindsmith_cel::types::decl::Declarations;
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    #[test]
    fn references_are_followed_once() {
        let arena = Arena::new();
        let all = r#"{"node":{"type":"object","properties":{
            "next":{"allOf":[{"$ref":"node"}],"description":"d"},
            "port":{"oneOf":[],"format":"int-or-string"},
            "amount":{"oneOf":[{"type":"string"},{"type":"number"}]},
            "labels":{"type":"object","additionalProperties":{"type":"string"}}}}}"#;
        let all = parse_str(&arena, all).expect("JSON");
        let root = parse_str(&arena, r#"{"$ref":"node"}"#).expect("JSON");
        let schema = read_schema(root, &|name| all.get(name));
        let declared = Declarations::new(&schema, false, "Node").expect("it can be seen");
        let ty = |field: &str| {
            declared
                .root
                .field(field)
                .and_then(|node| node.ty(field))
                .map(|ty| ty.to_string())
        };
        assert_eq!(ty("next").as_deref(), Some("next"));
        assert_eq!(ty("port").as_deref(), Some("dyn"));
        assert_eq!(ty("amount"), None);
        assert_eq!(ty("labels").as_deref(), Some("map(string, string)"));
    }
}
