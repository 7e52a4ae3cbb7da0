//! Results of a run, as data; one file per form of output.

mod json;
mod junit;
mod text;

use std::time::Duration;

use crate::run::Verdict;

/// The results of a run.
#[derive(Debug, Default)]
pub struct Report {
    /// Every case on every subject, in the order of files and cases.
    pub results: Vec<CaseResult>,
    /// Suites that could not run at all: the file and the reason.
    pub broken: Vec<(String, String)>,
    /// How long the run took.
    pub elapsed: Duration,
}

/// One case on one subject.
#[derive(Debug, Clone)]
pub struct CaseResult {
    /// The suite's file.
    pub file: String,
    /// The suite's name.
    pub suite: String,
    /// The subject's name, such as the file of the CRD; may be empty.
    pub subject: String,
    /// The case's name.
    pub case: String,
    /// The line of the case.
    pub line: usize,
    /// How it ended.
    pub verdict: Verdict,
    /// How long it took.
    pub elapsed: Duration,
}

impl Report {
    /// How many cases passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.results.len() - self.failed()
    }

    /// How many cases failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.failures().count()
    }

    /// Whether everything passed.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.failed() == 0 && self.broken.is_empty()
    }

    fn failures(&self) -> impl Iterator<Item = &CaseResult> {
        self.results
            .iter()
            .filter(|result| result.verdict.failure.is_some())
    }

    /// The number of files with cases.
    fn suites(&self) -> usize {
        let mut files: Vec<&str> = self.results.iter().map(|result| &*result.file).collect();
        files.sort_unstable();
        files.dedup();
        files.len()
    }
}

fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
