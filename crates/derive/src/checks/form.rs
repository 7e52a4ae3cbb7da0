//! A type whose code is written. Structs, variants and the places of values have files of their own.

use kindsmith_json::write::go_quote;
use kindsmith_rust::go_text::ALLOWED;
use kindsmith_schema::JsonSchema;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Data, DeriveInput, Path, Type};

use super::cel_rule::{Side, Subject, condition};
use super::keyword::minds_whole;
use super::published::Published;
use super::told::Told;
use super::{Code, all, before};
use crate::description::{Choice, Described, Member, Shape, TagLine, Use};
use crate::item::only_field;
use crate::serde_names::Serde;

/// A type whose code is written.
pub(super) struct Form<'f> {
    pub(super) described: &'f Described,
    pub(super) krate: &'f Path,
    pub(super) published: Option<Published>,
}

/// What is known about the value inside lists, maps and options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf {
    /// A scalar.
    Scalar,
    /// A type with a schema.
    Schema,
    /// A type that is known by its name in Go.
    Go,
}

/// A member and the place of its value.
pub(super) struct Slot<'s> {
    pub(super) member: &'s Member,
    pub(super) ty: &'s Type,
    pub(super) leaf: Leaf,
    pub(super) schemas: Vec<&'s JsonSchema>,
    pub(super) is_required: bool,
    pub(super) is_open: bool,
    /// The value, an expression for a reference.
    pub(super) value: TokenStream,
    /// The old value of the whole, as `old`, to that of the member.
    pub(super) old: TokenStream,
}

impl<'f> Form<'f> {
    pub(super) fn new(described: &'f Described, krate: &'f Path) -> Self {
        Self {
            described,
            krate,
            published: Published::of(described),
        }
    }

    pub(super) fn of_item(&self, input: &DeriveInput) -> Code {
        match (&input.data, &self.described.shape) {
            (Data::Enum(_), Shape::Enum(choices)) => self.of_choices(choices),
            (Data::Enum(data), Shape::Struct(members)) => self.of_variants(data, members),
            (Data::Struct(data), Shape::Wrapper(of)) => {
                let only = Serde::read(&input.attrs).and_then(|serde| only_field(&data.fields, &serde));
                match only {
                    Ok(Some((field, _))) => self.of_wrapper(&field, of, data.fields.len() == 1),
                    _ => self.unknown(),
                }
            }
            (Data::Struct(_), Shape::Struct(_)) => self.of_struct(self.described),
            _ => self.unknown(),
        }
    }

