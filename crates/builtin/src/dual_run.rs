//! Two validations of one object: hand-written rules and tags, compared and joined (`ValidateDeclarativelyWithMigrationChecks` in
//! apiserver's pkg/registry/rest).
//!
//! Knows errors, not objects. A hand-written error is marked as covered if a tag finds the same fault; then the two must
//! agree, and the tag's error can replace it.

pub(crate) mod twin;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use kindsmith_object::{ErrorKind, FieldError};
use kindsmith_request::Lifecycle;
use kindsmith_schema::Level;

use crate::Change;

/// Hand-written rules of a kind that has tags too.
#[derive(Clone)]
pub struct HandWritten {
    check: Arc<CheckFn>,
    custom: Option<Arc<dyn kindsmith_engine::CustomChecks + Send + Sync>>,
    /// Whether an error of a tag at a field above counts as a match, because it kept the tag below from being checked.
    pub matches_above: bool,
}

type CheckFn = dyn Fn(&Change<'_>) -> Vec<HandWrittenError> + Send + Sync;

impl HandWritten {
    /// The rules of a closure.
    #[must_use]
    pub fn new(check: impl Fn(&Change<'_>) -> Vec<HandWrittenError> + Send + Sync + 'static) -> Self {
        Self {
            check: Arc::new(check),
            custom: None,
            matches_above: false,
        }
    }

    /// With the functions that `+k8s:customValidation` names.
    #[must_use]
    pub fn with_custom(mut self, custom: Arc<dyn kindsmith_engine::CustomChecks + Send + Sync>) -> Self {
        self.custom = Some(custom);
        self
    }

    pub(crate) fn check(&self, change: &Change<'_>) -> Vec<HandWrittenError> {
        (self.check)(change)
    }

    pub(crate) fn custom(&self) -> Option<&(dyn kindsmith_engine::CustomChecks + Send + Sync)> {
        self.custom.as_deref()
    }
}

impl fmt::Debug for HandWritten {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("HandWritten").finish_non_exhaustive()
    }
}

/// An error of a hand-written rule.
#[derive(Debug, Clone, PartialEq)]
pub struct HandWrittenError {
    /// The error.
    pub error: FieldError,
    /// Whether a tag finds the same fault.
    pub mark: Mark,
}

/// Whether a tag finds the same fault as a hand-written rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It does.
    Covered,
    /// It does not.
    Uncovered,
    /// It may: the tag's error replaces this one where they match, and nothing is counted where they do not.
    Unknown,
}

impl HandWrittenError {
    /// An error that a tag finds too; `origin` is the tag's name in errors, such as `minimum`.
    #[must_use]
    pub fn covered(error: FieldError, origin: &'static str) -> Self {
        Self {
            error: FieldError {
                origin: origin.into(),
                ..error
            },
            mark: Mark::Covered,
        }
    }

    /// An error that no tag finds.
    #[must_use]
    pub fn uncovered(error: FieldError) -> Self {
        Self {
            error,
            mark: Mark::Uncovered,
        }
    }

    pub(crate) fn unknown(error: FieldError) -> Self {
        Self {
            error,
            mark: Mark::Unknown,
        }
    }
}

/// What tags found.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// Errors of all levels, each with whether its rule has no hand-written twin by declaration
    /// (`+k8s:declarativeValidationNative`).
    pub(crate) errors: Vec<(FieldError, bool)>,
    /// What rules panicked with.
    pub(crate) panics: Vec<String>,
    /// Whether some rule of the type has no hand-written twin by declaration.
    pub(crate) has_native: bool,
}

/// How the two are joined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Joining {
    pub(crate) lifecycle: Lifecycle,
    /// Whether hand-written rules are complete. Otherwise only what is marked as covered is compared.
    pub(crate) is_complete: bool,
    pub(crate) matches_above: bool,
    /// Whether an error that is there twice is reported once.
    pub(crate) is_once: bool,
}

