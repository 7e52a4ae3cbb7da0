//! CRDs in real use are accepted. They are downloaded as Go modules; without the Go toolchain or its module proxy, the
//! test says what it skipped.

mod binary;

use std::io::Write;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

/// Modules with published versions, and the directories of their CRDs.
const BUNDLES: &[(&str, &str)] = &[
    ("github.com/cert-manager/cert-manager@v1.21.2", "deploy/crds"),
    ("sigs.k8s.io/gateway-api@v1.5.1", "config/crd/standard"),
    ("sigs.k8s.io/gateway-api@v1.5.1", "config/crd/experimental"),
    (
        "github.com/prometheus-operator/prometheus-operator@v0.85.0",
        "example/prometheus-operator-crd",
    ),
    (
        "istio.io/api@v1.31.1",
        "kubernetes/customresourcedefinitions.gen.yaml",
    ),
    ("github.com/argoproj/argo-rollouts@v1.10.1", "manifests/crds"),
    ("github.com/kedacore/keda/v2@v2.21.0", "config/crd/bases"),
    (
        "github.com/cilium/cilium@v1.20.2",
        "pkg/k8s/apis/cilium.io/client/crds",
    ),
];

fn download(module: &str) -> Option<String> {
    let output = Command::new("go")
        .args(["mod", "download", "-json", module])
        .current_dir("/")
        .output()
        .ok()?;
    let answer: Value = serde_json::from_slice(&output.stdout).ok()?;
    Some(answer["Dir"].as_str()?.to_owned())
}

/// Prints a line that the test harness would otherwise capture.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[test]
fn published_crds_are_accepted() {
    for (module, directory) in BUNDLES {
        let Some(home) = download(module) else {
            say(&format!(
                "left out: {module} (the Go toolchain could not download it)"
            ));
            continue;
        };
        let start = Instant::now();
        let run = binary::kindsmith(&format!("check {home}/{directory} --explain"));
        let errors: Vec<&str> = run
            .stdout
            .lines()
            .filter(|line| line.starts_with("error"))
            .collect();
        assert!(errors.is_empty(), "{module} {directory}: {errors:#?}");
        let crds = run.stdout.matches("CustomResourceDefinition\n").count();
        assert!(crds > 0, "{module} {directory} has CRDs: {}", run.stderr);
        say(&format!(
            "{module} {directory}: {crds} CRDs accepted in {:.1?}",
            start.elapsed()
        ));
    }
}
