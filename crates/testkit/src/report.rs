//! Many comparisons in one test.

/// Collects differences, so that one run shows all of them.
#[derive(Default)]
pub struct Report {
    cases: usize,
    differences: Vec<String>,
}

impl Report {
    /// Compares our answer with the recorded one.
    pub fn compare<T: PartialEq + std::fmt::Debug + ?Sized>(&mut self, case: &str, got: &T, want: &T) {
        self.check(|| (got != want).then(|| format!("{case}\n  got  {got:?}\n  want {want:?}")));
    }

    /// Counts a case; `wrong` returns the difference, if there is one.
    pub fn check(&mut self, wrong: impl FnOnce() -> Option<String>) {
        self.cases += 1;
        self.differences.extend(wrong());
    }

    /// Fails if anything differed, or if there were fewer cases than expected.
    pub fn finish(self, at_least: usize) {
        assert!(self.cases >= at_least, "only {} cases", self.cases);
        let shown = self
            .differences
            .iter()
            .take(25)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n");
        assert!(
            self.differences.is_empty(),
            "{} of {} differ:\n{shown}",
            self.differences.len(),
            self.cases
        );
    }
}