/// The result.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Joined {
    pub(crate) errors: Vec<FieldError>,
    /// Differences, each as what is logged about it; without values.
    pub(crate) mismatches: Vec<String>,
}

pub(crate) fn join(written: Vec<HandWrittenError>, declared: Declared, joining: Joining) -> Joined {
    let mismatches = mismatches(&written, &declared, joining);
    // An alpha rule never counts, so its twin does even after takeover.
    let shadows: Vec<FieldError> = declared
        .errors
        .iter()
        .filter(|(error, _)| error.level == Some(Level::Alpha))
        .map(|(error, _)| error.clone())
        .collect();
    let (declared, replaces): (Vec<FieldError>, fn(&FieldError) -> bool) = match joining.lifecycle {
        Lifecycle::Kubernetes { beta } => (enforced(declared, beta), is_beta),
        Lifecycle::Kep { runs, takes_over } => (decided(declared, runs && takes_over), |_| true),
    };
    // Comparing also drops duplicates.
    let mut seen = HashSet::new();
    let mut errors: Vec<FieldError> = Vec::new();
    for one in written {
        let is_replaced = || {
            declared
                .iter()
                .any(|error| replaces(error) && is_same(&one, error))
        };
        let is_kept = one.mark == Mark::Uncovered || !is_replaced();
        let is_shadowed = || shadows.iter().any(|error| is_same(&one, error));
        let is_overruled = one.mark == Mark::Covered && takes_over(joining.lifecycle) && !is_shadowed();
        let is_new = !joining.is_once || seen.insert(one.error.to_string());
        if is_new && is_kept && !is_overruled {
            errors.push(one.error);
        }
    }
    errors.extend(declared);
    Joined { errors, mismatches }
}

fn takes_over(lifecycle: Lifecycle) -> bool {
    matches!(
        lifecycle,
        Lifecycle::Kep {
            runs: true,
            takes_over: true
        }
    )
}

fn is_beta(error: &FieldError) -> bool {
    error.level == Some(Level::Beta)
}

/// The errors of tags that count in Kubernetes.
fn enforced(declared: Declared, beta: bool) -> Vec<FieldError> {
    let panics = declared.panics.iter().map(|value| panicked(value));
    let errors = declared.errors.into_iter().map(|(error, _)| error);
    let mut all: Vec<FieldError> = errors.filter(|error| error.is_enforced(beta)).collect();
    all.extend(panics);
    all
}

/// The errors of tags that count by the KEP: all after takeover, otherwise those without a hand-written twin.
fn decided(declared: Declared, takes_over: bool) -> Vec<FieldError> {
    let is_closed = takes_over || declared.has_native;
    let panics: Vec<FieldError> = if is_closed {
        declared.panics.iter().map(|value| panicked(value)).collect()
    } else {
        Vec::new()
    };
    let errors = declared.errors.into_iter();
    let errors = errors.filter(|(error, is_native)| *is_native || (takes_over && error.is_enforced(true)));
    errors.map(|(error, _)| error).chain(panics).collect()
}

/// The error of a rule that panicked: it has no path and is always enforced.
fn panicked(value: &str) -> FieldError {
    use kindsmith_object::{BadValue, Detail};
    let detail = format!("panic during declarative validation: {value}");
    FieldError::new(
        ErrorKind::Internal,
        kindsmith_json::path::PathBuf::default(),
        BadValue::Nil,
        Detail::Text(detail.into()),
    )
}

