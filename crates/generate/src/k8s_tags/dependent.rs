//! Members that need or exclude one another.

use kindsmith_schema::{Facet, JsonSchema, Owner, TypeId};

use super::Site;
use super::enforcement::enforced;
use super::group::ratcheted;
use super::presence::Member;
use crate::controller_gen::lower::Lower;

/// Adds the rules of a struct's `dependentRequired` and `dependentForbidden`.
pub(crate) fn on_struct(lower: &mut Lower<'_>, id: TypeId, node: &mut JsonSchema) {
    let schema = lower.schema;
    for (field_id, field) in schema.fields(id) {
        for (index, rule, wraps) in enforced(lower.options, &field.rules) {
            let (other, wanted) = match &rule.facet {
                Facet::DependentRequired(other) => (other, true),
                Facet::DependentForbidden(other) => (other, false),
                _ => continue,
            };
            let site = Site {
                owner: Owner::Field(field_id),
                index,
            };
            let sibling = schema.fields(id).find(|(_, one)| one.json_name() == Some(other));
            let sibling = sibling.map(|(_, one)| Member::new(lower, one));
            let made = sibling
                .filter(|_| wraps.is_empty())
                .and_then(|sibling| between(&Member::new(lower, field), &sibling, wanted));
            match made {
                Some(rule) => node.validations.push(rule),
                None => lower.unenforced(site.place(), "what one member asks of another"),
            }
        }
    }
}

pub(crate) fn between(
    trigger: &Member,
    other: &Member,
    wanted: bool,
) -> Option<kindsmith_schema::ValidationRule> {
    let (now, there) = (trigger.is_set("self")?, other.is_set("self")?);
    let unchanged = format!(
        "{now} == {} && {there} == {}",
        trigger.is_set("oldSelf.value()")?,
        other.is_set("oldSelf.value()")?
    );
    let (rule, message, reason) = match wanted {
        true => (
            format!("!{now} || {there}"),
            format!("must be set when {} is set", trigger.name),
            "FieldValueRequired",
        ),
        false => (
            format!("!{now} || !{there}"),
            format!("may not be set when {} is set", trigger.name),
            "FieldValueForbidden",
        ),
    };
    let mut made = ratcheted(&unchanged, &rule, &message);
    made.reason = Some(reason.into());
    if other.cel.as_deref() == Some(&*other.name) {
        made.field_path = format!(".{}", other.name).into();
    }
    Some(made)
}
