//! Applies the fixes of findings to files. Decides nothing about them but whether they may be made.

use kindsmith_source::{Diagnostic, FileId, Fix, Safety, SourceMap, edit};

use crate::align::align;

/// Which fixes are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixes {
    /// Those that may be made without asking.
    Safe,
    /// All of them.
    All,
}

/// A file with fixes made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The file.
    pub file: FileId,
    /// Its new text.
    pub text: String,
    /// How many fixes were made; others may be possible afterwards.
    pub count: usize,
}

/// The files that fixes change.
#[must_use]
pub fn fixed(sources: &SourceMap, findings: &[Diagnostic], fixes: Fixes) -> Vec<Fixed> {
    let wanted: Vec<&Fix> = findings
        .iter()
        .filter_map(|finding| finding.fix.as_ref())
        .filter(|fix| fixes == Fixes::All || fix.safety == Safety::Safe)
        .collect();
    let has_edit = |id: FileId| {
        wanted
            .iter()
            .any(|fix| fix.edits.first().is_some_and(|edit| edit.span.file == id))
    };
    let files = sources.files().filter(|(id, _)| has_edit(*id));
    let files = files.map(|(id, file)| {
        let applied = edit::applied(id, file, wanted.iter().copied());
        Fixed {
            file: id,
            text: align(&applied.text, &applied.places),
            count: applied.count,
        }
    });
    files.filter(|fixed| fixed.count > 0).collect()
}
