//! `diff-served-version`: a version is served no longer, or again.

use kindsmith_openapi::crd::Version;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-served-version", Tool::Kindsmith, include_str!("served_version.md"));

pub(crate) fn check(old: &Version, new: &Version, report: &mut Report<'_>) {
    match (old.served, new.served) {
        (true, false) => {
            report
                .add(Class::BreaksClients, "", "the version is no longer served")
                .stored("stored objects are kept, and read through other versions");}
        (false, true) => {report.add(Class::Compatible, "", "the version is served now");}
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn served_or_not() {
        let of = |served: bool| format!("versions: [{{name: v1, served: {served}, storage: true}}]");
        check(
            &FINDING,
            &of(true),
            &of(false),
            &["breaks-clients : the version is no longer served"],
        );
        check(&FINDING, &of(false), &of(true), &["compatible : the version is served now"]);
        check(&FINDING, &of(false), &of(false), &[]);
    }
}
