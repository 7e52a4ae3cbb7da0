//! Quick fixes that need the schema of a manifest: a misspelled field.

use kindsmith_source::Diagnostic;
use kindsmith_tags::catalogue::nearest_of;
use lsp_types::TextEdit;

use super::place::place;
use super::{Crds, node};
use crate::documents::Document;

/// The code of findings about fields that the schema does not have.
const UNKNOWN_FIELD: &str = "unknown-field";

/// The edit that gives a misspelled field the name it was meant to have.
pub(crate) fn rename_field(
    crds: &Crds,
    document: &Document,
    finding: &Diagnostic,
) -> Option<(String, TextEdit)> {
    if finding.code() != UNKNOWN_FIELD {
        return None;
    }
    let at = place(document.text.as_str(), finding.span.start as usize);
    let root = crds.schema(&at.api_version, &at.kind)?;
    let parent = node(&root, &at.parent)?;
    let names = parent.properties.iter().map(|(name, _)| &**name);
    let unused = names.filter(|name| !at.siblings.iter().any(|sibling| sibling == name));
    let near = nearest_of(&at.key, unused)?;
    let edit = TextEdit::new(document.text.range(at.key_range), near.to_owned());
    Some((format!("write `{near}`"), edit))
}