    pub(super) fn typed(&self) -> TokenStream {
        let krate = self.krate;
        quote!(#krate::rust::typed)
    }

    /// Values of which nothing is known.
    pub(super) fn unknown(&self) -> Code {
        Code {
            methods: TokenStream::new(),
            members: None,
        }
    }

    /// A struct that is written as one of its fields; `is_alone` if it has no other.
    fn of_wrapper(&self, field: &syn::Member, of: &Use, is_alone: bool) -> Code {
        let (typed, krate) = (self.typed(), self.krate);
        let (Some(published), Some((ty, leaf))) = (&self.published, rust_type(of)) else {
            return self.unknown();
        };
        let mut conditions = Vec::new();
        if published.is_open(self.described, 0) || published.has_open_rules {
            conditions.push(quote!(false));
        }
        let schemas: Vec<&JsonSchema> = [&published.schema].into_iter().chain(&published.others).collect();
        conditions.extend(self.node(ty, &schemas, leaf));
        let conditions = all(&conditions);
        let before = before(
            &conditions,
            &quote!(before.part(|old| ::core::option::Option::Some(&old.#field))),
        );
        let holds = quote!({
            let value = &self.#field;
            #before
            #conditions
        });
        let literal = (leaf != Leaf::Go && is_alone)
            .then(|| quote!(#krate::Schema::of_literal(default).map(|value| Self { #field: value })));
        let (fill, view) = match leaf {
            Leaf::Scalar => (TokenStream::new(), quote!(#krate::Schema::view(&self.#field))),
            Leaf::Schema => (
                quote!(#krate::Schema::fill(&mut self.#field);),
                quote!(#krate::Schema::view(&self.#field)),
            ),
            Leaf::Go => (TokenStream::new(), quote!(#typed::View::Opaque)),
        };
        let told = self.tell_wrapper(field, ty, leaf, published);
        Code {
            methods: self.methods(&holds, &told, &fill, &view, literal.as_ref()),
            members: None,
        }
    }

    fn tell_wrapper(&self, field: &syn::Member, ty: &Type, leaf: Leaf, published: &Published) -> Told {
        if published.is_open(self.described, 0) || published.has_open_rules {
            return Told::default();
        }
        let schemas: Vec<&JsonSchema> = [&published.schema].into_iter().chain(&published.others).collect();
        let told = self.tell_node(ty, &schemas, leaf, &quote!(name));
        told.inside(|inner, _| {
            let before = before(
                inner,
                &quote!(before.part(|old| ::core::option::Option::Some(&old.#field))),
            );
            quote! {
                let value = &self.#field;
                #before
                #inner
            }
        })
    }

    /// An enum of names.
    fn of_choices(&self, choices: &[Choice]) -> Code {
        let typed = self.typed();
        // A list of allowed values may have another order than the variants.
        let lists_all = |tag: &TagLine| {
            let is_listed = |choice: &Choice| tag.text.contains(&go_quote(&choice.value));
            tag.text.starts_with(ALLOWED) && choices.iter().all(is_listed)
        };
        let is_plain =
            choices.iter().all(|choice| choice.tags.is_empty()) && self.described.tags.iter().all(lists_all);
        let texts = choices.iter().map(|choice| {
            let (variant, value) = (ident(&choice.rust_name), &choice.value);
            quote!(Self::#variant => #typed::View::Text(#value))
        });
        let literals = choices.iter().map(|choice| {
            let (variant, value) = (ident(&choice.rust_name), &choice.value);
            quote!(#typed::Literal::Text(#value) => ::core::option::Option::Some(Self::#variant))
        });
        // A variant that serde skips has no form.
        let view = quote!(match self { #(#texts,)* _ => #typed::View::Opaque });
        let holds = if is_plain {
            quote!(!matches!(#view, #typed::View::Opaque))
        } else {
            quote!(false)
        };
        let literal = quote!(match default { #(#literals,)* _ => ::core::option::Option::None });
        Code {
            methods: self.methods(
                &holds,
                &Told::default(),
                &TokenStream::new(),
                &view,
                Some(&literal),
            ),
            members: None,
        }
    }

    pub(super) fn methods(
        &self,
        holds: &TokenStream,
        told: &Told,
        fill: &TokenStream,
        view: &TokenStream,
        literal: Option<&TokenStream>,
    ) -> TokenStream {
        let typed = self.typed();
        // Without the schema, no rule is known.
        let is_known = self.published.is_some();
        let holds = if is_known { holds.clone() } else { quote!(false) };
        let literal = literal.map(|literal| {
            quote! {
                #[inline]
                fn of_literal(default: #typed::Literal) -> ::core::option::Option<Self> {
                    #literal
                }
            }
        });
        let minds = self.minds_removal();
        let telling = self.telling(told);
        quote! {
            const MINDS_REMOVAL: bool = #minds;

            #[inline]
            fn holds(&self, before: #typed::Before<'_, Self>) -> bool {
                #holds
            }

            #telling

            #[inline]
            fn view(&self) -> #typed::View<'_> {
                #view
            }

            #[inline]
            fn fill(&mut self) {
                #fill
            }

            #literal
        }
    }

    /// Whether rules of the type are about a change that takes a value away.
    fn minds_removal(&self) -> TokenStream {
        let krate = self.krate;
        let Shape::Wrapper(of) = &self.described.shape else {
            return quote!(false);
        };
        let is_known = self.published.as_ref().is_some_and(|published| {
            let mut rules = published.schema.validations.iter();
            !published.has_open_rules && rules.all(|rule| !rule.rule.contains("oldSelf"))
        });
        match rust_type(of) {
            Some((_, Leaf::Scalar)) if is_known => quote!(false),
            Some((ty, Leaf::Schema)) if is_known => quote!(<#ty as #krate::Schema>::MINDS_REMOVAL),
            _ => quote!(true),
        }
    }

    pub(super) fn slot<'s>(
        &'s self,
        index: usize,
        member: &'s Member,
        value: TokenStream,
        old: TokenStream,
    ) -> Option<Slot<'s>> {
        let published = self.published.as_ref()?;
        let schemas: Vec<&JsonSchema> = [&published.schema].into_iter().chain(&published.others).collect();
        slot(
            member,
            &schemas,
            published.is_open(self.described, index),
            value,
            old,
        )
    }

    /// The rules of the type.
    pub(super) fn rules(&self, member: &dyn Fn(Side, &str) -> Option<TokenStream>) -> Vec<TokenStream> {
        let Some(published) = &self.published else {
            return Vec::new();
        };
        if published.has_open_rules {
            return vec![quote!(false)];
        }
        let subject = self.by_members(member);
        let mut found: Vec<TokenStream> = published
            .schema
            .validations
            .iter()
            .filter_map(|rule| condition(rule, &subject))
            .collect();
        if minds_whole(&published.schema) {
            found.push(quote!(false));
        }
        found
    }

    /// What rules of a type with members are about: they reach members only, because flattened into another type `self` is more than what is seen here.
    pub(super) fn by_members<'s>(
        &'s self,
        member: &'s dyn Fn(Side, &str) -> Option<TokenStream>,
    ) -> Subject<'s> {
        let typed = self.typed();
        let whole = quote!(#typed::View::Opaque);
        Subject {
            krate: self.krate,
            new: whole.clone(),
            old: whole,
            member,
        }
    }
}

pub(super) fn slot<'s>(
    member: &'s Member,
    schemas: &[&'s JsonSchema],
    is_open: bool,
    value: TokenStream,
    old: TokenStream,
) -> Option<Slot<'s>> {
    let (ty, leaf) = rust_type(&member.ty)?;
    let base = schemas.first()?;
    Some(Slot {
        member,
        ty,
        leaf,
        is_required: base.required.iter().any(|name| **name == *member.name),
        schemas: schemas
            .iter()
            .filter_map(|schema| schema.property(&member.name))
            .collect(),
        is_open,
        value,
        old,
    })
    .filter(|slot| member.name.is_empty() || !slot.schemas.is_empty())
}

fn rust_type(of: &Use) -> Option<(&Type, Leaf)> {
    match of {
        Use::Rust { ty, go: Some(_), .. } => Some((ty, Leaf::Go)),
        Use::Rust { ty, .. } if of.is_plain() => Some((ty, Leaf::Scalar)),
        Use::Rust { ty, .. } | Use::Path { ty, .. } => Some((ty, Leaf::Schema)),
        Use::Go(_) | Use::Inline { .. } => None,
    }
}

/// A name of Rust, raw where it must be.
pub(super) fn ident(name: &str) -> Ident {
    syn::parse_str(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()))
}
