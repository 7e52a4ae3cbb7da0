//! `+k8s:` tags in definitions: as keywords where they say the same, as CEL rules where they need one. What a
//! definition cannot say is noted, so that its author knows what the server will not enforce.
//!
//! Go has no absent values: a member that is not there is zero, and for an optional member zero is not there. The rules
//! here hold objects to what the Go types would say of them, so zero and absent are told apart only behind pointers.

mod defaults;
mod dependent;
mod format;
mod group;
mod item;
mod presence;
mod settle;
mod update;
mod value;

use kindsmith_schema::{
    Condition, Facet, Family, Field, FieldId, Items, JsonSchema, Level, Owner, Part, Place, Rule,
    SchemaOrBool, Shape, Shared, Type, TypeId, TypeRef, ValidationRule, Wrap,
};

use super::lower::Lower;
use super::merge::ADDITION;
pub(super) use presence::Member;
pub(super) use settle::settle;

/// Tags that controller-gen reads by itself.
fn is_shared(rule: &Rule) -> bool {
    rule.is_plain()
        && matches!(
            rule.facet,
            Facet::Required
                | Facet::Optional
                | Facet::Immutable
                | Facet::Enum
                | Facet::ListType(_)
                | Facet::ListMapKey(_)
        )
}

/// Whether the types of a package use tags that only declarative validation reads.
pub(super) fn is_used(schema: &kindsmith_schema::Schema, package: &str) -> bool {
    let own = |rules: &[Rule]| {
        rules
            .iter()
            .any(|rule| rule.family == Family::Native && !is_shared(rule))
    };
    schema
        .types()
        .filter(|(_, ty)| &*ty.name.package == package)
        .any(|(_, ty)| own(&ty.rules) || ty.fields().iter().any(|field| own(&field.rules)))
}

/// Whether the tags of a field's type do not count at the field.
pub(super) fn is_opaque(field: &Field) -> bool {
    has_opaque(&field.rules, |wrap| *wrap == Wrap::EachVal)
}

/// Whether nothing looks at the members of a type.
pub(super) fn is_opaque_type(ty: &Type) -> bool {
    has_opaque(&ty.rules, |_| false)
}

fn has_opaque(rules: &[Rule], allowed: impl Fn(&Wrap) -> bool) -> bool {
    let is = |rule: &Rule| {
        rule.family == Family::Native && rule.facet == Facet::OpaqueType && rule.scope().all(&allowed)
    };
    rules.iter().any(is)
}

/// Where a rule stands, for what is said about it.
#[derive(Clone, Copy)]
struct Site {
    owner: Owner,
    index: usize,
}

impl Site {
    fn place(self) -> Place {
        self.owner.part(Part::Rule(self.index as u32))
    }
}

/// The rules of a declaration that are enforced, without their levels.
fn enforced(rules: &[Rule]) -> impl Iterator<Item = (usize, &Rule, &[Wrap])> {
    rules.iter().enumerate().filter_map(|(index, rule)| {
        let native = rule.family == Family::Native && rule.level() != Level::Alpha;
        let levels = rule
            .wraps
            .iter()
            .take_while(|wrap| matches!(wrap, Wrap::Level { .. }))
            .count();
        native.then_some((index, rule, &rule.wraps[levels..]))
    })
}

/// Adds what the tags of a field say, to its own schema and to that of the struct around.
pub(super) fn on_field(
    lower: &mut Lower<'_>,
    id: FieldId,
    field: &Field,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    let member = Member::new(lower.view, field);
    let mut zero_fails = false;
    if let Some(type_id) = scalar_or_list(lower, &field.ty).filter(|_| !is_opaque(field)) {
        let rules = lower.schema.ty(type_id).rules.clone();
        for (index, rule, wraps) in enforced(&rules) {
            let site = Site {
                owner: Owner::Type(type_id),
                index,
            };
            zero_fails |= apply(lower, site, rule, wraps, &member, node);
        }
    }
    for (index, rule, wraps) in enforced(&field.rules) {
        let site = Site {
            owner: Owner::Field(id),
            index,
        };
        match (&rule.facet, wraps) {
            (Facet::Immutable | Facet::Update(_) | Facet::Monotonic, []) => {
                update::on_member(lower, site, &rule.facet, &member, node, parent);
            }
            (Facet::Forbidden, []) => value::forbid(&member, node),
            (Facet::Immutable, [Wrap::EachVal]) => update::elements(lower, site, &member, node, parent),
            _ => zero_fails |= apply(lower, site, rule, wraps, &member, node),
        }
    }
    keys(lower, &member, &field.rules, node);
    defaults::on_field(lower, field, &member, zero_fails, node);
    presence::require(field, &member, zero_fails, node, parent);
}

