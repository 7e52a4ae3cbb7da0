//! The tags of a field, and those of its type where the field may be unset.

use kindsmith_schema::{Facet, Field, FieldId, JsonSchema, Owner, Rule, TypeId, Wrap};

use super::apply::apply;
use super::change::is_change;
use super::enforcement::enforced;
use super::group::{self, has_scope};
use super::presence::{self, Member, Zero};
use super::reach::{is_opaque, scalar_or_list};
use super::reading::Reading;
use super::site::Site;
use super::{added_values, compare, defaults, embedded, forced, item_update, keys, update, value};

/// Adds the tags of a field to its own schema and to that of the enclosing struct.
pub(crate) fn on_field(
    reading: &mut Reading<'_>,
    id: FieldId,
    field: &Field,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) -> Absence {
    let member = Member::new(reading, field);
    let mut zero_fails = false;
    if let Some(type_id) = scalar_or_list(reading.view, &field.ty).filter(|_| !is_opaque(field)) {
        zero_fails |= of_type(reading, type_id, &member, node, parent);
    }
    zero_fails |= group::on_declaration(reading, Owner::Field(id), &member, node);
    for (index, rule, wraps) in enforced(reading.switches, &field.rules) {
        let site = Site {
            owner: Owner::Field(id),
            index,
        };
        zero_fails |= own(reading, site, id.owner, (rule, &wraps), &member, node, parent);
    }
    update::constraints(reading, id, &field.rules, &member, node, parent);
    keys::of_type(reading, &member, &field.rules, node);
    added_values::on_member(reading, id, field, &member, parent);
    let structure = defaults::structure(reading, field, &member, node);
    Absence {
        member,
        zero_fails,
        structure,
    }
}

/// What is known about an absent field after its tags were added.
pub(crate) struct Absence {
    member: Member,
    zero_fails: bool,
    /// The struct that is `{}` by default, if that is valid.
    pub(crate) structure: Option<TypeId>,
}

impl Absence {
    /// Requires the member, if its tags do.
    pub(crate) fn demand(&self, node: &mut JsonSchema, parent: &mut JsonSchema) {
        if self.member.required {
            presence::demand(&self.member, node, parent);
        }
    }
}

/// Sets the default of a field, and whether it is required; `is_empty_valid` is about the struct asked for.
pub(crate) fn on_absent(
    reading: &Reading<'_>,
    absence: &Absence,
    is_empty_valid: bool,
    field: &Field,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    let (member, zero_fails) = (&absence.member, absence.zero_fails);
    defaults::on_field(reading, field, member, (zero_fails, is_empty_valid), node);
    presence::require(field, member, zero_fails, node, parent);
}

/// Adds a rule of the field; returns whether it rejects the zero value.
fn own(
    reading: &mut Reading<'_>,
    site: Site,
    holder: TypeId,
    (rule, wraps): (&Rule, &[Wrap]),
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) -> bool {
    if let Some(bound) = compare::bound(&rule.facet) {
        match compare::rule(reading, holder, bound, wraps, member) {
            Some(rule) => parent.validations.push(rule),
            None => reading.unenforced(site.place(), "the limit by another member"),
        }
        return false;
    }
    if item_update::is_added(reading, site, (rule, wraps), member, parent) {
        return false;
    }
    match (&rule.facet, wraps) {
        (Facet::Immutable | Facet::Monotonic, []) => {
            update::on_member(reading, site, &rule.facet, member, node, parent);
        }
        // All constraints of a field are one check.
        (Facet::Update(_), wraps) if !has_scope(wraps) => {}
        (Facet::Immutable, [Wrap::EachVal]) if !update::only_known(reading, member) => {
            update::elements(reading, site, member, parent);
        }
        (Facet::Forbidden, []) => value::forbid(member, node),
        (Facet::Test(check), []) if member.zero == Zero::Absent => {
            forced::on_absent(reading, check, member, node, parent);
        }
        _ => return apply(reading, site, rule, wraps, member, node),
    }
    false
}

/// Adds the rules of the field's named list, map or scalar type; returns whether they reject the zero value.
fn of_type(
    reading: &mut Reading<'_>,
    id: TypeId,
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) -> bool {
    let ty = reading.schema.ty(id);
    let mut zero_fails = false;
    for (index, rule, wraps) in enforced(reading.switches, &ty.rules) {
        let site = Site {
            owner: Owner::Type(id),
            index,
        };
        if item_update::is_added(reading, site, (rule, &wraps), member, parent) {
            continue;
        }
        match (&rule.facet, &wraps[..]) {
            (facet, []) if is_change(facet) => update::of_type(reading, site, facet, member, node, parent),
            (Facet::Immutable, [Wrap::EachVal]) if !update::only_known(reading, member) => {
                update::elements(reading, site, member, parent);
            }
            _ => zero_fails |= apply(reading, site, rule, &wraps, member, node),
        }
    }
    zero_fails | group::on_declaration(reading, Owner::Type(id), member, node)
}

/// Adds the tags of an embedded field, which has no presence of its own; `pointee` is the schema of the struct that it
/// points to.
pub(crate) fn on_embedded(
    reading: &mut Reading<'_>,
    id: FieldId,
    field: &Field,
    pointee: Option<JsonSchema>,
    node: &mut JsonSchema,
) {
    let member = Member::always_set(reading.view, &field.ty);
    if let Some(pointee) = pointee {
        embedded::behind_pointer(pointee, node);
    }
    for (index, rule, wraps) in enforced(reading.switches, &field.rules) {
        let site = Site {
            owner: Owner::Field(id),
            index,
        };
        match (&rule.facet, &wraps[..]) {
            (facet, []) if is_change(facet) => update::on_embedded(reading, site, facet, &member, node),
            _ => {
                apply(reading, site, rule, &wraps, &member, node);
            }
        }
    }
}
