//! CRDs in real use are accepted. They are downloaded as Go modules; without the Go toolchain or its module proxy, the
//! test says what it skipped.

use std::time::Instant;

use crate::binary;
use kindsmith_testkit::tool::{Tool, download, left_out, say};

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

#[test]
fn published_crds_are_accepted() {
    for (module, directory) in BUNDLES {
        let Some(home) = download(module) else {
            left_out(Tool::Go, &format!("CRDs of {module}"));
            continue;
        };
        let start = Instant::now();
        let run = binary::kindsmith(&format!("check {}/{directory} --explain", home.display()));
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
