//! Documents generated from Go types, byte for byte as Kubernetes' own generators write them.
//!
//! [`controller_gen`] generates CRDs, [`openapi_gen`] OpenAPI definitions; both read only the schema.
//! Validates no document and reads no files.

pub mod controller_gen;
mod k8s_tags;
pub mod openapi_gen;
