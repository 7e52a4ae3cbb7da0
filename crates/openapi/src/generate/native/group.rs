//! Unions, and groups of which at most one member is set.

use std::collections::BTreeMap;

use kindsmith_schema::{Facet, Field, FieldId, JsonSchema, Owner, Part, Str, TypeId, ValidationRule};

use super::presence::Member;
use super::value::quoted;
use super::{Site, enforced, rule_of};
use crate::generate::lower::Lower;

/// What a group asks for.
struct Demand {
    rule: String,
    message: String,
    /// The member whose failure it is; empty for the struct.
    at: Str,
}

impl Demand {
    fn new(rule: String, message: String) -> Self {
        Self {
            rule,
            message,
            at: "".into(),
        }
    }
}

#[derive(Default)]
struct Group {
    members: Vec<(Member, Str)>,
    discriminator: Option<Member>,
    /// Whether something of it is said under a condition.
    conditional: Option<Site>,
}

/// Adds the rules of a struct's unions and groups.
pub(super) fn on_struct(lower: &mut Lower<'_>, id: TypeId, node: &mut JsonSchema) {
    let (mut unions, mut groups): (BTreeMap<Str, Group>, BTreeMap<Str, Group>) = Default::default();
    let schema = lower.schema;
    for (field_id, field) in schema.fields(id) {
        collect(lower, field_id, field, &mut unions, &mut groups);
    }
    for union in unions.into_values().filter(|union| !union.members.is_empty()) {
        add(lower, id, &union, node, &|union| match &union.discriminator {
            Some(discriminator) => discriminated(union, discriminator),
            None => exactly_one(union),
        });
    }
    for group in groups.into_values().filter(|group| !group.members.is_empty()) {
        add(lower, id, &group, node, &at_most_one);
    }
}

fn collect(
    lower: &Lower<'_>,
    id: FieldId,
    field: &Field,
    unions: &mut BTreeMap<Str, Group>,
    groups: &mut BTreeMap<Str, Group>,
) {
    for (index, rule, wraps) in enforced(&field.rules) {
        let member = || Member::new(lower.view, field);
        let group = match &rule.facet {
            Facet::UnionMember { union, member_name } if !has_scope(wraps) => {
                let group = unions.entry(union.clone().unwrap_or_default()).or_default();
                let value = member_name.clone().unwrap_or_else(|| field.name.clone());
                group.members.push((member(), value));
                group
            }
            Facet::UnionDiscriminator { union } if !has_scope(wraps) => {
                let group = unions.entry(union.clone().unwrap_or_default()).or_default();
                group.discriminator = Some(member());
                group
            }
            Facet::ZeroOrOneOfMember { union, .. } if !has_scope(wraps) => {
                let group = groups.entry(union.clone().unwrap_or_default()).or_default();
                group.members.push((member(), field.name.clone()));
                group
            }
            _ => continue,
        };
        if !wraps.is_empty() {
            group.conditional.get_or_insert(Site {
                owner: Owner::Field(id),
                index,
            });
        }
    }
}

fn has_scope(wraps: &[kindsmith_schema::Wrap]) -> bool {
    use kindsmith_schema::Wrap;
    wraps
        .iter()
        .any(|wrap| !matches!(wrap, Wrap::Level { .. } | Wrap::If(_)))
}

fn add(
    lower: &mut Lower<'_>,
    id: TypeId,
    group: &Group,
    node: &mut JsonSchema,
    make: &dyn Fn(&Group) -> Option<Vec<Demand>>,
) {
    if let Some(site) = group.conditional {
        lower.unenforced(site.place(), "the union under a condition");
        return;
    }
    let changed = unchanged(group);
    match make(group).zip(changed) {
        Some((rules, unchanged)) => {
            for Demand { rule, message, at } in rules {
                let mut made = ratcheted(&unchanged, &rule, &message);
                made.field_path = at;
                node.validations.push(made);
            }
        }
        None => {
            let what = format!("the union of {}", names(group));
            lower.unenforced(Owner::Type(id).part(Part::Name), &what);
        }
    }
}

/// A rule that is not asked while what it looks at stays as it was.
pub(super) fn ratcheted(unchanged: &str, rule: &str, message: &str) -> ValidationRule {
    ValidationRule {
        optional_old_self: Some(true),
        ..rule_of(
            &format!("({rule}) || (oldSelf.hasValue() && {unchanged})"),
            message,
        )
    }
}

/// Whether the same members are set as before, and the discriminator is the same.
fn unchanged(group: &Group) -> Option<String> {
    let mut terms = Vec::new();
    for (member, _) in &group.members {
        terms.push(format!(
            "{} == {}",
            member.is_set("self")?,
            member.is_set("oldSelf.value()")?
        ));
    }
    if let Some(discriminator) = &group.discriminator {
        terms.push(format!(
            "{} == {}",
            discriminator.value("self")?,
            discriminator.value("oldSelf.value()")?
        ));
    }
    Some(terms.join(" && "))
}

fn count(group: &Group) -> Option<String> {
    let terms: Option<Vec<String>> = group
        .members
        .iter()
        .map(|(member, _)| Some(format!("({} ? 1 : 0)", member.is_set("self")?)))
        .collect();
    Some(terms?.join(" + "))
}

fn names(group: &Group) -> String {
    let names: Vec<String> = group
        .members
        .iter()
        .map(|(member, _)| format!("`{}`", member.name))
        .collect();
    names.join(", ")
}

fn exactly_one(group: &Group) -> Option<Vec<Demand>> {
    let (count, names) = (count(group)?, names(group));
    Some(vec![
        Demand::new(format!("{count} >= 1"), format!("must specify one of: {names}")),
        Demand::new(
            format!("{count} <= 1"),
            format!("must specify exactly one of: {names}"),
        ),
    ])
}

fn at_most_one(group: &Group) -> Option<Vec<Demand>> {
    Some(vec![Demand::new(
        format!("{} <= 1", count(group)?),
        format!("must specify at most one of: {}", names(group)),
    )])
}

fn discriminated(group: &Group, discriminator: &Member) -> Option<Vec<Demand>> {
    let chosen = discriminator.value("self")?;
    let mut rules = Vec::new();
    for (member, value) in &group.members {
        let (set, is) = (member.is_set("self")?, format!("{chosen} == {}", quoted(value)));
        let name = &discriminator.name;
        let plain = member.cel.as_deref() == Some(&*member.name);
        let at: Str = if plain {
            format!(".{}", member.name)
        } else {
            String::new()
        }
        .into();
        rules.push(Demand {
            rule: format!("!{set} || {is}"),
            message: format!("may only be specified when `{name}` is \"{value}\""),
            at: at.clone(),
        });
        rules.push(Demand {
            rule: format!("{set} || !({is})"),
            message: format!("must be specified when `{name}` is \"{value}\""),
            at,
        });
    }
    Some(rules)
}
