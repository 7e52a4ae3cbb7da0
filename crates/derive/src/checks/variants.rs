//! Enums with content: unions, and fields beside a tag.

use kindsmith_schema::JsonSchema;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, Fields, Variant};

use super::cel_rule::Side;
use super::form::{Form, Slot, ident, slot};
use super::told::Told;
use super::{Code, all};
use crate::description::{Choice, Described, Member, Shape, TagLine, Use};

/// The code for all variants.
#[derive(Default)]
struct Arms {
    holds: Vec<TokenStream>,
    values: Vec<TokenStream>,
    rules: Vec<TokenStream>,
    fills: Vec<TokenStream>,
    views: Vec<TokenStream>,
}

impl Form<'_> {
    /// An enum with content.
    pub(super) fn of_variants(&self, data: &DataEnum, members: &[Member]) -> Code {
        let typed = self.typed();
        let tag = members.iter().find_map(|member| Some((member, choices(member)?)));
        let mut arms = Arms::default();
        for variant in &data.variants {
            match tag {
                Some(_) => self.beside_tag(variant, members, &mut arms),
                None => self.union_member(variant, members, &mut arms),
            }
        }
        if let Some((tag, choices)) = tag {
            let name = &tag.name;
            arms.views.extend(choices.iter().map(|choice| {
                let (variant, value) = (ident(&choice.rust_name), &choice.value);
                quote!((#name, Self::#variant { .. }) => #typed::View::Text(#value))
            }));
        }
        let by_name = |side: Side, name: &str| match side {
            Side::New => Some(quote!(#typed::Members::member(self, #name))),
            Side::Old => {
                Some(quote!(old.map_or(#typed::View::Opaque, |old| #typed::Members::member(old, #name))))
            }
        };
        // That exactly one member is set needs no check.
        let is_own = |member: &Member| match member.tags.as_slice() {
            [] => true,
            [tag] => tag.text == "k8s:unionMember",
            _ => false,
        };
        let says_one = |tag: &TagLine| tag.text.starts_with("kubebuilder:validation:ExactlyOneOf=");
        let is_plain_union =
            tag.is_none() && self.described.tags.iter().all(says_one) && members.iter().all(is_own);
        let rules = if is_plain_union {
            Vec::new()
        } else {
            self.rules(&by_name)
        };
        let rules = all(&rules);
        let Arms {
            holds,
            values: told,
            rules: told_rules,
            fills,
            views,
        } = arms;
        let own = (!is_plain_union).then(|| self.tell_rules(&by_name));
        let told = Told {
            values: quote!(match self { #(#told)* _ => out.give_up() }),
            rules: quote!(#own match self { #(#told_rules)* _ => {} }),
        };
        let holds = quote!((match self { #(#holds,)* _ => false }) && #rules);
        let fill = quote!(match self { #(#fills,)* _ => {} });
        let names: Vec<&String> = members.iter().map(|member| &member.name).collect();
        Code {
            methods: self.methods(&holds, &told, &fill, &quote!(#typed::View::Object(self)), None),
            members: Some(quote! {
                #[inline]
                fn member(&self, name: &str) -> #typed::View<'_> {
                    match (name, self) {
                        #(#views,)*
                        #((#names, _) => #typed::View::Absent,)*
                        _ => #typed::View::Opaque,
                    }
                }

                fn names(&self) -> ::std::vec::Vec<&'static str> {
                    ::std::vec![#(#names),*]
                }
            }),
        }
    }

    /// A variant that is a member of a union: one value, or a struct without a name.
    fn union_member(&self, variant: &Variant, members: &[Member], arms: &mut Arms) {
        let (typed, name) = (self.typed(), &variant.ident);
        let Some((index, member)) = members
            .iter()
            .enumerate()
            .find(|(_, member)| *name == member.rust_name)
        else {
            return;
        };
        let json = &member.name;
        match &variant.fields {
            Fields::Unnamed(_) => {
                let old = part(&quote!(Self::#name(old)));
                let slots: Vec<Slot<'_>> = self.slot(index, member, quote!(inner), old).into_iter().collect();
                let pattern = quote!(Self::#name(inner));
                self.arm(&pattern, &slots, None, arms);
                let view = slots.first().map(|slot| self.view(slot, &slot.value));
                let view = view.unwrap_or_else(|| quote!(#typed::View::Opaque));
                arms.views.push(quote!((#json, #pattern) => #view));
            }
            Fields::Named(_) => {
                arms.views
                    .push(quote!((#json, Self::#name { .. }) => #typed::View::Opaque));
                let schema = self
                    .published
                    .as_ref()
                    .and_then(|published| published.schema.property(json));
                if let (Some((owner, inner)), Some(schema)) = (inline(member), schema) {
                    let slots = self.named(variant, owner, inner, schema);
                    self.arm(&named_pattern(variant), &slots, Some(json), arms);
                }
            }
            Fields::Unit => {}
        }
    }

    /// A variant whose fields stand beside the tag.
    fn beside_tag(&self, variant: &Variant, members: &[Member], arms: &mut Arms) {
        let Some(published) = &self.published else {
            return;
        };
        let mut slots = self.named(variant, self.described, members, &published.schema);
        // The tag says whether they are there.
        slots.iter_mut().for_each(|slot| slot.is_required = false);
        let pattern = named_pattern(variant);
        self.arm(&pattern, &slots, None, arms);
        for slot in &slots {
            let (json, view) = (&slot.member.name, self.view(slot, &slot.value));
            arms.views.push(quote!((#json, #pattern) => #view));
        }
    }

    /// The code for a variant; `within` is the name of the object that its fields are in, if they have one of their own.
    fn arm(&self, pattern: &TokenStream, slots: &[Slot<'_>], within: Option<&str>, arms: &mut Arms) {
        let conditions: Vec<TokenStream> = slots.iter().filter_map(|slot| self.member(slot)).collect();
        let conditions = all(&conditions);
        arms.holds.push(quote!(#pattern => #conditions));
        let Told { values, rules } = self.tell_members(slots).inside(|inner, pass| {
            let at = within.map(|name| pass.member(name));
            quote!(#at #inner)
        });
        arms.values.push(quote!(#pattern => { #values }));
        arms.rules.push(quote!(#pattern => { #rules }));
        let filled = slots.iter().filter_map(|slot| self.fill(slot));
        arms.fills.push(quote!(#pattern => { #(#filled)* }));
    }

    /// The named fields of a variant, which are described as `members` of `owner`.
    fn named<'s>(
        &'s self,
        variant: &Variant,
        owner: &Described,
        members: &'s [Member],
        schema: &'s JsonSchema,
    ) -> Vec<Slot<'s>> {
        let name = &variant.ident;
        let fields = variant.fields.iter().filter_map(|field| field.ident.as_ref());
        fields
            .filter_map(|field| {
                let plain = field.to_string().trim_start_matches("r#").to_owned();
                let (index, member) = members
                    .iter()
                    .enumerate()
                    .find(|(_, member)| member.rust_name == plain)?;
                let published = self.published.as_ref()?;
                let old = part(&quote!(Self::#name { #field: old, .. }));
                slot(
                    member,
                    &[schema],
                    published.is_open(owner, index),
                    quote!(#field),
                    old,
                )
            })
            .collect()
    }
}

/// The part of the old value that a pattern names.
fn part(pattern: &TokenStream) -> TokenStream {
    quote!(if let #pattern = old { ::core::option::Option::Some(old) } else { ::core::option::Option::None })
}

fn named_pattern(variant: &Variant) -> TokenStream {
    let name = &variant.ident;
    let idents = variant.fields.iter().filter_map(|field| field.ident.as_ref());
    quote!(Self::#name { #(#idents),* })
}

/// The names that the tag of an enum may have.
fn choices(member: &Member) -> Option<&[Choice]> {
    match &member.ty {
        Use::Inline { of, .. } => match &of.shape {
            Shape::Enum(choices) => Some(choices),
            _ => None,
        },
        _ => None,
    }
}

fn inline(member: &Member) -> Option<(&Described, &[Member])> {
    match &member.ty {
        Use::Inline { of, .. } => match &of.shape {
            Shape::Struct(members) => Some((of, members)),
            _ => None,
        },
        _ => None,
    }
}
