//! The markers of one declaration, and which tool sees each.

use std::ops::Range;

use kindsmith_schema::{Builder, Field, Owner};
use kindsmith_source::Span;

use super::declarative;
use crate::catalogue;
use crate::grammar::marker::{MarkerParts, split};
use crate::grammar::openapi::{OldMarker, old_marker};
use crate::site::{Block, BlockKind, Line, Site};
use crate::tag::{Scope, Tag};

/// The markers of a declaration, in source order.
pub(crate) struct Lines<'a> {
    pub(crate) owner: Owner,
    pub(crate) scope: Scope,
    /// Import path of the declaration's package.
    pub(crate) package: &'a str,
    pub(crate) markers: Vec<Marker<'a>>,
    /// All lines of the group that gengo's tools read, markers or not.
    pub(crate) closest: &'a [Line<'a>],
    /// Some comment line of the declaration.
    pub(crate) any: Option<Span>,
}

/// A comment line that starts with a `+`.
pub(crate) struct Marker<'a> {
    /// Everything after the `+`, without blanks at the end.
    pub(crate) text: &'a str,
    /// The place of `text`.
    pub(crate) span: Span,
    pub(crate) block: BlockKind,
    /// Whether it is in a `//` comment.
    pub(crate) slashes: bool,
    /// Whether controller-gen reads the line.
    pub(crate) in_crd: bool,
    /// The line as gengo's oldest parser reads it; `None` where openapi-gen does not look.
    pub(crate) old: Option<OldMarker<'a>>,
    /// The line as controller-gen reads it; `None` where it does not look.
    pub(crate) crd: Option<Crd<'a>>,
    /// The tag, from any tool that knows the name.
    pub(crate) tag: Option<&'static Tag>,
}

/// A line as controller-gen sees it.
pub(crate) struct Crd<'a> {
    pub(crate) tag: &'static Tag,
    pub(crate) parts: MarkerParts<'a>,
    /// Whether it is for list items.
    pub(crate) items: bool,
    /// Whether it is a `+k8s:` tag, which has another meaning to other tools.
    pub(crate) declarative: bool,
    /// Offset in the marker's text where controller-gen's arguments start.
    pub(crate) arguments_at: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(builder: &'a Builder, site: &'a Site<'a>) -> Self {
        let (scope, package) = match site.owner {
            Owner::Package(index) => (Scope::Package, package_path(builder, index)),
            Owner::Type(id) | Owner::Constant(id, _) => (Scope::Type, &*builder.ty(id).name.package),
            Owner::Field(id) => (Scope::Field, &*builder.ty(id.owner).name.package),
        };
        let mut markers = Vec::new();
        for block in &site.blocks {
            markers.extend(
                block
                    .lines
                    .iter()
                    .filter_map(|line| Marker::of(line, block, scope)),
            );
        }
        let lines = site.blocks.iter().flat_map(|block| &block.lines);
        let is_closest = |block: &&Block<'_>| block.kind == BlockKind::Closest;
        let closest = site.blocks.iter().find(is_closest);
        Self {
            owner: site.owner,
            scope,
            package,
            markers,
            closest: closest.map_or(&[], |block| &block.lines),
            any: lines.map(|line| line.span).next(),
        }
    }

    /// The field, if the declaration is one.
    pub(crate) fn field(&self, builder: &'a Builder) -> Option<&'a Field> {
        match self.owner {
            Owner::Field(id) => builder.ty(id.owner).fields().get(id.index as usize),
            _ => None,
        }
    }

    /// Markers that openapi-gen sees under exactly this name.
    pub(crate) fn old(&self, name: &str) -> impl Iterator<Item = (&Marker<'a>, OldMarker<'a>)> {
        let matching = move |old: &OldMarker<'_>| old.name == name;
        self.markers
            .iter()
            .filter_map(move |marker| Some((marker, marker.old.filter(matching)?)))
    }

    /// Whether openapi-gen sees a marker of this name.
    pub(crate) fn has_old(&self, name: &str) -> bool {
        self.old(name).next().is_some()
    }

    /// Whether controller-gen sees a marker of this name.
    pub(crate) fn has_crd(&self, name: &str) -> bool {
        let mut seen = self.markers.iter().filter_map(|marker| marker.crd.as_ref());
        seen.any(|crd| crd.tag.name == name && !crd.items)
    }
}

fn package_path(builder: &Builder, index: u32) -> &str {
    builder
        .packages()
        .get(index as usize)
        .map_or("", |package| &*package.path)
}

impl<'a> Marker<'a> {
    fn of(line: &Line<'a>, block: &Block<'a>, scope: Scope) -> Option<Self> {
        let trimmed = line.text.trim();
        let text = trimmed.strip_prefix('+')?;
        let at = line.text.len() - line.text.trim_start().len() + 1;
        let gengo = matches!(block.kind, BlockKind::Closest | BlockKind::DocFile);
        let known = crd(text, scope);
        let old = old_marker(line.text);
        let tag = known
            .as_ref()
            .filter(|crd| !crd.declarative)
            .map(|crd| crd.tag)
            .or_else(|| catalogue::find(old?.name))
            .or_else(|| catalogue::resolve(crate::grammar::marker(line.text)?.name));
        Some(Self {
            text,
            span: line.span.part(at, at + text.len()),
            block: block.kind,
            slashes: line.slashes,
            in_crd: block.crd && line.slashes,
            old: old.filter(|_| gengo),
            crd: known.filter(|_| block.crd && line.slashes),
            tag,
        })
    }

    /// A part of the marker's text.
    pub(crate) fn part(&self, range: Range<usize>) -> Span {
        self.span.part(range.start, range.end)
    }

    /// The marker's name.
    pub(crate) fn name_span(&self) -> Span {
        let end = self.text.find(['=', ' ', '(']).unwrap_or(self.text.len());
        self.part(0..end)
    }

    /// The marker's value, or its name if it has none.
    pub(crate) fn value_span(&self) -> Span {
        match self.text.find('=') {
            Some(at) if at + 1 < self.text.len() => self.part(at + 1..self.text.len()),
            _ => self.name_span(),
        }
    }

    /// Whether gengo's tools see the line.
    pub(crate) fn is_gengo(&self) -> bool {
        matches!(self.block, BlockKind::Closest | BlockKind::DocFile)
    }
}

/// Looks up a marker like controller-gen: by its whole name, then without the last segment.
pub(super) fn crd(text: &str, scope: Scope) -> Option<Crd<'_>> {
    let parts = split(text);
    let known = |name: &str| {
        let declarative = declarative::find(name);
        let (tag, items) = declarative
            .map(|tag| (tag, false))
            .or_else(|| catalogue::find_marker(name))?;
        (tag.as_marker()?.crd && tag.fits(scope)).then_some((tag, items, declarative.is_some()))
    };
    if let Some((tag, items, declarative)) = known(parts.full_name) {
        return Some(Crd {
            tag,
            items,
            declarative,
            parts: MarkerParts {
                short_name: parts.full_name,
                ..parts
            },
            arguments_at: parts.rest_at,
        });
    }
    let (tag, items, declarative) = known(parts.short_name)?;
    let named = matches!(
        tag.as_marker()?.arguments,
        crate::grammar::marker::Arguments::Named(_)
    );
    let arguments_at = if named {
        parts.short_name.len() + 1
    } else {
        parts.rest_at
    };
    Some(Crd {
        tag,
        parts,
        items,
        declarative,
        arguments_at,
    })
}
