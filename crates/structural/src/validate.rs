//! Validation of a write: which checks run, in which order, and which errors the old object excuses.
//!
//! Follows `customResourceStrategy.Validate` and `ValidateUpdate`, and those of `statusStrategy`
//! (apiextensions-apiserver's pkg/registry/customresource). Knows neither metadata nor kinds: the caller
//! checks those first and passes the errors in.

use kindsmith_json::path::PathBuf;
use kindsmith_json::{Path, Value};

use super::known_valid::KnownValid;
use super::layout::{Below, StructuralSchema};
use super::ratchet::Pair;
use super::rules;
use super::scale::ScalePaths;
use kindsmith_object::{About, BadValue, ErrorKind, FieldError};

/// A write of a custom resource.
#[derive(Debug, Clone, Copy)]
pub struct StructuralChange<'c> {
    /// The object after the write, pruned and defaulted.
    pub new: Value<'c>,
    /// The old object, in the same version, pruned and defaulted; `None` for a create.
    pub old: Option<Value<'c>>,
    /// The part that is written.
    pub part: Part,
    /// The scale subresource of the version, if there is one.
    pub scale: Option<&'c ScalePaths>,
    /// Errors found before: in `apiVersion`, `kind` and `metadata`.
    pub earlier: &'c [FieldError],
    /// Whether `apiVersion` and `kind` are those of the CRD. If not, the schema is not checked.
    pub right_kind: bool,
    /// Facts about most of the new object.
    pub checked: Option<&'c KnownValid<'c>>,
}

/// The part of an object that a write changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    /// The whole object.
    #[default]
    Whole,
    /// The status subresource.
    Status,
}

/// The result of validating a write.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Validation {
    /// The errors, without the earlier ones.
    pub errors: Vec<FieldError>,
    /// Errors that the old object excuses.
    pub warnings: Vec<String>,
}

impl<'c> StructuralChange<'c> {
    /// A create of the whole object.
    #[must_use]
    pub fn create(new: Value<'c>) -> Self {
        Self {
            new,
            old: None,
            part: Part::Whole,
            scale: None,
            earlier: &[],
            right_kind: true,
            checked: None,
        }
    }

    /// An update of the whole object.
    #[must_use]
    pub fn update(new: Value<'c>, old: Value<'c>) -> Self {
        Self {
            old: Some(old),
            ..Self::create(new)
        }
    }

    /// An update of the status.
    #[must_use]
    pub fn status(new: Value<'c>, old: Value<'c>) -> Self {
        Self {
            part: Part::Status,
            ..Self::update(new, old)
        }
    }
}

impl StructuralSchema {
    /// Validates a write: the schema, scale paths, embedded resources, list types, and CEL rules unless
    /// earlier errors prevent them. Errors come in that order.
    #[must_use]
    pub fn validate(&self, change: &StructuralChange<'_>) -> Validation {
        let mut verdict = Validation::default();
        let errors = &mut verdict.errors;
        let pair = change.old.map(|old| Pair::new(change.new, old, self.root));
        let is_good = change
            .checked
            .filter(|_| change.part == Part::Whole)
            .is_some_and(|checked| self.is_still_good(checked, change.new));
        if change.right_kind {
            if !is_good {
                self.validate_values(change, pair.as_ref(), errors);
            }
            validate_scale(change, errors);
        }
        if change.part == Part::Whole {
            self.validate_embedded(change.new, errors);
        }
        if !is_good {
            self.validate_lists(change, errors);
        }
        self.validate_rules(change, pair.as_ref(), &mut verdict);
        verdict
    }

    fn validate_values(
        &self,
        change: &StructuralChange<'_>,
        pair: Option<&Pair<'_>>,
        errors: &mut Vec<FieldError>,
    ) {
        let root = self.values.root();
        let found = match (change.part, pair) {
            (Part::Status, _) => self.validate_status(change, pair),
            (Part::Whole, None) => self.values.validate(root, change.new, &Path::NIL),
            (Part::Whole, Some(pair)) => self.values.validate_update(root, self, pair, &Path::NIL),
        };
        errors.extend(found);
    }

    /// Names in messages are relative to the status; paths include it.
    fn validate_status(&self, change: &StructuralChange<'_>, pair: Option<&Pair<'_>>) -> Vec<FieldError> {
        let at = self.values.property(self.values.root(), "status");
        let (Some(at), Some(status)) = (at, change.new.get("status")) else {
            return Vec::new();
        };
        let base = Path::root("status");
        match pair.and_then(|pair| pair.key(self, "status")) {
            Some(pair) => self.values.validate_update(at, self, &pair, &base),
            // Upstream compares with an absent status, which equals `null`.
            None if status.is_null() => Vec::new(),
            None => self.values.validate(at, status, &base),
        }
    }

    /// Duplicates are excused if the old object has any.
    fn validate_lists(&self, change: &StructuralChange<'_>, errors: &mut Vec<FieldError>) {
        let before = errors.len();
        self.validate_list_types(change.new, errors);
        let Some(old) = change.old.filter(|_| errors.len() > before) else {
            return;
        };
        let mut excuses = Vec::new();
        self.validate_list_types(old, &mut excuses);
        if !excuses.is_empty() {
            errors.truncate(before);
        }
    }

    fn validate_rules(
        &self,
        change: &StructuralChange<'_>,
        pair: Option<&Pair<'_>>,
        verdict: &mut Validation,
    ) {
        if !self.root().below.has(Below::RULES) {
            return;
        }
        if change.earlier.iter().chain(&verdict.errors).any(blocks_rules) {
            verdict.errors.push(not_checked());
        } else {
            rules::run(self, change.new, pair, verdict);
        }
    }
}

fn validate_scale(change: &StructuralChange<'_>, errors: &mut Vec<FieldError>) {
    let Some(scale) = change.scale else { return };
    if change.part == Part::Whole {
        scale.validate_spec(change.new, errors);
    }
    scale.validate_status(change.new, errors);
}

/// Whether the error prevents rules from running (`hasBlockingErr`).
pub(super) fn blocks_rules(error: &FieldError) -> bool {
    use ErrorKind as Kind;
    matches!(
        error.kind,
        Kind::NotSupported | Kind::Required | Kind::TooLong | Kind::TooMany | Kind::TypeInvalid
    )
}

/// Told in place of the errors of rules that were not run.
pub(super) fn not_checked() -> FieldError {
    let text = "some validation rules were not checked because the object was invalid; \
                correct the existing errors to complete validation";
    FieldError::invalid(PathBuf::default(), BadValue::Nil, text).about(About::RulesNotChecked)
}
