//! Definitions written by hand in Go (`OpenAPIDefinition`, `OpenAPIV3Definition`), by the fields of
//! kube-openapi's `common.OpenAPIDefinition` and `spec.Schema`. The result of a method that computes
//! something is unknown here.

use kindsmith_json::{Arena, Object, Value};
use kindsmith_schema::{Json, Str, Type, TypeId, TypeName};

use super::node::{Node, array, object};
use super::select::Selection;

/// Schemas nested deeper are not read.
const MAX_DEPTH: usize = 64;

/// A definition written by hand.
pub(super) struct Written {
    pub(super) node: Node,
    /// The types listed as its references.
    pub(super) references: Vec<TypeId>,
}

/// The literal that a method of a type returns; `None` if the method is missing or would have to run.
pub(super) fn definition(selection: &Selection<'_>, ty: &Type, method: &str) -> Option<Written> {
    let method = ty.methods.iter().find(|found| &*found.name == method)?;
    let arena = Arena::new();
    let whole = members(method.value.as_ref()?.value(&arena))?;
    let node = match whole.get("Schema") {
        Some(schema) => schema_node(schema, 0)?,
        None => Node::default(),
    };
    let dependencies = whole
        .get("Dependencies")
        .and_then(Value::as_array)
        .unwrap_or_default();
    let names = dependencies.iter().filter_map(|name| name.as_str());
    let references = names.filter_map(|name| {
        let (package, name) = name.rsplit_once('.')?;
        selection.schema.find(&TypeName::new(package, name))
    });
    Some(Written {
        node,
        references: references.collect(),
    })
}

/// The fields of a struct; an empty struct looks like a list.
fn members(value: Value<'_>) -> Option<Object<'_>> {
    match value {
        Value::Object(object) => Some(object),
        Value::Array([]) => Some(Object::EMPTY),
        _ => None,
    }
}

/// A `spec.Schema`.
fn schema_node(value: Value<'_>, depth: usize) -> Option<Node> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut node = Node::default();
    for part in members(value)?.entries() {
        for field in members(part.value)?.entries() {
            match part.key {
                "VendorExtensible" if field.key == "Extensions" => extensions(field.value, &mut node)?,
                "SchemaProps" => keyword(field.key, field.value, &mut node, depth)?,
                "SwaggerSchemaProps" => swagger(field.key, field.value, &mut node)?,
                _ => return None,
            }
        }
    }
    Some(node)
}

fn extensions(value: Value<'_>, node: &mut Node) -> Option<()> {
    for entry in members(value)?.entries() {
        // Other keys are not written (kube-openapi `isExtensionKey`).
        if entry.key.starts_with("x-") || entry.key.starts_with("X-") {
            node.set(entry.key, Json::from(entry.value));
        }
    }
    Some(())
}

fn swagger(field: &str, value: Value<'_>, node: &mut Node) -> Option<()> {
    match field {
        "Example" => set_any(node, "example", value),
        "ReadOnly" => set_true(node, "readOnly", value),
        "Discriminator" => node.set_text("discriminator", value.as_str()?),
        _ => return None,
    }
    Some(())
}

/// One field of `spec.SchemaProps`.
fn keyword(field: &str, value: Value<'_>, node: &mut Node, depth: usize) -> Option<()> {
    let schema = |value| schema_node(value, depth + 1);
    match field {
        "Type" => match value.as_array()? {
            [] => {}
            [only] => node.set_text("type", only.as_str()?),
            _ => node.set("type", Json::from(value)),
        },
        "ID" | "Description" | "Format" | "Title" | "Pattern" => {
            node.set_text(&json_name(field), value.as_str()?);
        }
        "Default" => set_any(node, "default", value),
        "Maximum" | "Minimum" | "MultipleOf" | "MaxLength" | "MinLength" | "MaxItems" | "MinItems"
        | "MaxProperties" | "MinProperties" => set_any(node, &json_name(field), value),
        "Nullable" | "ExclusiveMaximum" | "ExclusiveMinimum" | "UniqueItems" => {
            set_true(node, &json_name(field), value);
        }
        "Enum" if !value.as_array()?.is_empty() => node.set("enum", Json::from(value)),
        "Enum" => {}
        "Required" => {
            let names = value.as_array()?.iter().map(|name| name.as_str().map(Str::from));
            node.required = names.collect::<Option<_>>()?;
        }
        "Ref" => {
            let reference = members(value)?.get("$ref")?;
            node.set("$ref", Json::from(reference));
        }
        "Items" => node.items = Some(Box::new(schema(members(value)?.get("Schema")?)?)),
        "AdditionalProperties" => {
            let either = members(value)?;
            match (either.get("Schema"), either.get("Allows")) {
                (Some(Value::Null) | None, allows) => {
                    let allows = allows.and_then(Value::as_bool).unwrap_or_default();
                    node.set("additionalProperties", Json::from(allows));
                }
                (Some(of), _) => node.additional = Some(Box::new(schema(of)?)),
            }
        }
        "Properties" => {
            for property in members(value)?.entries() {
                node.properties
                    .insert(property.key.into(), schema(property.value)?);
            }
        }
        "AllOf" => node.all_of = nodes(value, depth)?,
        "OneOf" => node.one_of = nodes(value, depth)?,
        "AnyOf" => {
            let arena = Arena::new();
            let plain = nodes(value, depth)?
                .iter()
                .map(|one| plain(&arena, one))
                .collect::<Option<Vec<_>>>()?;
            node.set("anyOf", Json::from(array(&arena, plain)));
        }
        "Not" => {
            let arena = Arena::new();
            node.set("not", Json::from(plain(&arena, &schema(value)?)?));
        }
        _ => return None,
    }
    Some(())
}

fn nodes(value: Value<'_>, depth: usize) -> Option<Vec<Node>> {
    value
        .as_array()?
        .iter()
        .map(|one| schema_node(*one, depth + 1))
        .collect()
}

/// A schema of keywords only; others are not written below `anyOf` and `not`.
fn plain<'a>(arena: &'a Arena, node: &Node) -> Option<Value<'a>> {
    let alone = Node {
        plain: node.plain.clone(),
        ..Node::default()
    };
    let entries = node.plain.iter().map(|(key, value)| (&**key, value.value(arena)));
    (alone == *node).then(|| object(arena, entries.collect()))
}

/// Sets a value that Go leaves out only if it is nil.
fn set_any(node: &mut Node, key: &str, value: Value<'_>) {
    if value != Value::Null {
        node.set(key, Json::from(value));
    }
}

fn set_true(node: &mut Node, key: &str, value: Value<'_>) {
    if value == Value::Bool(true) {
        node.set(key, Json::from(true));
    }
}

/// A field's keyword: its name with a lower-case first letter.
fn json_name(field: &str) -> String {
    match field {
        "ID" => "id".to_owned(),
        _ => field[..1].to_ascii_lowercase() + &field[1..],
    }
}
