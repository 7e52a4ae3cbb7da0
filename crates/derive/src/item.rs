//! From a struct or enum to its description.

use syn::{Data, DeriveInput, Field, Fields};

use crate::attribute::{docs, parts};
use crate::description::{Described, Shape};
use crate::enumeration::{Discriminator, enumeration};
use crate::field::{members, of_part, own, own_limits, plain, refuse, tags};
use crate::serde_names::Serde;
use crate::static_type::is_float;
use crate::vocabulary::{OF_KINDS, OF_ROOT};

/// Describes a type that is no kind.
pub(crate) fn describe(input: &DeriveInput) -> syn::Result<Described> {
    for part in parts(&input.attrs, "k8s")? {
        refuse(&part, &[OF_KINDS, OF_ROOT], "is about a kind: derive `Resource`")?;
    }
    describe_without(input, &[])
}

/// Describes a type without the attributes of these names, which are about something else.
pub(crate) fn describe_without(input: &DeriveInput, others: &[&str]) -> syn::Result<Described> {
    let serde = Serde::read(&input.attrs)?;
    let name = input.ident.to_string();
    let mut inner = None;
    let shape = match &input.data {
        Data::Struct(data) => {
            inner = only_field(&data.fields, &serde)?.map(|(_, field)| field);
            structure(&data.fields, inner, &serde, input.ident.span())?
        }
        Data::Enum(data) => {
            let says_one = own(&input.attrs)?.iter().any(|part| part.is("exactly_one_of"));
            enumeration(data, &serde, &name, says_one, &Discriminator::read(&input.attrs)?)?
        }
        Data::Union(data) => {
            return Err(syn::Error::new(
                data.union_token.span,
                "a union has no form in JSON",
            ));
        }
    };
    Ok(Described {
        name,
        span: input.ident.span(),
        docs: docs(&input.attrs),
        tags: {
            let mut parts = own(&input.attrs)?;
            parts.retain(|part| !others.iter().any(|other| part.is(other)));
            // What is said about the only field is said about the type.
            parts.extend(inner.map_or(Ok(Vec::new()), of_part)?);
            let mut tags = tags(&parts, inner.is_some_and(|field| is_float(&field.ty)))?;
            if let Some(field) = inner {
                tags.extend(own_limits(field, &tags, &[])?);
            }
            tags
        },
        shape,
    })
}

/// The only field of a struct that is written as that field, with its name in Rust.
pub(crate) fn only_field<'f>(
    fields: &'f Fields,
    serde: &Serde,
) -> syn::Result<Option<(syn::Member, &'f Field)>> {
    if !serde.is_transparent && !matches!(fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1) {
        return Ok(None);
    }
    let mut kept = Vec::new();
    for (name, field) in fields.members().zip(fields) {
        if !Serde::read(&field.attrs)?.is_skipped {
            kept.push((name, field));
        }
    }
    Ok(if kept.len() == 1 { kept.pop() } else { None })
}

fn structure(
    fields: &Fields,
    only: Option<&Field>,
    serde: &Serde,
    span: proc_macro2::Span,
) -> syn::Result<Shape> {
    if serde.tag.is_some() {
        return Err(syn::Error::new(
            span,
            "serde adds a field with the name of this struct, which no client knows; write it as a field",
        ));
    }
    if let Some(only) = only {
        return Ok(Shape::Wrapper(plain(only, &[])?));
    }
    match fields {
        Fields::Named(named) => {
            let case = serde.rename_all;
            Ok(Shape::Struct(members(
                named.named.iter(),
                case,
                serde.has_default,
            )?))
        }
        Fields::Unnamed(_) => Err(syn::Error::new(
            span,
            "a struct with several unnamed fields is a list in JSON, which no API type is; name the fields",
        )),
        Fields::Unit => Err(syn::Error::new(
            span,
            "a struct without fields is null in JSON, which API servers drop; write `{}` after its name",
        )),
    }
}