/// Adds what the tags of an embedded field say, which has no presence of its own.
pub(super) fn on_embedded(lower: &mut Lower<'_>, id: FieldId, field: &Field, node: &mut JsonSchema) {
    let member = Member::always_set(lower.view, &field.ty);
    for (index, rule, wraps) in enforced(&field.rules) {
        let site = Site {
            owner: Owner::Field(id),
            index,
        };
        apply(lower, site, rule, wraps, &member, node);
    }
}

/// Holds the keys of a map to the tags of their type.
fn keys(lower: &mut Lower<'_>, member: &Member, rules: &[Rule], node: &mut JsonSchema) {
    let TypeRef::Map(key, _) = lower.view.underlying(&member.ty) else {
        return;
    };
    let TypeRef::Named(id) = lower.view.unalias(key) else {
        return;
    };
    if has_opaque(rules, |wrap| *wrap == Wrap::EachKey) {
        return;
    }
    let (id, of) = (*id, Member::always_set(lower.view, key));
    let key_rules = lower.schema.ty(id).rules.clone();
    for (index, rule, wraps) in enforced(&key_rules) {
        let site = Site {
            owner: Owner::Type(id),
            index,
        };
        match (wraps, value::expression(lower, &rule.facet, "key", &of)) {
            ([], Some((expression, message))) => node.validations.push(on_keys(&expression, &message)),
            ([], None) if rule.facet == Facet::OpaqueType => {}
            _ => lower.unenforced(site.place(), "the rule on keys"),
        }
    }
}

/// A rule on new keys of a map; those that were there stay.
fn on_keys(expression: &str, message: &str) -> ValidationRule {
    let known = "oldSelf.hasValue() && key in oldSelf.value()";
    ValidationRule {
        optional_old_self: Some(true),
        ..rule_of(&format!("self.all(key, {expression} || {known})"), message)
    }
}

/// The named list, map or scalar a field's type is, whose tags are applied at the field.
pub(super) fn scalar_or_list(lower: &Lower<'_>, of: &TypeRef) -> Option<TypeId> {
    let TypeRef::Named(id) = lower.view.unalias(lower.view.deref(of)) else {
        return None;
    };
    let ty = lower.schema.ty(*id);
    let is_plain = ty.well_known.is_none() && matches!(ty.shape, Shape::Def(_));
    (is_plain && lower.view.members(of).is_none()).then_some(*id)
}

/// Adds what the tags of a type say where it is used by name: as item, value, or struct.
pub(super) fn on_type(lower: &mut Lower<'_>, id: TypeId, node: &mut JsonSchema) {
    let rules = lower.schema.ty(id).rules.clone();
    let member = Member::always_set(lower.view, &TypeRef::Named(id));
    for (index, rule, wraps) in enforced(&rules) {
        let site = Site {
            owner: Owner::Type(id),
            index,
        };
        apply(lower, site, rule, wraps, &member, node);
    }
    keys(lower, &member, &rules, node);
    if lower.view.members(&TypeRef::Named(id)).is_none() {
        node.default = defaults::of_type(lower, &TypeRef::Named(id));
    }
    // A type made of a struct has its members.
    let named = TypeRef::Named(id);
    if let Some((members, _)) = lower.view.members(&named) {
        group::on_struct(lower, members, node);
        dependent::on_struct(lower, members, node);
    }
}

