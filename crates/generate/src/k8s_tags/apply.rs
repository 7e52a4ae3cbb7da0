//! Adds one rule, however it is wrapped: as a keyword or CEL rule in its place.

use kindsmith_schema::{Condition, Facet, Items, JsonSchema, Rule, SchemaOrBool, Shared, Str, Wrap};

use super::demand::Demand;
use super::identity::Identity;
use super::marks::addition;
use super::presence::{self, Member};
use super::reading::Reading;
use super::site::Site;
use super::{added_values, dependent, forced, group, item, item_update, keys, unique, update, value};

/// Adds one rule to a schema; returns whether it rejects the zero value.
pub(crate) fn apply(
    reading: &mut Reading<'_>,
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
        return plain(reading, site, &rule.facet, member, node);
    };
    match first {
        Wrap::EachVal if rule.facet != Facet::OpaqueType => each(reading, site, (rule, rest), member, node),
        Wrap::EachKey => keys::add(reading, site, (&rule.facet, rest), &Member::text(), node),
        Wrap::Subfield(name) => on_member(reading, site, (rule, rest), (member, name), node),
        Wrap::If(condition) => {
            let what = match condition {
                Condition::Option { name, .. } => format!("the rule under option {name}"),
                Condition::Mode { mode, .. } => format!("the rule under mode {mode}"),
                Condition::Subresource { path, .. } => format!("the rule for subresource {path}"),
            };
            let under_option = matches!(condition, Condition::Option { .. });
            reading.unenforced_under(site.place(), &what, under_option);
        }
        Wrap::Item(selector) => {
            if item::add(reading, &rule.facet, rest, (selector, member), node).is_none() {
                reading.unenforced(site.place(), "the rule on an item");
            }
        }
        Wrap::Level { .. } | Wrap::EachVal => {}
    }
    false
}

/// Adds a rule on every element of a list or value of a map.
fn each(
    reading: &mut Reading<'_>,
    site: Site,
    (rule, wraps): (&Rule, &[Wrap]),
    member: &Member,
    node: &mut JsonSchema,
) {
    let Some(inner) = member.inner(reading.view) else {
        reading.unenforced(site.place(), "the rule on elements");
        return;
    };
    let (mut below, mut around) = (addition(), addition());
    apply(reading, site, rule, wraps, &inner, &mut below);
    if member.is_map(reading.view) {
        around.additional_properties = Some(Shared::new(SchemaOrBool::Schema(below)));
    } else {
        around.items = Some(Shared::new(Items::Each(below)));
    }
    node.all_of.push(around);
}

/// Adds a rule on the value itself; returns whether it rejects the zero value.
fn plain(
    reading: &mut Reading<'_>,
    site: Site,
    facet: &Facet,
    member: &Member,
    node: &mut JsonSchema,
) -> bool {
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
                node.list_map_keys = site.keys(reading).into_iter().cloned().collect();
            }
            false
        }
        Facet::Immutable | Facet::Monotonic | Facet::Update(_) => {
            update::on_value(reading, site, facet, member, node);
            false
        }
        Facet::Unique(kind) => {
            match unique::on_list(
                reading,
                *kind,
                site.rules(reading),
                &site.keys(reading),
                member,
                "self",
            ) {
                Some(asked) => node.validations.extend(asked.iter().map(Demand::rule)),
                None => reading.unenforced(site.place(), "uniqueness of an atomic list"),
            }
            false
        }
        Facet::CustomValidation => {
            reading.unenforced(site.place(), "the hand-written check");
            false
        }
        Facet::Test(check) => forced::on_value(check, member, node),
        _ => value::add(reading, site, facet, member, node),
    }
}

/// Adds a rule on the member `name` of a struct.
fn on_member(
    reading: &mut Reading<'_>,
    site: Site,
    (rule, wraps): (&Rule, &[Wrap]),
    (holder, name): (&Member, &Str),
    node: &mut JsonSchema,
) {
    let Some(mut sub) = holder.sub(reading, name) else {
        reading.unenforced(site.place(), "the rule on a member");
        return;
    };
    if let Some(identity) = Identity::said(site.rules(reading), &[Wrap::Subfield(name.clone())]) {
        sub.identity = identity;
    }
    let (mut below, mut around) = (addition(), addition());
    let is_added = item_update::is_added(reading, site, (rule, wraps), &sub, &mut around);
    match (&rule.facet, wraps) {
        _ if is_added => {}
        (Facet::Immutable | Facet::Update(_) | Facet::Monotonic, []) => {
            update::on_member(reading, site, &rule.facet, &sub, &mut below, &mut around);
        }
        (Facet::Immutable, [Wrap::EachVal]) if !update::only_known(reading, &sub) => {
            update::elements(reading, site, &sub, &mut around);
        }
        (Facet::DependentRequired(other) | Facet::DependentForbidden(other), []) => {
            let wanted = matches!(rule.facet, Facet::DependentRequired(_));
            let other = holder.sub(reading, other);
            match other.and_then(|other| dependent::between(&sub, &other, wanted)) {
                Some(rule) => around.validations.push(rule),
                None => reading.unenforced(site.place(), "what one member asks of another"),
            }
        }
        (Facet::Forbidden, []) => value::forbid(&sub, &mut below),
        (Facet::Required, []) => presence::demand(&sub, &mut below, &mut around),
        (Facet::Optional, []) => {}
        _ => {
            added_values::on_sub(reading, site, (&rule.facet, wraps), &sub, &mut around);
            let fails = apply(reading, site, rule, wraps, &sub, &mut below);
            if fails && sub.may_be_absent() {
                around.required.push(name.clone());
            }
        }
    }
    around.properties.push((name.clone(), below));
    node.all_of.push(around);
}
