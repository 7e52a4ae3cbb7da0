//! Enums: names, unions, and fields beside a tag.

use kindsmith_rust::go_text::ALLOWED;
use syn::spanned::Spanned;
use syn::{Attribute, DataEnum, Fields, Variant};

use crate::attribute::{Part, docs, parts};
use crate::description::{Choice, Described, Member, Shape, TagLine, Use};
use crate::field::{members, of_attributes, of_part, own_limits, plain, tags};
use crate::serde_names::Serde;
use crate::static_type::{is_float, is_option};

/// What attributes say about the tag of an enum.
pub(crate) struct Discriminator {
    /// Rules of the enum say which fields its variants have, so that none are added.
    has_own_rules: bool,
    docs: String,
}

impl Discriminator {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let parts = parts(attributes, "k8s")?;
        let docs = parts.iter().find(|part| part.is("tag_description"));
        Ok(Self {
            has_own_rules: parts.iter().any(|part| part.is("own_rules")),
            docs: docs.map(Part::need_text).transpose()?.unwrap_or_default(),
        })
    }
}

/// `says_one`: an attribute of the enum says that exactly one member is set, so that its members do not.
pub(crate) fn enumeration(
    data: &DataEnum,
    serde: &Serde,
    name: &str,
    says_one: bool,
    of_tag: &Discriminator,
) -> syn::Result<Shape> {
    let is_unit = |variant: &&Variant| matches!(variant.fields, Fields::Unit);
    let variants: Vec<&Variant> = data.variants.iter().collect();
    let mut kept = Vec::new();
    for variant in variants {
        let of = Serde::read(&variant.attrs)?;
        if of.is_untagged {
            return Err(untagged(variant.ident.span()));
        }
        // A catch-all is no value of the API: programs read values that they do not know into it.
        if !of.is_unread && !of.is_other {
            kept.push((variant, of));
        }
    }
    if serde.is_untagged || serde.content.is_some() {
        return Err(untagged(data.enum_token.span));
    }
    if kept.iter().all(|(variant, _)| is_unit(variant)) && serde.tag.is_none() {
        let choices: syn::Result<Vec<Choice>> = kept
            .iter()
            .map(|(variant, of)| choice(variant, of, serde))
            .collect();
        return Ok(Shape::Enum(choices?));
    }
    match &serde.tag {
        Some(tag) => tagged(&kept, serde, tag, name, of_tag),
        None => union(&kept, serde, name, says_one),
    }
}

fn untagged(span: proc_macro2::Span) -> syn::Error {
    syn::Error::new(
        span,
        "an API cannot tell the variants of this enum apart; leave out `untagged` and `content`, or use \
         `#[serde(tag = \"…\")]`",
    )
}

fn variant_name(variant: &Variant, of: &Serde, serde: &Serde) -> String {
    let rust_name = variant.ident.to_string();
    match (&of.rename, serde.rename_all) {
        (Some(name), _) => name.clone(),
        (None, Some(case)) => case.variant(&rust_name),
        (None, None) => rust_name,
    }
}

fn choice(variant: &Variant, of: &Serde, serde: &Serde) -> syn::Result<Choice> {
    Ok(Choice {
        rust_name: variant.ident.to_string(),
        span: variant.ident.span(),
        value: variant_name(variant, of, serde),
        docs: docs(&variant.attrs),
        tags: tags(&of_attributes(&variant.attrs)?, false)?,
    })
}

/// An enum whose variants are members of a union: exactly one is set.
fn union(variants: &[(&Variant, Serde)], serde: &Serde, name: &str, says_one: bool) -> syn::Result<Shape> {
    let mut found = Vec::new();
    for (variant, of) in variants {
        let ty = content(variant, of, serde, name)?;
        let has_fractions = matches!(&ty, Use::Rust { ty, .. } if is_float(ty));
        let mut parts = of_attributes(&variant.attrs)?;
        if let Fields::Unnamed(fields) = &variant.fields {
            parts.extend(fields.unnamed.first().map_or(Ok(Vec::new()), of_part)?);
        }
        let mut tags = tags(&parts, has_fractions)?;
        if let Fields::Unnamed(fields) = &variant.fields {
            tags.extend(own_limits(&fields.unnamed[0], &tags, &variant.attrs)?);
        }
        if !says_one && !tags.iter().any(|tag| tag.text.starts_with("k8s:unionMember")) {
            tags.push(TagLine {
                text: "k8s:unionMember".to_owned(),
                span: variant.ident.span(),
            });
        }
        found.push(Member {
            rust_name: variant.ident.to_string(),
            span: variant.ident.span(),
            name: variant_name(variant, of, serde),
            docs: docs(&variant.attrs),
            tags,
            ty,
            is_optional: true,
            left_out_if: None,
        });
    }
    Ok(Shape::Struct(found))
}