/// Adds one rule to a schema; says whether it refuses the zero value.
fn apply(
    lower: &mut Lower<'_>,
    site: Site,
    rule: &Rule,
    wraps: &[Wrap],
    member: &Member,
    node: &mut JsonSchema,
) -> bool {
    let Some((first, rest)) = wraps.split_first() else {
        return plain(lower, site, &rule.facet, member, node);
    };
    match first {
        Wrap::Level { .. } => return apply(lower, site, rule, rest, member, node),
        Wrap::EachVal if rule.facet != Facet::OpaqueType => {
            let inner = member.inner(lower.view);
            let Some(inner) = inner else {
                lower.unenforced(site.place(), "the rule on elements");
                return false;
            };
            let mut below = addition();
            apply(lower, site, rule, rest, &inner, &mut below);
            let mut around = addition();
            match member.is_map(lower.view) {
                true => around.additional_properties = Some(Shared::new(SchemaOrBool::Schema(below))),
                false => around.items = Some(Shared::new(Items::Each(below))),
            }
            node.all_of.push(around);
        }
        Wrap::EachKey if rest.is_empty() => {
            match value::expression(lower, &rule.facet, "key", &Member::text()) {
                Some((expression, message)) => {
                    node.validations.push(on_keys(&expression, &message));
                }
                None if rule.facet == Facet::OpaqueType => {}
                None => lower.unenforced(site.place(), "the rule on keys"),
            }
        }
        Wrap::Subfield(name) => {
            let Some(sub) = member.sub(lower.view, name) else {
                lower.unenforced(site.place(), "the rule on a member");
                return false;
            };
            let (mut below, mut around) = (addition(), addition());
            match (&rule.facet, rest) {
                (Facet::Immutable | Facet::Update(_) | Facet::Monotonic, []) => {
                    update::on_member(lower, site, &rule.facet, &sub, &mut below, &mut around);
                }
                (Facet::Forbidden, []) => value::forbid(&sub, &mut below),
                (Facet::Required, []) => presence::demand(&sub, &mut below, &mut around),
                (Facet::Optional, []) => {}
                _ => {
                    let fails = apply(lower, site, rule, rest, &sub, &mut below);
                    if fails && sub.may_be_absent() {
                        around.required.push(name.clone());
                    }
                }
            }
            around.properties.push((name.clone(), below));
            node.all_of.push(around);
        }
        Wrap::If(condition) => {
            let what = match condition {
                Condition::Option { name, .. } => format!("the rule under option {name}"),
                Condition::Mode { mode, .. } => format!("the rule under mode {mode}"),
                Condition::Subresource { path, .. } => format!("the rule for subresource {path}"),
            };
            lower.unenforced(site.place(), &what);
        }
        Wrap::Item(selector) => match item::rule(lower, rule, rest, selector, member) {
            Some(made) => node.validations.push(made),
            None => lower.unenforced(site.place(), "the rule on an item"),
        },
        Wrap::EachKey | Wrap::EachVal => {}
    }
    false
}

/// A rule on the value itself; says whether it refuses the zero value.
fn plain(lower: &mut Lower<'_>, site: Site, facet: &Facet, member: &Member, node: &mut JsonSchema) -> bool {
    match facet {
        // Said by controller-gen's own reading, or by the struct around.
        Facet::Required
        | Facet::Optional
        | Facet::ListType(_)
        | Facet::ListMapKey(_)
        | Facet::CustomUnique
        | Facet::UnionMember { .. }
        | Facet::UnionDiscriminator { .. }
        | Facet::ZeroOrOneOfMember { .. }
        | Facet::DependentRequired(_)
        | Facet::DependentForbidden(_)
        | Facet::ModeDiscriminator { .. }
        | Facet::OpaqueType
        | Facet::DeclarativeValidationNative => false,
        Facet::Immutable | Facet::Monotonic | Facet::Update(_) => {
            update::on_value(lower, site, facet, member, node);
            false
        }
        Facet::Unique(_) => {
            lower.unenforced(site.place(), "uniqueness of an atomic list");
            false
        }
        Facet::CustomValidation => {
            lower.unenforced(site.place(), "the hand-written check");
            false
        }
        Facet::Test(check) => {
            let text = check.message.as_deref().unwrap_or_default();
            let skipped = member.is_unset_value("self").filter(|_| member.optional);
            if check.fails && !check.non_error {
                let rule = skipped.as_deref().unwrap_or("false");
                node.validations
                    .push(rule_of(rule, &format!("forced failure: {text}")));
            }
            check.fails && !check.non_error && skipped.is_none()
        }
        _ => value::add(lower, site, facet, member, node),
    }
}

/// A schema that adds to the one it is merged into.
fn addition() -> JsonSchema {
    JsonSchema {
        id: ADDITION.into(),
        ..JsonSchema::default()
    }
}

/// A CEL rule with a text.
fn rule_of(rule: &str, message: &str) -> ValidationRule {
    ValidationRule {
        rule: rule.into(),
        message: message.trim().into(),
        ..ValidationRule::default()
    }
}
