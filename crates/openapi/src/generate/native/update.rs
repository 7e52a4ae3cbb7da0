//! What an update may not do: immutable, the five constraints of `update`, monotonic.

use kindsmith_schema::{Facet, JsonSchema, UpdateConstraint, ValidationRule};

use super::presence::{Member, Zero};
use super::{Site, rule_of};
use crate::generate::lower::Lower;

/// Rules on a member of a struct: they stand on the struct, which sees the member come and go.
pub(super) fn on_member(
    lower: &mut Lower<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    let made = match facet {
        Facet::Immutable => immutable(member, node),
        Facet::Monotonic => monotonic(member),
        Facet::Update(constraints) => constraints
            .iter()
            .map(|one| constraint(*one, member, node))
            .collect(),
        _ => None,
    };
    match made {
        Some(rules) => parent
            .validations
            .extend(rules.into_iter().map(|rule| at(member, rule))),
        None => lower.unenforced(site.place(), "what an update may not do"),
    }
}

/// Rules on a value that has no struct around: an element, or a type wherever it is used.
pub(super) fn on_value(
    lower: &mut Lower<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
) {
    match facet {
        Facet::Monotonic if matches!(member.kind, Zero::Number) => {
            node.validations.push(decreased("self", "oldSelf"));
        }
        Facet::Immutable => {
            node.validations
                .push(rule_of("self == oldSelf", "field is immutable"));
            // A rule on change is not asked about what is new.
            lower.unenforced(site.place(), "that no element is added");
        }
        Facet::Update(constraints) if constraints[..] == [UpdateConstraint::NoModify] => {
            node.validations
                .push(rule_of("self == oldSelf", "field cannot be modified once set"));
        }
        _ => lower.unenforced(site.place(), "what an update may not do"),
    }
}

/// No element changes, and none is added.
pub(super) fn elements(
    lower: &mut Lower<'_>,
    site: Site,
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    let text = "field is immutable";
    let made = member.cel.as_deref().and_then(|name| {
        let list = node.list_type.as_deref().unwrap_or("atomic");
        let same = format!("self.{name} == oldSelf.{name}");
        match (&*node.ty, list) {
            ("array", "atomic") => Some(vec![rule_of(
                &format!("!{} || (has(oldSelf.{name}) && {same})", member.is_set("self")?),
                text,
            )]),
            ("array", "set") => Some(vec![items(name, "self", "oldSelf", node, text)?]),
            ("array", "map") => {
                let keys = same_keys(node)?;
                Some(vec![rule_of(
                    &format!(
                        "!has(self.{name}) || self.{name}.all(item, has(oldSelf.{name}) && \
                         oldSelf.{name}.exists(known, {keys} && item == known))"
                    ),
                    text,
                )])
            }
            ("object", _) => Some(vec![rule_of(
                &format!(
                    "!has(self.{name}) || self.{name}.all(item, has(oldSelf.{name}) && item in oldSelf.{name} && \
                     self.{name}[item] == oldSelf.{name}[item])"
                ),
                text,
            )]),
            _ => None,
        }
    });
    match made {
        Some(rules) => parent
            .validations
            .extend(rules.into_iter().map(|rule| at(member, rule))),
        None => lower.unenforced(site.place(), "that elements do not change"),
    }
}

/// That two items of a list map have the same keys.
fn same_keys(node: &JsonSchema) -> Option<String> {
    let keys: Option<Vec<String>> = node
        .list_map_keys
        .iter()
        .map(|key| {
            let key = kindsmith_cel::escape::escape(key)?;
            Some(format!("item.{key} == known.{key}"))
        })
        .collect();
    keys.filter(|keys| !keys.is_empty()).map(|keys| keys.join(" && "))
}

/// Failures are shown at the member.
fn at(member: &Member, mut rule: ValidationRule) -> ValidationRule {
    if let Some(name) = member.cel.as_deref().filter(|name| *name == &*member.name) {
        rule.field_path = format!(".{name}").into();
    }
    rule
}

