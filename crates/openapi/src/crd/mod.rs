//! CRDs (`apiextensions.k8s.io`): read as the API server decodes them, defaulted, and written as it returns
//! them.
//!
//! Does not validate CRDs.

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

pub use internal::{InternalConversion, InternalDefinition, InternalSpec};
pub use print::{print_conversion, print_names, print_rule, print_schema, print_versions};
pub use read::{Read, Source, read, read_v1beta1, sort_reports};

pub use types::{
    ClientConfig, Column, Condition, Conversion, Definition, Names, Scale, SelectableField, Service, Spec,
    Status, StatusSubresource, Subresources, Validation, Version, Webhook,
};
pub use write::Values;

/// The API versions of CRDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ApiVersion {
    /// `apiextensions.k8s.io/v1`.
    #[default]
    V1,
    /// `apiextensions.k8s.io/v1beta1`, no longer served.
    V1beta1,
}

impl ApiVersion {
    /// The text of `apiVersion`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ApiVersion::V1 => "apiextensions.k8s.io/v1",
            ApiVersion::V1beta1 => "apiextensions.k8s.io/v1beta1",
        }
    }
}
