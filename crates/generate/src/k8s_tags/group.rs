//! Unions, and groups of which at most one member is set.

use std::collections::BTreeMap;

use kindsmith_checks::{in_order, selector_text};
use kindsmith_schema::{Facet, JsonSchema, Owner, Part, Place, Rule, Str, TypeId, ValidationRule, Wrap};

use super::enforcement::{self, Enforcement};
use super::presence::Member;
use super::value::quoted;
use super::{Site, item, rule_of};
use crate::controller_gen::lower::Lower;

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

/// What is set or not.
enum Who {
    Member(Member),
    /// The item of a list that is picked like this.
    Item(String),
}

impl Who {
    fn is_set(&self, of: &str) -> Option<String> {
        match self {
            Self::Member(member) => member.is_set(of),
            Self::Item(picked) => Some(format!("{of}.exists(item, {picked})")),
        }
    }
}

struct Choice {
    who: Who,
    /// What it is called in messages.
    name: String,
    /// The discriminator's value for it.
    value: Str,
}

#[derive(Default)]
struct Group {
    members: Vec<Choice>,
    discriminator: Option<Member>,
}

/// The unions, or the groups of which at most one is set, of one struct or list.
#[derive(Default)]
struct Groups {
    by_name: BTreeMap<Str, Group>,
    /// The first tag to name a member: what is around it governs them all.
    first: Option<(Site, Enforcement, Vec<Wrap>)>,
}

/// Whether a rule is said by the group it belongs to.
pub(crate) fn is_of_group(facet: &Facet) -> bool {
    matches!(
        facet,
        Facet::UnionMember { .. } | Facet::UnionDiscriminator { .. } | Facet::ZeroOrOneOfMember { .. }
    )
}

/// Adds the rules of a struct's unions and groups.
pub(crate) fn on_struct(lower: &mut Lower<'_>, id: TypeId, node: &mut JsonSchema) {
    let (mut unions, mut groups) = (Groups::default(), Groups::default());
    let schema = lower.schema;
    for (field_id, field) in schema.fields(id) {
        for (index, rule) in in_order(&field.rules) {
            if rule.scope().next().is_none() {
                let member = || {
                    Some((
                        Who::Member(Member::new(lower, field)),
                        field.json_name()?.to_owned(),
                    ))
                };
                let site = Site {
                    owner: Owner::Field(field_id),
                    index: index as usize,
                };
                collect(
                    lower,
                    site,
                    rule,
                    &field.name,
                    &member,
                    (&mut unions, &mut groups),
                );
            }
        }
    }
    let place = Owner::Type(id).part(Part::Name);
    add(lower, place, &unions, node, true);
    add(lower, place, &groups, node, false);
}

/// Adds the rules of unions and groups that a declaration makes of its members or items; says whether they refuse a
/// list that is not there.
pub(crate) fn on_declaration(
    lower: &mut Lower<'_>,
    owner: Owner,
    (rules, member, name): (&[Rule], &Member, &str),
    node: &mut JsonSchema,
) -> bool {
    if !rules.iter().any(|rule| is_of_group(&rule.facet)) {
        return false;
    }
    let (mut unions, mut groups) = (Groups::default(), Groups::default());
    for (index, rule) in in_order(rules) {
        let mut scope = rule.scope();
        let (Some(wrap), None) = (scope.next(), scope.next()) else {
            continue;
        };
        let who = || match wrap {
            Wrap::Subfield(sub) => Some((Who::Member(member.sub(lower, sub)?), sub.to_string())),
            Wrap::Item(selector) => {
                let picked = item::picked(lower, selector, member, "item")?;
                // validation-gen cuts the path at its last dot, one inside a value included.
                let path = format!("{name}[{}]", selector_text(selector));
                let shown = path.rsplit('.').next().unwrap_or_default().to_owned();
                Some((Who::Item(picked), shown))
            }
            _ => None,
        };
        let site = Site {
            owner,
            index: index as usize,
        };
        collect(lower, site, rule, "", &who, (&mut unions, &mut groups));
    }
    let is_enforced = matches!(&unions.first, Some((_, Enforcement::Enforced, _)));
    add(lower, owner.part(Part::Name), &unions, node, true);
    add(lower, owner.part(Part::Name), &groups, node, false);
    is_enforced && member.inner(lower.view).is_some()
}

