//! `unionMember`, `unionDiscriminator` and `zeroOrOneOfMember`: groups of fields or list items.

use std::collections::HashMap;

use kindsmith_schema::{Str, TypeRef};

use super::collected::{UnionGroup, Unions};
use super::context::{Context, On};
use super::deferred::{Scope, Validations};
use super::ir::{Union, UnionMembers};
use super::wrap::unquoted;
use super::{Body, Call, Lowerer, item};

impl<'s> Lowerer<'s> {
    pub(super) fn union_discriminator(&mut self, context: &Context, union: Option<&Str>) -> Validations<'s> {
        if let Some(member) = context.member {
            let name = self.types.schema.field(member).json_name().unwrap_or_default();
            let discriminator = Some((unquoted(&name.into()), member));
            let group = group(&mut self.unions, context, union);
            group.discriminator = discriminator;
        }
        Validations::default()
    }

    pub(super) fn union_member(
        &mut self,
        context: &Context,
        union: Option<&Str>,
        member_name: Option<&Str>,
        zero_or_one: bool,
    ) -> Validations<'s> {
        let known = match context.on {
            On::Field => self.field_member(context, union, member_name, zero_or_one),
            On::ListVal => self.item_member(context, union, member_name, zero_or_one),
            _ => None,
        };
        if known.is_none() {
            return Validations::default();
        }
        let context = context.clone();
        Validations::later(Scope::Parent, move |lowerer| {
            lowerer.union_calls(&context, zero_or_one)
        })
    }

    fn field_member(
        &mut self,
        context: &Context,
        union: Option<&Str>,
        member_name: Option<&Str>,
        zero_or_one: bool,
    ) -> Option<()> {
        let member = context.member?;
        let field = self.types.schema.field(member);
        let name: Str = field.json_name()?.into();
        let value = member_name.unwrap_or(&field.name);
        let names = (unquoted(&name), unquoted(value));
        let group = group(self.groups_of(zero_or_one), context, union);
        group.names.push(names);
        group.fields.push(member);
        Some(())
    }

    fn item_member(
        &mut self,
        context: &Context,
        union: Option<&Str>,
        member_name: Option<&Str>,
        zero_or_one: bool,
    ) -> Option<()> {
        let selector = context.selector.as_ref()?;
        let criteria = item::criteria(self.types, &context.ty, selector);
        // Upstream cuts the path at its last dot, even one inside a key value.
        let name = context.path.rsplit('.').next().unwrap_or_default().to_owned();
        let value = member_name.cloned().unwrap_or_default();
        let group = group(self.groups_of(zero_or_one), context, union);
        let shown: Str = name.as_str().into();
        group.names.push((unquoted(&shown), unquoted(&value)));
        group.items.insert(name, criteria);
        Some(())
    }

    fn groups_of(&mut self, zero_or_one: bool) -> &mut HashMap<String, Unions> {
        if zero_or_one {
            &mut self.groups
        } else {
            &mut self.unions
        }
    }

    /// All groups of the place around the tag, returned to the first tag that calls this. Whatever wraps that
    /// tag therefore applies to all groups.
    fn union_calls(&mut self, context: &Context, zero_or_one: bool) -> Validations<'s> {
        let Some(groups) = self.groups_of(zero_or_one).remove(&context.parent_path) else {
            return Validations::default();
        };
        let is_list = context
            .parent
            .as_ref()
            .is_some_and(|parent: &TypeRef| self.types.list_element(parent).is_some());
        let mut all = Validations::default();
        for collected in groups.into_values() {
            let members = if is_list {
                UnionMembers::Items(collected.items.into_values().collect())
            } else {
                UnionMembers::Fields(collected.fields)
            };
            let union = Union {
                zero_or_one,
                discriminator: collected.discriminator,
                names: collected.names,
                members,
            };
            all.calls.push(Call::new(Body::Union(union), context.rule));
        }
        all
    }
}

fn group<'g>(
    groups: &'g mut HashMap<String, Unions>,
    context: &Context,
    union: Option<&Str>,
) -> &'g mut UnionGroup {
    groups
        .entry(context.parent_path.clone())
        .or_default()
        .entry(union.map(|name| name.to_string()).unwrap_or_default())
        .or_default()
}
