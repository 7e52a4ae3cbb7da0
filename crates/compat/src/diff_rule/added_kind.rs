//! `diff-added-kind`: a new kind.

use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-added-kind", Tool::Kindsmith, include_str!("added_kind.md"));

pub(crate) fn report(report: &mut Report<'_>) {
    report.add(Class::Compatible, "", "the kind is new");
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn a_crd_that_was_not_there() {
        check(&FINDING, "", "scope: Cluster", &["compatible : the kind is new"]);
        check(&FINDING, "scope: Cluster", "", &[]);
    }
}
