//! Documents generated from Go types, byte for byte as Kubernetes' own generators write them.
//!
//! [`controller_gen`] makes CRDs, [`openapi_gen`] OpenAPI definitions; both read the schema alone. Judges no document and
//! reads no files.

pub mod controller_gen;
mod k8s_tags;
pub mod openapi_gen;
