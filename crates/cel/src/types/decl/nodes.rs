//! Makes the nodes of schemas: types, sizes and bounds. Equal nodes are made once.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kindsmith_formats::limit;

use super::{
    ArrayShape, Format, ListType, MAX_REQUEST_BYTES, Node, NodeShape, ObjectNode, ObjectShape, Properties,
    Schema, Shape,
};
use crate::dialect::{Dialect, Feature};

const MIN_STRING: i64 = 2;
const MIN_BOOL: i64 = 4;
const MIN_NUMBER: i64 = 1;
const NAME_MAX_LENGTH: i64 = limit::SUBDOMAIN as i64;

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

    pub(super) fn node(&mut self, schema: &Schema, resource_root: bool) -> Node {
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

pub(super) fn bare(shape: NodeShape, visible: bool, max_elements: u64, min_size: i64) -> Node {
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
