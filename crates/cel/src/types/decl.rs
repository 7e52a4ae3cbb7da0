//! Declarations: the part of a structural schema that CEL sees, and the types made from it.
//!
//! This is the crate's only source of types. Owners of schemas translate them into [`Schema`]; the rules for types,
//! sizes and hidden parts (`apiserver/pkg/cel/common/schemas.go`) are here.

mod nodes;

use std::sync::Arc;

use kindsmith_formats::limit;

use super::Type;
use crate::dialect::Dialect;
use crate::escape::escape;
use nodes::bare;

pub use nodes::Nodes;

/// The size limit of a request body, from which the bounds of unbounded data are derived.
pub(crate) const MAX_REQUEST_BYTES: i64 = limit::REQUEST_BYTES as i64;

/// A schema node as CEL needs it.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The declared type and its details.
    pub shape: Shape,
    /// Whether null is valid.
    pub nullable: bool,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-preserve-unknown-fields`.
    pub preserve_unknown: bool,
    /// `x-kubernetes-embedded-resource`.
    pub embedded: bool,
    /// Whether it has a default, so that an absent value costs nothing.
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

impl Shape {
    /// The shape of a type without parts, by the keywords `type` and `format`; untyped if there is no such type.
    #[must_use]
    pub fn scalar(ty: &str, format: &str) -> Shape {
        match ty {
            "string" => Shape::String(match format {
                "byte" => Format::Byte,
                "duration" => Format::Duration,
                "date" => Format::Date,
                "date-time" => Format::DateTime,
                _ => Format::Plain,
            }),
            "boolean" => Shape::Boolean,
            "number" => Shape::Number,
            "integer" => Shape::Integer,
            _ => Shape::Untyped,
        }
    }
}

/// An object: named properties, or values with one schema under any key.
#[derive(Clone, Debug, Default)]
pub struct ObjectShape {
    /// The properties, `None` if the schema has none at all. Objects that share them also share their nodes.
    pub properties: Option<Arc<[(String, Schema)]>>,
    /// The required properties.
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
    /// How elements are identified.
    pub list_type: ListType,
    /// `maxItems`.
    pub max_items: Option<i64>,
}

/// `x-kubernetes-list-type`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ListType {
    #[default]
    Atomic,
    Set,
    /// The key properties, as written.
    Map(Vec<String>),
}

/// The string formats with their own CEL type.
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

/// A schema node ready for use: its type, its size bounds, and how to read values.
#[derive(Debug)]
pub struct Node {
    /// The shape of values.
    pub shape: NodeShape,
    /// Whether null is valid.
    pub nullable: bool,
    /// Whether values are strings or integers.
    pub int_or_string: bool,
    /// Whether unknown data is kept; expressions cannot see it.
    pub preserve_unknown: bool,
    /// Whether expressions can see the node.
    pub visible: bool,
    /// The largest number of elements, characters or bytes.
    pub max_elements: u64,
    /// The size of the smallest value in JSON.
    pub min_size: i64,
}

/// The shape of a node's values.
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
    pub properties: Properties,
    /// The node of values under any key.
    pub additional: Option<Arc<Node>>,
}

/// Nodes by name, sorted: a schema is made once, and most objects have few properties.
#[derive(Clone, Debug, Default)]
pub struct Properties(Arc<[(Arc<str>, Arc<Node>)]>);

impl Properties {
    /// Of properties with the same name the last one counts.
    pub(crate) fn new(mut named: Vec<(Arc<str>, Arc<Node>)>) -> Properties {
        named.reverse();
        named.sort_by(|(one, _), (other, _)| one.cmp(other));
        named.dedup_by(|(other, _), (one, _)| one == other);
        Properties(named.into())
    }

    /// The node of a property.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&Arc<Node>> {
        let found = self.0.binary_search_by(|(known, _)| (**known).cmp(name)).ok()?;
        Some(&self.0[found].1)
    }

    /// All properties, by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Arc<Node>)> {
        self.0.iter().map(|(name, node)| (&**name, node))
    }
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

/// The types for checking a rule: those of `self` and of all objects in it.
///
/// Types are named by the path from the rule's node, so rules on several nodes of a schema share its tree.
#[derive(Debug, Clone)]
pub struct Declarations {
    /// The node that the rules are on.
    pub root: Arc<Node>,
    name: Arc<str>,
    dialect: Dialect,
}

impl Declarations {
    /// Makes the types of `schema`, whose objects are named `name`, `name.field`, `name.field.@idx` and so on.
    ///
    /// `resource_root` adds the fields of every resource and hides the rest of its metadata. Returns `None` if
    /// expressions cannot see the node.
    pub fn new(schema: &Schema, resource_root: bool, name: &str) -> Option<Declarations> {
        Declarations::of(Arc::new(Node::new(schema, resource_root)), name)
    }

    /// The types of a node and its descendants; `None` if expressions cannot see it.
    pub fn of(root: Arc<Node>, name: &str) -> Option<Declarations> {
        root.visible.then(|| Declarations {
            root,
            name: name.into(),
            dialect: Dialect::default(),
        })
    }

    /// The same types for expressions in a dialect.
    #[must_use]
    pub fn in_dialect(self, dialect: Dialect) -> Declarations {
        Declarations { dialect, ..self }
    }

    /// The dialect of the expressions.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The type of the rule's node.
    pub fn ty(&self) -> Type {
        self.root.ty(&self.name).unwrap_or(Type::Dyn)
    }

    /// The type of an object, list or map by its name.
    pub fn named(&self, name: &str) -> Option<Type> {
        let node = self.find(name)?;
        matches!(node.shape, NodeShape::Object(_) | NodeShape::Array { .. })
            .then(|| node.ty(name))
            .flatten()
    }

    /// The node of an object type by its name.
    pub fn object(&self, name: &str) -> Option<&Arc<Node>> {
        self.find(name)
            .filter(|node| matches!(&node.shape, NodeShape::Object(object) if object.additional.is_none()))
    }

    /// Walks the steps of a type's name; scalars have none.
    fn find(&self, name: &str) -> Option<&Arc<Node>> {
        let steps = name.strip_prefix(&*self.name)?;
        let steps = match steps.strip_prefix('.') {
            Some(steps) => Some(steps),
            None if steps.is_empty() => None,
            None => return None,
        };
        let mut node = &self.root;
        for step in steps.into_iter().flat_map(|steps| steps.split('.')) {
            node = match (step, &node.shape) {
                ("@idx", NodeShape::Array { .. }) => node.element()?,
                ("@elem", NodeShape::Object(_)) => node.element()?,
                _ => node.field(step)?,
            };
        }
        (node.visible && !node.int_or_string).then_some(node)
    }
}

impl Node {
    /// Makes the node of a schema and its descendants.
    ///
    /// `resource_root` adds the fields of every resource and hides the rest of its metadata.
    pub fn new(schema: &Schema, resource_root: bool) -> Node {
        Nodes::default().node(schema, resource_root)
    }

    /// A node for bounds alone, without a schema.
    pub(crate) fn bounded(shape: NodeShape, max_elements: u64) -> Node {
        bare(shape, true, max_elements, 0)
    }

    /// The CEL type, with objects named by the path from `name`; `None` if expressions cannot see the node.
    pub fn ty(&self, name: &str) -> Option<Type> {
        if !self.visible {
            return None;
        }
        if self.int_or_string {
            return Some(Type::Dyn);
        }
        Some(match &self.shape {
            NodeShape::Untyped => return None,
            NodeShape::Object(object) => match &object.additional {
                Some(value) => Type::map(Type::String, value.ty(&format!("{name}.@elem"))?),
                None => Type::object(name),
            },
            NodeShape::Array { items, .. } => Type::list(items.as_ref()?.ty(&format!("{name}.@idx"))?),
            NodeShape::String(Format::Plain) => Type::String,
            NodeShape::String(Format::Byte) => Type::Bytes,
            NodeShape::String(Format::Duration) => Type::Duration,
            NodeShape::String(Format::Date | Format::DateTime) => Type::Timestamp,
            NodeShape::Boolean => Type::Bool,
            NodeShape::Number => Type::Double,
            NodeShape::Integer => Type::Int,
        })
    }

    /// The visible child under a field name as written in expressions.
    pub fn field(&self, escaped: &str) -> Option<&Arc<Node>> {
        let NodeShape::Object(object) = &self.shape else {
            return None;
        };
        if !object.named {
            return None;
        }
        let name = crate::escape::unescape(escaped)?;
        // Only the canonical escape of a name is declared.
        let property = object
            .properties
            .get(&name)
            .filter(|_| escape(&name).as_deref() == Some(escaped))?;
        property.visible.then_some(property)
    }

    /// The node of elements or map values.
    pub fn element(&self) -> Option<&Arc<Node>> {
        match &self.shape {
            NodeShape::Array { items, .. } => items.as_ref(),
            NodeShape::Object(object) => object.additional.as_ref(),
            _ => None,
        }
        .filter(|_| self.visible && !self.int_or_string)
    }
}
