//! What a program decides in code about a custom resource, beside its schema: rules and conversions.

use std::fmt;
use std::sync::Arc;

use kindsmith_json::Value;
use kindsmith_object::FieldError;

use super::{Converter, Resource};

/// Rules in code. They run after those of the schema.
pub trait Rules: fmt::Debug + Send + Sync {
    /// What is wrong with a write. `is_valid` says whether the schema found nothing.
    fn check(&self, write: &CheckedWrite<'_>) -> Vec<FieldError>;
}

/// A write as rules in code see it.
#[derive(Debug, Clone, Copy)]
pub struct CheckedWrite<'a> {
    /// The version that was written.
    pub version: &'a str,
    /// The new object, with defaults.
    pub new: Value<'a>,
    /// The stored object; `None` on create.
    pub old: Option<Value<'a>>,
    /// `status` for a write of the status, otherwise empty.
    pub subresource: &'a str,
    /// Whether the schema found nothing wrong.
    pub is_valid: bool,
}

/// What a program decides in code about a custom resource.
#[derive(Debug, Clone, Default)]
pub struct InCode {
    /// Rules beside those of the schema.
    pub rules: Vec<Arc<dyn Rules>>,
    /// Converts between versions, instead of a conversion webhook.
    pub converter: Option<Arc<dyn Converter>>,
}

impl Resource {
    /// The same with what a program decides in code.
    #[must_use]
    pub fn with_code(self, code: &InCode) -> Self {
        Resource {
            converter: code.converter.clone().or(self.converter),
            rules: code.rules.clone(),
            ..self
        }
    }

    /// The errors of the schema and of rules in code. An error that both find is reported once.
    pub(super) fn check_in_code(
        &self,
        write: CheckedWrite<'_>,
        mut errors: Vec<FieldError>,
    ) -> Vec<FieldError> {
        let write = CheckedWrite {
            is_valid: errors.is_empty(),
            ..write
        };
        let declared = errors.len();
        for rules in &self.rules {
            for error in rules.check(&write) {
                let mut known = errors[..declared].iter();
                if !known.any(|known| known.kind == error.kind && known.path == error.path) {
                    errors.push(error);
                }
            }
        }
        errors
    }
}