fn mismatches(written: &[HandWrittenError], declared: &Declared, joining: Joining) -> Vec<String> {
    let is_candidate = |error: &FieldError, is_native: bool| match joining.lifecycle {
        Lifecycle::Kubernetes { .. } => matches!(error.level, Some(Level::Alpha | Level::Beta)),
        Lifecycle::Kep { runs, .. } => runs && !is_native,
    };
    if matches!(joining.lifecycle, Lifecycle::Kep { runs: false, .. }) {
        return Vec::new();
    }
    let candidates: Vec<&FieldError> = declared
        .errors
        .iter()
        .filter(|(error, is_native)| is_candidate(error, *is_native))
        .map(|(error, _)| error)
        .collect();
    let mut lines = Vec::new();
    let mut compared: Vec<&HandWrittenError> = Vec::new();
    for one in written.iter().filter(|one| one.mark == Mark::Covered) {
        if compared.iter().any(|known| is_same(known, &one.error)) {
            continue;
        }
        compared.push(one);
        let is_matched = candidates.iter().any(|error| is_same(one, error))
            || (joining.matches_above && candidates.iter().any(|error| is_above(error, &one.error)));
        if !is_matched {
            lines.push(format!(
                "tags do not find what a hand-written rule finds: {}",
                shown(&one.error)
            ));
        }
    }
    let extra = candidates
        .iter()
        .filter(|error| !written.iter().any(|one| is_same(one, error)));
    if joining.is_complete {
        lines.extend(
            extra.map(|error| format!("a tag finds what no hand-written rule finds: {}", shown(error))),
        );
    }
    lines
}

/// Do two errors tell of the same fault (`ErrorMatcher` by type, field and origin)?
fn is_same(written: &HandWrittenError, declared: &FieldError) -> bool {
    let one = &written.error;
    let is_origin =
        one.origin == declared.origin && (one.kind != ErrorKind::Invalid || !one.origin.is_empty());
    let is_text = || written.mark == Mark::Unknown && one.to_string() == declared.to_string();
    one.kind == declared.kind && one.path == declared.path && (is_origin || is_text())
}

/// Whether an error that stopped other checks is at a field above another one.
fn is_above(error: &FieldError, below: &FieldError) -> bool {
    let (above, below) = (error.path.steps(), below.path.steps());
    error.short_circuit && !above.is_empty() && above.len() < below.len() && below.starts_with(above)
}

fn shown(error: &FieldError) -> String {
    format!(
        "type={:?} field={:?} origin={:?}",
        error.kind.name(),
        error.path.to_string(),
        error.origin
    )
}

#[cfg(test)]
mod tests {
    use kindsmith_json::path::Step;
    use kindsmith_object::{BadValue, Detail};

    use super::*;

    const KUBERNETES: Lifecycle = Lifecycle::Kubernetes { beta: true };
    const SHADOW: Lifecycle = Lifecycle::Kubernetes { beta: false };

    fn error(field: &str, text: &str) -> FieldError {
        let path = field.split('.').map(|name| Step::Field(name.into())).collect();
        let detail = Detail::Text(text.into());
        FieldError::new(ErrorKind::Invalid, path, BadValue::Nil, detail)
    }

    fn tag(field: &str, level: Option<Level>) -> (FieldError, bool) {
        let error = FieldError {
            origin: "minimum".into(),
            level,
            ..error(field, "tag")
        };
        (error, false)
    }

    fn native(field: &str) -> (FieldError, bool) {
        (tag(field, None).0, true)
    }

    fn covered(field: &str) -> HandWrittenError {
        HandWrittenError::covered(error(field, "code"), "minimum")
    }

    /// Errors are shown as `field source`.
    fn check(
        lifecycle: Lifecycle,
        written: &[HandWrittenError],
        declared: &[(FieldError, bool)],
        expected: &[&str],
        mismatches: usize,
    ) {
        let declared = Declared {
            errors: declared.to_vec(),
            has_native: declared.iter().any(|(_, is_native)| *is_native),
            ..Declared::default()
        };
        let joining = Joining {
            lifecycle,
            is_complete: true,
            matches_above: false,
            is_once: true,
        };
        let joined = join(written.to_vec(), declared, joining);
        let shown: Vec<String> = joined
            .errors
            .iter()
            .map(|one| format!("{} {}", one.path, one.detail))
            .collect();
        assert_eq!(shown, expected, "{lifecycle:?}");
        assert_eq!(
            joined.mismatches.len(),
            mismatches,
            "{lifecycle:?} {:?}",
            joined.mismatches
        );
    }

