//! Published API modules are read without an error. They are downloaded by the Go toolchain; without it or its module
//! proxy, the test says what it skipped.

use crate::binary;
use kindsmith_testkit::tool::{Tool, download, left_out, say};
use serde_json::Value;

/// Modules, their packages with API types, and versions to try: the newest may need a newer Go.
const MODULES: &[(&str, &str, &[&str])] = &[
    ("k8s.io/api", "...", &["latest"]),
    ("k8s.io/apiextensions-apiserver", "pkg/apis/...", &["latest"]),
    ("sigs.k8s.io/gateway-api", "...", &["latest", "v1.6.0", "v1.5.1"]),
];

#[test]
fn published_modules_have_no_errors() {
    for (module, packages, versions) in MODULES {
        let mut versions = versions.iter();
        let Some(directory) = versions.find_map(|version| download(&format!("{module}@{version}"))) else {
            left_out(Tool::Go, &format!("lint of {module}"));
            continue;
        };
        let run = binary::kindsmith(&format!("lint {}/{packages} -o json", directory.display()));
        let report: Value =
            serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
        let findings = report["diagnostics"].as_array().into_iter().flatten();
        let errors: Vec<&Value> = findings
            .filter(|finding| finding["severity"] == "error")
            .collect();
        assert!(errors.is_empty(), "{module}: {errors:#?}");
        say(&format!("{module} has no errors; {}", run.stderr.trim()));
    }
}
