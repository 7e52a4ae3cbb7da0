//! The report as JUnit XML, for CI systems that show test results. A file is a test suite; its findings are test cases,
//! of which only errors fail. A file without findings is one test case that passes.

use std::fmt::Write;

use super::Report;
use super::region::Region;
use crate::{Diagnostic, Severity};

pub(super) fn render(report: &Report<'_>) -> String {
    let summary = report.summary();
    let suites = report.by_file();
    let tests: usize = suites.iter().map(|(_, found)| found.len().max(1)).sum();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuites name=\"kindsmith\" tests=\"{tests}\" failures=\"{}\">",
        summary.errors
    );
    for (file, found) in &suites {
        suite(&mut xml, report, file, found);
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn suite(xml: &mut String, report: &Report<'_>, file: &str, found: &[&Diagnostic]) {
    let failures = found.iter().filter(|found| is_failure(found)).count();
    let name = escaped(file);
    let tests = found.len().max(1);
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\">"
    );
    if found.is_empty() {
        let _ = writeln!(xml, "    <testcase classname=\"{name}\" name=\"no findings\"/>");
    }
    for found in found {
        case(xml, report, &name, found);
    }
    xml.push_str("  </testsuite>\n");
}

fn case(xml: &mut String, report: &Report<'_>, file: &str, found: &Diagnostic) {
    let region = Region::of(report.sources, found.span);
    let (code, line, column) = (found.code(), region.line, region.column);
    let text = escaped(&format!(
        "{}:{line}:{column}: {}[{code}]: {}",
        region.file,
        found.severity.as_str(),
        found.full_message()
    ));
    let _ = writeln!(
        xml,
        "    <testcase classname=\"{file}\" name=\"{code} at {line}:{column}\">"
    );
    let _ = if is_failure(found) {
        writeln!(
            xml,
            "      <failure type=\"{code}\" message=\"{}\">{text}</failure>",
            escaped(&found.message)
        )
    } else {
        writeln!(xml, "      <system-out>{text}</system-out>")
    };
    xml.push_str("    </testcase>\n");
}

fn is_failure(found: &Diagnostic) -> bool {
    found.severity == Severity::Error
}

/// Text for XML 1.0. Characters that it cannot hold become U+FFFD.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\n' => xml.push_str("&#10;"),
            '\t' | '\r' => xml.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
            other => xml.push(other),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_always_xml() {
        assert_eq!(
            escaped("a<b> & \"c\"\n\u{1}"),
            "a&lt;b&gt; &amp; &quot;c&quot;&#10;\u{fffd}"
        );
    }
}
