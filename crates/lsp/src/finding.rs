//! Findings as editors show them, and the edits that fix them.

use kindsmith_source::{Diagnostic, Safety, Severity, SourceMap, Span};
use lsp_types::{
    CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
    TextEdit, Uri, WorkspaceEdit,
};
use std::str::FromStr as _;

use crate::text::{Encoding, Text};
use crate::uri::uri;

/// The name that editors show beside a finding.
pub(crate) const SOURCE: &str = "kindsmith";

/// A finding for the editor.
pub(crate) fn diagnostic(
    finding: &Diagnostic,
    text: &Text,
    sources: &SourceMap,
    encoding: Encoding,
) -> lsp_types::Diagnostic {
    let mut message = finding.message.clone();
    for note in finding.label.iter().chain(&finding.help) {
        message.push('\n');
        message.push_str(note);
    }
    let related = finding.related.iter().filter_map(|label| {
        Some(DiagnosticRelatedInformation {
            location: location(sources, label.span, encoding)?,
            message: label.message.clone(),
        })
    });
    let related: Vec<_> = related.collect();
    lsp_types::Diagnostic {
        range: range(finding.span, text),
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(finding.code().to_owned())),
        code_description: Uri::from_str(&finding.finding.uri())
            .ok()
            .map(|href| CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..lsp_types::Diagnostic::default()
    }
}

/// The fix of a finding: its title, whether it may be made without asking, and its edits.
pub(crate) fn fix(finding: &Diagnostic, text: &Text) -> Option<(String, bool, Vec<TextEdit>)> {
    let fix = finding.fix.as_ref()?;
    let is_here = fix.edits.iter().all(|edit| edit.span.file == finding.span.file);
    let edits = fix
        .edits
        .iter()
        .map(|edit| TextEdit::new(range(edit.span, text), edit.replacement.clone()));
    is_here.then(|| (fix.title.clone(), fix.safety == Safety::Safe, edits.collect()))
}

/// Edits of several documents.
#[allow(
    clippy::mutable_key_type,
    reason = "the protocol's library has addresses as keys; nobody changes one"
)]
pub(crate) fn workspace_edit(edits: impl IntoIterator<Item = (Uri, Vec<TextEdit>)>) -> WorkspaceEdit {
    WorkspaceEdit::new(edits.into_iter().collect())
}

/// The place of a span in any file that was read.
pub(crate) fn location(sources: &SourceMap, span: Span, encoding: Encoding) -> Option<Location> {
    let file = sources.file(span.file);
    let text = Text::new(file.text().to_string(), encoding);
    Some(Location::new(uri(file.name())?, range(span, &text)))
}

pub(crate) fn range(span: Span, text: &Text) -> Range {
    text.range(span.start as usize..span.end as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kindsmith_source::{Finding, Fix, Tool};

    static FINDING: Finding = Finding::new("x", Tool::Kindsmith, "");

    #[test]
    fn a_fix_becomes_edits_of_its_own_file() {
        let mut sources = SourceMap::default();
        let (own, other) = (sources.add("a.go", "one two"), sources.add("b.go", "three"));
        let text = Text::new("one two".to_owned(), Encoding::Utf16);
        let found = Diagnostic::error(&FINDING, Span::new(own, 0, 3), "m");
        assert_eq!(fix(&found, &text), None);
        let safe = Fix::safe("write 1 and 2")
            .edit(Span::new(own, 0, 3), "1")
            .edit(Span::new(own, 4, 7), "2");
        let (title, is_safe, edits) = fix(&found.clone().fix_with(safe.clone()), &text).expect("a fix");
        assert_eq!((&*title, is_safe, edits.len()), ("write 1 and 2", true, 2));
        assert_eq!(edits[1].range.start.character, 4);
        let elsewhere = safe.edit(Span::new(other, 0, 1), "x");
        assert_eq!(fix(&found.fix_with(elsewhere), &text), None);
    }
}
