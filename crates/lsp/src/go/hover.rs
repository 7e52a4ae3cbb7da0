//! Hovers: the page of a tag, and what a field becomes in a CRD.

use kindsmith_schema::Owner;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Range};

use super::Package;
use super::tag::TagLine;
use crate::documents::Document;
use crate::markdown;

/// The hover at an offset.
pub(crate) fn hover(package: &Package, path: &str, document: &Document, offset: usize) -> Option<Hover> {
    let text = &document.text;
    let file = package.file(path)?;
    let line = text.position(offset).line as usize;
    if let Some(tag) = TagLine::at(text.line(line), text.line_start(line), offset) {
        let mut page = markdown::tag_page(tag.known()?);
        if let Some(owner) = package.owner_of_comment(file, text, line)
            && let Some(fragment) = fragment(package, owner)
        {
            page.push_str(&format!("\nIn the CRD:\n{fragment}"));
        }
        let end = tag.start + tag.text.trim_end().len();
        return Some(shown(page, text.range(tag.start - 1..end)));
    }
    let owner = package.owner_at(file, offset)?;
    let span = package.name_span(owner)?;
    let fragment = fragment(package, owner)?;
    Some(shown(
        format!("In the CRD:\n{fragment}"),
        text.range(span.start as usize..span.end as usize),
    ))
}

fn shown(value: String, range: Range) -> Hover {
    Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        }),
        range: Some(range),
    }
}

fn fragment(package: &Package, owner: Owner) -> Option<String> {
    match owner {
        Owner::Field(id) => {
            let (name, schema) = package.published_field(id)?;
            Some(markdown::fragment(&name, &schema))
        }
        Owner::Type(id) => {
            let name = package.read.schema.ty(id).name.name.to_string();
            Some(markdown::fragment(&name, &package.published(id)))
        }
        _ => None,
    }
}