fn content(variant: &Variant, of: &Serde, serde: &Serde, name: &str) -> syn::Result<Use> {
    match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let mut inner = plain(&fields.unnamed[0], &variant.attrs)?;
            if is_option(&fields.unnamed[0].ty) {
                return Err(syn::Error::new(
                    fields.span(),
                    "a member of a union is set by its value; leave out `Option`",
                ));
            }
            if let Use::Rust { is_optional, .. } = &mut inner {
                *is_optional = true;
            }
            Ok(inner)
        }
        Fields::Named(fields) => {
            let case = of.rename_all.or(serde.rename_all_fields);
            Ok(Use::Inline {
                of: Box::new(Described {
                    name: format!("{name}{}", variant.ident),
                    span: variant.ident.span(),
                    docs: docs(&variant.attrs),
                    tags: Vec::new(),
                    shape: Shape::Struct(members(fields.named.iter(), case, false)?),
                }),
                is_optional: true,
            })
        }
        _ => Err(syn::Error::new(
            variant.ident.span(),
            "a variant of a union has one unnamed field or named fields; beside variants with content, one without is \
             a text in JSON",
        )),
    }
}

/// An enum that says in a field which variant it is: its fields apply in that mode only.
fn tagged(
    variants: &[(&Variant, Serde)],
    serde: &Serde,
    tag: &str,
    name: &str,
    of_tag: &Discriminator,
) -> syn::Result<Shape> {
    let mut choices = Vec::new();
    let mut found: Vec<Member> = Vec::new();
    for (variant, of) in variants {
        choices.push(choice(variant, of, serde)?);
        let mode = variant_name(variant, of, serde);
        let fields = match &variant.fields {
            Fields::Named(fields) => {
                let case = of.rename_all.or(serde.rename_all_fields);
                members(fields.named.iter(), case, false)?
            }
            Fields::Unit => Vec::new(),
            Fields::Unnamed(fields) => {
                return Err(syn::Error::new(
                    fields.span(),
                    "the fields of this type stand beside the tag, where they cannot be seen from here; write them into \
                     the variant",
                ));
            }
        };
        for field in fields {
            add_mode(&mut found, field, (!of_tag.has_own_rules).then_some(&mode))?;
        }
    }
    let (tags, of_choices) = if of_tag.has_own_rules {
        let values: Vec<String> = choices
            .iter()
            .map(|choice| kindsmith_json::write::go_quote(&choice.value))
            .collect();
        (Vec::new(), vec![line(&format!("{ALLOWED}{}", values.join(";")))])
    } else {
        (
            vec![line("k8s:required"), line("k8s:modeDiscriminator")],
            Vec::new(),
        )
    };
    let discriminator = Member {
        rust_name: tag.to_owned(),
        span: variants
            .first()
            .map_or_else(proc_macro2::Span::call_site, |(variant, _)| variant.ident.span()),
        name: tag.to_owned(),
        docs: of_tag.docs.clone(),
        tags,
        ty: Use::Inline {
            of: Box::new(Described {
                name: format!("{name}{}", kindsmith_rust::go_text::exported(tag)),
                span: proc_macro2::Span::call_site(),
                docs: String::new(),
                tags: of_choices,
                shape: Shape::Enum(choices),
            }),
            is_optional: false,
        },
        is_optional: false,
        left_out_if: None,
    };
    found.insert(0, discriminator);
    Ok(Shape::Struct(found))
}

fn line(text: &str) -> TagLine {
    TagLine {
        text: text.to_owned(),
        span: proc_macro2::Span::call_site(),
    }
}

/// Adds a field that only one mode has, or a mode to a field that several have. Without a mode, rules of the whole say who has it.
fn add_mode(found: &mut Vec<Member>, mut field: Member, mode: Option<&String>) -> syn::Result<()> {
    let mut tags: Vec<TagLine> = Vec::new();
    if mode.is_some() {
        let presence = if field.is_optional { "optional" } else { "required" };
        tags.push(TagLine {
            text: format!("k8s:{presence}"),
            span: field.span,
        });
    }
    tags.append(&mut field.tags);
    if let (Some(_), Some(tag)) = (mode, tags.iter().find(|tag| tag.text.starts_with("default="))) {
        let message = "a default is set in all modes, and only this one may have the field; leave it out";
        return Err(syn::Error::new(tag.span, message));
    }
    for tag in &mut tags {
        if let (Some(mode), true) = (mode, tag.text.starts_with("k8s:")) {
            let mode = kindsmith_json::write::go_quote(mode);
            tag.text = format!("k8s:ifMode({mode})=+{}", tag.text);
        }
    }
    if let Some(known) = found.iter_mut().find(|known| known.name == field.name) {
        if known.rust_type() != field.rust_type() {
            return Err(syn::Error::new(
                field.span,
                format!("`{}` has another type in an earlier variant", field.name),
            ));
        }
        // Rules without a mode are those of all.
        let of_all = |tags: &[TagLine]| -> Vec<String> {
            let texts = tags.iter().map(|tag| tag.text.clone());
            texts.filter(|text| !text.starts_with("k8s:ifMode(")).collect()
        };
        if mode.is_some() && of_all(&known.tags) != of_all(&tags) {
            return Err(syn::Error::new(
                field.span,
                format!(
                    "`{}` has other rules in an earlier variant, and only those that are `+k8s:` tags may differ",
                    field.name
                ),
            ));
        }
        tags.retain(|tag| mode.is_none() || tag.text.starts_with("k8s:ifMode("));
        known.tags.extend(tags);
        return Ok(());
    }
    field.tags = tags;
    field.is_optional = true;
    if let Use::Rust { is_optional, .. } = &mut field.ty {
        *is_optional = true;
    }
    found.push(field);
    Ok(())
}

impl Member {
    fn rust_type(&self) -> Option<&syn::Type> {
        match &self.ty {
            Use::Rust { ty, .. } => Some(ty),
            _ => None,
        }
    }
}
