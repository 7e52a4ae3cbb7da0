//! A span as machines read it: file, line and column of both ends. Lines and columns count from 1, columns in
//! characters, the end is just past the last character.

use serde::Serialize;

use crate::{SourceMap, Span};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region<'a> {
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}

impl<'a> Region<'a> {
    pub(super) fn of(sources: &'a SourceMap, span: Span) -> Self {
        let file = sources.file(span.file);
        let (start, end) = (file.position(span.start), file.position(span.end));
        Self {
            file: file.name(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}
