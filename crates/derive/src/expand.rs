//! Writes the code that describes a type at run time.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Generics, Path, parse_quote};

use crate::attribute::{Part, parts};
use crate::check::check;
use crate::checks;
use crate::description::{Choice, Described, Member, Shape, TagLine, Use};
use crate::static_type::{Wrapper, wrapper};
use crate::{item, resource};

/// `impl Schema`.
pub(crate) fn schema(input: &DeriveInput) -> syn::Result<TokenStream> {
    let described = item::describe(input)?;
    check(&[&described])?;
    let krate = krate(input)?;
    Ok(schema_code(input, &described, &krate, None))
}

/// `impl Resource`, and `impl Schema`.
pub(crate) fn resource(input: &DeriveInput) -> syn::Result<TokenStream> {
    let kind = resource::describe(input)?;
    let described: Vec<&Described> = kind.spec.iter().chain([&kind.root]).collect();
    check(&described)?;
    let krate = krate(input)?;
    let kind_method = quote! {
        fn kind() -> ::core::option::Option<#krate::rust::Kind> {
            ::core::option::Option::Some(#krate::rust::Kind::of::<Self>())
        }
    };
    let own = schema_code(
        input,
        kind.spec.as_ref().unwrap_or(&kind.root),
        &krate,
        Some(&kind_method),
    );
    let (group, version, name, package) = (&kind.group, &kind.version, &kind.kind, &kind.package);
    let (has_scale, is_namespaced) = (kind.has_scale, !kind.is_cluster);
    let declare = match &kind.spec {
        None => quote! { <Self as #krate::Schema>::go_type(types); },
        Some(_) => {
            let root = declaration(&kind.root, &krate);
            quote! {
                types.declare(concat!(module_path!(), "::", #name, " of ", stringify!(Self)), #name, |types| #root);
            }
        }
    };
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let constants = quote! {
        const GROUP: &'static str = #group;
        const VERSION: &'static str = #version;
        const KIND: &'static str = #name;
        const PACKAGE: &'static str = #package;
        const HAS_SCALE: bool = #has_scale;
        const IS_NAMESPACED: bool = #is_namespaced;
    };
    let is_spec = kind.spec.is_some();
    let of_kube = kind.made_by_kube.as_ref().map(|made| {
        let code = checks::code_of_root(&kind.root, &krate);
        let of_schema = with_checks(
            &quote!(impl #krate::Schema for #made),
            &quote! {
                fn go_type(types: &mut #krate::rust::Types) -> #krate::rust::GoType {
                    <#ident as #krate::Resource>::declare(types);
                    #krate::rust::GoType::parse(#name)
                }
                #kind_method
            },
            &code,
            &quote!(impl #krate::rust::typed::Members for #made),
        );
        quote! {
            #of_schema
            #[automatically_derived]
            impl #krate::Resource for #made {
                #constants
                const IS_SPEC: bool = false;
                fn declare(types: &mut #krate::rust::Types) {
                    <#ident as #krate::Resource>::declare(types);
                }
            }
        }
    });
    Ok(quote! {
        #own
        #[automatically_derived]
        impl #generics #krate::Resource for #ident #arguments #bounds {
            #constants
            const IS_SPEC: bool = #is_spec;
            fn declare(types: &mut #krate::rust::Types) {
                #declare
            }
        }
        #of_kube
    })
}

/// The façade: `::kindsmith`, unless `#[k8s(crate = "…")]` names another path.
fn krate(input: &DeriveInput) -> syn::Result<Path> {
    let given = parts(&input.attrs, "k8s")?;
    match given.iter().find(|part| part.is("crate")) {
        Some(part) => {
            syn::parse_str(&Part::need_text(part)?).map_err(|error| syn::Error::new(part.span, error))
        }
        None => Ok(parse_quote!(::kindsmith)),
    }
}

fn schema_code(
    input: &DeriveInput,
    described: &Described,
    krate: &Path,
    more: Option<&TokenStream>,
) -> TokenStream {
    let ident = &input.ident;
    let name = &described.name;
    let declared = declaration(described, krate);
    let generics = bounded(&input.generics, krate);
    let (generics, arguments, bounds) = generics.split_for_impl();
    let own = quote! {
        fn go_type(types: &mut #krate::rust::Types) -> #krate::rust::GoType {
            types.declare(::core::any::type_name::<Self>(), #name, |types| #declared)
        }
        #more
    };
    with_checks(
        &quote!(impl #generics #krate::Schema for #ident #arguments #bounds),
        &own,
        &checks::code(input, described, krate),
        &quote!(impl #generics #krate::rust::typed::Members for #ident #arguments #bounds),
    )
}

/// Two implementations: what a type is, and its members if it has some.
fn with_checks(
    head: &TokenStream,
    own: &TokenStream,
    code: &checks::Code,
    of_members: &TokenStream,
) -> TokenStream {
    let methods = &code.methods;
    let members = code.members.as_ref().map(|members| {
        quote! {
            #[automatically_derived]
            #[allow(unused_variables, unused_mut, unreachable_patterns, clippy::all)]
            #of_members {
                #members
            }
        }
    });
    quote! {
        #[automatically_derived]
        #[allow(unused_imports, unused_mut, unused_parens, unused_variables, unreachable_patterns, clippy::all)]
        #head {
            #own
            #methods
        }
        #members
    }
}

fn bounded(generics: &Generics, krate: &Path) -> Generics {
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#krate::Schema));
    }
    generics
}

/// An expression for a declaration; `types` is in scope.
fn declaration(described: &Described, krate: &Path) -> TokenStream {
    let docs = &described.docs;
    let tags = tags(&described.tags);
    let body = match &described.shape {
        Shape::Struct(members) => {
            let members = members.iter().map(|member| field(member, krate));
            quote! { #krate::rust::Body::Struct(::std::vec![#(#members),*]) }
        }
        Shape::Wrapper(of) => {
            let of = use_code(of, krate);
            quote! { #krate::rust::Body::Wrapper(#of) }
        }
        Shape::Enum(choices) => {
            let choices = choices.iter().map(|choice| variant(choice, krate));
            quote! { #krate::rust::Body::Enum(::std::vec![#(#choices),*]) }
        }
    };
    quote! {{
        let _ = &types;
        #krate::rust::Declaration { docs: #docs.into(), tags: #tags, body: #body }
    }}
}

fn tags(tags: &[TagLine]) -> TokenStream {
    let texts = tags.iter().map(|tag| &tag.text);
    quote! { ::std::vec![#(#texts.into()),*] }
}

fn field(member: &Member, krate: &Path) -> TokenStream {
    let (rust_name, name, docs) = (&member.rust_name, &member.name, &member.docs);
    let tags = tags(&member.tags);
    let ty = use_code(&member.ty, krate);
    let presence = if member.is_optional {
        quote!(Optional)
    } else {
        quote!(Required)
    };
    quote! {
        #krate::rust::Field {
            rust_name: #rust_name.into(),
            name: #name.into(),
            docs: #docs.into(),
            tags: #tags,
            ty: #ty,
            presence: #krate::rust::Presence::#presence,
        }
    }
}

fn variant(choice: &Choice, krate: &Path) -> TokenStream {
    let (rust_name, value, docs) = (&choice.rust_name, &choice.value, &choice.docs);
    let tags = tags(&choice.tags);
    quote! {
        #krate::rust::Variant { rust_name: #rust_name.into(), value: #value.into(), docs: #docs.into(), tags: #tags }
    }
}

fn use_code(of: &Use, krate: &Path) -> TokenStream {
    let (code, is_optional) = match of {
        Use::Rust { ty, is_optional, go } => (type_code(ty, go.as_deref(), krate), *is_optional),
        Use::Path { ty, is_optional } => (type_code(ty, None, krate), *is_optional),
        Use::Go(name) => (quote! { #krate::rust::GoType::parse(#name) }, false),
        Use::Inline { of, is_optional } => {
            let name = &of.name;
            let code = declaration(of, krate);
            let declared = quote! {
                types.declare(
                    &::std::format!("{}::{}", ::core::any::type_name::<Self>(), #name),
                    #name,
                    |types| #code,
                )
            };
            (declared, *is_optional)
        }
    };
    if is_optional {
        quote! { #code.or_absent() }
    } else {
        code
    }
}

/// The type by its trait, or what lies inside it by its name in Go.
fn type_code(ty: &syn::Type, leaf: Option<&str>, krate: &Path) -> TokenStream {
    let Some(leaf) = leaf else {
        return quote! { <#ty as #krate::Schema>::go_type(types) };
    };
    match wrapper(ty) {
        Wrapper::Option(inner) => {
            let inner = type_code(inner, Some(leaf), krate);
            quote! { #inner.or_absent() }
        }
        Wrapper::Box(inner) => type_code(inner, Some(leaf), krate),
        Wrapper::List(inner) => {
            let inner = type_code(inner, Some(leaf), krate);
            quote! { #inner.list() }
        }
        Wrapper::Map(key, value) => {
            let (key, value) = (type_code(key, None, krate), type_code(value, Some(leaf), krate));
            quote! { #value.map_from(#key) }
        }
        Wrapper::None => quote! { #krate::rust::GoType::parse(#leaf) },
    }
}
