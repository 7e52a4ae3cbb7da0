//! `crd-scope`: a scope other than `Cluster` and `Namespaced`.

use kindsmith_source::{Finding, Tool};

/// A scope other than `Cluster` and `Namespaced`.
pub static CRD_SCOPE: Finding = Finding::new("crd-scope", Tool::KubeApiserver, include_str!("crd_scope.md"));
