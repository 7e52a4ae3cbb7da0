//! Declarations: the part of a structural schema that CEL sees, and the types made from it.
//!
//! The crate knows no other source of types. Whoever owns schemas translates them into [`Schema`]; the rules for types,
//! sizes and hidden parts (`apiserver/pkg/cel/common/schemas.go`) are here.

use std::collections::HashMap;
use std::sync::Arc;

use super::Type;
use crate::escape::escape;

/// The size a request body may have; bounds of unbounded data follow from it.
pub const MAX_REQUEST_BYTES: i64 = 3 * 1024 * 1024;
const MIN_STRING: i64 = 2;
const MIN_BOOL: i64 = 4;
const MIN_NUMBER: i64 = 1;
const NAME_MAX_LENGTH: i64 = 253;

/// A schema node as CEL needs it.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The declared type with what belongs to it.
    pub shape: Shape,
    /// Null is a valid value.
    pub nullable: bool,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-preserve-unknown-fields`.
    pub preserve_unknown: bool,
    /// `x-kubernetes-embedded-resource`.
    pub embedded: bool,
    /// There is a default, so absence costs nothing.
    pub has_default: bool,
    /// `maxLength`.
    pub max_length: Option<i64>,
    /// The byte length of the longest string of a non-empty `enum`.
    pub longest_enum: Option<i64>,
}

/// The declared type of a node.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub enum Shape {
    #[default]
    Untyped,
    Object(ObjectShape),
    Array(ArrayShape),
    String(Format),
    Boolean,
    Number,
    Integer,
}

/// An object: named properties, or values of one kind under any key.
#[derive(Clone, Debug, Default)]
pub struct ObjectShape {
    /// The properties, `None` if the schema has none at all.
    pub properties: Option<Vec<(String, Schema)>>,
    /// The names that must be there.
    pub required: Vec<String>,
    /// The schema of values under any key.
    pub additional: Option<Box<Schema>>,
    /// `maxProperties`.
    pub max_properties: Option<i64>,
}

/// A list.
#[derive(Clone, Debug, Default)]
pub struct ArrayShape {
    /// The schema of the elements.
    pub items: Option<Box<Schema>>,
    /// How elements are told apart.
    pub list_type: ListType,
    /// `maxItems`.
    pub max_items: Option<i64>,
}

/// `x-kubernetes-list-type`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ListType {
    #[default]
    Atomic,
    Set,
    /// The key properties, as written.
    Map(Vec<String>),
}

/// The string formats that are types of their own in CEL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Format {
    #[default]
    Plain,
    Byte,
    Duration,
    Date,
    DateTime,
}

/// A schema node ready for use: its type, size bounds, and how values are read.
#[derive(Debug)]
pub struct Node {
    /// What values look like.
    pub shape: NodeShape,
    /// Null is a valid value.
    pub nullable: bool,
    /// Values are strings or integers.
    pub int_or_string: bool,
    /// Unknown data is kept, though not visible.
    pub preserve_unknown: bool,
    /// The CEL type; `None` if the node is not visible to expressions.
    pub ty: Option<Type>,
    /// The largest number of elements, characters or bytes.
    pub max_elements: u64,
    /// The size of the smallest value in JSON.
    pub min_size: i64,
}

/// What the values of a node look like.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum NodeShape {
    Untyped,
    Object(ObjectNode),
    Array {
        items: Option<Arc<Node>>,
        list_type: ListType,
    },
    String(Format),
    Boolean,
    Number,
    Integer,
}

/// The properties of an object node.
#[derive(Debug, Default)]
pub struct ObjectNode {
    /// Whether keys are property names, which CEL escapes, rather than data.
    pub named: bool,
    /// Property nodes by name.
    pub properties: HashMap<String, Arc<Node>>,
    /// The node of values under any key.
    pub additional: Option<Arc<Node>>,
}

impl ObjectNode {
    /// The node of the value under `key`.
    pub fn property(&self, key: &str) -> Option<&Arc<Node>> {
        if self.named {
            self.properties.get(key)
        } else {
            self.additional.as_ref()
        }
    }
}

/// The types a rule is checked against: those of `self` and of all objects in it.
#[derive(Debug)]
pub struct Declarations {
    /// The node rules are written for.
    pub root: Arc<Node>,
    objects: HashMap<String, Arc<Node>>,
    paths: HashMap<String, Arc<Node>>,
}

impl Declarations {
    /// Makes the types of `schema`, whose objects are named `name`, `name.field`, `name.field.@idx` and so on.
    ///
    /// `resource_root` adds the fields every resource has and hides the rest of its metadata. Returns `None` if the
    /// node is not visible to expressions.
    pub fn new(schema: &Schema, resource_root: bool, name: &str) -> Option<Declarations> {
        let root = Arc::new(node(schema, resource_root, name));
        root.ty.as_ref()?;
        let mut declarations = Declarations {
            root: root.clone(),
            objects: HashMap::new(),
            paths: HashMap::new(),
        };
        declarations.register(name, &root);
        Some(declarations)
    }

    fn register(&mut self, path: &str, node: &Arc<Node>) {
        if node.ty.is_none() || node.int_or_string {
            return;
        }
        match &node.shape {
            NodeShape::Object(object) if object.additional.is_some() => {
                if let Some(value) = &object.additional {
                    self.register(&format!("{path}.@elem"), value);
                }
                self.paths.insert(path.to_owned(), node.clone());
            }
            NodeShape::Object(object) => {
                self.objects.insert(path.to_owned(), node.clone());
                for (name, property) in &object.properties {
                    if let Some(escaped) = escape(name) {
                        self.register(&format!("{path}.{escaped}"), property);
                    }
                }
            }
            NodeShape::Array {
                items: Some(items), ..
            } => {
                self.register(&format!("{path}.@idx"), items);
                self.paths.insert(path.to_owned(), node.clone());
            }
            _ => {}
        }
    }

    /// The node of an object, list or map type by its name.
    pub fn find(&self, name: &str) -> Option<&Arc<Node>> {
        self.objects.get(name).or_else(|| self.paths.get(name))
    }

    /// The node of an object type by its name.
    pub fn object(&self, name: &str) -> Option<&Arc<Node>> {
        self.objects.get(name)
    }
}

impl Node {
    /// The visible child under a field name as written in expressions.
    pub fn field(&self, escaped: &str) -> Option<&Arc<Node>> {
        let NodeShape::Object(object) = &self.shape else {
            return None;
        };
        if !object.named {
            return None;
        }
        let name = crate::escape::unescape(escaped)?;
        // Only the canonical spelling of a name is declared.
        let property = object
            .properties
            .get(&*name)
            .filter(|_| escape(&name).as_deref() == Some(escaped))?;
        property.ty.is_some().then_some(property)
    }

    /// The node of elements or map values.
    pub fn element(&self) -> Option<&Arc<Node>> {
        match &self.shape {
            NodeShape::Array { items, .. } => items.as_ref(),
            NodeShape::Object(object) => object.additional.as_ref(),
            _ => None,
        }
        .filter(|_| self.ty.is_some() && !self.int_or_string)
    }
}

fn node(schema: &Schema, resource_root: bool, name: &str) -> Node {
    let with_meta;
    let schema = if resource_root && !schema.int_or_string {
        with_meta = with_object_meta(schema);
        &with_meta
    } else {
        schema
    };
    let mut made = match &schema.shape {
        Shape::Untyped => bare(NodeShape::Untyped, None, 0, 0),
        Shape::Object(shape) => object_node(shape, name),
        Shape::Array(shape) => array_node(shape, name),
        Shape::String(format) => string_node(schema, *format),
        Shape::Boolean => bare(NodeShape::Boolean, Some(Type::Bool), 0, MIN_BOOL),
        Shape::Number => bare(NodeShape::Number, Some(Type::Double), 0, MIN_NUMBER),
        Shape::Integer => bare(NodeShape::Integer, Some(Type::Int), 0, MIN_NUMBER),
    };
    if schema.int_or_string {
        made.ty = Some(Type::Dyn);
        made.min_size = 1;
        made.max_elements = bounded_length(schema).unwrap_or((MAX_REQUEST_BYTES - 2) as u64);
    }
    made.nullable = schema.nullable;
    made.int_or_string = schema.int_or_string;
    made.preserve_unknown = schema.preserve_unknown;
    made
}

fn bare(shape: NodeShape, ty: Option<Type>, max_elements: u64, min_size: i64) -> Node {
    Node {
        shape,
        nullable: false,
        int_or_string: false,
        preserve_unknown: false,
        ty,
        max_elements,
        min_size,
    }
}

/// A count that cannot be negative.
fn count(n: i64) -> u64 {
    n.max(0) as u64
}

fn bounded_length(schema: &Schema) -> Option<u64> {
    // A character takes up to four bytes; Go's multiplication wraps for absurd bounds.
    schema.max_length.map(|n| n.max(0).wrapping_mul(4) as u64)
}

fn array_node(shape: &ArrayShape, name: &str) -> Node {
    let items = shape
        .items
        .as_ref()
        .map(|items| node(items, items.embedded, &format!("{name}.@idx")));
    let item_type = items.as_ref().and_then(|items| items.ty.clone());
    let max = match (&items, shape.max_items) {
        (_, Some(max)) => count(max),
        (Some(items), None) => ((MAX_REQUEST_BYTES - 2) / (items.min_size + 1)) as u64,
        (None, None) => 0,
    };
    let shape = NodeShape::Array {
        items: items.map(Arc::new),
        list_type: shape.list_type.clone(),
    };
    bare(shape, item_type.map(Type::list), max, 2)
}

fn object_node(shape: &ObjectShape, name: &str) -> Node {
    let named = shape.properties.is_some();
    if let Some(additional) = &shape.additional {
        let value = node(additional, additional.embedded, &format!("{name}.@elem"));
        let max = match shape.max_properties {
            Some(max) => count(max),
            None => ((MAX_REQUEST_BYTES - 2) / (value.min_size + 6)) as u64,
        };
        let ty = value.ty.clone().map(|ty| Type::map(Type::String, ty));
        let object = ObjectNode {
            named,
            properties: HashMap::new(),
            additional: Some(Arc::new(value)),
        };
        return bare(NodeShape::Object(object), ty, max, 2);
    }
    let (mut properties, mut min_size) = (HashMap::new(), 2);
    for (property, schema) in shape.properties.iter().flatten() {
        let escaped = escape(property);
        let path = format!("{name}.{}", escaped.as_deref().unwrap_or(property));
        let made = node(schema, schema.embedded, &path);
        if made.ty.is_some()
            && !schema.has_default
            && shape.required.iter().any(|required| required == property)
        {
            min_size += property.len() as i64 + made.min_size + 4;
        }
        properties.insert(property.clone(), Arc::new(made));
    }
    let object = ObjectNode {
        named,
        properties,
        additional: None,
    };
    bare(NodeShape::Object(object), Some(Type::object(name)), 0, min_size)
}

fn string_node(schema: &Schema, format: Format) -> Node {
    let unbounded = (MAX_REQUEST_BYTES - 2) as u64;
    let (ty, max, min) = match format {
        Format::Byte => (
            Type::Bytes,
            schema.max_length.map_or(unbounded, count),
            MIN_STRING,
        ),
        Format::Duration => (Type::Duration, 32, 3),
        Format::Date => (Type::Timestamp, 12, 12),
        Format::DateTime => (Type::Timestamp, 32, 21),
        Format::Plain => {
            let max = bounded_length(schema)
                .or(schema.longest_enum.map(count))
                .unwrap_or(unbounded);
            (Type::String, max, MIN_STRING)
        }
    };
    bare(NodeShape::String(format), Some(ty), max, min)
}

/// The schema with what every resource has: `apiVersion`, `kind` and the visible part of `metadata`.
fn with_object_meta(schema: &Schema) -> Schema {
    let Shape::Object(shape) = &schema.shape else {
        // Only objects carry properties; any other type stays what it is.
        return schema.clone();
    };
    let properties = shape.properties.clone().unwrap_or_default();
    let find = |properties: &[(String, Schema)], name: &str| {
        properties
            .iter()
            .find(|(property, _)| property == name)
            .map(|(_, schema)| schema.clone())
    };
    let meta = find(&properties, "metadata").and_then(|schema| match schema.shape {
        Shape::Object(meta) => meta.properties,
        _ => None,
    });
    let is_string =
        |schema: Option<Schema>| schema.is_some_and(|schema| matches!(schema.shape, Shape::String(_)));
    let complete = is_string(find(&properties, "kind"))
        && is_string(find(&properties, "apiVersion"))
        && meta
            .as_ref()
            .is_some_and(|meta| is_string(find(meta, "name")) && is_string(find(meta, "generateName")));
    if complete {
        return schema.clone();
    }
    let text = |max_length| Schema {
        shape: Shape::String(Format::Plain),
        max_length,
        ..Schema::default()
    };
    let capped = |name: &str, cap: i64| {
        let declared = meta
            .as_ref()
            .and_then(|meta| find(meta, name))
            .and_then(|schema| schema.max_length);
        (
            name.to_owned(),
            text(Some(declared.map_or(cap, |declared| declared.min(cap)))),
        )
    };
    let visible = vec![
        capped("name", NAME_MAX_LENGTH),
        capped("generateName", NAME_MAX_LENGTH - 1),
    ];
    let meta = Shape::Object(ObjectShape {
        properties: Some(visible),
        ..ObjectShape::default()
    });
    let added = [
        ("kind", text(None)),
        ("apiVersion", text(None)),
        (
            "metadata",
            Schema {
                shape: meta,
                ..Schema::default()
            },
        ),
    ];
    let mut merged: Vec<(String, Schema)> = properties
        .into_iter()
        .filter(|(name, _)| !added.iter().any(|(known, _)| known == name))
        .collect();
    merged.extend(added.map(|(name, schema)| (name.to_owned(), schema)));
    let shape = Shape::Object(ObjectShape {
        properties: Some(merged),
        ..shape.clone()
    });
    Schema {
        shape,
        ..schema.clone()
    }
}
