//! What KEP-5073 and KEP-1929 say in words of their own, in words that every back end has: `immutable` as `update`, and
//! defaults of types on the fields that use them.
//!
//! A value may be set once: then it is neither modified nor unset. Items of a list or map come with it or not at all.

use kindsmith_schema::{
    Condition, Facet, Family, Field, ListType, Rule, Schema, Shape, TypeRef, UniqueKind, UpdateConstraint,
    View, Wrap,
};

use super::type_default;
use UpdateConstraint::{NoAddItem, NoModify, NoRemoveItem, NoUnset};

/// The schema with `immutable` as KEP-5073 reads it.
#[must_use]
pub fn kep_immutability(schema: &Schema) -> Schema {
    let view = schema.view();
    schema.map_types(|ty| {
        let own = schema.find(&ty.name).map(TypeRef::Named);
        if let Some(own) = own {
            read(view, &own, &mut ty.rules, &mut ty.published);
        }
        if let Shape::Struct(members) = &mut ty.shape {
            for Field {
                ty, rules, published, ..
            } in &mut members.fields
            {
                read(view, ty, rules, published);
            }
        }
    })
}

/// The schema with the default of a type on every field of the type that has none of its own.
#[must_use]
pub fn kep_defaults(schema: &Schema) -> Schema {
    let view = schema.view();
    let of = |ty: &TypeRef| match view.unalias(view.deref(ty)) {
        TypeRef::Named(id) => type_default(schema, *id).map(|found| found.default.clone()),
        _ => None,
    };
    schema.map_types(|ty| {
        if let Shape::Struct(members) = &mut ty.shape {
            for field in members.fields.iter_mut().filter(|field| field.default.is_none()) {
                field.default = of(&field.ty);
            }
        }
    })
}

/// Changes the rules of a declaration whose values have this type.
fn read(view: View<'_>, ty: &TypeRef, rules: &mut Vec<Rule>, published: &mut Vec<Rule>) {
    let is_meant = |rule: &Rule| rule.facet == Facet::Immutable && rule.family == Family::Declarative;
    // controller-gen's own reading of the tag.
    published.retain(|rule| !is_meant(rule));
    let before = rules.clone();
    let mut more = Vec::new();
    for rule in rules.iter_mut().filter(|rule| is_meant(rule) && !is_moded(rule)) {
        let scope: Vec<Wrap> = rule.scope().cloned().collect();
        let (facet, each) = reading(view, ty, &before, &scope);
        if each {
            let mut items = Rule {
                facet: of_items(at(view, ty, &scope).is_some_and(|list| is_map(view, list))),
                ..rule.clone()
            };
            items.wraps.push(Wrap::EachVal);
            more.push(items);
        }
        rule.facet = facet;
    }
    rules.extend(more);
}

/// Whether a mode decides about the rule; modes have rules of their own.
fn is_moded(rule: &Rule) -> bool {
    rule.conditions()
        .any(|condition| matches!(condition, Condition::Mode { .. }))
}

/// What `immutable` in a scope of a field means, and whether it also holds for each item.
fn reading(view: View<'_>, of: &TypeRef, rules: &[Rule], scope: &[Wrap]) -> (Facet, bool) {
    let nothing = Facet::DeclarativeValidationNative;
    let is_matched = |list: &TypeRef, scope: &[Wrap]| {
        is_map(view, list)
            || rules.iter().any(|rule| {
                let keyed = matches!(
                    rule.facet,
                    Facet::ListType(ListType::Map) | Facet::Unique(UniqueKind::Map)
                );
                keyed && rule.family == Family::Declarative && rule.scope().eq(scope)
            })
    };
    match scope.split_last() {
        Some((Wrap::Item(_), _)) => (Facet::Update(vec![NoModify, NoAddItem, NoRemoveItem]), false),
        // A changed item that cannot be matched with an old one is a new item.
        Some((Wrap::EachVal, outer)) => match at(view, of, outer) {
            Some(list) if is_matched(list, outer) => (of_items(is_map(view, list)), false),
            _ => (nothing, false),
        },
        _ => match at(view, of, scope) {
            Some(found) if is_collection(view, found) => (
                Facet::Update(vec![NoAddItem, NoRemoveItem]),
                is_matched(found, scope),
            ),
            Some(_) => (Facet::Update(vec![NoUnset, NoModify]), false),
            None => (Facet::Immutable, false),
        },
    }
}

/// What keeps items that are there as they are. Values of a map are set even if they are zero; other items are structs.
fn of_items(in_map: bool) -> Facet {
    if in_map {
        Facet::Immutable
    } else {
        Facet::Update(vec![NoModify])
    }
}

fn is_map(view: View<'_>, of: &TypeRef) -> bool {
    matches!(view.underlying(view.deref(of)), TypeRef::Map(..))
}

fn is_collection(view: View<'_>, of: &TypeRef) -> bool {
    matches!(
        view.underlying(view.deref(of)),
        TypeRef::List(_) | TypeRef::Map(..)
    )
}

/// The type that a scope leads to.
fn at<'a>(view: View<'a>, of: &'a TypeRef, scope: &[Wrap]) -> Option<&'a TypeRef> {
    let mut here = of;
    for wrap in scope {
        here = match (wrap, view.underlying(view.deref(here))) {
            (Wrap::EachVal | Wrap::Item(_), TypeRef::List(inner) | TypeRef::Map(_, inner)) => inner,
            (Wrap::Subfield(name), _) => {
                let (_, fields) = view.members(view.deref(here))?;
                &fields.iter().find(|field| field.json_name() == Some(name))?.ty
            }
            _ => return None,
        };
    }
    Some(here)
}
