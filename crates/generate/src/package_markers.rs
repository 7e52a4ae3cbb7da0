//! Markers that a generator knows, found in packages and parsed.

use kindsmith_go::markers::{Level, Marker, of_package};
use kindsmith_go::package::Package;
use kindsmith_source::Span;
use kindsmith_tags::grammar::marker::{Arguments, MarkerValues, parse, split};

/// A marker that a generator knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) takes: Arguments,
}

/// What a generator refuses, in controller-gen's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The place of the marker, field or type.
    pub span: Span,
    /// The message.
    pub message: String,
    /// How to fix it, where it is not obvious.
    pub help: Option<&'static str>,
}

impl Problem {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn help(self, help: &'static str) -> Self {
        Self {
            help: Some(help),
            ..self
        }
    }
}

/// A parsed marker.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) name: &'static str,
    pub(crate) values: MarkerValues,
    pub(crate) span: Span,
}

/// The markers of a package that are never those of a type.
pub(crate) fn anywhere(package: &Package, known: &[Definition], problems: &mut Vec<Problem>) -> Vec<Found> {
    let markers = of_package(package).into_iter().map(|(_, marker)| marker);
    markers
        .filter_map(|marker| parsed(marker, known, problems))
        .collect()
}

/// The markers of a package that could also be those of a type, so that the comment above a type is not the
/// package's.
pub(crate) fn outside_types(
    package: &Package,
    known: &[Definition],
    problems: &mut Vec<Problem>,
) -> Vec<Found> {
    let markers = of_package(package)
        .into_iter()
        .filter(|(level, _)| *level == Level::Package);
    markers
        .filter_map(|(_, marker)| parsed(marker, known, problems))
        .collect()
}

/// A marker, if it is known. The last part of a name may be the first argument's.
pub(crate) fn parsed(marker: Marker<'_>, known: &[Definition], problems: &mut Vec<Problem>) -> Option<Found> {
    let parts = split(marker.text);
    let named = |name: &str| known.iter().find(|definition| definition.name == name);
    let definition = named(parts.full_name).or_else(|| named(parts.short_name))?;
    match parse(definition.takes, parts) {
        Ok(values) => Some(Found {
            name: definition.name,
            values,
            span: marker.span,
        }),
        Err(errors) => {
            problems.extend(errors.iter().map(|error| Problem::new(marker.span, error.text())));
            None
        }
    }
}
