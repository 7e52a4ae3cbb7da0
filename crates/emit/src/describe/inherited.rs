//! Rules that a field or struct inherits from its types.

use kindsmith_schema::{Facet, Field, Rule, Schema, Shape, TypeId, TypeRef, Wrap};

use super::enumeration::{is_enumeration, lists_values};
use super::{Fact, Siblings};

/// Types nested deeper are ignored: a type may contain itself.
const MAX_DEPTH: usize = 16;

/// Rules of the types that a field is declared with, including those of its keys, items and values. Structs,
/// and enumerations inside lists and maps, are described separately.
pub(super) fn rules(schema: &Schema, field: &Field) -> Vec<Rule> {
    let mut found = Vec::new();
    let search = Search { schema, field };
    search.visit(&field.ty, &mut Vec::new(), &mut found, 0);
    found
}

struct Search<'s> {
    schema: &'s Schema,
    field: &'s Field,
}

impl Search<'_> {
    fn visit(&self, of: &TypeRef, inside: &mut Vec<Wrap>, found: &mut Vec<Rule>, depth: usize) {
        if depth > MAX_DEPTH || self.is_opaque(inside) {
            return;
        }
        match of {
            TypeRef::Pointer(inner) => self.visit(inner, inside, found, depth + 1),
            TypeRef::List(item) | TypeRef::Array(_, item) => {
                self.below(item, Wrap::EachVal, inside, found, depth);
            }
            TypeRef::Map(key, value) => {
                self.below(key, Wrap::EachKey, inside, found, depth);
                self.below(value, Wrap::EachVal, inside, found, depth);
            }
            TypeRef::Named(id) => {
                let ty = self.schema.ty(*id);
                let is_explained = !inside.is_empty() && is_enumeration(ty);
                if let Shape::Def(target) | Shape::Alias(target) = &ty.shape
                    && !is_explained
                {
                    found.extend(ty.rules.iter().map(|rule| within(rule, inside)));
                    self.visit(target, inside, found, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn below(&self, of: &TypeRef, wrap: Wrap, inside: &mut Vec<Wrap>, found: &mut Vec<Rule>, depth: usize) {
        inside.push(wrap);
        self.visit(of, inside, found, depth + 1);
        inside.pop();
    }

    /// Whether the field says that the rules of this type do not apply.
    fn is_opaque(&self, inside: &[Wrap]) -> bool {
        let mut rules = self.field.rules.iter();
        rules.any(|rule| rule.facet == Facet::OpaqueType && rule.wraps == inside)
    }
}

fn within(rule: &Rule, inside: &[Wrap]) -> Rule {
    let mut rule = rule.clone();
    rule.wraps.splice(0..0, inside.iter().cloned());
    rule
}

/// Rules about a struct as a whole: its own, those of the types that it renames, and those of inlined
/// structs. Whether a value is required is described where it is used, and values of an enumeration are
/// listed.
#[must_use]
pub fn struct_facts(schema: &Schema, id: TypeId) -> Vec<Fact> {
    let mut found = Vec::new();
    gather(schema, &TypeRef::Named(id), None, &mut found, 0);
    found.retain(|(_, rule)| !is_said_elsewhere(rule));
    let own = found
        .iter()
        .filter(|(part, _)| part.is_none())
        .map(|(_, rule)| *rule);
    let mut facts = super::rules(own, Siblings::default());
    for (part, rule) in &found {
        let (Some(part), Some(mut fact)) = (part, super::rule(rule, Siblings::default())) else {
            continue;
        };
        // Rules about members name them; others would seem to be about the whole.
        let names_members = rule.scope().next().is_some() || matches!(fact.label, "members" | "rule");
        if !names_members {
            fact.text = format!("the part that is a `{part}`: {}", fact.text);
        }
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}

fn is_said_elsewhere(rule: &Rule) -> bool {
    let is_presence = rule.is_plain() && matches!(rule.facet, Facet::Optional | Facet::Required);
    is_presence || lists_values(rule)
}

/// A rule, and the name of the inlined struct that it is about.
type Part<'s> = (Option<&'s str>, &'s Rule);

fn gather<'s>(
    schema: &'s Schema,
    of: &TypeRef,
    part: Option<&'s str>,
    found: &mut Vec<Part<'s>>,
    depth: usize,
) {
    if depth > MAX_DEPTH {
        return;
    }
    match of {
        TypeRef::Pointer(inner) => gather(schema, inner, part, found, depth + 1),
        TypeRef::Named(id) => {
            let ty = schema.ty(*id);
            found.extend(ty.rules.iter().map(|rule| (part, rule)));
            match &ty.shape {
                Shape::Def(target) | Shape::Alias(target) => gather(schema, target, part, found, depth + 1),
                Shape::Struct(_) => {
                    for field in ty.fields().iter().filter(|field| field.is_inline()) {
                        let part = Some(&*field.name);
                        let is_opaque = |rule: &&Rule| rule.facet == Facet::OpaqueType && rule.is_plain();
                        let rules = field.rules.iter();
                        // Rules that do not apply are left out, so `opaque` rules are left out too.
                        found.extend(rules.filter(|rule| !is_opaque(rule)).map(|rule| (part, rule)));
                        if !field.rules.iter().any(|rule| is_opaque(&rule)) {
                            gather(schema, &field.ty, part, found, depth + 1);
                        }
                    }
                }
                Shape::Hole => {}
            }
        }
        _ => {}
    }
}
