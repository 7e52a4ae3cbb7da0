//! Results for continuous integration: JUnit's XML, one `testsuite` per file and subject.

use std::fmt::Write as _;

use super::{CaseResult, Report};

impl Report {
    /// The results as JUnit XML.
    #[must_use]
    pub fn junit(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(
            out,
            "<testsuites tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.6}\">",
            self.results.len(),
            self.failed(),
            self.broken.len(),
            self.elapsed.as_secs_f64()
        );
        for (file, reason) in &self.broken {
            let (file, reason) = (escape(file), escape(reason));
            let _ = writeln!(
                out,
                "  <testsuite name=\"{file}\" tests=\"1\" errors=\"1\">\n    <testcase name=\"{file}\"><error message=\"{reason}\"/></testcase>\n  </testsuite>"
            );
        }
        let is_same =
            |left: &CaseResult, right: &CaseResult| left.file == right.file && left.subject == right.subject;
        self.results
            .chunk_by(is_same)
            .for_each(|results| suite(&mut out, results));
        out.push_str("</testsuites>\n");
        out
    }
}

fn suite(out: &mut String, results: &[CaseResult]) {
    let first = &results[0];
    let failed = results
        .iter()
        .filter(|result| result.verdict.failure.is_some())
        .count();
    let seconds: f64 = results.iter().map(|result| result.elapsed.as_secs_f64()).sum();
    let name = match &*first.subject {
        "" => first.suite.clone(),
        subject => format!("{} [{subject}]", first.suite),
    };
    let _ = writeln!(
        out,
        "  <testsuite name=\"{}\" file=\"{}\" tests=\"{}\" failures=\"{failed}\" time=\"{seconds:.6}\">",
        escape(&name),
        escape(&first.file),
        results.len()
    );
    for result in results {
        let head = format!(
            "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\" time=\"{:.6}\"",
            escape(&name),
            escape(&result.case),
            escape(&result.file),
            result.line,
            result.elapsed.as_secs_f64()
        );
        let _ = match &result.verdict.failure {
            None => writeln!(out, "{head}/>"),
            Some(failure) => writeln!(
                out,
                "{head}>\n      <failure message=\"{}\">{}</failure>\n    </testcase>",
                escape(&failure.message),
                escape(failure.diff.as_deref().unwrap_or_default())
            ),
        };
    }
    out.push_str("  </testsuite>\n");
}

/// Text for XML; characters that XML cannot hold become U+FFFD.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push('\t'),
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escape("a<b>&\"\u{1b}\n"), "a&lt;b&gt;&amp;&quot;\u{fffd}&#10;");
    }
}
