//! `crd`: types that controller-gen cannot make a CRD of.

use kindsmith_source::{Finding, Tool};

/// Types that controller-gen cannot make a CRD of.
pub static CRD: Finding = Finding::new("crd", Tool::ControllerGen, include_str!("crd.md"));
