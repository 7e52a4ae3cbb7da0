//! One node of a published definition, independent of the OpenAPI version.
//!
//! [`kindsmith_schema::JsonSchema`] covers CRDs. Built-in definitions have references with siblings and
//! arbitrary extensions, so they have a model of their own. `publish` writes the documents.

use std::collections::BTreeMap;

use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_schema::{CelRule, Json, Str, TypeId};

/// A schema with references to types.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Node {
    /// The type whose definition it refers to.
    pub(super) reference: Option<TypeId>,
    /// Keywords and extensions whose values are plain JSON.
    pub(super) plain: BTreeMap<Str, Json>,
    pub(super) items: Option<Box<Node>>,
    pub(super) additional: Option<Box<Node>>,
    pub(super) properties: BTreeMap<Str, Node>,
    /// In the order of declaration.
    pub(super) required: Vec<Str>,
    pub(super) all_of: Vec<Node>,
    pub(super) one_of: Vec<Node>,
    /// Published rules.
    pub(super) rules: Vec<CelRule>,
    /// Conditions that apply in addition, even if `all_of` is lost.
    pub(super) also: Option<Box<Node>>,
    /// Published instead of this node in version 2.
    pub(super) v2: Option<Box<Node>>,
    /// Names of properties in the order of declaration.
    pub(super) order: Vec<Str>,
    /// Extensions of markers and unions, in openapi-gen's order.
    pub(super) extensions: Vec<Str>,
    /// Import path and name of the constant that the default refers to.
    pub(super) default_symbol: Option<(Str, Str)>,
    /// Whether it is an empty struct without a name, which openapi-gen refers to in its code.
    pub(super) is_nameless: bool,
    /// Whether it is an enumeration; one without constants publishes no values.
    pub(super) is_enum: bool,
    /// Whether it has keywords that openapi-gen reads but does not publish.
    pub(super) has_unpublished: bool,
}

impl Node {
    /// A node of a type.
    pub(super) fn typed(ty: &str, format: &str) -> Self {
        let mut node = Self::default();
        node.set_text("type", ty);
        node.set_text("format", format);
        node
    }

    pub(super) fn set(&mut self, key: &str, value: Json) {
        self.plain.insert(key.into(), value);
    }

    /// Whether it or a schema inside is nameless.
    pub(super) fn has_nameless(&self) -> bool {
        let inside = self.properties.values();
        let inside = inside
            .chain(self.items.as_deref())
            .chain(self.additional.as_deref());
        self.is_nameless || inside.into_iter().any(Self::has_nameless)
    }

    /// Sets an extension.
    pub(super) fn extend(&mut self, key: &str, value: Json) {
        self.set(key, value);
        if !self.extensions.iter().any(|known| &**known == key) {
            self.extensions.push(key.into());
        }
    }

    /// Adds a property.
    pub(super) fn add(&mut self, name: &str, property: Self) {
        if self.properties.insert(name.into(), property).is_none() {
            self.order.push(name.into());
        }
    }

    /// Sets a text; an empty one is absent, as Go omits it.
    pub(super) fn set_text(&mut self, key: &str, text: &str) {
        if !text.is_empty() {
            self.set(key, Json::from(text));
        }
    }

    /// Whether it consists of a reference only.
    pub(super) fn is_bare_reference(&self) -> bool {
        let bare = Self {
            reference: self.reference,
            default_symbol: self.default_symbol.clone(),
            ..Self::default()
        };
        *self == bare
    }
}

/// An object with members in any order.
pub(super) fn object<'a>(arena: &'a Arena, members: Vec<(&str, Value<'a>)>) -> Value<'a> {
    let entries = members.into_iter().map(|(key, value)| Entry {
        key: arena.alloc_str(key),
        value,
    });
    let entries: Vec<Entry<'a>> = entries.collect();
    Object::from_entries(arena, arena.alloc_slice_copy(&entries)).into()
}

/// A list.
pub(super) fn array<'a>(arena: &'a Arena, items: impl IntoIterator<Item = Value<'a>>) -> Value<'a> {
    let items: Vec<Value<'a>> = items.into_iter().collect();
    Value::Array(arena.alloc_slice_copy(&items))
}

/// A text in the arena.
pub(super) fn text<'a>(arena: &'a Arena, text: &str) -> Value<'a> {
    Value::Str(arena.alloc_str(text))
}
