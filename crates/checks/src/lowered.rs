//! What tags become: calls of checks, by type and field.

use std::collections::HashMap;

use kindsmith_schema::TypeId;

use crate::Call;

/// The lowered tags of a type and its fields.
#[derive(Debug, Default)]
pub struct LoweredType {
    /// Calls of the type's function, before its fields.
    pub calls: Vec<Call>,
    /// Calls of the function of a named key type, one per key.
    pub keys: Option<Call>,
    /// Calls of the function of a named element type, one per element.
    pub values: Option<Call>,
    /// By field index.
    pub fields: Vec<LoweredField>,
    /// Fields are not visited.
    pub opaque: bool,
    /// Counts as validated even if nothing runs.
    pub comment: bool,
}

/// The lowered tags of a field.
#[derive(Debug, Default)]
pub struct LoweredField {
    /// Calls on the field's value.
    pub calls: Vec<Call>,
    /// Calls of the function of a named key type, one per key.
    pub keys: Option<Call>,
    /// Calls of the function of a named element type, one per element.
    pub values: Option<Call>,
    /// The function of the field's type is not called.
    pub opaque: bool,
    /// Counts as validated even if nothing runs.
    pub comment: bool,
}

/// Everything lowered, by type.
pub type Lowered = HashMap<TypeId, LoweredType>;