fn immutable(member: &Member, node: &mut JsonSchema) -> Option<Vec<ValidationRule>> {
    // controller-gen's own reading of the tag, which does not see a member come.
    node.validations
        .retain(|rule| &*rule.message != "field is immutable");
    let text = "field is immutable";
    if let (Some(new), Some(old)) = (member.value("self"), member.value("oldSelf")) {
        return Some(vec![rule_of(&format!("{new} == {old}"), text)]);
    }
    let name = member.cel.as_deref()?;
    let same = format!("self.{name} == oldSelf.{name}");
    Some(vec![rule_of(
        &match member.zero {
            Zero::Empty => format!(
                "has(self.{name}) && has(oldSelf.{name}) ? {same} : !{} && !{}",
                member.is_set("self")?,
                member.is_set("oldSelf")?
            ),
            _ => format!("has(self.{name}) == has(oldSelf.{name}) && (!has(self.{name}) || {same})"),
        },
        text,
    )])
}

fn monotonic(member: &Member) -> Option<Vec<ValidationRule>> {
    if member.kind != Zero::Number {
        return None;
    }
    let name = member.cel.as_deref()?;
    let (new, old) = match member.zero {
        Zero::Absent => {
            let rule = format!("!has(self.{name}) || !has(oldSelf.{name}) || self.{name} >= oldSelf.{name}");
            let mut made = rule_of(&rule, "");
            made.message_expression = format!("'may not be decreased from ' + string(oldSelf.{name})").into();
            return Some(vec![made]);
        }
        _ => (member.value("self")?, member.value("oldSelf")?),
    };
    let mut made = decreased(&new, &old);
    if member.optional {
        made.rule = format!("!{} || {}", member.is_set("self")?, made.rule).into();
    }
    Some(vec![made])
}

fn decreased(new: &str, old: &str) -> ValidationRule {
    let mut made = rule_of(&format!("{new} >= {old}"), "");
    made.message_expression = format!("'may not be decreased from ' + string({old})").into();
    made
}

fn constraint(constraint: UpdateConstraint, member: &Member, node: &JsonSchema) -> Option<ValidationRule> {
    let (now, before) = (member.is_set("self")?, member.is_set("oldSelf")?);
    let name = member.cel.as_deref()?;
    Some(match constraint {
        UpdateConstraint::NoSet => {
            rule_of(&format!("{before} || !{now}"), "field cannot be set once created")
        }
        UpdateConstraint::NoUnset => {
            rule_of(&format!("!{before} || {now}"), "field cannot be cleared once set")
        }
        UpdateConstraint::NoModify => {
            let same = match member.zero {
                Zero::Never => format!(
                    "has(self.{name}) == has(oldSelf.{name}) && (!has(self.{name}) || self.{name} == oldSelf.{name})"
                ),
                _ => format!("!{before} || !{now} || self.{name} == oldSelf.{name}"),
            };
            rule_of(&same, "field cannot be modified once set")
        }
        UpdateConstraint::NoAddItem => items(name, "self", "oldSelf", node, "item may not be added")?,
        UpdateConstraint::NoRemoveItem => items(name, "oldSelf", "self", node, "item may not be removed")?,
    })
}

/// All items of one list or map are in the other.
fn items(name: &str, one: &str, other: &str, node: &JsonSchema, message: &str) -> Option<ValidationRule> {
    let known = match (&*node.ty, node.list_type.as_deref()) {
        ("object", _) | ("array", Some("set")) => format!("item in {other}.{name}"),
        ("array", Some("map")) => {
            let keys = same_keys(node)?;
            format!("{other}.{name}.exists(known, {keys})")
        }
        _ => return None,
    };
    let mut made = rule_of(
        &format!("!has({one}.{name}) || {one}.{name}.all(item, has({other}.{name}) && {known})"),
        message,
    );
    made.reason = Some("FieldValueForbidden".into());
    Some(made)
}
