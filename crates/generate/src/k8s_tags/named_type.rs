//! The tags of a type where it is used by name.

use kindsmith_schema::{JsonSchema, Owner, TypeId, TypeRef};

use super::apply::apply;
use super::enforcement::enforced;
use super::presence::Member;
use super::reading::Reading;
use super::site::Site;
use super::{defaults, dependent, group, keys, mode};

/// Adds the tags of a type where it is used by name: as item, value, or struct.
pub(crate) fn on_type(reading: &mut Reading<'_>, id: TypeId, node: &mut JsonSchema) {
    let rules = reading.schema.ty(id).rules.clone();
    let member = Member::always_set(reading.view, &TypeRef::Named(id));
    for (index, rule, wraps) in enforced(reading.switches, &rules) {
        let site = Site {
            owner: Owner::Type(id),
            index,
        };
        apply(reading, site, rule, &wraps, &member, node);
    }
    group::on_declaration(reading, Owner::Type(id), &member, node);
    keys::of_type(reading, &member, &rules, node);
    if reading.view.members(&TypeRef::Named(id)).is_none() {
        node.default = defaults::of_type(reading, &TypeRef::Named(id));
    }
    // A type defined by a struct has its members.
    let named = TypeRef::Named(id);
    if let Some((members, _)) = reading.view.members(&named) {
        group::on_struct(reading, members, node);
        dependent::on_struct(reading, members, node);
        mode::on_struct(reading, members, node);
    }
}
