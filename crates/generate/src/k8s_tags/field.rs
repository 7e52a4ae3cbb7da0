//! The tags of a field, and those of its type where the field may be unset.

use kindsmith_schema::{Facet, Field, FieldId, JsonSchema, Owner, Rule, TypeId, Wrap};

use super::apply::apply;
use super::constraint::is_change;
use super::enforcement::enforced;
use super::presence::{Member, Zero};
use super::{
    Site, added_values, compare, defaults, embedded, forced, group, is_opaque, item_update, keys, presence,
    scalar_or_list, update, value,
};
use crate::controller_gen::lower::Lower;

/// Adds the tags of a field to its own schema and to that of the enclosing struct.
pub(crate) fn on_field(
    lower: &mut Lower<'_>,
    id: FieldId,
    field: &Field,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    let member = Member::new(lower, field);
    let mut zero_fails = false;
    if let Some(type_id) = scalar_or_list(lower, &field.ty).filter(|_| !is_opaque(field)) {
        zero_fails |= of_type(lower, type_id, &member, node, parent);
    }
    zero_fails |= group::on_declaration(lower, Owner::Field(id), &member, node);
    for (index, rule, wraps) in enforced(lower.options, &field.rules) {
        let site = Site {
            owner: Owner::Field(id),
            index,
        };
        zero_fails |= own(lower, site, id.owner, (rule, &wraps), &member, node, parent);
    }
    update::constraints(lower, id, &field.rules, &member, node, parent);
    keys::of_type(lower, &member, &field.rules, node);
    added_values::on_member(lower, id, field, &member, parent);
    defaults::on_field(lower, field, &member, zero_fails, node);
    presence::require(field, &member, zero_fails, node, parent);
}

/// Adds a rule of the field; returns whether it rejects the zero value.
fn own(
    lower: &mut Lower<'_>,
    site: Site,
    holder: TypeId,
    (rule, wraps): (&Rule, &[Wrap]),
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) -> bool {
    if let Some(bound) = compare::bound(&rule.facet) {
        match compare::rule(lower, holder, bound, wraps, member) {
            Some(rule) => parent.validations.push(rule),
            None => lower.unenforced(site.place(), "the limit by another member"),
        }
        return false;
    }
    if item_update::is_added(lower, site, (rule, wraps), member, parent) {
        return false;
    }
    match (&rule.facet, wraps) {
        (Facet::Immutable | Facet::Monotonic, []) => {
            update::on_member(lower, site, &rule.facet, member, node, parent);
        }
        // All constraints of a field are one check.
        (Facet::Update(_), wraps) if !group::has_scope(wraps) => {}
        (Facet::Immutable, [Wrap::EachVal]) if !update::only_known(lower, member) => {
            update::elements(lower, site, member, parent);
        }
        (Facet::Forbidden, []) => value::forbid(member, node),
        (Facet::Test(check), []) if member.zero == Zero::Absent => {
            forced::on_absent(lower, check, member, node, parent);
        }
        _ => return apply(lower, site, rule, wraps, member, node),
    }
    false
}

/// Adds the rules of the field's named list, map or scalar type; returns whether they reject the zero value.
fn of_type(
    lower: &mut Lower<'_>,
    id: TypeId,
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) -> bool {
    let ty = lower.schema.ty(id);
    let mut zero_fails = false;
    for (index, rule, wraps) in enforced(lower.options, &ty.rules) {
        let site = Site {
            owner: Owner::Type(id),
            index,
        };
        if item_update::is_added(lower, site, (rule, &wraps), member, parent) {
            continue;
        }
        match (&rule.facet, &wraps[..]) {
            (facet, []) if is_change(facet) => update::of_type(lower, site, facet, member, node, parent),
            (Facet::Immutable, [Wrap::EachVal]) if !update::only_known(lower, member) => {
                update::elements(lower, site, member, parent);
            }
            _ => zero_fails |= apply(lower, site, rule, &wraps, member, node),
        }
    }
    zero_fails | group::on_declaration(lower, Owner::Type(id), member, node)
}

/// Adds the tags of an embedded field, which has no presence of its own.
pub(crate) fn on_embedded(lower: &mut Lower<'_>, id: FieldId, field: &Field, node: &mut JsonSchema) {
    let member = Member::always_set(lower.view, &field.ty);
    embedded::behind_pointer(lower, field, node);
    for (index, rule, wraps) in enforced(lower.options, &field.rules) {
        let site = Site {
            owner: Owner::Field(id),
            index,
        };
        match (&rule.facet, &wraps[..]) {
            (facet, []) if is_change(facet) => update::on_embedded(lower, site, facet, &member, node),
            _ => {
                apply(lower, site, rule, &wraps, &member, node);
            }
        }
    }
}
