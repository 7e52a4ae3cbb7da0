//! CRDs (`apiextensions.k8s.io`): read as the API server decodes them, defaulted, and written as it returns
//! them.
//!
//! Does not validate CRDs.

mod api_version;
mod default;
mod equal;
mod hoist;
mod internal;
mod print;
mod read;
#[rustfmt::skip] // One field, one line.
mod tables;
mod types;
mod write;

pub use api_version::ApiVersion;
pub use internal::{InternalConversion, InternalDefinition, InternalSpec};
pub use print::{print_conversion, print_names, print_rule, print_schema, print_versions};
pub use read::{Read, Source, read, read_v1beta1, sort_reports};

pub use types::{
    ClientConfig, Column, Condition, Conversion, Definition, Names, Scale, SelectableField, Service, Spec,
    Status, StatusSubresource, Subresources, Validation, Version, Webhook,
};
pub use write::{SchemaValues, Values};
