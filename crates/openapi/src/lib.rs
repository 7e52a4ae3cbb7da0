//! CRD and OpenAPI documents as Kubernetes publishes them: read into schemas, and written from them.
//!
//! Knows documents and their forms; validates none of them (`custom` does), and reads no files.

pub mod bundle;
pub mod crd;
pub mod published;
pub mod schema;

mod list;
mod record;

pub use list::List;
pub use record::{DecodeError, Report, ReportKind};
