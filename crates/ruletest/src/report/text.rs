//! Results for people.

use std::fmt::Write as _;

use super::{CaseResult, Report, count};

impl Report {
    /// The failures, each with its place and a diff.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (file, reason) in &self.broken {
            let _ = writeln!(out, "FAIL {file}\n    {reason}\n");
        }
        for result in self.failures() {
            failure(&mut out, result);
        }
        out
    }

    /// The last line: how many passed and failed.
    #[must_use]
    pub fn summary(&self) -> String {
        let broken = match self.broken.len() {
            0 => String::new(),
            number => format!(", {} could not run", count(number, "suite")),
        };
        format!(
            "{} passed, {} failed{broken}; {} in {:.2?}",
            self.passed(),
            self.failed(),
            count(self.suites(), "suite"),
            self.elapsed
        )
    }
}

fn failure(out: &mut String, result: &CaseResult) {
    let Some(failure) = &result.verdict.failure else {
        return;
    };
    let subject = match &*result.subject {
        "" => String::new(),
        subject => format!(" [{subject}]"),
    };
    let _ = writeln!(
        out,
        "FAIL {}:{} {}{subject}",
        result.file, result.line, result.case
    );
    let diff = failure.diff.as_deref().unwrap_or_default();
    for line in failure.message.lines().chain(diff.lines()) {
        let _ = writeln!(out, "    {line}");
    }
    out.push('\n');
}
