//! Published API modules are read without an error. They are downloaded by the Go toolchain; without it or its module
//! proxy, the test says what it skipped.

mod binary;

use std::io::Write;
use std::process::Command;

use serde_json::Value;

/// Modules, their packages with API types, and versions to try: the newest may need a newer Go.
const MODULES: &[(&str, &str, &[&str])] = &[
    ("k8s.io/api", "...", &["latest"]),
    ("k8s.io/apiextensions-apiserver", "pkg/apis/...", &["latest"]),
    ("sigs.k8s.io/gateway-api", "...", &["latest", "v1.6.0", "v1.5.1"]),
];

/// The directory of a downloaded module.
fn download(module: &str, versions: &[&str]) -> Option<String> {
    versions.iter().find_map(|version| {
        let name = format!("{module}@{version}");
        let output = Command::new("go")
            .args(["mod", "download", "-json", &name])
            .current_dir("/")
            .output()
            .ok()?;
        let answer: Value = serde_json::from_slice(&output.stdout).ok()?;
        Some(answer["Dir"].as_str()?.to_owned())
    })
}

/// Prints a line that the test harness would otherwise capture.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[test]
fn published_modules_have_no_errors() {
    for (module, packages, versions) in MODULES {
        let Some(directory) = download(module, versions) else {
            say(&format!(
                "left out: {module} (the Go toolchain could not download it)"
            ));
            continue;
        };
        let run = binary::kindsmith(&format!("lint {directory}/{packages} -o json"));
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
