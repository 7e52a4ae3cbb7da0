//! Where the fields and constants that tags name are declared.

use lsp_types::Location;

use super::Package;
use super::resolve::{self, Target};
use super::tag::TagLine;
use crate::documents::Document;
use crate::finding::location;
use crate::text::Encoding;
use kindsmith_schema::Owner;

/// The definition of the word at an offset.
pub(crate) fn definition(
    package: &Package,
    path: &str,
    document: &Document,
    offset: usize,
    encoding: Encoding,
) -> Option<Location> {
    let text = &document.text;
    let file = package.file(path)?;
    let line = text.position(offset).line as usize;
    let tag = TagLine::at(text.line(line), text.line_start(line), offset)?;
    let owner = package.owner_of_comment(file, text, line)?;
    let (target, _) = resolve::at(package, owner, &tag, offset)?;
    let span = match target {
        Target::Field(id) => package.name_span(Owner::Field(id))?,
        Target::Constant(span) => span,
    };
    location(&package.read.sources, span, encoding)
}
