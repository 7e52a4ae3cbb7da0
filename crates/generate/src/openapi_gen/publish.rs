//! Writes documents of definitions, with the differences between the versions (kube-openapi `pkg/builder`,
//! `pkg/builder3`).

use std::collections::BTreeMap;

use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{CelRule, Str, TypeId};

use super::Version;
use super::node::{Node, array, object, text};

/// How references are written.
pub(super) struct Publish<'p> {
    pub(super) version: Option<Version>,
    pub(super) names: &'p BTreeMap<TypeId, String>,
    pub(super) defaults: bool,
}

impl Version {
    /// The prefix of a definition's name in a reference.
    fn prefix(self) -> &'static str {
        match self {
            Self::V2 => "#/definitions/",
            Self::V3 => "#/components/schemas/",
        }
    }
}

/// The whole document.
pub(super) fn document(version: Version, definitions: &[(String, Value<'_>)]) -> String {
    let arena = Arena::new();
    let members = definitions
        .iter()
        .map(|(name, value)| (&**name, *value))
        .collect();
    let schemas = object(&arena, members);
    let whole = match version {
        Version::V2 => object(&arena, vec![("definitions", schemas)]),
        Version::V3 => object(
            &arena,
            vec![("components", object(&arena, vec![("schemas", schemas)]))],
        ),
    };
    pretty(whole)
}

/// JSON with sorted keys, indentation, and a final line break.
pub(super) fn pretty(value: Value<'_>) -> String {
    let format = Format::default().indent("  ").order(Order::Sorted);
    let mut text = format.to_string(value);
    text.push('\n');
    text
}

/// A segment of a JSON pointer.
pub(super) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

impl Publish<'_> {
    /// A definition in the form of its version.
    pub(super) fn write<'a>(&self, arena: &'a Arena, node: &Node) -> Value<'a> {
        match &node.v2 {
            Some(old) if self.version == Some(Version::V2) => self.node(arena, old),
            // Generated code contains both, nested.
            Some(old) if self.version.is_none() => {
                let mut both = self.node(arena, node);
                both.set(arena, &["x-kubernetes-v2-schema"], self.node(arena, old));
                both
            }
            _ => self.node(arena, node),
        }
    }

    fn node<'a>(&self, arena: &'a Arena, node: &Node) -> Value<'a> {
        let mut members: Vec<(&str, Value<'a>)> = Vec::new();
        for (key, value) in &node.plain {
            if self.defaults || &**key != "default" {
                members.push((key, value.value(arena)));
            }
        }
        members.extend(self.inside(arena, node));
        if !node.required.is_empty() {
            let required = node.required.iter().map(|name| text(arena, name));
            members.push(("required", array(arena, required)));
        }
        if !node.rules.is_empty() {
            let rules = node.rules.iter().map(|rule| cel(arena, rule));
            members.push(("x-kubernetes-validations", array(arena, rules)));
        }
        object(arena, members)
    }

    /// The parts that are schemas.
    fn inside<'a>(&self, arena: &'a Arena, node: &Node) -> Vec<(&'static str, Value<'a>)> {
        let mut members = Vec::new();
        if let Some(items) = &node.items {
            members.push(("items", self.node(arena, items)));
        }
        if let Some(additional) = &node.additional {
            members.push(("additionalProperties", self.node(arena, additional)));
        }
        if !node.properties.is_empty() {
            let properties = node.properties.iter();
            let properties = properties.map(|(name, member)| (&**name, self.node(arena, member)));
            members.push(("properties", object(arena, properties.collect())));
        }
        if !node.one_of.is_empty() {
            let one_of = node.one_of.iter().map(|one| self.node(arena, one));
            members.push(("oneOf", array(arena, one_of)));
        }
        let mut all_of: Vec<Value<'a>> = Vec::new();
        let wraps = self.version == Some(Version::V3) && !self.is_bare(node);
        match node.reference {
            // A reference must not have siblings. The content of `allOf` is lost (builder3 `util.WrapRefs`).
            Some(id) if wraps => all_of.push(object(arena, vec![("$ref", self.reference(arena, id))])),
            Some(id) => {
                members.push(("$ref", self.reference(arena, id)));
                all_of.extend(node.all_of.iter().map(|one| self.node(arena, one)));
            }
            None => all_of.extend(node.all_of.iter().map(|one| self.node(arena, one))),
        }
        all_of.extend(node.also.iter().map(|one| self.node(arena, one)));
        if !all_of.is_empty() {
            members.push(("allOf", array(arena, all_of)));
        }
        members
    }

    /// Whether a reference has no siblings.
    fn is_bare(&self, node: &Node) -> bool {
        if self.defaults || !node.plain.contains_key("default") {
            return node.is_bare_reference();
        }
        let mut without = node.clone();
        without.plain.remove("default");
        without.is_bare_reference()
    }

    fn reference<'a>(&self, arena: &'a Arena, id: TypeId) -> Value<'a> {
        let prefix = self.version.map_or("", Version::prefix);
        let name = self.names.get(&id).map_or("", String::as_str);
        text(arena, &format!("{prefix}{}", escape(name)))
    }
}

/// A rule as an object.
pub(super) fn cel<'a>(arena: &'a Arena, rule: &CelRule) -> Value<'a> {
    let mut members = Vec::new();
    let mut put = |key, value: Option<&str>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            members.push((key, text(arena, value)));
        }
    };
    fn optional(text: &Option<Str>) -> Option<&str> {
        text.as_deref()
    }
    put("rule", Some(&rule.rule));
    put("message", optional(&rule.message));
    put("messageExpression", optional(&rule.message_expression));
    put("reason", rule.reason.map(|reason| reason.name()));
    put("fieldPath", optional(&rule.field_path));
    members.extend(
        rule.optional_old_self
            .map(|truth| ("optionalOldSelf", Value::Bool(truth))),
    );
    object(arena, members)
}
