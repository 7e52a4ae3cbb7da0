//! Declarations: the part of a structural schema that CEL sees, and the types made from it.
//!
//! This is the crate's only source of types. Owners of schemas translate them into [`Schema`]; the rules for types,
//! sizes and hidden parts (`apiserver/pkg/cel/common/schemas.go`) are here.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kindsmith_formats::limit;

use super::Type;
use crate::dialect::{Dialect, Feature};
use crate::escape::escape;

/// The size limit of a request body, from which the bounds of unbounded data are derived.
pub(crate) const MAX_REQUEST_BYTES: i64 = limit::REQUEST_BYTES as i64;
const MIN_STRING: i64 = 2;
const MIN_BOOL: i64 = 4;
const MIN_NUMBER: i64 = 1;
const NAME_MAX_LENGTH: i64 = limit::SUBDOMAIN as i64;

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

/// Makes the nodes of schemas; equal nodes are shared.
#[derive(Debug, Default)]
pub struct Nodes {
    dialect: Dialect,
    nodes: HashMap<Identity, Arc<Node>>,
    names: HashSet<Arc<str>>,
    /// By the address of the list of properties. Types that occur in many places are made once: 1,300 nodes instead
    /// of 33,000 for kserve's CRDs, which saves a sixth of the instructions that generate them.
    lists: HashMap<usize, List>,
}

/// The nodes of a list of properties.
#[derive(Clone, Debug)]
struct List {
    /// Kept alive, so that no other list gets the same address.
    _declared: Arc<[(String, Schema)]>,
    /// In the order of the list.
    nodes: Arc<[Arc<Node>]>,
    by_name: Properties,
}

/// Identifies a node; its names and children are already shared, so their addresses identify them.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    shape: u8,
    flags: [bool; 4],
    max_elements: u64,
    min_size: i64,
    list_type: ListType,
    names: Box<[usize]>,
    children: Box<[usize]>,
}

/// Small members are hashed as one number, one step instead of seven.
impl Hash for Identity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let small = self
            .flags
            .iter()
            .fold(u64::from(self.shape), |small, flag| small << 1 | u64::from(*flag));
        (small, self.max_elements, self.min_size).hash(state);
        (&self.names, &self.children).hash(state);
    }
}

impl Identity {
    fn of(node: &Node) -> Identity {
        let place = |node: &Arc<Node>| Arc::as_ptr(node).addr();
        let (mut list_type, mut names, mut children) = (ListType::Atomic, Vec::new(), Vec::new());
        let (shape, named) = match &node.shape {
            NodeShape::Untyped => (0, false),
            NodeShape::Object(object) => {
                names.extend(
                    object
                        .properties
                        .0
                        .iter()
                        .map(|(name, _)| Arc::as_ptr(name).addr()),
                );
                children.extend(object.properties.0.iter().map(|(_, node)| place(node)));
                children.extend(object.additional.iter().map(place));
                (1, object.named)
            }
            NodeShape::Array { items, list_type: of } => {
                list_type = of.clone();
                children.extend(items.iter().map(place));
                (2, false)
            }
            NodeShape::String(format) => (3 + *format as u8, false),
            NodeShape::Boolean => (100, false),
            NodeShape::Number => (101, false),
            NodeShape::Integer => (102, false),
        };
        // One child more than properties is the additional one; `visible` and `named` cover the rest.
        Identity {
            shape: shape | u8::from(named) << 7,
            flags: [
                node.nullable,
                node.int_or_string,
                node.preserve_unknown,
                node.visible,
            ],
            max_elements: node.max_elements,
            min_size: node.min_size,
            list_type,
            names: names.into(),
            children: children.into(),
        }
    }
}

impl Nodes {
    /// No nodes yet, for expressions in a dialect.
    #[must_use]
    pub fn in_dialect(dialect: Dialect) -> Nodes {
        Nodes {
            dialect,
            ..Nodes::default()
        }
    }

