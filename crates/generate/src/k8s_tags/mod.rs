//! `+k8s:` tags in CRDs: as keywords where these are equivalent, otherwise as CEL rules. Whatever a CRD
//! cannot express is recorded, so that its author knows what the server will not enforce.
//!
//! Go has no absent values: an absent member is zero, and for an optional member zero means absent. The rules
//! here check objects as the Go types would, so they distinguish zero and absent only for pointers.

mod added_values;
mod apply;
mod change;
mod compare;
mod constraint;
mod defaults;
mod dependent;
mod embedded;
mod empty;
mod enforcement;
mod equal;
mod field;
mod forced;
mod format;
mod group;
mod identity;
mod item;
mod item_update;
mod keys;
mod mode;
mod presence;
mod rejected_additions;
mod settle;
mod subfield;
mod unique;
mod update;
mod value;

use kindsmith_schema::{
    Facet, Family, Field, JsonSchema, Owner, Part, Place, Rule, Shape, Str, Type, TypeId, TypeRef,
    ValidationRule, Wrap,
};

use crate::controller_gen::lower::Lower;
use crate::controller_gen::merge::ADDITION;
use apply::apply;
use enforcement::enforced;
pub(crate) use field::{on_embedded, on_field};
pub(crate) use presence::Member;
pub(crate) use rejected_additions::refusing;
pub(crate) use settle::{forget_marks, settle};

/// Tags that controller-gen reads itself.
fn is_shared(rule: &Rule) -> bool {
    rule.is_plain()
        && matches!(
            rule.facet,
            Facet::Required
                | Facet::Optional
                | Facet::Immutable
                | Facet::Enum
                | Facet::ListType(_)
                | Facet::ListMapKey(_)
        )
}

/// Whether the types of a package use tags that only declarative validation reads.
pub(crate) fn is_used(schema: &kindsmith_schema::Schema, package: &str) -> bool {
    let own = |rules: &[Rule]| {
        rules
            .iter()
            .any(|rule| rule.family == Family::Native && !is_shared(rule))
    };
    schema
        .types()
        .filter(|(_, ty)| &*ty.name.package == package)
        .any(|(_, ty)| own(&ty.rules) || ty.fields().iter().any(|field| own(&field.rules)))
}

/// Whether the tags of a field's type do not count at the field.
pub(crate) fn is_opaque(field: &Field) -> bool {
    has_opaque(&field.rules, |wrap| *wrap == Wrap::EachVal)
}

/// Whether the members of a type are never validated.
pub(crate) fn is_opaque_type(ty: &Type) -> bool {
    has_opaque(&ty.rules, |_| false)
}

fn has_opaque(rules: &[Rule], allowed: impl Fn(&Wrap) -> bool) -> bool {
    let is = |rule: &Rule| {
        rule.family == Family::Native && rule.facet == Facet::OpaqueType && rule.scope().all(&allowed)
    };
    rules.iter().any(is)
}

/// The place of a rule, for messages about it.
#[derive(Clone, Copy)]
struct Site {
    owner: Owner,
    index: usize,
}

impl Site {
    fn place(self) -> Place {
        self.owner.part(Part::Rule(self.index as u32))
    }

    /// All rules of the declaration.
    fn rules<'a>(self, lower: &Lower<'a>) -> &'a [Rule] {
        match self.owner {
            Owner::Type(id) => &lower.schema.ty(id).rules,
            Owner::Field(id) => &lower.schema.field(id).rules,
            _ => &[],
        }
    }

    /// The key members of the list that the rule is on.
    fn keys<'a>(self, lower: &Lower<'a>) -> Vec<&'a Str> {
        let rules = self.rules(lower);
        let scope: Vec<Wrap> = rules[self.index].scope().cloned().collect();
        unique::keys(rules, &scope)
    }
}

/// The named list, map or scalar type of a field, whose tags are applied at the field.
pub(crate) fn scalar_or_list(lower: &Lower<'_>, of: &TypeRef) -> Option<TypeId> {
    let TypeRef::Named(id) = lower.view.unalias(lower.view.deref(of)) else {
        return None;
    };
    let ty = lower.schema.ty(*id);
    let is_plain = ty.well_known.is_none() && matches!(ty.shape, Shape::Def(_));
    (is_plain && lower.view.members(of).is_none()).then_some(*id)
}

/// Adds the tags of a type where it is used by name: as item, value, or struct.
pub(crate) fn on_type(lower: &mut Lower<'_>, id: TypeId, node: &mut JsonSchema) {
    let rules = lower.schema.ty(id).rules.clone();
    let member = Member::always_set(lower.view, &TypeRef::Named(id));
    for (index, rule, wraps) in enforced(lower.options, &rules) {
        let site = Site {
            owner: Owner::Type(id),
            index,
        };
        apply(lower, site, rule, &wraps, &member, node);
    }
    group::on_declaration(lower, Owner::Type(id), &member, node);
    keys::of_type(lower, &member, &rules, node);
    if lower.view.members(&TypeRef::Named(id)).is_none() {
        node.default = defaults::of_type(lower, &TypeRef::Named(id));
    }
    // A type defined by a struct has its members.
    let named = TypeRef::Named(id);
    if let Some((members, _)) = lower.view.members(&named) {
        group::on_struct(lower, members, node);
        dependent::on_struct(lower, members, node);
        mode::on_struct(lower, members, node);
    }
}

/// A schema that adds to the one it is merged into.
fn addition() -> JsonSchema {
    JsonSchema {
        id: ADDITION.into(),
        ..JsonSchema::default()
    }
}

/// A CEL rule with a message.
fn rule_of(rule: &str, message: &str) -> ValidationRule {
    ValidationRule {
        rule: rule.into(),
        message: message.trim().into(),
        ..ValidationRule::default()
    }
}
