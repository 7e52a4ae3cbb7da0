//! Hovers: what a field is.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};

use super::place::place;
use super::{Crds, node};
use crate::documents::Document;
use crate::markdown;

/// The hover at an offset.
pub(crate) fn hover(crds: &Crds, document: &Document, offset: usize) -> Option<Hover> {
    let at = place(document.text.as_str(), offset);
    let root = crds.schema(&at.api_version, &at.kind)?;
    let parent = node(&root, &at.parent)?;
    let schema = parent.property(&at.key).or_else(|| parent.additional())?;
    let is_required = parent.required.iter().any(|name| **name == *at.key);
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: markdown::field_page(&at.key, schema, is_required),
        }),
        range: Some(document.text.range(at.key_range)),
    })
}
