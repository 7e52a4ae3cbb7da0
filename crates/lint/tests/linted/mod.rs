//! What reading and linting find in Go packages.

use kindsmith_lint::Input;
use kindsmith_source::Diagnostic;
use kindsmith_testkit::GoPackages;

/// The findings in the packages that a pattern names.
pub(crate) fn findings(packages: &GoPackages, pattern: &str) -> Vec<Diagnostic> {
    let read = packages.read(pattern);
    let mut findings = read.diagnostics;
    findings.extend(kindsmith_lint::check(Input::new(&read.schema, &read.origins)));
    findings
}
