//! The one-line count of findings.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use super::Report;
use crate::Severity;

/// How many findings of each severity a report has, and in how many files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are notes.
    pub notes: usize,
    /// Files with at least one finding.
    pub files: usize,
}

impl Summary {
    pub(super) fn of(report: &Report<'_>) -> Self {
        let count = |severity| {
            let matching = report
                .diagnostics
                .iter()
                .filter(|found| found.severity == severity);
            matching.count()
        };
        let files: BTreeSet<_> = report.diagnostics.iter().map(|found| found.span.file).collect();
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            files: files.len(),
        }
    }

    /// Whether there is no finding at all.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.files == 0
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_clean() {
            return f.write_str("no findings");
        }
        let counts = [
            (self.errors, "error"),
            (self.warnings, "warning"),
            (self.notes, "note"),
        ];
        let parts: Vec<_> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| plural(count, noun))
            .collect();
        write!(f, "{} in {}", parts.join(", "), plural(self.files, "file"))
    }
}

fn plural(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(errors: usize, warnings: usize, notes: usize, files: usize, expected: &str) {
        let summary = Summary {
            errors,
            warnings,
            notes,
            files,
        };
        assert_eq!(summary.to_string(), expected);
    }

    #[test]
    fn omits_counts_of_zero() {
        check(0, 0, 0, 0, "no findings");
        check(3, 1, 0, 2, "3 errors, 1 warning in 2 files");
        check(1, 0, 0, 1, "1 error in 1 file");
        check(0, 0, 2, 1, "2 notes in 1 file");
    }
}