    /// The node of a schema, the same for all schemas that look the same to expressions.
    ///
    /// `resource_root` adds the fields of every resource and hides the rest of its metadata.
    pub fn shared(&mut self, schema: &Schema, resource_root: bool) -> Arc<Node> {
        let node = self.node(schema, resource_root);
        match self.nodes.entry(Identity::of(&node)) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => place.insert(Arc::new(node)).clone(),
        }
    }

    fn child(&mut self, schema: &Schema) -> Arc<Node> {
        self.shared(schema, schema.embedded)
    }

    fn name(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let name: Arc<str> = name.into();
        self.names.insert(name.clone());
        name
    }

    fn node(&mut self, schema: &Schema, resource_root: bool) -> Node {
        let with_meta;
        let schema = if resource_root && !schema.int_or_string {
            with_meta = with_object_meta(schema, self.dialect);
            &with_meta
        } else {
            schema
        };
        let mut made = match &schema.shape {
            Shape::Untyped => bare(NodeShape::Untyped, false, 0, 0),
            Shape::Object(shape) => self.object_node(shape),
            Shape::Array(shape) => self.array_node(shape),
            Shape::String(format) => string_node(schema, *format),
            Shape::Boolean => bare(NodeShape::Boolean, true, 0, MIN_BOOL),
            Shape::Number => bare(NodeShape::Number, true, 0, MIN_NUMBER),
            Shape::Integer => bare(NodeShape::Integer, true, 0, MIN_NUMBER),
        };
        if schema.int_or_string {
            made.visible = true;
            made.min_size = 1;
            made.max_elements = bounded_length(schema).unwrap_or((MAX_REQUEST_BYTES - 2) as u64);
        }
        made.nullable = schema.nullable;
        made.int_or_string = schema.int_or_string;
        made.preserve_unknown = schema.preserve_unknown;
        made
    }

    fn array_node(&mut self, shape: &ArrayShape) -> Node {
        let items = shape.items.as_ref().map(|items| self.child(items));
        let visible = items.as_ref().is_some_and(|items| items.visible);
        let max = match (&items, shape.max_items) {
            (_, Some(max)) => count(max),
            (Some(items), None) => ((MAX_REQUEST_BYTES - 2) / (items.min_size + 1)) as u64,
            (None, None) => 0,
        };
        let shape = NodeShape::Array {
            items,
            list_type: shape.list_type.clone(),
        };
        bare(shape, visible, max, 2)
    }

    fn object_node(&mut self, shape: &ObjectShape) -> Node {
        let named = shape.properties.is_some();
        if let Some(additional) = &shape.additional {
            let value = self.child(additional);
            let max = match shape.max_properties {
                Some(max) => count(max),
                None => ((MAX_REQUEST_BYTES - 2) / (value.min_size + 6)) as u64,
            };
            let visible = value.visible;
            let object = ObjectNode {
                named,
                properties: Properties::default(),
                additional: Some(value),
            };
            return bare(NodeShape::Object(object), visible, max, 2);
        }
        let (mut properties, mut min_size) = (Properties::default(), 2);
        if let Some(declared) = &shape.properties {
            let list = self.list(declared);
            min_size += required_size(shape, declared, &list.nodes);
            properties = list.by_name;
        }
        let object = ObjectNode {
            named,
            properties,
            additional: None,
        };
        bare(NodeShape::Object(object), true, 0, min_size)
    }

    fn list(&mut self, declared: &Arc<[(String, Schema)]>) -> List {
        let place = declared.as_ptr().addr();
        if let Some(known) = self.lists.get(&place) {
            return known.clone();
        }
        let nodes: Arc<[Arc<Node>]> = declared.iter().map(|(_, schema)| self.child(schema)).collect();
        let names = declared.iter().map(|(name, _)| self.name(name));
        let list = List {
            _declared: declared.clone(),
            by_name: Properties::new(names.zip(nodes.iter().cloned()).collect()),
            nodes,
        };
        self.lists.insert(place, list.clone());
        list
    }
}

