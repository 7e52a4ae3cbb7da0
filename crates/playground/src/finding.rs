//! Findings of sources as the page shows them.

use kindsmith_source::{Diagnostic, Safety, SourceMap, Span};

use crate::document;
use crate::response::{Cause, Edit, Finding, Fix, Pane, Place};

/// The files that the Go text is read as: tags of the package count only in `doc.go`, where all comments belong to the
/// package.
const FILES: [&str; 2] = ["api/doc.go", "api/types.go"];

/// The Go text as files. Offsets in each are those of the text.
pub(crate) fn go_files(text: &str) -> Vec<(&'static str, String)> {
    let mut end = 0;
    let clause = text.split_inclusive('\n').find(|line| {
        end += line.len();
        line.starts_with("package ")
    });
    if clause.is_none() {
        return vec![(FILES[1], text.to_owned())];
    }
    let (head, rest) = text.split_at(end);
    vec![
        (FILES[0], head.to_owned()),
        (FILES[1], head.replace("// +", "//  ") + rest),
    ]
}

/// A finding in the Go file; `None` if it is in a library.
pub(crate) fn of_source(sources: &SourceMap, found: &Diagnostic) -> Option<Finding> {
    let cause = found.related.iter().find_map(|label| {
        Some(Cause {
            label: label.message.clone(),
            place: place(sources, label.span)?,
        })
    });
    let edit = |edit: &kindsmith_source::Edit| {
        Some(Edit {
            place: place(sources, edit.span)?,
            text: edit.replacement.clone(),
        })
    };
    let fix = found.fix.as_ref().and_then(|fix| {
        Some(Fix {
            title: fix.title.clone(),
            safe: fix.safety == Safety::Safe,
            edits: fix.edits.iter().map(edit).collect::<Option<_>>()?,
        })
    });
    Some(Finding {
        severity: found.severity.as_str(),
        code: found.code(),
        message: found.message.clone(),
        place: place(sources, found.span)?,
        cause,
        help: found.help.clone(),
        fix,
    })
}

/// A place in the Go file.
pub(crate) fn place(sources: &SourceMap, span: Span) -> Option<Place> {
    let file = sources.file(span.file);
    FILES.contains(&file.name()).then(|| {
        let range = span.start as usize..span.end as usize;
        document::place(Pane::Go, file.text(), range)
    })
}
