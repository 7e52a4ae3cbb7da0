//! A condition on a value, and what it is called if it does not hold.

use kindsmith_schema::ValidationRule;

use super::cel_text::rule_of;

/// A condition on a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Demand {
    pub(crate) holds: String,
    pub(crate) message: String,
    pub(crate) reason: Option<&'static str>,
}

impl Demand {
    pub(crate) fn new(holds: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            holds: holds.into(),
            message: message.into(),
            reason: None,
        }
    }

    /// Changes the condition.
    pub(crate) fn map(self, to: impl FnOnce(&str) -> String) -> Self {
        Self {
            holds: to(&self.holds),
            ..self
        }
    }

    /// The condition as a rule.
    pub(crate) fn rule(&self) -> ValidationRule {
        ValidationRule {
            reason: self.reason.map(Into::into),
            ..rule_of(&self.holds, &self.message)
        }
    }
}
