//! Keywords as calls of the façade.

use kindsmith_json::{Arena, Value};
use kindsmith_schema::JsonSchema;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Path, Type};

use crate::static_type::{is_known, last};

/// Conditions for the keywords of a value that is neither a list nor a map as far as its type tells; `view` is an expression.
pub(super) fn scalar(schema: &JsonSchema, ty: &Type, view: &TokenStream, krate: &Path) -> Vec<TokenStream> {
    let keyword = quote!(#krate::rust::typed::keyword);
    let mut found = Vec::new();
    if schema.min_length.is_some() || schema.max_length.is_some() {
        let (min, max) = limits(schema.min_length, schema.max_length);
        found.push(quote!(#keyword::length(#view, #min, #max)));
    }
    if !schema.pattern.is_empty() {
        let pattern = &*schema.pattern;
        found.push(quote!({
            static PATTERN: #keyword::Pattern = #keyword::Pattern::new(#pattern);
            PATTERN.holds(#view)
        }));
    }
    if &*schema.ty == "string" && !schema.format.is_empty() {
        let format = &*schema.format;
        found.push(quote!(#keyword::format(#view, #format)));
    }
    found.extend(number(schema, ty, view, &keyword));
    if schema.min_items.is_some() || schema.max_items.is_some() {
        let (min, max) = limits(schema.min_items, schema.max_items);
        found.push(quote!(#keyword::items(#view, #min, #max)));
    }
    if schema.min_properties.is_some() || schema.max_properties.is_some() {
        let (min, max) = limits(schema.min_properties, schema.max_properties);
        found.push(quote!(#keyword::properties(#view, #min, #max)));
    }
    if !schema.enum_values.is_empty() {
        found.push(match texts(schema) {
            Some(texts) => quote!(#keyword::one_of(#view, &[#(#texts),*])),
            None => quote!(false),
        });
    }
    found
}

/// Conditions for the keywords of a list or map whose type is known; `len` is an expression.
pub(super) fn counted(
    min: Option<i64>,
    max: Option<i64>,
    len: &TokenStream,
    krate: &Path,
) -> Option<TokenStream> {
    (min.is_some() || max.is_some()).then(|| {
        let (min, max) = limits(min, max);
        quote!(#krate::rust::typed::keyword::count(#len, #min, #max))
    })
}

/// Whether the schema says what no code is written for.
pub(super) fn is_other(schema: &JsonSchema) -> bool {
    !schema.all_of.is_empty()
        || !schema.any_of.is_empty()
        || !schema.one_of.is_empty()
        || schema.not.is_some()
        || schema.embedded_resource
        || schema.int_or_string
}

/// Whether it says something about the whole of a value with members that no code is written for.
pub(super) fn minds_whole(schema: &JsonSchema) -> bool {
    schema.min_properties.is_some() || schema.max_properties.is_some() || is_other(schema)
}

fn limits(min: Option<i64>, max: Option<i64>) -> (u64, u64) {
    let limit = |limit: i64| u64::try_from(limit).unwrap_or_default();
    (min.map_or(0, limit), max.map_or(u64::MAX, limit))
}

/// Conditions for the keywords of a number.
pub(super) fn number(
    schema: &JsonSchema,
    ty: &Type,
    view: &TokenStream,
    keyword: &TokenStream,
) -> Vec<TokenStream> {
    let mut found = Vec::new();
    let is_limited = schema.minimum.is_some() || schema.maximum.is_some();
    match &*schema.ty {
        "integer" => {
            let mut range = match &*schema.format {
                "int32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
                _ => (i64::MIN, i64::MAX),
            };
            if let Some(min) = schema.minimum {
                let min = min.ceil() as i64;
                range.0 = range
                    .0
                    .max(min.saturating_add(i64::from(schema.exclusive_minimum)));
            }
            if let Some(max) = schema.maximum {
                let max = max.floor() as i64;
                range.1 = range
                    .1
                    .min(max.saturating_sub(i64::from(schema.exclusive_maximum)));
            }
            let fits = is_within(ty, range);
            // The range of the format is that of the type, where another type stands for it.
            if !fits && (is_limited || is_known(ty, None)) {
                let (min, max) = range;
                found.push(quote!(#keyword::range(#view, #min, #max)));
            }
            if let Some(of) = schema.multiple_of {
                found.push(if of.fract() == 0.0 && of > 0.0 {
                    let of = of as i64;
                    quote!(#keyword::multiple(#view, #of))
                } else {
                    quote!(false)
                });
            }
        }
        "number" if schema.exclusive_minimum || schema.exclusive_maximum || schema.multiple_of.is_some() => {
            found.push(quote!(false));
        }
        "number" if is_limited || (&*schema.format == "float" && last(ty) != "f32") => {
            let most = match &*schema.format {
                "float" => f64::from(f32::MAX),
                _ => f64::MAX,
            };
            let (min, max) = (
                schema.minimum.unwrap_or(f64::MIN).max(-most),
                schema.maximum.unwrap_or(f64::MAX).min(most),
            );
            found.push(quote!(#keyword::bounds(#view, #min, #max)));
        }
        _ => {}
    }
    found
}

/// The keywords of numbers as a value of the façade.
pub(super) fn numbers(schema: &JsonSchema, tell: &TokenStream) -> TokenStream {
    let limit = |limit: Option<f64>, is_exclusive: bool| match limit {
        Some(limit) => quote!(::core::option::Option::Some((#limit, #is_exclusive))),
        None => quote!(::core::option::Option::None),
    };
    let (minimum, maximum) = (
        limit(schema.minimum, schema.exclusive_minimum),
        limit(schema.maximum, schema.exclusive_maximum),
    );
    let multiple_of = match schema.multiple_of {
        Some(of) => quote!(::core::option::Option::Some(#of)),
        None => quote!(::core::option::Option::None),
    };
    let (ty, format) = (&*schema.ty, &*schema.format);
    quote!(#tell::NumberKeywords::new(#ty, #format, #multiple_of, #minimum, #maximum))
}

/// Whether all values of a type are in a range.
fn is_within(ty: &Type, (min, max): (i64, i64)) -> bool {
    let (lowest, highest) = match last(ty).as_str() {
        "i8" => (i64::from(i8::MIN), i64::from(i8::MAX)),
        "i16" => (i64::from(i16::MIN), i64::from(i16::MAX)),
        "i32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        "u8" => (0, i64::from(u8::MAX)),
        "u16" => (0, i64::from(u16::MAX)),
        "u32" => (0, i64::from(u32::MAX)),
        // Some have no form in an API.
        "u64" | "usize" => return false,
        _ => (i64::MIN, i64::MAX),
    };
    min <= lowest && highest <= max
}

pub(super) fn texts(schema: &JsonSchema) -> Option<Vec<String>> {
    let arena = Arena::new();
    let text = |json: &kindsmith_schema::Json| match json.value(&arena) {
        Value::Str(text) => Some(text.to_owned()),
        _ => None,
    };
    schema.enum_values.iter().map(text).collect()
}
