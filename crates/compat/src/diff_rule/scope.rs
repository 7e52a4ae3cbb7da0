//! `diff-scope`: objects move into or out of namespaces.

use kindsmith_openapi::crd::Definition;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-scope", Tool::Kindsmith, include_str!("scope.md"));

pub(crate) fn check(old: &Definition, new: &Definition, report: &mut Report<'_>) {
    let (old, new) = (&old.spec.scope, &new.spec.scope);
    if old != new {
        report
            .add(Class::BreaksClients, "", format!("the scope changes from {old} to {new}"))
            .stored("the server refuses to update the CRD: it must be deleted, with all its objects");
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn another_scope() {
        let expected = "breaks-clients : the scope changes from Namespaced to Cluster";
        check(&FINDING, "scope: Namespaced", "scope: Cluster", &[expected]);
        check(&FINDING, "scope: Cluster", "scope: Cluster", &[]);
    }
}
