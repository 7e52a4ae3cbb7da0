//! `crd-size`: a CRD that is too large.

use kindsmith_source::{Finding, Tool};

/// A CRD that is too large.
pub static CRD_SIZE: Finding = Finding::new("crd-size", Tool::KubeApiserver, include_str!("crd_size.md"));
