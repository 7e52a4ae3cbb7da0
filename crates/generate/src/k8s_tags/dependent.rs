//! Members that need or exclude one another.

use kindsmith_checks::{Body, Enforcement};
use kindsmith_schema::{JsonSchema, TypeId};

use super::cel_text::ratcheted;
use super::presence::Member;
use super::reading::Reading;

/// Adds the rules of a struct's `dependentRequired` and `dependentForbidden`.
pub(crate) fn on_struct(reading: &mut Reading<'_>, id: TypeId, node: &mut JsonSchema) {
    let (schema, switches) = (reading.schema, reading.switches);
    for call in reading.struct_calls(id) {
        let decided = call.decided(|name| switches.get(name));
        let Body::Dependent {
            trigger,
            dependent,
            required,
            ..
        } = decided.call.body
        else {
            continue;
        };
        if decided.enforcement != Enforcement::Enforced {
            continue;
        }
        let member = |id| Member::new(reading, schema.field(id));
        let made = between(&member(trigger), &member(dependent), required);
        match (made.filter(|_| !decided.conditional), call.rule) {
            (Some(rule), _) => node.validations.push(rule),
            (None, Some(place)) => reading.unenforced(place, "what one member asks of another"),
            (None, None) => {}
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
    let (rule, message, reason) = if wanted {
        (
            format!("!{now} || {there}"),
            format!("must be set when {} is set", trigger.name),
            "FieldValueRequired",
        )
    } else {
        (
            format!("!{now} || !{there}"),
            format!("may not be set when {} is set", trigger.name),
            "FieldValueForbidden",
        )
    };
    let mut made = ratcheted(&unchanged, &rule, &message);
    made.reason = Some(reason.into());
    if other.cel.as_deref() == Some(&*other.name) {
        made.field_path = format!(".{}", other.name).into();
    }
    Some(made)
}
