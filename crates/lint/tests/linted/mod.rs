//! What reading and linting find in Go packages.

use kindsmith_lint::Input;
use kindsmith_source::Diagnostic;
use kindsmith_tags::Profile;
use kindsmith_testkit::GoPackages;

/// The findings in the packages that a pattern names.
pub(crate) fn findings(packages: &GoPackages, pattern: &str) -> Vec<Diagnostic> {
    findings_as(Profile::Upstream, packages, pattern)
}

/// The same, with tags as the profile has them.
pub(crate) fn findings_as(profile: Profile, packages: &GoPackages, pattern: &str) -> Vec<Diagnostic> {
    let read = packages.read(pattern);
    let mut findings = read.diagnostics;
    findings.extend(kindsmith_lint::check(Input {
        profile,
        ..Input::new(&read.schema, &read.origins)
    }));
    findings
}
