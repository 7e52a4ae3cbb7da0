//! Fields and variants' contents: their names, tags and types.

use syn::spanned::Spanned;
use syn::{Attribute, Field};

use crate::attribute::{Part, docs, parts};
use crate::description::{Member, TagLine, Use};
use crate::limits::limits;
use crate::serde_names::{Case, Serde};
use crate::static_type::{foreign, is_float, is_option, is_set};
use crate::vocabulary::{OF_KINDS, OF_ROOT, OF_TYPES, lines, others};

/// Refuses an attribute that says nothing where it is.
pub(crate) fn refuse(part: &Part, names: &[&[&str]], why: &str) -> syn::Result<()> {
    match part.name.as_deref() {
        Some(name) if names.iter().any(|names| names.contains(&name)) => {
            Err(syn::Error::new(part.span, format!("`{name}` {why}")))
        }
        _ => Ok(()),
    }
}

/// Attributes of a field or variant that are tags.
pub(crate) fn of_part(field: &Field) -> syn::Result<Vec<Part>> {
    of_attributes(&field.attrs)
}

pub(crate) fn of_attributes(attributes: &[Attribute]) -> syn::Result<Vec<Part>> {
    for part in parts(attributes, "k8s")? {
        refuse(
            &part,
            &[OF_KINDS, OF_ROOT],
            "is about a kind, not about a part of it",
        )?;
        refuse(&part, &[OF_TYPES], "is about a type, not about a part of it")?;
    }
    own(attributes)
}

/// Attributes that are tags.
pub(crate) fn own(attributes: &[Attribute]) -> syn::Result<Vec<Part>> {
    let mut parts = parts(attributes, "k8s")?;
    parts.retain(|part| part.is("tag") || !others().any(|other| part.is(other)));
    Ok(parts)
}

pub(crate) fn tags(parts: &[Part], is_float: bool) -> syn::Result<Vec<TagLine>> {
    let mut found = Vec::new();
    let mut errors: Option<syn::Error> = None;
    for part in parts {
        match lines(part, is_float) {
            Ok(lines) => found.extend(lines.into_iter().map(|text| TagLine {
                text,
                span: part.span,
            })),
            Err(error) => match &mut errors {
                Some(errors) => errors.combine(error),
                None => errors = Some(error),
            },
        }
    }
    errors.map_or(Ok(found), Err)
}

pub(crate) fn members<'f>(
    fields: impl Iterator<Item = &'f Field>,
    case: Option<Case>,
    all_default: bool,
) -> syn::Result<Vec<Member>> {
    let mut found = Vec::new();
    let mut errors: Option<syn::Error> = None;
    for field in fields {
        match member(field, case, all_default).and_then(|member| unique(member, &found)) {
            Ok(member) => found.extend(member),
            Err(error) => match &mut errors {
                Some(errors) => errors.combine(error),
                None => errors = Some(error),
            },
        }
    }
    errors.map_or(Ok(found), Err)
}

fn unique(member: Option<Member>, known: &[Member]) -> syn::Result<Option<Member>> {
    match &member {
        Some(member) if !member.name.is_empty() && known.iter().any(|known| known.name == member.name) => {
            let message = format!("an earlier field is `{}` in JSON, too", member.name);
            Err(syn::Error::new(member.span, message))
        }
        _ => Ok(member),
    }
}

fn member(field: &Field, case: Option<Case>, all_default: bool) -> syn::Result<Option<Member>> {
    let serde = Serde::read(&field.attrs)?;
    if serde.is_skipped {
        return match parts(&field.attrs, "k8s")?.first() {
            Some(part) => Err(syn::Error::new(
                part.span,
                "serde skips this field, so it is not in the API and has no rules",
            )),
            None => Ok(None),
        };
    }
    if let Some(span) = serde.half_skipped {
        return Err(syn::Error::new(
            span,
            "a field of an API is read and written: leave it out with `skip`, or do both",
        ));
    }
    if serde.is_flat && is_option(&field.ty) {
        return Err(syn::Error::new(
            field.ty.span(),
            "what is flattened is always there; leave out `Option`, and make its fields optional",
        ));
    }
    let ident = field.ident.as_ref().expect("only named fields are members");
    let rust_name = ident.to_string().trim_start_matches("r#").to_owned();
    let name = match (&serde.rename, case) {
        _ if serde.is_flat => String::new(),
        (Some(name), _) => name.clone(),
        (None, Some(case)) => case.field(&rust_name),
        (None, None) => rust_name.clone(),
    };
    let parts = of_part(field)?;
    let says_optional = parts.iter().any(|part| part.is("optional"));
    let mut tags = tags(&parts, is_float(&field.ty))?;
    tags.extend(own_limits(field, &tags, &[])?);
    if is_set(&field.ty) && !tags.iter().any(|tag| tag.text.starts_with("k8s:listType")) {
        tags.push(TagLine {
            text: "k8s:listType=set".to_owned(),
            span: field.ty.span(),
        });
    }
    let is_optional = is_option(&field.ty)
        || serde.has_default
        || serde.left_out_if.is_some()
        || all_default
        || says_optional;
    if !is_optional {
        // Rust always writes the field, so the default is for other clients: a fact of the CRD. `+default` would also promise it for
        // the zero value, and Go's generators refuse that.
        for tag in &mut tags {
            if tag.text.starts_with("default=") {
                tag.text.insert_str(0, "kubebuilder:");
            }
        }
    }
    Ok(Some(Member {
        rust_name,
        span: ident.span(),
        name,
        docs: docs(&field.attrs),
        tags,
        ty: plain(field, &[])?,
        is_optional: is_optional && !serde.is_flat,
        left_out_if: serde.left_out_if,
    }))
}

/// The limits of a field's type, unless the field has another form.
pub(crate) fn own_limits(field: &Field, tags: &[TagLine], around: &[Attribute]) -> syn::Result<Vec<TagLine>> {
    match plain(field, around)? {
        Use::Rust { go: Some(_), .. } => Ok(Vec::new()),
        _ => Ok(limits(&field.ty, tags)),
    }
}

/// The type of a field; `around` are the attributes of the variant whose only field it is.
pub(crate) fn plain(field: &Field, around: &[Attribute]) -> syn::Result<Use> {
    let mut parts = parts(&field.attrs, "k8s")?;
    parts.extend(self::parts(around, "k8s")?);
    let given = parts
        .iter()
        .find(|part| part.is("go_type"))
        .map(Part::need_text)
        .transpose()?;
    if let (None, Some(span)) = (&given, Serde::read(&field.attrs)?.with) {
        return Err(syn::Error::new(
            span,
            "what serde writes here cannot be seen from the type; say its form: `#[k8s(go_type = \"string\")]`",
        ));
    }
    Ok(Use::Rust {
        go: given.or_else(|| foreign(&field.ty)),
        ty: Box::new(field.ty.clone()),
        is_optional: false,
    })
}
