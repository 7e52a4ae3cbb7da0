//! The report as TAP 14: a test per file, which fails if the file has an error. Findings are in its YAML block.

use std::fmt::Write;

use super::Report;
use super::region::Region;
use crate::{Diagnostic, Severity};

pub(super) fn render(report: &Report<'_>) -> String {
    let files = report.by_file();
    let mut tap = format!("TAP version 14\n1..{}\n", files.len());
    for (index, (file, found)) in files.iter().enumerate() {
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let verdict = if found.iter().any(is_error) {
            "not ok"
        } else {
            "ok"
        };
        // A `#` begins a directive.
        let name = file
            .replace('\\', "\\\\")
            .replace('#', "\\#")
            .replace(['\n', '\r'], " ");
        let _ = writeln!(tap, "{verdict} {} - {name}", index + 1);
        block(&mut tap, report, found);
    }
    tap
}

/// The YAML block below a test. Strings are written as JSON, which is YAML too.
fn block(tap: &mut String, report: &Report<'_>, found: &[&Diagnostic]) {
    if found.is_empty() {
        return;
    }
    tap.push_str("  ---\n  findings:\n");
    for found in found {
        let region = Region::of(report.sources, found.span);
        let message = serde_json::Value::from(found.full_message());
        let _ = writeln!(tap, "    - severity: {}", found.severity.as_str());
        let _ = writeln!(tap, "      code: {}", found.code());
        let _ = writeln!(tap, "      message: {message}");
        let _ = writeln!(tap, "      line: {}", region.line);
        let _ = writeln!(tap, "      column: {}", region.column);
    }
    tap.push_str("  ...\n");
}
