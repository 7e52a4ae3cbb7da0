//! `diff-removed-version`: a version is gone.

use kindsmith_openapi::crd::Definition;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-removed-version", Tool::Kindsmith, include_str!("removed_version.md"));

pub(crate) fn check(old: &Definition, new: &Definition, report: &mut Report<'_>) {
    for version in &old.spec.versions {
        if new.spec.versions.iter().any(|other| other.name == version.name) {
            continue;
        }
        let class = match (version.served, version.storage) {
            (true, _) => Class::BreaksClients,
            (false, true) => Class::BreaksStored,
            (false, false) => Class::Meaning,
        };
        let change = report.add(class, "", format!("the version {} is gone", version.name));
        change.stored(format!(
            "the server refuses the CRD while {} is among status.storedVersions",
            version.name
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn versions_by_what_they_were_for() {
        let two = |served: bool, storage: bool| {
            format!(
                "versions: [{{name: v1, served: true, storage: {}}}, {{name: v0, served: {served}, storage: {storage}}}]",
                !storage
            )
        };
        let one = "versions: [{name: v1, served: true, storage: true}]";
        for (served, storage, class) in [
            (true, true, "breaks-clients"),
            (true, false, "breaks-clients"),
            (false, true, "breaks-stored"),
            (false, false, "meaning"),
        ] {
            let expected = format!("{class} : the version v0 is gone");
            check(&FINDING, &two(served, storage), one, &[&expected]);
        }
        check(&FINDING, one, one, &[]);
    }
}
