//! Definitions out of JSON values, decoded as the API server's typed decoder does.

use kindsmith_json::Value;

use super::{ApiVersion, Definition, InternalDefinition};
use crate::record::{self, DecodeError, Report, Reports};

/// What reading a definition gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Read<T> {
    /// The definition as written; nothing is defaulted.
    pub definition: T,
    /// Fields a strict decoder minds, in the order of the document. Nothing is said about metadata.
    pub reports: Vec<Report>,
    /// Where among the reports those about metadata belong.
    pub metadata_at: usize,
}

/// Reads a `v1` definition. `apiVersion` and `kind` are the caller's business, as is all below `metadata`.
///
/// Go reads keys in the order of the document, and YAML reaches its decoder with keys sorted; give values in the
/// order that counts.
///
/// # Errors
/// Where a value does not fit its Go type, in Go's words.
pub fn read(value: Value<'_>) -> Result<Read<Definition>, DecodeError> {
    let (definition, reports) = record::read(value, ApiVersion::V1)?;
    let Reports { reports, metadata_at } = reports;
    Ok(Read {
        definition,
        reports,
        metadata_at,
    })
}

/// Reads a `v1beta1` definition, which has the shape of the internal form.
///
/// # Errors
/// Where a value does not fit its Go type, in Go's words.
pub fn read_v1beta1(value: Value<'_>) -> Result<Read<InternalDefinition>, DecodeError> {
    let (definition, reports) = record::read(value, ApiVersion::V1beta1)?;
    let Reports { reports, metadata_at } = reports;
    Ok(Read {
        definition,
        reports,
        metadata_at,
    })
}
