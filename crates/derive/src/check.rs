//! Reads a description with the reader of Go tags, and gives its findings as compile errors.
//!
//! What other types are is not known here. A finding about a field of such a type counts only if no type could mend it.

use kindsmith_go::Profile;
use kindsmith_go::finding as go_finding;
use kindsmith_rust::{Declaration, GoType, Library, Package, Place, Types, read};
use kindsmith_source::Finding;
use kindsmith_tags::finding;
use proc_macro2::Span;

use crate::declared::{self, Chooser};
use crate::description::{Described, Shape, TagLine, Use};
use crate::static_type;

/// Findings that do not depend on types.
const ALWAYS: &[&Finding] = &[
    &finding::DEFAULT_SYNTAX,
    &finding::KEP_ONLY,
    &finding::MARKER_SYNTAX,
    &finding::MARKER_VALUE,
    &finding::TAG_SCOPE,
    &finding::TAG_SYNTAX,
    &finding::TAG_VALUE,
    &finding::UNKNOWN_NESTED_TAG,
    &finding::UNKNOWN_TAG,
];

/// All mistakes in tags, at their attributes.
pub(crate) fn check(described: &[&Described]) -> syn::Result<()> {
    let mut package = Package::new("kindsmith.invalid", "v1");
    let mut all: Vec<&Described> = Vec::new();
    for described in described {
        declare(described, &mut package.types, &mut all);
    }
    let read = read(&[package], Library::default(), Profile::Upstream);
    let mut errors: Option<syn::Error> = None;
    for diagnostic in &read.go.diagnostics {
        let Some(place) = read.place(diagnostic.span) else {
            continue;
        };
        let Some(span) = span(&all, &place, diagnostic.finding) else {
            continue;
        };
        let mut message = diagnostic.message.clone();
        for help in &diagnostic.help {
            message = format!("{message}\nhelp: {help}");
        }
        let error = syn::Error::new(span, message);
        match &mut errors {
            Some(errors) => errors.combine(error),
            None => errors = Some(error),
        }
    }
    errors.map_or(Ok(()), Err)
}

/// The attribute, field or type that a finding is about, unless another type could mend it.
fn span(all: &[&Described], place: &Place, found: &'static Finding) -> Option<Span> {
    if found == &go_finding::UNDEFINED_TYPE {
        return None;
    }
    let described = all.iter().find(|described| described.name == place.line.ty)?;
    let at = |tags: &[TagLine], span: Span| {
        let tag = place.line.tag.and_then(|index| tags.get(index));
        tag.map_or(span, |tag| tag.span)
    };
    let Some(index) = place.line.member else {
        let is_open = matches!(&described.shape, Shape::Wrapper(of) if !of.is_known())
            || matches!(&described.shape, Shape::Struct(members) if members.iter().any(|member| member.name.is_empty()));
        return (!is_open || ALWAYS.contains(&found)).then(|| at(&described.tags, described.span));
    };
    match &described.shape {
        Shape::Struct(members) => {
            let member = members.get(index)?;
            (member.ty.is_known() || ALWAYS.contains(&found)).then(|| at(&member.tags, member.span))
        }
        Shape::Enum(choices) => choices.get(index).map(|choice| at(&choice.tags, choice.span)),
        Shape::Wrapper(_) => None,
    }
}

fn declare<'d>(described: &'d Described, types: &mut Types, all: &mut Vec<&'d Described>) {
    all.push(described);
    let mut inner = Vec::new();
    let declaration = declaration(described, &mut inner);
    types.declare(&described.name, &described.name, |_| declaration);
    for described in inner {
        declare(described, types, all);
    }
}

/// The description with types as far as names tell.
pub(crate) fn declaration<'d>(described: &'d Described, inner: &mut Vec<&'d Described>) -> Declaration {
    declared::declaration(described, &mut ByName(inner))
}

/// Types by their names, and those inside that have none in Rust.
struct ByName<'d, 'i>(&'i mut Vec<&'d Described>);

impl<'d> Chooser<'d> for ByName<'d, '_> {
    fn ty(&mut self, _: &'d Described, _: usize, of: &'d Use, _: &[TagLine]) -> GoType {
        of.go_type(self.0)
    }
}

impl Use {
    fn go_type<'d>(&'d self, inner: &mut Vec<&'d Described>) -> GoType {
        let (ty, is_optional) = match self {
            Self::Rust { ty, is_optional, go } => (static_type::go_type(ty, go.as_deref()), *is_optional),
            Self::Path { ty, is_optional } => (static_type::go_type(ty, None), *is_optional),
            Self::Go(name) => (GoType::parse(name), false),
            Self::Inline { of, is_optional } => {
                inner.push(of);
                (GoType::Named(of.name.clone().into()), *is_optional)
            }
        };
        if is_optional { ty.or_absent() } else { ty }
    }

    fn is_known(&self) -> bool {
        match self {
            Self::Rust { ty, go, .. } => static_type::is_known(ty, go.as_deref()),
            Self::Path { .. } => false,
            Self::Go(_) | Self::Inline { .. } => true,
        }
    }
}
