//! `diff-added-version`: a new version.

use kindsmith_openapi::crd::Definition;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-added-version", Tool::Kindsmith, include_str!("added_version.md"));

pub(crate) fn check(old: &Definition, new: &Definition, report: &mut Report<'_>) {
    for version in &new.spec.versions {
        if !old.spec.versions.iter().any(|other| other.name == version.name) {
            report.add(Class::Compatible, "", format!("the version {} is new", version.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn a_second_version() {
        let one = "versions: [{name: v1, served: true, storage: true}]";
        let two = "versions: [{name: v1, served: true, storage: true}, {name: v2, served: true, storage: false}]";
        check(&FINDING, one, two, &["compatible : the version v2 is new"]);
        check(&FINDING, two, one, &[]);
    }
}
