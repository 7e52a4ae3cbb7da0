//! Unions, and groups in which at most one member is set.

use kindsmith_checks::{Body, Call, Enforcement, RouteStep, Union, UnionMembers};
use kindsmith_schema::{
    Facet, FieldId, JsonSchema, Literal, Owner, Part, Place, Selector, Str, TypeId, Wrap,
};

use super::cel_text::{quoted, ratcheted, rule_of, variable};
use super::presence::Member;
use super::reading::Reading;
use super::selector::picked;

/// A condition of a group.
struct Demand {
    rule: String,
    message: String,
    /// The member that the error is about; empty for the struct.
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

/// A member of a group.
enum Who {
    Member(Member),
    /// The list item that matches this condition.
    Item(String),
    /// A value below the struct: whether it is set, with `SELF` for the struct.
    Below(String),
}

impl Who {
    fn is_set(&self, of: &str) -> Option<String> {
        match self {
            Self::Member(member) => member.is_set(of),
            Self::Item(picked) => Some(format!("{of}.exists(item, {picked})")),
            Self::Below(condition) => Some(condition.replace(SELF, of)),
        }
    }
}

/// Stands for the struct in a condition.
const SELF: &str = "$self";

/// One union, or one group of which at most one member is set.
struct Group<'u> {
    members: Vec<Who>,
    /// The names of members in messages, and the discriminator's value for each.
    names: &'u [(Str, Str)],
    discriminator: Option<Member>,
}

/// Whether a rule is covered by the group it belongs to.
pub(crate) fn is_of_group(facet: &Facet) -> bool {
    matches!(
        facet,
        Facet::UnionMember { .. }
            | Facet::UnionDiscriminator { .. }
            | Facet::ZeroOrOneOfMember { .. }
            | Facet::MemberOf { .. }
            | Facet::Union { .. }
    )
}

/// Adds the rules of a struct's unions and groups.
pub(crate) fn on_struct(reading: &mut Reading<'_>, id: TypeId, node: &mut JsonSchema) {
    let calls = reading.struct_calls(id);
    add(reading, Owner::Type(id), (&calls, None), node);
}

/// Adds the rules of unions and groups over the members or items of a declaration; returns whether they
/// reject an absent list.
pub(crate) fn on_declaration(
    reading: &mut Reading<'_>,
    owner: Owner,
    member: &Member,
    node: &mut JsonSchema,
) -> bool {
    let calls = reading.own_calls(owner);
    let is_enforced = add(reading, owner, (&calls, Some(member)), node);
    is_enforced && member.inner(reading.view).is_some()
}

/// Whether a rule is about something inside.
pub(crate) fn has_scope(wraps: &[Wrap]) -> bool {
    wraps.iter().any(|wrap| !matches!(wrap, Wrap::If(_)))
}

/// Adds the rules of all unions and groups among the checks of a place; returns whether a union is enforced.
fn add(
    reading: &mut Reading<'_>,
    owner: Owner,
    (calls, list): (&[Call], Option<&Member>),
    node: &mut JsonSchema,
) -> bool {
    let (mut unions, mut groups) = (Vec::new(), Vec::new());
    let switches = reading.switches;
    for call in calls {
        let decided = call.decided(|name| switches.get(name));
        let Body::Union(union) = &decided.call.body else {
            continue;
        };
        if decided.enforcement == Enforcement::Enforced && !union.names.is_empty() {
            let to = if union.zero_or_one {
                &mut groups
            } else {
                &mut unions
            };
            to.push((call.rule.filter(|_| decided.conditional), union));
        }
    }
    for (conditional, union) in unions.iter().chain(&groups) {
        match conditional {
            Some(place) => reading.unenforced(*place, "the union under a condition"),
            None => add_one(reading, owner.part(Part::Name), (union, list), node),
        }
    }
    !unions.is_empty()
}

fn add_one(
    reading: &mut Reading<'_>,
    place: Place,
    (union, list): (&Union, Option<&Member>),
    node: &mut JsonSchema,
) {
    let rules = Group::new(reading, union, list).and_then(|group| {
        let asked = match (union.zero_or_one, &group.discriminator) {
            (true, _) => at_most_one(&group),
            (false, None) => exactly_one(&group),
            (false, Some(discriminator)) => discriminated(&group, discriminator),
        };
        asked.zip(unchanged(&group))
    });
    let Some((rules, unchanged)) = rules else {
        reading.unenforced(place, &format!("the union of {}", names(&union.names)));
        return;
    };
    for Demand { rule, message, at } in rules {
        let mut made = match &unchanged {
            Some(unchanged) => ratcheted(unchanged, &rule, &message),
            None => rule_of(&rule, &message),
        };
        made.field_path = at;
        node.validations.push(made);
    }
}

