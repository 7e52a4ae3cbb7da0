//! Declarative `+k8s:` rules as keywords: the part of declarative validation that a schema can express.
//!
//! Upstream does not publish these. Only unconditional rules are published: not those with a condition or a
//! stability level, nor those about updates, siblings or hand-written checks.

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{
    Bound, Constant, Exclusion, Facet, Family, Field, GoKind, Json, Literal, Rule, TypeRef, UniqueKind, Wrap,
};

use super::keywords::{float, number, without_pointers};
use super::node::{Node, array};
use super::select::Selection;

/// Longer chains of typedefs are circular.
const MAX_CHAIN: usize = 64;

/// Whether the field must be set.
pub(super) fn is_required(field: &Field) -> bool {
    let mut rules = field.rules.iter().filter(|rule| is_certain(rule));
    rules.any(|rule| rule.is_plain() && rule.facet == Facet::Required)
}

/// Adds the rules of a field and of its named types.
pub(super) fn on_field(selection: &Selection<'_>, field: &Field, node: &mut Node) {
    inherited(selection, &field.ty, node, 0);
    on_type(selection, &field.rules, &field.ty, node);
}

/// Rules of named types without a definition of their own, from the outside in.
fn inherited(selection: &Selection<'_>, of: &TypeRef, node: &mut Node, depth: usize) {
    let view = selection.view;
    let of = view.unalias(without_pointers(view, of));
    if depth > MAX_CHAIN || node.reference.is_some() {
        return;
    }
    if let TypeRef::Named(id) = of {
        let ty = selection.schema.ty(*id);
        on_type(selection, &ty.rules, of, node);
        if let kindsmith_schema::Shape::Def(target) = &ty.shape {
            inherited(selection, target, node, depth + 1);
        }
        return;
    }
    match (of, node) {
        (
            TypeRef::List(item) | TypeRef::Array(_, item),
            Node {
                items: Some(node), ..
            },
        ) => {
            inherited(selection, item, node, depth + 1);
        }
        (
            TypeRef::Map(_, value),
            Node {
                additional: Some(node),
                ..
            },
        ) => {
            inherited(selection, value, node, depth + 1);
        }
        _ => {}
    }
}

/// Adds rules to the node of their type.
pub(super) fn on_type(selection: &Selection<'_>, rules: &[Rule], of: &TypeRef, node: &mut Node) {
    for rule in rules.iter().filter(|rule| is_certain(rule)) {
        if let Some((node, of)) = inside(selection, &rule.wraps, of, node) {
            set(selection, &rule.facet, of, node);
        }
    }
    // Keys are separate rules but form one list.
    let keys: Vec<&str> = rules
        .iter()
        .filter(|rule| is_certain(rule) && rule.is_plain())
        .filter_map(|rule| match &rule.facet {
            Facet::ListMapKey(key) => Some(&**key),
            _ => None,
        })
        .collect();
    if !keys.is_empty() {
        let arena = Arena::new();
        let keys = array(&arena, keys.into_iter().map(Value::Str));
        node.plain
            .entry("x-kubernetes-list-map-keys".into())
            .or_insert_with(|| Json::from(keys));
    }
}

/// Whether a rule is declarative and unconditional.
fn is_certain(rule: &Rule) -> bool {
    let holds = |wrap: &Wrap| matches!(wrap, Wrap::EachVal | Wrap::Subfield(_));
    rule.family == Family::Declarative && rule.wraps.iter().all(holds)
}

/// The node and type that the wrappers of a rule lead to.
fn inside<'n, 't>(
    selection: &Selection<'t>,
    wraps: &[Wrap],
    of: &'t TypeRef,
    node: &'n mut Node,
) -> Option<(&'n mut Node, &'t TypeRef)> {
    let view = selection.view;
    let (mut node, mut of) = (node, of);
    for wrap in wraps {
        (node, of) = match (wrap, view.underlying(without_pointers(view, of))) {
            (Wrap::EachVal, TypeRef::List(item) | TypeRef::Array(_, item)) => {
                (&mut **node.items.as_mut()?, &**item)
            }
            (Wrap::EachVal, TypeRef::Map(_, value)) => (&mut **node.additional.as_mut()?, &**value),
            (Wrap::Subfield(name), _) => {
                let (_, fields) = view.members(without_pointers(view, of))?;
                let field = fields.iter().find(|field| field.json_name() == Some(&**name))?;
                // The member's schema is elsewhere; this applies in addition.
                let besides = node.also.get_or_insert_default();
                (besides.properties.entry(name.clone()).or_default(), &field.ty)
            }
            _ => return None,
        };
    }
    Some((node, of))
}

