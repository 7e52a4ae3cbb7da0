//! `diff-removed-kind`: a kind is gone.

use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-removed-kind", Tool::Kindsmith, include_str!("removed_kind.md"));

pub(crate) fn report(report: &mut Report<'_>) {
    report
        .add(Class::BreaksClients, "", "the kind is gone")
        .stored("deleting the CRD deletes all its objects");
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn a_kind_without_its_crd() {
        check(&FINDING, "scope: Cluster", "", &["breaks-clients : the kind is gone"]);
        check(&FINDING, "scope: Cluster", "scope: Cluster", &[]);
        check(
            &FINDING,
            "group: a.example.org",
            "group: b.example.org",
            &["breaks-clients : the kind is gone"],
        );
    }
}
