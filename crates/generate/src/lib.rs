//! Documents generated from Go types, byte for byte as Kubernetes' own generators write them.
//!
//! [`controller_gen`] generates CRDs, [`schemapatch`] puts schemas into existing ones, [`openapi_gen`] makes OpenAPI
//! definitions; these read only the schema. [`deepcopy`],
//! [`rbac`] and [`webhook`] read packages as written, because what they need is not part of an API's schema;
//! [`applyconfiguration`] reads both.
//! Validates no document and reads no files.

pub mod applyconfiguration;
pub mod controller_gen;
pub mod deepcopy;
mod gengo;
mod go_floats;
mod k8s_tags;
mod manifest;
pub mod openapi_gen;
mod package_markers;
pub mod rbac;
pub mod schemapatch;
pub mod webhook;

pub use manifest::Manifest;
pub use package_markers::Problem;