/// Whether a rule is about something inside.
pub(crate) fn has_scope(wraps: &[Wrap]) -> bool {
    wraps.iter().any(|wrap| !matches!(wrap, Wrap::If(_)))
}

fn collect(
    lower: &Lower<'_>,
    site: Site,
    rule: &Rule,
    go_name: &str,
    who: &dyn Fn() -> Option<(Who, String)>,
    (unions, groups): (&mut Groups, &mut Groups),
) {
    let (to, union, value) = match &rule.facet {
        Facet::UnionMember { union, member_name } => (unions, union, member_name.as_ref()),
        Facet::ZeroOrOneOfMember { union, .. } => (groups, union, None),
        Facet::UnionDiscriminator { union } => {
            let name = union.clone().unwrap_or_default();
            if let Some((Who::Member(member), _)) = who() {
                unions.by_name.entry(name).or_default().discriminator = Some(member);
            }
            return;
        }
        _ => return,
    };
    let group = to.by_name.entry(union.clone().unwrap_or_default()).or_default();
    if let Some((who, name)) = who() {
        let value = value.cloned().unwrap_or_else(|| go_name.into());
        group.members.push(Choice { who, name, value });
    }
    if to.first.is_none() {
        let (standing, wraps) = enforcement::decide(lower.options, rule);
        to.first = Some((site, standing, wraps));
    }
}

fn add(lower: &mut Lower<'_>, place: Place, groups: &Groups, node: &mut JsonSchema, is_union: bool) {
    let Some((site, standing, wraps)) = &groups.first else {
        return;
    };
    if *standing != Enforcement::Enforced {
        return;
    }
    if wraps.iter().any(|wrap| matches!(wrap, Wrap::If(_))) {
        lower.unenforced(site.place(), "the union under a condition");
        return;
    }
    for group in groups.by_name.values().filter(|group| !group.members.is_empty()) {
        let asked = match (is_union, &group.discriminator) {
            (false, _) => at_most_one(group),
            (true, None) => exactly_one(group),
            (true, Some(discriminator)) => discriminated(group, discriminator),
        };
        match asked.zip(unchanged(group)) {
            Some((rules, unchanged)) => {
                for Demand { rule, message, at } in rules {
                    let mut made = match &unchanged {
                        Some(unchanged) => ratcheted(unchanged, &rule, &message),
                        None => rule_of(&rule, &message),
                    };
                    made.field_path = at;
                    node.validations.push(made);
                }
            }
            None => {
                let what = format!("the union of {}", names(group));
                lower.unenforced(place, &what);
            }
        }
    }
}

/// A rule that is not asked while what it looks at stays as it was.
pub(crate) fn ratcheted(unchanged: &str, rule: &str, message: &str) -> ValidationRule {
    ValidationRule {
        optional_old_self: Some(true),
        ..rule_of(
            &format!("({rule}) || (oldSelf.hasValue() && {unchanged})"),
            message,
        )
    }
}

/// Whether the same members are set as before, and the discriminator is the same. Nothing spares items: a way through
/// the old list, which may not be there, has no bound to its cost.
fn unchanged(group: &Group) -> Option<Option<String>> {
    let mut terms = Vec::new();
    for Choice { who, .. } in &group.members {
        if let Who::Item(_) = who {
            return Some(None);
        }
        terms.push(format!(
            "{} == {}",
            who.is_set("self")?,
            who.is_set("oldSelf.value()")?
        ));
    }
    if let Some(discriminator) = &group.discriminator {
        terms.push(format!(
            "{} == {}",
            discriminator.value("self")?,
            discriminator.value("oldSelf.value()")?
        ));
    }
    Some(Some(terms.join(" && ")))
}

fn count(group: &Group) -> Option<String> {
    let terms: Option<Vec<String>> = group
        .members
        .iter()
        .map(|choice| Some(format!("({} ? 1 : 0)", choice.who.is_set("self")?)))
        .collect();
    Some(terms?.join(" + "))
}

fn names(group: &Group) -> String {
    let names: Vec<String> = group
        .members
        .iter()
        .map(|choice| format!("`{}`", choice.name))
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
    for Choice { who, value, .. } in &group.members {
        let Who::Member(member) = who else {
            return None;
        };
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
