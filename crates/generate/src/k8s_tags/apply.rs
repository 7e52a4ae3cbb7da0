//! Adds one rule, however it is wrapped: as a keyword or CEL rule in its place.

use kindsmith_schema::{Condition, Facet, Items, JsonSchema, Rule, SchemaOrBool, Shared, Wrap};

use super::constraint::Demand;
use super::presence::Member;
use super::{Site, addition, forced, group, item, keys, subfield, unique, update, value};
use crate::controller_gen::lower::Lower;

/// Adds one rule to a schema; returns whether it rejects the zero value.
pub(crate) fn apply(
    lower: &mut Lower<'_>,
    site: Site,
    rule: &Rule,
    wraps: &[Wrap],
    member: &Member,
    node: &mut JsonSchema,
) -> bool {
    if group::is_of_group(&rule.facet) {
        return false;
    }
    let Some((first, rest)) = wraps.split_first() else {
        return plain(lower, site, &rule.facet, member, node);
    };
    match first {
        Wrap::EachVal if rule.facet != Facet::OpaqueType => each(lower, site, (rule, rest), member, node),
        Wrap::EachKey => keys::add(lower, site, (&rule.facet, rest), &Member::text(), node),
        Wrap::Subfield(name) => subfield::add(lower, site, (rule, rest), (member, name), node),
        Wrap::If(condition) => {
            let what = match condition {
                Condition::Option { name, .. } => format!("the rule under option {name}"),
                Condition::Mode { mode, .. } => format!("the rule under mode {mode}"),
                Condition::Subresource { path, .. } => format!("the rule for subresource {path}"),
            };
            lower.unenforced(site.place(), &what);
        }
        Wrap::Item(selector) => {
            if item::add(lower, &rule.facet, rest, (selector, member), node).is_none() {
                lower.unenforced(site.place(), "the rule on an item");
            }
        }
        Wrap::Level { .. } | Wrap::EachVal => {}
    }
    false
}

/// Adds a rule on every element of a list or value of a map.
fn each(
    lower: &mut Lower<'_>,
    site: Site,
    (rule, wraps): (&Rule, &[Wrap]),
    member: &Member,
    node: &mut JsonSchema,
) {
    let Some(inner) = member.inner(lower.view) else {
        lower.unenforced(site.place(), "the rule on elements");
        return;
    };
    let (mut below, mut around) = (addition(), addition());
    apply(lower, site, rule, wraps, &inner, &mut below);
    if member.is_map(lower.view) {
        around.additional_properties = Some(Shared::new(SchemaOrBool::Schema(below)));
    } else {
        around.items = Some(Shared::new(Items::Each(below)));
    }
    node.all_of.push(around);
}

/// Adds a rule on the value itself; returns whether it rejects the zero value.
fn plain(lower: &mut Lower<'_>, site: Site, facet: &Facet, member: &Member, node: &mut JsonSchema) -> bool {
    match facet {
        // Covered by controller-gen's own reading, or by the enclosing struct.
        Facet::Required
        | Facet::Optional
        | Facet::ListMapKey(_)
        | Facet::CustomUnique
        | Facet::DependentRequired(_)
        | Facet::DependentForbidden(_)
        | Facet::ModeDiscriminator { .. }
        | Facet::OpaqueType
        | Facet::DeclarativeValidationNative => false,
        // controller-gen reads these only if nothing wraps them.
        Facet::ListType(kind) => {
            if node.list_type.is_none() {
                node.list_type = Some(kind.name().into());
                node.list_map_keys = site.keys(lower).into_iter().cloned().collect();
            }
            false
        }
        Facet::Immutable | Facet::Monotonic | Facet::Update(_) => {
            update::on_value(lower, site, facet, member, node);
            false
        }
        Facet::Unique(kind) => {
            match unique::on_list(lower, *kind, site.rules(lower), &site.keys(lower), member, "self") {
                Some(asked) => node.validations.extend(asked.iter().map(Demand::rule)),
                None => lower.unenforced(site.place(), "uniqueness of an atomic list"),
            }
            false
        }
        Facet::CustomValidation => {
            lower.unenforced(site.place(), "the hand-written check");
            false
        }
        Facet::Test(check) => forced::on_value(check, member, node),
        _ => value::add(lower, site, facet, member, node),
    }
}
