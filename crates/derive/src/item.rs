//! From a struct or enum to its description.

use kindsmith_rust::go_text::ALLOWED;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DataEnum, DeriveInput, Field, Fields, Variant};

use crate::attribute::{Part, docs, parts};
use crate::description::{Choice, Described, Member, Shape, TagLine, Use};
use crate::serde_names::{Case, Serde};
use crate::static_type::{foreign, is_float, is_option, is_set};
use crate::vocabulary::{OTHERS, lines};

/// Describes a type.
pub(crate) fn describe(input: &DeriveInput) -> syn::Result<Described> {
    describe_without(input, &[])
}

/// Describes a type without the attributes of these names, which are about something else.
pub(crate) fn describe_without(input: &DeriveInput, others: &[&str]) -> syn::Result<Described> {
    let serde = Serde::read(&input.attrs)?;
    let name = input.ident.to_string();
    let shape = match &input.data {
        Data::Struct(data) => structure(&data.fields, &serde, input.ident.span())?,
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
            tags(&parts, false)?
        },
        shape,
    })
}

/// Attributes that are tags.
fn own(attributes: &[Attribute]) -> syn::Result<Vec<Part>> {
    let mut parts = parts(attributes, "k8s")?;
    parts.retain(|part| part.is("tag") || !OTHERS.iter().any(|other| part.is(other)));
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

fn structure(fields: &Fields, serde: &Serde, span: proc_macro2::Span) -> syn::Result<Shape> {
    match fields {
        Fields::Named(named) if serde.is_transparent && named.named.len() == 1 => {
            Ok(Shape::Wrapper(plain(&named.named[0])?))
        }
        Fields::Named(named) => {
            let case = serde.rename_all;
            Ok(Shape::Struct(members(
                named.named.iter(),
                case,
                serde.has_default,
            )?))
        }
        Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => {
            Ok(Shape::Wrapper(plain(&unnamed.unnamed[0])?))
        }
        Fields::Unnamed(_) => Err(syn::Error::new(
            span,
            "a struct with several unnamed fields is a list in JSON, which no API type is; name the fields",
        )),
        Fields::Unit => Ok(Shape::Struct(Vec::new())),
    }
}

fn members<'f>(
    fields: impl Iterator<Item = &'f Field>,
    case: Option<Case>,
    all_default: bool,
) -> syn::Result<Vec<Member>> {
    let mut found = Vec::new();
    let mut errors: Option<syn::Error> = None;
    for field in fields {
        match member(field, case, all_default) {
            Ok(member) => found.extend(member),
            Err(error) => match &mut errors {
                Some(errors) => errors.combine(error),
                None => errors = Some(error),
            },
        }
    }
    errors.map_or(Ok(found), Err)
}

fn member(field: &Field, case: Option<Case>, all_default: bool) -> syn::Result<Option<Member>> {
    let serde = Serde::read(&field.attrs)?;
    if serde.is_skipped {
        return Ok(None);
    }
    let ident = field.ident.as_ref().expect("only named fields are members");
    let rust_name = ident.to_string().trim_start_matches("r#").to_owned();
    let name = match (&serde.rename, case) {
        _ if serde.is_flat => String::new(),
        (Some(name), _) => name.clone(),
        (None, Some(case)) => case.field(&rust_name),
        (None, None) => rust_name.clone(),
    };
    let parts = own(&field.attrs)?;
    let says_optional = parts.iter().any(|part| part.is("optional"));
    let mut tags = tags(&parts, is_float(&field.ty))?;
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
        ty: plain(field)?,
        is_optional: is_optional && !serde.is_flat,
        left_out_if: serde.left_out_if,
    }))
}

/// The type of a field.
fn plain(field: &Field) -> syn::Result<Use> {
    let parts = parts(&field.attrs, "k8s")?;
    let given = parts
        .iter()
        .find(|part| part.is("go_type"))
        .map(Part::need_text)
        .transpose()?;
    Ok(Use::Rust {
        go: given.or_else(|| foreign(&field.ty)),
        ty: Box::new(field.ty.clone()),
        is_optional: false,
    })
}

/// What attributes say about the tag of an enum.
struct Discriminator {
    /// Rules of the enum say which fields its variants have, so that none are added.
    has_own_rules: bool,
    docs: String,
}

impl Discriminator {
    fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let parts = parts(attributes, "k8s")?;
        let docs = parts.iter().find(|part| part.is("tag_description"));
        Ok(Self {
            has_own_rules: parts.iter().any(|part| part.is("own_rules")),
            docs: docs.map(Part::need_text).transpose()?.unwrap_or_default(),
        })
    }
}

/// `says_one`: an attribute of the enum says that exactly one member is set, so that its members do not.
fn enumeration(
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
        if !of.is_skipped {
            kept.push((variant, of));
        }
    }
    if kept.iter().all(|(variant, _)| is_unit(variant)) && serde.tag.is_none() {
        let choices: syn::Result<Vec<Choice>> = kept
            .iter()
            .map(|(variant, of)| choice(variant, of, serde))
            .collect();
        return Ok(Shape::Enum(choices?));
    }
    if serde.is_untagged || serde.content.is_some() {
        return Err(syn::Error::new(
            data.enum_token.span,
            "an API cannot tell the variants of this enum apart; leave out `untagged` and `content`, or use \
             `#[serde(tag = \"…\")]`",
        ));
    }
    match &serde.tag {
        Some(tag) => tagged(&kept, serde, tag, name, of_tag),
        None => union(&kept, serde, name, says_one),
    }
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
        tags: tags(&own(&variant.attrs)?, false)?,
    })
}

/// An enum whose variants are members of a union: exactly one is set.
fn union(variants: &[(&Variant, Serde)], serde: &Serde, name: &str, says_one: bool) -> syn::Result<Shape> {
    let mut found = Vec::new();
    for (variant, of) in variants {
        let ty = content(variant, of, serde, name)?;
        let has_fractions = matches!(&ty, Use::Rust { ty, .. } if is_float(ty));
        let mut tags = tags(&own(&variant.attrs)?, has_fractions)?;
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
            let field = &fields.unnamed[0];
            Ok(Use::Rust {
                ty: Box::new(field.ty.clone()),
                is_optional: true,
                go: foreign(&field.ty),
            })
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
