//! `+k8s:validation:` rules as keywords (kube-openapi `pkg/generators/markers.go`, `ValidationSchema`).
//!
//! Rules on nested values go into `allOf`, not into their own schema. Upstream reads `enum`, `format` and
//! `nullable` but never publishes them.

use kindsmith_json::Arena;
use kindsmith_schema::{Bound, Facet, Family, Json, Limit, Rule, TypeRef, View, Wrap};

use super::node::Node;

/// Adds the keywords of a declaration's rules.
pub(super) fn apply(view: View<'_>, rules: &[Rule], of: &TypeRef, node: &mut Node) {
    for rule in rules.iter().filter(|rule| rule.family == Family::OpenApi) {
        let Some((key, value)) = keyword(&rule.facet) else {
            continue;
        };
        // Even a rule without a keyword creates its node.
        let node = inside(view, &rule.wraps, of, node);
        match value {
            Some(value) => node.set(key, value),
            None => node.has_unpublished |= matches!(key, "format" | "nullable" | "enum"),
        }
    }
}

/// Adds the CEL rules of a declaration.
pub(super) fn apply_rules(view: View<'_>, rules: &[Rule], of: &TypeRef, node: &mut Node) {
    for rule in rules.iter().filter(|rule| rule.family == Family::OpenApi) {
        if let Facet::Cel(cel) = &rule.facet {
            inside(view, &rule.wraps, of, node).rules.push(cel.clone());
        }
    }
}

/// The node that the wrappers of a rule lead to.
fn inside<'n>(view: View<'_>, wraps: &[Wrap], of: &TypeRef, node: &'n mut Node) -> &'n mut Node {
    let mut node = node;
    let mut of = Some(of);
    for wrap in wraps {
        if node.all_of.is_empty() {
            node.all_of.push(Node::default());
        }
        let around = &mut node.all_of[0];
        let behind = of.map(|of| view.underlying(without_pointers(view, of)));
        (node, of) = match (wrap, behind) {
            (Wrap::EachVal, Some(TypeRef::List(item) | TypeRef::Array(_, item))) => {
                (&mut **around.items.get_or_insert_default(), Some(&**item))
            }
            (Wrap::EachVal, Some(TypeRef::Map(_, value))) => {
                (&mut **around.additional.get_or_insert_default(), Some(&**value))
            }
            (Wrap::Subfield(name), _) => {
                let fields = of.and_then(|of| view.members(without_pointers(view, of)));
                let field = fields
                    .and_then(|(_, fields)| fields.iter().find(|field| field.json_name() == Some(&**name)));
                (
                    around.properties.entry(name.clone()).or_default(),
                    field.map(|field| &field.ty),
                )
            }
            _ => (&mut **around.additional.get_or_insert_default(), None),
        };
    }
    node
}

pub(super) fn without_pointers<'a>(view: View<'a>, mut of: &'a TypeRef) -> &'a TypeRef {
    // The text of a type limits its pointers, and the number of types limits chains of names.
    for _ in 0..64 {
        match view.underlying(of) {
            TypeRef::Pointer(inner) => of = inner,
            _ => break,
        }
    }
    of
}

/// The keyword of a rule, and its value if it is published.
fn keyword(facet: &Facet) -> Option<(&'static str, Option<Json>)> {
    Some(match facet {
        Facet::Minimum(bound) => ("minimum", number(bound)),
        Facet::Maximum(bound) => ("maximum", number(bound)),
        Facet::ExclusiveMinimum(exclusive) => ("exclusiveMinimum", truth(*exclusive)),
        Facet::ExclusiveMaximum(exclusive) => ("exclusiveMaximum", truth(*exclusive)),
        Facet::MultipleOf(number) => ("multipleOf", float(number)),
        Facet::MinLength(length) => ("minLength", int(*length)),
        Facet::MaxLength(length) => ("maxLength", int(*length)),
        Facet::Pattern(pattern) => ("pattern", (!pattern.is_empty()).then(|| Json::from(&**pattern))),
        Facet::MinItems(count) => ("minItems", int(*count)),
        Facet::MaxItems(count) => ("maxItems", int(*count)),
        Facet::UniqueItems(unique) => ("uniqueItems", truth(*unique)),
        Facet::MinProperties(count) => ("minProperties", int(*count)),
        Facet::MaxProperties(count) => ("maxProperties", int(*count)),
        Facet::Format(_) => ("format", None),
        Facet::Nullable => ("nullable", None),
        Facet::EnumValues(_) => ("enum", None),
        _ => return None,
    })
}

fn int(value: i64) -> Option<Json> {
    Some(Json::int(value.into()))
}

fn truth(value: bool) -> Option<Json> {
    value.then(|| Json::from(true))
}

/// The number of a bound as a Go float.
pub(super) fn number(bound: &Bound) -> Option<Json> {
    match &bound.limit {
        Limit::Number(number) => float(number),
        Limit::Field(_) => None,
    }
}

pub(super) fn float(number: &Json) -> Option<Json> {
    let arena = Arena::new();
    number.value(&arena).as_f64().map(Json::from)
}