impl<'u> Group<'u> {
    /// The members of a union in CEL; `None` if CEL cannot see one of them.
    fn new(reading: &Reading<'_>, union: &'u Union, list: Option<&Member>) -> Option<Self> {
        let member = |id: &FieldId| Member::new(reading, reading.schema.field(*id));
        let members = match &union.members {
            UnionMembers::Fields(fields) => fields.iter().map(|id| Who::Member(member(id))).collect(),
            UnionMembers::Items(items) => {
                let list = list?;
                let picked = |keys| picked(reading, &selector(reading, keys)?, list, "item");
                let members: Option<_> = items.iter().map(|keys| picked(keys).map(Who::Item)).collect();
                members?
            }
            UnionMembers::Routes(routes) => {
                let below = |route: &Vec<RouteStep>| below(reading, route, SELF, None, 0).map(Who::Below);
                let members: Option<_> = routes.iter().map(below).collect();
                members?
            }
        };
        Some(Self {
            members,
            names: &union.names,
            discriminator: union.discriminator.as_ref().map(|(_, id)| member(id)),
        })
    }
}

/// Whether a way from `here` leads to a value that is set, in CEL; `holder` is the member that was just passed.
fn below(
    reading: &Reading<'_>,
    route: &[RouteStep],
    here: &str,
    holder: Option<&Member>,
    depth: usize,
) -> Option<String> {
    let (step, rest) = route.split_first()?;
    match step {
        RouteStep::Field(id) => {
            let field = reading.schema.field(*id);
            let member = Member::new(reading, field);
            if rest.is_empty() {
                return member.is_set(here);
            }
            if field.is_inline() {
                return below(reading, rest, here, Some(&member), depth);
            }
            let name = format!("{here}.{}", member.cel.as_deref()?);
            let rest = below(reading, rest, &name, Some(&member), depth)?;
            Some(format!("(has({name}) && {rest})"))
        }
        RouteStep::Item(keys) => {
            let each = variable(depth);
            let picked = picked(reading, &selector(reading, keys)?, holder?, &each)?;
            Some(format!("{here}.exists({each}, {picked})"))
        }
        RouteStep::Each => {
            let (list, each) = (holder?, variable(depth));
            let inner = list.inner(reading.view)?;
            let element = if list.is_map(reading.view) {
                format!("{here}[{each}]")
            } else {
                each.clone()
            };
            let rest = below(reading, rest, &element, Some(&inner), depth + 1)?;
            Some(format!("{here}.exists({each}, {rest})"))
        }
    }
}

fn selector(reading: &Reading<'_>, keys: &[(FieldId, Literal)]) -> Option<Selector> {
    let named = |(id, wanted): &(FieldId, Literal)| {
        let name = reading.schema.field(*id).json_name()?;
        Some((name.into(), wanted.clone()))
    };
    keys.iter().map(named).collect::<Option<_>>().map(Selector)
}

/// Whether the same members are set as before, and the discriminator is the same. Unions of items have no ratcheting:
/// searching the old list would have an unbounded cost.
fn unchanged(group: &Group<'_>) -> Option<Option<String>> {
    let mut terms = Vec::new();
    for who in &group.members {
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

fn count(group: &Group<'_>) -> Option<String> {
    let terms: Option<Vec<String>> = group
        .members
        .iter()
        .map(|who| Some(format!("({} ? 1 : 0)", who.is_set("self")?)))
        .collect();
    Some(terms?.join(" + "))
}

fn names(names: &[(Str, Str)]) -> String {
    let names: Vec<String> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
    names.join(", ")
}

fn exactly_one(group: &Group<'_>) -> Option<Vec<Demand>> {
    let (count, names) = (count(group)?, names(group.names));
    Some(vec![
        Demand::new(format!("{count} >= 1"), format!("must specify one of: {names}")),
        Demand::new(
            format!("{count} <= 1"),
            format!("must specify exactly one of: {names}"),
        ),
    ])
}

fn at_most_one(group: &Group<'_>) -> Option<Vec<Demand>> {
    Some(vec![Demand::new(
        format!("{} <= 1", count(group)?),
        format!("must specify at most one of: {}", names(group.names)),
    )])
}

fn discriminated(group: &Group<'_>, discriminator: &Member) -> Option<Vec<Demand>> {
    let chosen = discriminator.value("self")?;
    let mut rules = Vec::new();
    for (who, (_, value)) in group.members.iter().zip(group.names) {
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
