//! Programs that use Kubernetes' own packages.

use super::Program;

/// The release whose packages are asked, and that of the modules published with it.
const RELEASE: (&str, &str) = ("v1.38.0-alpha.0", "v0.38.0-alpha.0");

/// A program of this name and source, with all of Kubernetes to import.
pub(crate) fn program(name: &'static str, source: &'static str) -> Program<'static> {
    let (kubernetes, staging) = RELEASE;
    let replace: String = STAGING
        .iter()
        .map(|module| format!("\tk8s.io/{module} => k8s.io/{module} {staging}\n"))
        .collect();
    Program {
        name,
        source,
        modules: format!(
            "module example.org/{name}\n\ngo 1.26\n\nrequire k8s.io/kubernetes {kubernetes}\n\nreplace (\n{replace})\n"
        ),
        downloads: vec![format!("k8s.io/kubernetes@{kubernetes}")],
    }
}

/// Modules that are part of the same repository, so that its `go.mod` does not name their versions.
const STAGING: &[&str] = &[
    "api",
    "apiextensions-apiserver",
    "apimachinery",
    "apiserver",
    "cli-runtime",
    "client-go",
    "cloud-provider",
    "cluster-bootstrap",
    "code-generator",
    "component-base",
    "component-helpers",
    "controller-manager",
    "cri-api",
    "cri-client",
    "cri-streaming",
    "csi-translation-lib",
    "dynamic-resource-allocation",
    "endpointslice",
    "externaljwt",
    "kms",
    "kube-aggregator",
    "kube-controller-manager",
    "kube-proxy",
    "kube-scheduler",
    "kubectl",
    "kubelet",
    "metrics",
    "mount-utils",
    "pod-security-admission",
    "sample-apiserver",
    "streaming",
];
