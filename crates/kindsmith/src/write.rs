//! A write to review.

use kindsmith_checks::Profile;
use kindsmith_engine::{Operation, OptionSet};
use kindsmith_json::Value;

/// A write to review: an object, its old state, and which steps to run.
#[derive(Debug, Clone, Copy)]
pub struct Write<'a> {
    /// The object as it was written.
    pub object: Value<'a>,
    /// Whether it is new.
    pub operation: Operation,
    /// The old object, on update.
    pub old: Option<Value<'a>>,
    /// The subresource, such as `status`; empty for the object itself.
    pub subresource: &'a str,
    /// Validation options that are on or off; only Go types have them.
    pub options: Option<&'a OptionSet>,
    /// Which rules apply where the KEPs and Kubernetes differ; only for Go types.
    pub profile: Profile,
    /// The steps to run.
    pub steps: Steps,
    /// Whether custom resources are checked against their schema only, without the rules for metadata, so that a
    /// schema can be tried on objects without a name.
    pub is_schema_only: bool,
    /// Whether to record [`Review::trace`](crate::Review::trace).
    pub is_traced: bool,
}

impl<'a> Write<'a> {
    /// A new object.
    #[must_use]
    pub fn create(object: Value<'a>) -> Self {
        Self {
            object,
            operation: Operation::Create,
            old: None,
            subresource: "",
            options: None,
            profile: Profile::default(),
            steps: Steps::ALL,
            is_schema_only: false,
            is_traced: false,
        }
    }

    /// An update of an object.
    #[must_use]
    pub fn update(old: Value<'a>, new: Value<'a>) -> Self {
        Self {
            operation: Operation::Update,
            old: Some(old),
            ..Self::create(new)
        }
    }
}

/// A set of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps(u8);

impl Steps {
    /// No step.
    pub const NONE: Self = Self(0);
    /// Unknown fields are dropped.
    pub const PRUNE: Self = Self(1);
    /// Defaults are filled in.
    pub const DEFAULT: Self = Self(2);
    /// The object is validated.
    pub const VALIDATE: Self = Self(4);
    /// All of them.
    pub const ALL: Self = Self(7);

    /// Whether a step is in the set.
    #[must_use]
    pub fn contains(self, step: Self) -> bool {
        self.0 & step.0 == step.0
    }

    /// The set with another step.
    #[must_use]
    pub fn with(self, step: Self) -> Self {
        Self(self.0 | step.0)
    }
}

impl<'a> Write<'a> {
    /// The old object of an update; ignored on create.
    pub(crate) fn updated(&self) -> Option<Value<'a>> {
        self.old.filter(|_| self.operation == Operation::Update)
    }
}
