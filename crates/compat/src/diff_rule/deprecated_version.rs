//! `diff-deprecated-version`: requests get a deprecation warning, or none any more.

use kindsmith_openapi::crd::Version;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-deprecated-version", Tool::Kindsmith, include_str!("deprecated_version.md"));

pub(crate) fn check(old: &Version, new: &Version, report: &mut Report<'_>) {
    let message = match (old.deprecated, new.deprecated) {
        (false, true) => "the version is deprecated: every request gets a warning",
        (true, false) => "the version is no longer deprecated",
        _ => return,
    };
    report.add(Class::Compatible, "", message);
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn deprecated_or_not() {
        let of = |deprecated: bool| {
            format!("versions: [{{name: v1, served: true, storage: true, deprecated: {deprecated}}}]")
        };
        check(
            &FINDING,
            &of(false),
            &of(true),
            &["compatible : the version is deprecated: every request gets a warning"],
        );
        check(&FINDING, &of(true), &of(false), &["compatible : the version is no longer deprecated"]);
        check(&FINDING, &of(true), &of(true), &[]);
    }
}
