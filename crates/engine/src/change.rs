//! The input of validation: an object, the old object on update, and the request's options.

use std::collections::BTreeMap;
use std::fmt;

use kindsmith_json::{Path, Value};

use kindsmith_object::FieldError;

/// The operation of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// The object is new.
    Create,
    /// The object exists already.
    Update,
}

/// Options of a request, each on or off. An option that is missing is undefined, and rules that use it report
/// that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OptionSet(BTreeMap<Box<str>, bool>);

impl OptionSet {
    /// Turns an option on or off.
    pub fn set(&mut self, name: impl Into<Box<str>>, enabled: bool) {
        self.0.insert(name.into(), enabled);
    }

    /// Takes over the options of another set.
    pub fn extend(&mut self, other: &OptionSet) {
        self.0
            .extend(other.0.iter().map(|(name, on)| (name.clone(), *on)));
    }

    /// Whether the option is on; `None` when it is not defined.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<bool> {
        self.0.get(name).copied()
    }
}

impl<N: Into<Box<str>>> FromIterator<(N, bool)> for OptionSet {
    fn from_iter<I: IntoIterator<Item = (N, bool)>>(options: I) -> Self {
        Self(options.into_iter().map(|(name, on)| (name.into(), on)).collect())
    }
}

/// An object to be validated.
#[derive(Clone, Copy)]
pub struct Change<'c, 'a> {
    /// The operation.
    pub operation: Operation,
    /// The object.
    pub new: Value<'a>,
    /// The old object, on update.
    pub old: Option<Value<'a>>,
    /// Options of the request.
    pub options: Option<&'c OptionSet>,
    /// Segments of the subresource's path; empty for the object itself.
    pub subresources: &'c [&'c str],
    /// Hand-written checks.
    pub custom: Option<&'c dyn CustomChecks>,
}

/// Hand-written checks that rules call by name.
pub trait CustomChecks {
    /// Runs the function that `+k8s:customValidation` names, such as `ValidateCustom_Thing_Name`.
    ///
    /// Values are nil where the Go function would get a nil pointer, list or map.
    fn check(
        &self,
        function: &str,
        operation: Operation,
        path: &Path<'_>,
        new: Option<Value<'_>>,
        old: Option<Value<'_>>,
    ) -> Vec<FieldError>;
}

impl<'a> Change<'_, 'a> {
    /// Creates an object.
    #[must_use]
    pub fn create(new: Value<'a>) -> Self {
        Self {
            operation: Operation::Create,
            new,
            old: None,
            options: None,
            subresources: &[],
            custom: None,
        }
    }

    /// Updates an object.
    #[must_use]
    pub fn update(new: Value<'a>, old: Value<'a>) -> Self {
        Self {
            operation: Operation::Update,
            old: Some(old),
            ..Self::create(new)
        }
    }
}

impl fmt::Debug for Change<'_, '_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Change")
            .field("operation", &self.operation)
            .field("new", &self.new)
            .field("old", &self.old)
            .field("options", &self.options)
            .field("subresources", &self.subresources)
            .finish_non_exhaustive()
    }
}