fn set(selection: &Selection<'_>, facet: &Facet, of: &TypeRef, node: &mut Node) {
    match facet {
        Facet::MinLength(length) => at_least(node, "minLength", *length),
        // A string never has more characters than bytes.
        Facet::MaxLength(length) | Facet::MaxBytes(length) => at_most(node, "maxLength", *length),
        Facet::MinItems(count) => at_least(node, "minItems", *count),
        Facet::MaxItems(count) => at_most(node, "maxItems", *count),
        Facet::MinProperties(count) => at_least(node, "minProperties", *count),
        Facet::MaxProperties(count) => at_most(node, "maxProperties", *count),
        Facet::Minimum(limit) => bound(node, "minimum", "exclusiveMinimum", limit),
        Facet::Maximum(limit) => bound(node, "maximum", "exclusiveMaximum", limit),
        Facet::MultipleOf(number) => {
            if let Some(number) = float(number) {
                add(node, "multipleOf", number);
            }
        }
        Facet::Pattern(pattern) => add(node, "pattern", Json::from(&**pattern)),
        Facet::Format(format) => add(node, "format", Json::from(&**format)),
        Facet::UniqueItems(true) | Facet::Unique(UniqueKind::Set) => {
            add(node, "uniqueItems", Json::from(true));
        }
        Facet::ListType(list) => add(node, "x-kubernetes-list-type", Json::from(list.name())),
        Facet::MapType(map) | Facet::StructType(map) => {
            add(node, "x-kubernetes-map-type", Json::from(map.name()));
        }
        Facet::Enum => {
            if let Some(values) = constants(selection, of) {
                add(node, "enum", values);
            }
        }
        Facet::EnumValues(values) => {
            let arena = Arena::new();
            let values = array(&arena, values.iter().map(|value| value.value(&arena)));
            add(node, "enum", Json::from(values));
        }
        Facet::Neq(literal) => {
            let arena = Arena::new();
            let refused = array(&arena, [value(literal)]);
            let refused = super::node::object(&arena, vec![("enum", refused)]);
            add(node, "not", Json::from(refused));
        }
        Facet::Required => {}
        _ => {}
    }
}

fn value(literal: &Literal) -> Value<'_> {
    match literal {
        Literal::Str(text) => Value::Str(text),
        Literal::Int(number) => Value::Int(*number),
        Literal::Bool(truth) => Value::Bool(*truth),
    }
}

/// Adds a keyword; if it already has another value, both apply.
fn add(node: &mut Node, key: &str, value: Json) {
    match node.plain.get(key) {
        None => node.set(key, value),
        Some(known) if *known == value => {}
        Some(_) if key.starts_with("x-kubernetes-") => {}
        Some(_) => {
            let besides = node.also.get_or_insert_default();
            besides.plain.entry(key.into()).or_insert(value);
        }
    }
}

fn known(node: &Node, key: &str) -> Option<f64> {
    let arena = Arena::new();
    node.plain.get(key)?.value(&arena).as_f64()
}

fn at_least(node: &mut Node, key: &str, count: i64) {
    if known(node, key).is_none_or(|known| known < count as f64) {
        node.set(key, Json::int(count.into()));
    }
}

fn at_most(node: &mut Node, key: &str, count: i64) {
    if known(node, key).is_none_or(|known| known > count as f64) {
        node.set(key, Json::int(count.into()));
    }
}

/// Adds a limit; the tighter of two wins.
fn bound(node: &mut Node, key: &str, exclusive: &str, limit: &Bound) {
    let Some(value) = number(limit) else {
        return;
    };
    let arena = Arena::new();
    let new = value.value(&arena).as_f64().unwrap_or_default();
    let is_tighter = known(node, key).is_none_or(|known| match key {
        "minimum" => new > known || (new == known && limit.exclusive),
        _ => new < known || (new == known && limit.exclusive),
    });
    if is_tighter {
        node.set(key, value);
        if limit.exclusive {
            node.set(exclusive, Json::from(true));
        } else {
            _ = node.plain.remove(exclusive);
        }
    }
}

/// The constants of an enumeration that at least one option allows.
fn constants(selection: &Selection<'_>, of: &TypeRef) -> Option<Json> {
    let view = selection.view;
    let of = view.unalias(without_pointers(view, of));
    let (TypeRef::Named(id), GoKind::Alias) = (of, view.kind(of)) else {
        return None;
    };
    let is_allowed = |constant: &&Constant| !constant.exclusions.contains(&Exclusion::Always);
    let constants = selection.schema.ty(*id).constants.iter().filter(is_allowed);
    let mut values: Vec<Json> = constants.filter_map(|constant| constant.value.clone()).collect();
    values.sort();
    values.dedup();
    let arena = Arena::new();
    let values = array(&arena, values.iter().map(|value| value.value(&arena)));
    Some(Json::from(values))
}
