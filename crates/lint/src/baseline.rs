//! Findings that a project had before it started to lint: told apart by file, code and message, so that they stay known
//! when lines move.

use std::collections::BTreeMap;
use std::fmt;

use kindsmith_source::{Diagnostic, SourceMap};

/// Known findings, with how many of each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Baseline(BTreeMap<(String, String, String), usize>);

const TITLE: &str =
    "# Known findings, written by `kindsmith lint --write-baseline`: count, code, file, message.";

/// A line that is not valid in a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BaselineError {
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for BaselineError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "line {}: expected a count, a code, a file and a message between tabs",
            self.line
        )
    }
}

impl std::error::Error for BaselineError {}

impl Baseline {
    /// The findings of a run.
    #[must_use]
    pub fn of(sources: &SourceMap, findings: &[Diagnostic]) -> Self {
        let mut known = BTreeMap::new();
        for finding in findings {
            *known.entry(key(sources, finding)).or_default() += 1;
        }
        Self(known)
    }

    /// Reads the text of a baseline.
    ///
    /// # Errors
    ///
    /// The first line that does not belong to a baseline.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let mut known = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut parts = line.splitn(4, '\t');
            let count = parts.next().and_then(|count| count.parse().ok());
            let (Some(count), Some(code), Some(file), Some(message)) =
                (count, parts.next(), parts.next(), parts.next())
            else {
                return Err(BaselineError { line: index + 1 });
            };
            known.insert((code.to_owned(), file.to_owned(), message.to_owned()), count);
        }
        Ok(Self(known))
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self
            .0
            .iter()
            .map(|((code, file, message), count)| format!("{count}\t{code}\t{file}\t{message}\n"));
        std::iter::once(format!("{TITLE}\n")).chain(lines).collect()
    }

    /// The findings that are new, and how many are known.
    #[must_use]
    pub fn new_ones(mut self, sources: &SourceMap, findings: Vec<Diagnostic>) -> (Vec<Diagnostic>, usize) {
        let before = findings.len();
        let kept: Vec<Diagnostic> = findings
            .into_iter()
            .filter(|finding| match self.0.get_mut(&key(sources, finding)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            })
            .collect();
        let known = before - kept.len();
        (kept, known)
    }
}

fn key(sources: &SourceMap, finding: &Diagnostic) -> (String, String, String) {
    let file = sources.file(finding.span.file).name().trim_start_matches("./");
    let message = finding.message.replace(['\n', '\t'], " ");
    (finding.code().to_owned(), file.to_owned(), message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kindsmith_source::Span;

    #[test]
    fn known_findings_are_left_out_as_often_as_they_were_known() {
        let mut sources = SourceMap::default();
        let id = sources.add("./a.go", "ab");
        let finding = |at| {
            let rule = &crate::RULES[0].facts.finding;
            Diagnostic::warning(rule, Span::new(id, at, at + 1), "bad")
        };
        let written = Baseline::of(&sources, &[finding(0)]).text();
        let known = Baseline::parse(&written).expect("what was written is read");
        let (new, count) = known.new_ones(&sources, vec![finding(0), finding(1)]);
        assert_eq!((new, count), (vec![finding(1)], 1));
        assert!(Baseline::parse("nonsense").is_err());
    }
}
