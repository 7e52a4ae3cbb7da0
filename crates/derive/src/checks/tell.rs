//! Code that tells what is wrong with a new value: keywords in the order of the schema, then lists and CEL rules in the order of the
//! value, as the engine looks at them. What it cannot tell makes the report incomplete.

use kindsmith_schema::JsonSchema;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::cel_rule::{self, Side};
use super::form::{Form, Leaf, Slot};
use super::keyword::{self, is_other, minds_whole};
use super::place::{counts_nulls, left_out_if};
use super::told::{Pass, Told};
use super::{all, before};
use crate::static_type::{Wrapper, is_float, is_set, wrapper};

impl Form<'_> {
    /// The methods that tell; none if the type's own code can tell no more than whether it holds.
    pub(super) fn telling(&self, told: &Told) -> Option<TokenStream> {
        if self.published.is_none() || told.is_empty() {
            return None;
        }
        let typed = self.typed();
        let Told { values, rules } = told;
        Some(quote! {
            fn tell_values(&self, before: #typed::Before<'_, Self>, name: &#typed::tell::Name<'_>, out: &mut #typed::tell::Report) {
                #values
            }

            fn tell_rules(&self, before: #typed::Before<'_, Self>, path: &#typed::tell::At<'_>, out: &mut #typed::tell::Report) {
                #rules
            }
        })
    }

    /// All members of a struct or of a variant.
    pub(super) fn tell_members(&self, slots: &[Slot<'_>]) -> Told {
        let mut told = Told::default();
        let mut sorted: Vec<(&str, TokenStream, Option<TokenStream>)> = Vec::new();
        for slot in slots {
            let Told { values, rules } = self.tell_member(slot);
            sorted.push((&slot.member.name, values, self.tell_absence(slot)));
            told.rules.extend(rules);
        }
        // As CRDs have them.
        sorted.sort_by_key(|(name, ..)| *name);
        told.values
            .extend(sorted.iter().map(|(_, values, _)| values.clone()));
        told.values
            .extend(sorted.into_iter().filter_map(|(.., absence)| absence));
        told
    }

    /// A required member that is not there.
    fn tell_absence(&self, slot: &Slot<'_>) -> Option<TokenStream> {
        let (value, name) = (&slot.value, &slot.member.name);
        let is_left_out = left_out_if(slot).map(|function| quote!(#function(value)));
        let is_null = self
            .presence(slot.ty, slot.leaf)
            .map(|is_there| quote!(!#is_there));
        let is_absent: Vec<TokenStream> = is_left_out.into_iter().chain(is_null).collect();
        if !slot.is_required || is_absent.is_empty() {
            return None;
        }
        Some(quote! {{
            let value = #value;
            if #(#is_absent)||* {
                out.required(name, #name);
            }
        }})
    }

    fn tell_member(&self, slot: &Slot<'_>) -> Told {
        let krate = self.krate;
        let (value, old) = (&slot.value, &slot.old);
        if slot.is_open || slot.member.name.is_empty() {
            return Told::unless(self.member(slot).as_slice());
        }
        let key = &slot.member.name;
        let is_scalar = slot.leaf == Leaf::Scalar && is_single(slot.ty);
        let inner = if slot.member.tags.is_empty() && slot.leaf == Leaf::Schema {
            Told {
                values: quote!(#krate::Schema::tell_values(value, before, name, out);),
                rules: quote!(#krate::Schema::tell_rules(value, before, path, out);),
            }
        } else if is_scalar {
            // Most are right, and then nobody asks for their names.
            self.tell_node(slot.ty, &slot.schemas, slot.leaf, &quote!(&name.property(#key)))
        } else {
            self.tell_node(slot.ty, &slot.schemas, slot.leaf, &quote!(name))
        };
        let function = left_out_if(slot);
        inner.inside(|inner, pass| {
            let at = (!is_scalar || pass == Pass::Rules).then(|| pass.member(key));
            let before = before(inner, &quote!(before.part(|old| #old)));
            let inner = match &function {
                Some(function) => quote!(if !#function(value) { #inner }),
                None => inner.clone(),
            };
            quote!({
                let value = #value;
                #at
                #before
                #inner
            })
        })
    }

    /// A value of a type; `value` is in scope, and what `name` asks for.
    pub(super) fn tell_node(
        &self,
        ty: &Type,
        schemas: &[&JsonSchema],
        leaf: Leaf,
        name: &TokenStream,
    ) -> Told {
        match wrapper(ty) {
            Wrapper::Option(inner) => self.tell_node(inner, schemas, leaf, name).inside(|inner, _| {
                let before = before(inner, &quote!(before.part(|old| old.as_ref())));
                quote!(if let ::core::option::Option::Some(value) = value { #before #inner })
            }),
            Wrapper::Box(inner) => self.tell_node(inner, schemas, leaf, name).inside(|inner, _| {
                let before = before(
                    inner,
                    &quote!(before.part(|old| ::core::option::Option::Some(&**old))),
                );
                quote!({
                    let value = &**value;
                    #before
                    #inner
                })
            }),
            Wrapper::List(inner) => self.tell_list(ty, inner, schemas, leaf),
            Wrapper::Map(_, inner) => self.tell_map(inner, schemas, leaf),
            Wrapper::None => self.tell_leaf(ty, schemas, leaf, name),
        }
    }

    fn tell_list(&self, ty: &Type, inner: &Type, schemas: &[&JsonSchema], leaf: Leaf) -> Told {
        let tell = self.tell();
        let items: Vec<&JsonSchema> = schemas.iter().filter_map(|schema| schema.item()).collect();
        if items.is_empty() || leaf == Leaf::Go {
            return Told::unless(&self.node(ty, schemas, leaf));
        }
        let schema = schemas[0];
        let mut told = Told {
            values: TokenStream::new(),
            rules: self.tell_rules_at(schema, leaf),
        };
        match schema.list_type.as_deref() {
            Some("map") => {
                let keys = schema.list_map_keys.iter().map(|key| &**key);
                told.rules
                    .extend(quote!(#tell::map(value, &[#(#keys),*], path, out);));
            }
            Some("set") if !is_set(ty) => told.rules.extend(quote!(#tell::set(value, path, out);)),
            _ => {}
        }
        let is_there = self.presence(inner, leaf);
        told.values.extend(
            is_there.map(|is_there| quote!(if !value.iter().all(|value| #is_there) { out.give_up(); })),
        );
        let of_item = self.tell_node(inner, &items, leaf, &quote!(name));
        told.then(of_item.inside(|inner, pass| {
            let (before, at) = (before(inner, &quote!(before.keyed(value))), pass.item());
            quote! {
                for (index, value) in value.iter().enumerate() {
                    #at
                    #before
                    #inner
                }
            }
        }));
        if schema.min_items.is_some() || schema.max_items.is_some() {
            let (min, max) = (option(schema.min_items), option(schema.max_items));
            told.values
                .extend(quote!(out.items(name, value.len(), #min, #max);));
        }
        if schema.unique_items && !is_set(ty) {
            told.values.extend(quote!(#tell::unique(value, name, out);));
        }
        told
    }

    fn tell_map(&self, inner: &Type, schemas: &[&JsonSchema], leaf: Leaf) -> Told {
        let (typed, krate) = (self.typed(), self.krate);
        let schema = schemas[0];
        let mut told = Told {
            values: TokenStream::new(),
            rules: self.tell_rules_at(schema, leaf),
        };
        if schema.min_properties.is_some() || schema.max_properties.is_some() {
            let (min, max) = (option(schema.min_properties), option(schema.max_properties));
            told.values
                .extend(quote!(out.properties(name, value.len(), #min, #max);));
        }
        let values: Vec<&JsonSchema> = schemas.iter().filter_map(|schema| schema.additional()).collect();
        if values.is_empty() || counts_nulls(inner, schema) {
            told.values.extend(quote!(out.give_up();));
            return told;
        }
        let of_value = self.tell_node(inner, &values, leaf, &quote!(name));
        told.then(of_value.inside(|inner, pass| {
            let (before, at) = (before(inner, &quote!(before.keyed(value))), pass.entry());
            quote! {
                for (key, value) in value.iter() {
                    match #krate::Schema::view(key) {
                        #typed::View::Text(key) => {
                            #at
                            #before
                            #inner
                        }
                        _ => out.give_up(),
                    }
                }
            }
        }));
        told
    }

    fn tell_leaf(&self, ty: &Type, schemas: &[&JsonSchema], leaf: Leaf, name: &TokenStream) -> Told {
        let krate = self.krate;
        let is_plain = leaf == Leaf::Scalar && !schemas.iter().any(|schema| is_other(schema));
        match leaf {
            Leaf::Scalar if is_plain && schemas.iter().all(|schema| *schema == schemas[0]) => {
                let mut told = Told {
                    values: self.tell_scalar(ty, schemas[0], name),
                    rules: self.tell_rules_at(schemas[0], leaf),
                };
                if is_float(ty) {
                    told.values.extend(quote!(if !value.is_finite() {
                        out.give_up();
                    }));
                }
                told
            }
            // Keywords of both places are one list in the CRD, so their errors have an order that is not known here.
            Leaf::Schema => {
                let mut told = Told::unless(&self.at_leaf(ty, schemas, leaf));
                told.then(Told {
                    values: quote!(#krate::Schema::tell_values(value, before, name, out);),
                    rules: quote!(#krate::Schema::tell_rules(value, before, path, out);),
                });
                told
            }
            Leaf::Scalar | Leaf::Go => Told::unless(&self.node(ty, schemas, leaf)),
        }
    }

    /// The keywords of a scalar, in the order in which their errors are told.
    fn tell_scalar(&self, ty: &Type, schema: &JsonSchema, name: &TokenStream) -> TokenStream {
        let (krate, tell) = (self.krate, self.tell());
        let keyword = quote!(#krate::rust::typed::keyword);
        let view = self.view_of_value(Leaf::Scalar);
        let mut code = TokenStream::new();
        let format = if &*schema.ty == "string" {
            &*schema.format
        } else {
            ""
        };
        let has_length = schema.min_length.is_some() || schema.max_length.is_some();
        if has_length || !schema.pattern.is_empty() || !format.is_empty() {
            let (min, max) = (option(schema.min_length), option(schema.max_length));
            let (declared, pattern) = if schema.pattern.is_empty() {
                (None, quote!(::core::option::Option::None))
            } else {
                let pattern = &*schema.pattern;
                (
                    Some(quote!(static PATTERN: #keyword::Pattern = #keyword::Pattern::new(#pattern);)),
                    quote!(::core::option::Option::Some(&PATTERN)),
                )
            };
            code.extend(quote! {{
                #declared
                static KEYWORDS: #tell::TextKeywords =
                    #tell::TextKeywords { min: #min, max: #max, pattern: #pattern, format: #format };
                #tell::text(#view, &KEYWORDS, #name, out);
            }});
        }
        let conditions = keyword::number(schema, ty, &view, &keyword);
        if !conditions.is_empty() {
            // Beside a fault, most numbers are right.
            let (conditions, keywords) = (all(&conditions), keyword::numbers(schema, &tell));
            code.extend(quote!(if !#conditions {
                static KEYWORDS: #tell::NumberKeywords = #keywords;
                #tell::number(#view, &KEYWORDS, #name, out);
            }));
        }
        if !schema.enum_values.is_empty() {
            code.extend(match keyword::texts(schema) {
                Some(texts) => quote!(#tell::one_of(#view, &[#(#texts),*], #name, out);),
                None => quote!(out.give_up();),
            });
        }
        code
    }

    /// The rules of a value that has no fields here.
    fn tell_rules_at(&self, schema: &JsonSchema, leaf: Leaf) -> TokenStream {
        let value = self.view_of_value(leaf);
        let told = self.about_value(schema, leaf, &|subject| {
            let rules = schema.validations.iter().enumerate();
            rules
                .filter_map(|(index, rule)| cel_rule::tell(index, rule, subject, &value, &[]))
                .collect()
        });
        told.into_iter().collect()
    }

    /// The rules of a type with members.
    pub(super) fn tell_rules(&self, member: &dyn Fn(Side, &str) -> Option<TokenStream>) -> TokenStream {
        let Some(published) = &self.published else {
            return TokenStream::new();
        };
        let schema = &published.schema;
        if published.has_open_rules || minds_whole(schema) {
            return quote!(out.give_up(););
        }
        let (typed, subject) = (self.typed(), self.by_members(member));
        let fields: Vec<&str> = schema.properties.iter().map(|(name, _)| &**name).collect();
        let value = quote!(#typed::View::Object(self));
        let rules = schema.validations.iter().enumerate();
        rules
            .filter_map(|(index, rule)| cel_rule::tell(index, rule, &subject, &value, &fields))
            .collect()
    }

    fn tell(&self) -> TokenStream {
        let typed = self.typed();
        quote!(#typed::tell)
    }
}

/// Whether a type has at most one value, behind pointers.
fn is_single(ty: &Type) -> bool {
    match wrapper(ty) {
        Wrapper::Option(inner) | Wrapper::Box(inner) => is_single(inner),
        Wrapper::None => true,
        Wrapper::List(_) | Wrapper::Map(..) => false,
    }
}

fn option(limit: Option<i64>) -> TokenStream {
    match limit {
        Some(limit) => quote!(::core::option::Option::Some(#limit)),
        None => quote!(::core::option::Option::None),
    }
}