/// The size of the members that every value has.
fn required_size(shape: &ObjectShape, declared: &[(String, Schema)], nodes: &[Arc<Node>]) -> i64 {
    let is_required = |name: &String| shape.required.contains(name);
    let counted = declared
        .iter()
        .zip(nodes)
        .filter(|((name, schema), node)| node.visible && !schema.has_default && is_required(name));
    counted
        .map(|((name, _), node)| name.len() as i64 + node.min_size + 4)
        .sum()
}

fn bare(shape: NodeShape, visible: bool, max_elements: u64, min_size: i64) -> Node {
    Node {
        shape,
        nullable: false,
        int_or_string: false,
        preserve_unknown: false,
        visible,
        max_elements,
        min_size,
    }
}

/// A count that cannot be negative.
fn count(n: i64) -> u64 {
    n.max(0) as u64
}

fn bounded_length(schema: &Schema) -> Option<u64> {
    // A character has up to four bytes; Go's multiplication wraps for absurd bounds.
    schema.max_length.map(|n| n.max(0).wrapping_mul(4) as u64)
}

fn string_node(schema: &Schema, format: Format) -> Node {
    let unbounded = (MAX_REQUEST_BYTES - 2) as u64;
    let (max, min) = match format {
        Format::Byte => (schema.max_length.map_or(unbounded, count), MIN_STRING),
        Format::Duration => (32, 3),
        Format::Date => (12, 12),
        Format::DateTime => (32, 21),
        Format::Plain => {
            let max = bounded_length(schema)
                .or(schema.longest_enum.map(count))
                .unwrap_or(unbounded);
            (max, MIN_STRING)
        }
    };
    bare(NodeShape::String(format), true, max, min)
}

/// Adds the fields of every resource: `apiVersion`, `kind` and the visible part of `metadata`.
fn with_object_meta(schema: &Schema, dialect: Dialect) -> Schema {
    let Shape::Object(shape) = &schema.shape else {
        // Only objects have properties; other types stay unchanged.
        return schema.clone();
    };
    let properties = shape.properties.as_deref().unwrap_or_default();
    let meta = find(properties, "metadata").and_then(|schema| match &schema.shape {
        Shape::Object(meta) => meta.properties.as_deref(),
        _ => None,
    });
    let is_string =
        |schema: Option<&Schema>| schema.is_some_and(|schema| matches!(schema.shape, Shape::String(_)));
    let complete = is_string(find(properties, "kind"))
        && is_string(find(properties, "apiVersion"))
        && meta.is_some_and(|meta| is_string(find(meta, "name")) && is_string(find(meta, "generateName")));
    if complete {
        return schema.clone();
    }
    let text = |max_length| Schema {
        shape: Shape::String(Format::Plain),
        max_length,
        ..Schema::default()
    };
    let capped = |name: &str, cap: i64| {
        if !dialect.has(Feature::NameLength) {
            return (name.to_owned(), text(None));
        }
        let declared = meta
            .and_then(|meta| find(meta, name))
            .and_then(|schema| schema.max_length);
        (
            name.to_owned(),
            text(Some(declared.map_or(cap, |declared| declared.min(cap)))),
        )
    };
    let visible = [
        capped("name", NAME_MAX_LENGTH),
        capped("generateName", NAME_MAX_LENGTH - 1),
    ];
    let meta = Shape::Object(ObjectShape {
        properties: Some(visible.into()),
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
    let kept = properties
        .iter()
        .filter(|(name, _)| !added.iter().any(|(known, _)| known == name))
        .cloned();
    let merged = kept.chain(added.clone().map(|(name, schema)| (name.to_owned(), schema)));
    let shape = Shape::Object(ObjectShape {
        properties: Some(merged.collect()),
        ..shape.clone()
    });
    Schema {
        shape,
        ..schema.clone()
    }
}

fn find<'s>(properties: &'s [(String, Schema)], name: &str) -> Option<&'s Schema> {
    let mut found = properties.iter().filter(|(property, _)| property == name);
    found.next().map(|(_, schema)| schema)
}
