//! The places of values: fields, lists, maps, and what is inside.

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Json, JsonSchema};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Path, Type};

use super::cel_rule::{Subject, condition};
use super::form::{Form, Leaf, Slot};
use super::keyword::{counted, is_other, scalar};
use super::{all, before};
use crate::description::{Member, TagLine};
use crate::static_type::{Wrapper, is_float, is_option, is_set, is_shared, wrapper};

impl Form<'_> {
    /// The condition for a member.
    pub(super) fn member(&self, slot: &Slot<'_>) -> Option<TokenStream> {
        let krate = self.krate;
        let (value, old) = (&slot.value, &slot.old);
        let mut conditions = Vec::new();
        if slot.is_open {
            conditions.push(if is_option(slot.ty) {
                quote!(value.is_none())
            } else {
                quote!(false)
            });
        } else if slot.member.name.is_empty() || (slot.member.tags.is_empty() && slot.leaf == Leaf::Schema) {
            conditions.push(quote!(#krate::Schema::holds(value, before)));
        } else {
            conditions.extend(self.node(slot.ty, &slot.schemas, slot.leaf));
        }
        if slot.is_required {
            conditions.splice(0..0, self.presence(slot.ty, slot.leaf));
        }
        if let Some(function) = left_out_if(slot) {
            let inner = all(&conditions);
            conditions = vec![if slot.is_required {
                quote!(!#function(value) && #inner)
            } else {
                quote!((#function(value) || (#inner)))
            }];
        }
        if conditions.is_empty() {
            return None;
        }
        let conditions = all(&conditions);
        let before = before(&conditions, &quote!(before.part(|old| #old)));
        Some(quote!({
            let value = #value;
            #before
            #conditions
        }))
    }

    /// Whether a value is not null, where its type allows that; `value` is in scope.
    pub(super) fn presence(&self, ty: &Type, leaf: Leaf) -> Option<TokenStream> {
        let krate = self.krate;
        match wrapper(ty) {
            Wrapper::Option(_) => Some(quote!(value.is_some())),
            Wrapper::Box(inner) => self.presence(inner, leaf),
            // Another name of an `Option`, or a value of any form.
            Wrapper::None if leaf == Leaf::Schema => Some(quote!(#krate::Schema::view(value).is_there())),
            Wrapper::None | Wrapper::List(_) | Wrapper::Map(..) => None,
        }
    }

    /// Conditions for a value of a type; `value` and `before` are in scope.
    pub(super) fn node(&self, ty: &Type, schemas: &[&JsonSchema], leaf: Leaf) -> Vec<TokenStream> {
        let inside = |conditions: Vec<TokenStream>, code: &dyn Fn(TokenStream) -> TokenStream| {
            if conditions.is_empty() {
                Vec::new()
            } else {
                vec![code(all(&conditions))]
            }
        };
        match wrapper(ty) {
            Wrapper::Option(inner) => inside(self.node(inner, schemas, leaf), &|inner| {
                let krate = self.krate;
                let of_none = match leaf {
                    Leaf::Schema => quote!(#krate::rust::may_be_absent(before)),
                    Leaf::Scalar | Leaf::Go => quote!(true),
                };
                let before = before(&inner, &quote!(before.part(|old| old.as_ref())));
                quote!(match value {
                    ::core::option::Option::Some(value) => { #before #inner }
                    ::core::option::Option::None => #of_none,
                })
            }),
            Wrapper::Box(inner) => inside(self.node(inner, schemas, leaf), &|inner| {
                let before = before(
                    &inner,
                    &quote!(before.part(|old| ::core::option::Option::Some(&**old))),
                );
                quote!({
                    let value = &**value;
                    #before
                    #inner
                })
            }),
            Wrapper::List(inner) => {
                let mut found = self.list(ty, schemas[0], leaf);
                let items: Vec<&JsonSchema> = schemas.iter().filter_map(|schema| schema.item()).collect();
                if items.is_empty() {
                    return vec![quote!(false)];
                }
                // Nulls stay in lists.
                let mut of_item: Vec<TokenStream> = self.presence(inner, leaf).into_iter().collect();
                of_item.extend(self.node(inner, &items, leaf));
                found.extend(inside(of_item, &|inner| {
                    let before = before(&inner, &quote!(before.keyed(value)));
                    quote!(value.iter().all(|value| { #before #inner }))
                }));
                found
            }
            Wrapper::Map(_, inner) => {
                let schema = schemas[0];
                let mut found = self.rules_at(schema, leaf);
                found.extend(counted(
                    schema.min_properties,
                    schema.max_properties,
                    &quote!(value.len()),
                    self.krate,
                ));
                if counts_nulls(inner, schema) {
                    found.push(quote!(false));
                }
                let values: Vec<&JsonSchema> =
                    schemas.iter().filter_map(|schema| schema.additional()).collect();
                if values.is_empty() {
                    return vec![quote!(false)];
                }
                found.extend(inside(self.node(inner, &values, leaf), &|inner| {
                    let before = before(&inner, &quote!(before.keyed(value)));
                    quote!(value.values().all(|value| { #before #inner }))
                }));
                found
            }
            Wrapper::None => self.leaf(ty, schemas, leaf),
        }
    }

    /// Conditions for a list, without its items.
    fn list(&self, ty: &Type, schema: &JsonSchema, leaf: Leaf) -> Vec<TokenStream> {
        let (typed, krate) = (self.typed(), self.krate);
        let mut found = self.rules_at(schema, leaf);
        found.extend(counted(
            schema.min_items,
            schema.max_items,
            &quote!(value.len()),
            krate,
        ));
        let view = |item: TokenStream| match leaf {
            Leaf::Go => quote!({
                use #typed::{WithSchema as _, WithoutSchema as _};
                (&#typed::Reach(#item)).view()
            }),
            _ => quote!(#krate::Schema::view(#item)),
        };
        match schema.list_type.as_deref() {
            Some("map") => {
                let item = view(quote!(item));
                let keys = schema.list_map_keys.iter().map(|key| {
                    let key = &**key;
                    quote!(#typed::cel::select(view, #key))
                });
                found.push(quote!(#typed::differ_by(value.iter().map(|item| {
                    let view = #item;
                    [#(#keys),*]
                }))));
            }
            Some("set") if !is_set(ty) => {
                let item = view(quote!(item));
                found.push(quote!(#typed::differ(value.iter().map(|item| #item))));
            }
            _ if schema.unique_items && !is_set(ty) => {
                let item = view(quote!(item));
                found.push(quote!(#typed::differ(value.iter().map(|item| #item))));
            }
            _ => {}
        }
        found
    }

    /// Conditions for what is neither a list nor a map as far as its type tells.
    fn leaf(&self, ty: &Type, schemas: &[&JsonSchema], leaf: Leaf) -> Vec<TokenStream> {
        let (typed, krate) = (self.typed(), self.krate);
        let mut found = self.at_leaf(ty, schemas, leaf);
        match leaf {
            Leaf::Scalar if is_float(ty) => found.push(quote!(value.is_finite())),
            Leaf::Scalar => {}
            Leaf::Schema => found.push(quote!(#krate::Schema::holds(value, before))),
            Leaf::Go => found.push(quote!({
                use #typed::{WithSchema as _, WithoutSchema as _};
                (&#typed::Reach(value)).holds()
            })),
        }
        found
    }

    /// Conditions that are said where a value is used, beside those of its type.
    pub(super) fn at_leaf(&self, ty: &Type, schemas: &[&JsonSchema], leaf: Leaf) -> Vec<TokenStream> {
        let krate = self.krate;
        let view = self.view_of_value(leaf);
        let mut found: Vec<TokenStream> = Vec::new();
        for schema in schemas {
            for condition in scalar(schema, ty, &view, krate) {
                let text = condition.to_string();
                if found.iter().all(|known| known.to_string() != text) {
                    found.push(condition);
                }
            }
            let is_list_type =
                leaf != Leaf::Scalar && matches!(schema.list_type.as_deref(), Some("set" | "map"));
            if is_list_type || is_other(schema) {
                found.push(quote!(false));
            }
        }
        found.extend(self.rules_at(schemas[0], leaf));
        let has_same_rules = schemas
            .iter()
            .all(|schema| schema.validations == schemas[0].validations);
        if !has_same_rules {
            found.push(quote!(false));
        }
        found
    }

    pub(super) fn view_of_value(&self, leaf: Leaf) -> TokenStream {
        let (typed, krate) = (self.typed(), self.krate);
        match leaf {
            Leaf::Go => quote!(#typed::View::Opaque),
            Leaf::Scalar | Leaf::Schema => quote!(#krate::Schema::view(value)),
        }
    }

    /// The rules of a value that has no fields here.
    fn rules_at(&self, schema: &JsonSchema, leaf: Leaf) -> Vec<TokenStream> {
        self.about_value(schema, leaf, &|subject| {
            let rules = schema.validations.iter();
            rules.filter_map(|rule| condition(rule, subject)).collect()
        })
    }

    /// Code for rules about a value that has no fields here.
    pub(super) fn about_value(
        &self,
        schema: &JsonSchema,
        leaf: Leaf,
        code: &dyn Fn(&Subject<'_>) -> Vec<TokenStream>,
    ) -> Vec<TokenStream> {
        let (typed, krate) = (self.typed(), self.krate);
        let (new, old) = match leaf {
            Leaf::Go => (quote!(#typed::View::Opaque), quote!(#typed::View::Opaque)),
            Leaf::Scalar | Leaf::Schema => (
                quote!(#krate::Schema::view(value)),
                quote!(old.map_or(#typed::View::Opaque, #krate::Schema::view)),
            ),
        };
        let is_typed = &*schema.ty == "string" && !schema.format.is_empty();
        let opaque = quote!(#typed::View::Opaque);
        code(&Subject {
            krate,
            new: if is_typed { opaque.clone() } else { new },
            old: if is_typed { opaque } else { old },
            member: &|_, _| None,
        })
    }

    /// The view of a member, as rules of the whole see it.
    pub(super) fn view(&self, slot: &Slot<'_>, value: &TokenStream) -> TokenStream {
        let (typed, krate) = (self.typed(), self.krate);
        let schema = slot.schemas.first();
        // CEL has types of its own for texts with a format.
        let has_format = schema.is_some_and(|schema| &*schema.ty == "string" && !schema.format.is_empty());
        let is_null = schema.is_some_and(|schema| schema.nullable);
        let view = if slot.leaf == Leaf::Go || has_format || is_null {
            if is_option(slot.ty) && !is_null {
                quote!(match #value { ::core::option::Option::None => #typed::View::Absent, _ => #typed::View::Opaque })
            } else {
                quote!(#typed::View::Opaque)
            }
        } else {
            quote!(#krate::Schema::view(#value))
        };
        match left_out_if(slot) {
            Some(function) => quote!(if #function(#value) { #typed::View::Absent } else { #view }),
            None => view,
        }
    }

    pub(super) fn old_view(&self, slot: &Slot<'_>) -> TokenStream {
        let typed = self.typed();
        let old = &slot.old;
        let view = self.view(slot, &quote!(value));
        quote!(old.and_then(|old| #old).map_or(#typed::View::Opaque, |value| #view))
    }

    /// Fills in the default of a member, and those below it.
    pub(super) fn fill(&self, slot: &Slot<'_>) -> Option<TokenStream> {
        let (typed, krate) = (self.typed(), self.krate);
        let place = match slot.value.to_string().strip_prefix('&') {
            Some(place) => {
                let place: TokenStream = place.parse().ok()?;
                quote!(&mut #place)
            }
            None => slot.value.clone(),
        };
        let published = slot.schemas.first().and_then(|schema| schema.default.clone());
        let default = published.or_else(|| written_default(slot.member));
        let default = default.filter(|_| is_option(slot.ty));
        let filled = default.map(|default| match (literal(&default, &typed), slot.leaf) {
            (Some(literal), Leaf::Scalar | Leaf::Schema) if !is_shared(slot.ty) => {
                quote!(#typed::fill(#place, #literal);)
            }
            _ => {
                let text = default.as_str();
                quote!(#typed::fill_json(#place, #text);)
            }
        });
        let below = (slot.leaf == Leaf::Schema).then(|| quote!(#krate::Schema::fill(#place);));
        (filled.is_some() || below.is_some()).then(|| quote!(#filled #below))
    }
}

/// Whether entries are counted of which nulls are dropped first.
pub(super) fn counts_nulls(value: &Type, schema: &JsonSchema) -> bool {
    is_option(value) && (schema.min_properties.is_some() || schema.max_properties.is_some())
}

/// What says that a value that is there is not written.
pub(super) fn left_out_if(slot: &Slot<'_>) -> Option<Path> {
    let text = slot.member.left_out_if.as_deref()?;
    let says_none = is_option(slot.ty) && text.ends_with("Option::is_none");
    if says_none {
        None
    } else {
        syn::parse_str(text).ok()
    }
}

/// The default of a member as its tag says it.
fn written_default(member: &Member) -> Option<Json> {
    let text = |tag: &TagLine| tag.text.strip_prefix("default=").map(str::to_owned);
    member
        .tags
        .iter()
        .find_map(text)
        .and_then(|text| Json::parse(&text).ok())
}

/// A default that is a scalar.
fn literal(default: &Json, typed: &TokenStream) -> Option<TokenStream> {
    let arena = Arena::new();
    Some(match default.value(&arena) {
        Value::Bool(value) => quote!(#typed::Literal::Bool(#value)),
        Value::Int(value) => quote!(#typed::Literal::Int(#value)),
        Value::Float(value) => quote!(#typed::Literal::Float(#value)),
        Value::Str(value) => quote!(#typed::Literal::Text(#value)),
        Value::Null | Value::Uint(_) | Value::Array(_) | Value::Object(_) => return None,
    })
}
