//! The report as workflow commands, which GitHub shows beside the lines of a pull request.

use std::fmt::Write;

use super::Report;
use super::region::Region;
use crate::{Diagnostic, Severity};

pub(super) fn render(report: &Report<'_>) -> String {
    let mut text = String::new();
    for found in &report.diagnostics {
        command(&mut text, found, &Region::of(report.sources, found.span));
    }
    text
}

fn command(text: &mut String, found: &Diagnostic, region: &Region<'_>) {
    let level = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let _ = write!(
        text,
        "::{level} file={},line={},endLine={}",
        property(region.file),
        region.line,
        region.end_line
    );
    // Columns of several lines are refused.
    if region.line == region.end_line {
        let _ = write!(text, ",col={},endColumn={}", region.column, region.end_column);
    }
    let _ = writeln!(text, ",title={}::{}", found.code(), data(&found.full_message()));
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value between the commas of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
