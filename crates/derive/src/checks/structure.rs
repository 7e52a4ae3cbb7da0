//! Structs with named fields.

use proc_macro2::TokenStream;
use quote::quote;

use super::cel_rule::Side;
use super::form::{Form, Slot, ident};
use super::told::Told;
use super::{Code, all};
use crate::description::{Described, Member, Shape, Use};

impl Form<'_> {
    /// A struct with named fields.
    pub(super) fn of_struct(&self, described: &Described) -> Code {
        let Shape::Struct(members) = &described.shape else {
            return self.unknown();
        };
        let places = members
            .iter()
            .enumerate()
            .filter(|(_, member)| !is_inserted(member));
        let slots: Vec<Slot<'_>> = places
            .filter_map(|(index, member)| {
                let ident = ident(&member.rust_name);
                let old = quote!(::core::option::Option::Some(&old.#ident));
                self.slot(index, member, quote!(&self.#ident), old)
            })
            .collect();
        let mut conditions: Vec<TokenStream> = slots.iter().filter_map(|slot| self.member(slot)).collect();
        let by_field = |side: Side, name: &str| {
            let slot = slots.iter().find(|slot| slot.member.name == name)?;
            Some(match side {
                Side::New => self.view(slot, &slot.value),
                Side::Old => self.old_view(slot),
            })
        };
        conditions.extend(self.rules(&by_field));
        let told = self.published.as_ref().map(|_| {
            let Told { values, rules } = self.tell_members(&slots);
            let own = self.tell_rules(&by_field);
            let rules = quote!(#own #rules);
            Told { values, rules }
        });
        let (holds, fills) = (all(&conditions), slots.iter().filter_map(|slot| self.fill(slot)));
        let typed = self.typed();
        Code {
            methods: self.methods(
                &holds,
                &told.unwrap_or_default(),
                &quote!(#(#fills)*),
                &quote!(#typed::View::Object(self)),
                None,
            ),
            members: Some(self.by_name(members, &slots)),
        }
    }

    /// How CEL finds members by their names.
    fn by_name(&self, members: &[Member], slots: &[Slot<'_>]) -> TokenStream {
        let (typed, krate) = (self.typed(), self.krate);
        let views = slots
            .iter()
            .filter(|slot| !slot.member.name.is_empty())
            .map(|slot| {
                let (name, view) = (&slot.member.name, self.view(slot, &slot.value));
                quote!(#name => #view)
            });
        let metadata = members
            .iter()
            .filter(|member| is_inserted(member) && member.name == "metadata");
        let metadata = metadata.map(|member| {
            let ident = ident(&member.rust_name);
            quote!("metadata" => (&#typed::Reach(&self.#ident)).view())
        });
        let views = views.chain(metadata);
        let flat: Vec<&TokenStream> = slots
            .iter()
            .filter(|slot| slot.member.name.is_empty())
            .map(|slot| &slot.value)
            .collect();
        let names: Vec<&String> = slots
            .iter()
            .map(|slot| &slot.member.name)
            .filter(|name| !name.is_empty())
            .collect();
        let others = flat.iter().map(|value| {
            quote! {
                if let #typed::View::Object(members) = #krate::Schema::view(#value) {
                    let found = members.member(name);
                    if !matches!(found, #typed::View::Opaque) {
                        return found;
                    }
                }
            }
        });
        let more_names = flat.iter().map(|value| {
            quote! {
                match #krate::Schema::view(#value) {
                    #typed::View::Object(members) => names.extend(members.names()),
                    // Members without names are never known to be equal.
                    _ => names.push(""),
                }
            }
        });
        quote! {
            #[inline]
            fn member(&self, name: &str) -> #typed::View<'_> {
                use #typed::{WithSchema as _, WithoutSchema as _};
                match name {
                    #(#views,)*
                    _ => {
                        #(#others)*
                        #typed::View::Opaque
                    }
                }
            }

            fn names(&self) -> ::std::vec::Vec<&'static str> {
                let mut names = ::std::vec![#(#names),*];
                #(#more_names)*
                names
            }
        }
    }
}

/// Members that no struct has: `apiVersion` and `kind`, and metadata, which has rules of its own.
fn is_inserted(member: &Member) -> bool {
    matches!(member.ty, Use::Go(_))
}