    #[test]
    fn levels_decide_in_kubernetes() {
        use Level::{Alpha, Beta};
        // An alpha rule is compared and never enforced.
        check(
            KUBERNETES,
            &[covered("a")],
            &[tag("a", Some(Alpha))],
            &["a code"],
            0,
        );
        check(KUBERNETES, &[], &[tag("a", Some(Alpha))], &[], 1);
        // A beta rule replaces its twin if the gate is on.
        check(
            KUBERNETES,
            &[covered("a")],
            &[tag("a", Some(Beta))],
            &["a tag"],
            0,
        );
        check(SHADOW, &[covered("a")], &[tag("a", Some(Beta))], &["a code"], 0);
        check(SHADOW, &[], &[tag("a", Some(Beta))], &[], 1);
        check(KUBERNETES, &[], &[tag("a", Some(Beta))], &["a tag"], 1);
        // Unmarked rules are enforced beside hand-written ones and not compared.
        check(KUBERNETES, &[], &[tag("a", None)], &["a tag"], 0);
        check(SHADOW, &[], &[tag("a", None)], &["a tag"], 0);
    }

    #[test]
    fn a_wrong_hand_written_rule_is_one_mismatch() {
        let beta = [tag("a", Some(Level::Beta))];
        check(KUBERNETES, &[covered("b")], &[], &["b code"], 1);
        check(
            KUBERNETES,
            &[covered("a"), covered("b")],
            &beta,
            &["b code", "a tag"],
            1,
        );
        check(KUBERNETES, &[covered("b"), covered("b")], &[], &["b code"], 1);
        // What no tag covers is not compared.
        let uncovered = HandWrittenError::uncovered(error("b", "code"));
        check(KUBERNETES, &[uncovered], &[], &["b code"], 0);
    }

    #[test]
    fn gates_decide_in_the_kep() {
        let kep = |runs, takes_over| Lifecycle::Kep { runs, takes_over };
        let written = [covered("a"), HandWrittenError::uncovered(error("c", "code"))];
        let declared = [tag("a", None), native("n")];
        check(
            kep(false, false),
            &written,
            &declared,
            &["a code", "c code", "n tag"],
            0,
        );
        check(
            kep(false, true),
            &written,
            &declared,
            &["a code", "c code", "n tag"],
            0,
        );
        check(
            kep(true, false),
            &written,
            &declared,
            &["a code", "c code", "n tag"],
            0,
        );
        check(
            kep(true, true),
            &written,
            &declared,
            &["c code", "a tag", "n tag"],
            0,
        );
        // A wrong hand-written rule counts until tags take over.
        check(kep(true, false), &[covered("b")], &[], &["b code"], 1);
        check(kep(true, true), &[covered("b")], &[], &[], 1);
    }

    #[test]
    fn panics_fail_closed_but_for_the_kep_before_takeover() {
        let kep = |takes_over| Lifecycle::Kep {
            runs: true,
            takes_over,
        };
        for (lifecycle, has_native, closed) in [
            (KUBERNETES, false, true),
            (SHADOW, false, true),
            (kep(false), false, false),
            (kep(false), true, true),
            (kep(true), false, true),
        ] {
            let declared = Declared {
                panics: vec!["oh".to_owned()],
                has_native,
                ..Declared::default()
            };
            let joining = Joining {
                lifecycle,
                is_complete: true,
                matches_above: false,
                is_once: true,
            };
            let errors = join(vec![covered("a")], declared, joining).errors;
            let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
            let mut expected = vec!["a: Invalid value: null: code".to_owned()];
            if takes_over(lifecycle) {
                expected.clear();
            }
            if closed {
                expected.push("<nil>: Internal error: panic during declarative validation: oh".to_owned());
            }
            assert_eq!(texts, expected, "{lifecycle:?} {has_native}");
        }
    }
}
