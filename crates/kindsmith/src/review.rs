//! The API server's answer to a write, as data.

use std::fmt;

pub use kindsmith_crd::{Warning, WarningReason};
use kindsmith_engine::DecodeError;
pub use kindsmith_engine::Wanted;
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Path, Value, to_string};
use kindsmith_object::{About, Event, FieldError};
use kindsmith_schema::Place;
use serde::de::DeserializeOwned;

/// The API server's answer to a write.
#[derive(Debug, Clone)]
pub struct Review<O = serde_json::Value> {
    /// The object as it would be stored, without fields that only the server sets; `None` if it is rejected.
    pub object: Option<O>,
    /// Why it is rejected, in field order.
    pub errors: Vec<Rejection>,
    /// What the server tells only once these errors are fixed: further values that do not fit their types, what is wrong with the
    /// rest of the object, and with defaults and rules of a CRD that is not structural. Empty if it would be guesswork.
    pub later: Vec<Rejection>,
    /// The server's warnings.
    pub warnings: Vec<Warning>,
    /// Fields that were filled in.
    pub defaulted: Vec<Defaulted>,
    /// Fields that were dropped because the schema does not have them.
    pub pruned: Vec<PathBuf>,
    /// Everything that each step did, if requested.
    pub trace: Vec<TraceStep>,
}

impl<O> Review<O> {
    /// Whether the server would store the object.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.errors.is_empty()
    }

    /// The review with its object converted to another form.
    pub fn map<P>(self, change: impl FnOnce(O) -> P) -> Review<P> {
        Review {
            object: self.object.map(change),
            errors: self.errors,
            later: self.later,
            warnings: self.warnings,
            defaulted: self.defaulted,
            pruned: self.pruned,
            trace: self.trace,
        }
    }

    /// Records what a step did; everything only if a trace is requested.
    pub(crate) fn note(&mut self, event: &Event<'_>, is_traced: bool) {
        match event {
            Event::Defaulted { path, value, .. } => self.defaulted.push(Defaulted {
                path: Path::to_owned(path),
                value: to_string(*value),
            }),
            Event::Pruned { path } => self.pruned.push(Path::to_owned(path)),
            _ => {}
        }
        if is_traced {
            self.trace.extend(TraceStep::of(event));
        }
    }

    pub(crate) fn reject(&mut self, message: String) {
        self.errors.push(Rejection {
            path: PathBuf::default(),
            message,
            error: None,
            wanted: None,
        });
    }

    /// Rejects an object that could not be read because of these values. The server tells the first, in this message.
    pub(crate) fn reject_misfits(&mut self, misfits: &[DecodeError], message: String) {
        let Some((first, rest)) = misfits.split_first() else {
            return self.reject(message);
        };
        // The server puts the kind in front of what its decoder says.
        let before = message
            .strip_suffix(&first.to_string())
            .unwrap_or_default()
            .to_owned();
        let rejection = |misfit: &DecodeError, message| Rejection {
            path: misfit.path().clone(),
            message,
            error: None,
            wanted: Some(misfit.wanted().clone()),
        };
        self.errors.push(rejection(first, message));
        let later = rest
            .iter()
            .map(|misfit| rejection(misfit, format!("{before}{misfit}")));
        self.later.extend(later);
    }

    pub(crate) fn reject_fields(&mut self, errors: impl IntoIterator<Item = FieldError>) {
        self.errors.extend(errors.into_iter().map(Rejection::from));
    }
}

impl Review {
    /// The review with its object as a type of the caller's own, such as the one it was made from.
    ///
    /// ```
    /// use kindsmith::Kinds;
    /// use serde_json::{Value, json};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct ConfigMap {
    ///     data: std::collections::BTreeMap<String, String>,
    /// }
    ///
    /// let object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"b": "c"}});
    /// let review = Kinds::default().admit(&object)?.typed::<ConfigMap>()?;
    /// assert_eq!(review.object.expect("it is allowed").data["b"], "c");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the object is allowed, but does not fit the type.
    pub fn typed<T: DeserializeOwned>(self) -> Result<Review<T>, serde_json::Error> {
        let object = self.object.map(serde_json::from_value).transpose()?;
        Ok(Review {
            object,
            errors: self.errors,
            later: self.later,
            warnings: self.warnings,
            defaulted: self.defaulted,
            pruned: self.pruned,
            trace: self.trace,
        })
    }
}

impl<O> Default for Review<O> {
    fn default() -> Self {
        Self {
            object: None,
            errors: Vec::new(),
            later: Vec::new(),
            warnings: Vec::new(),
            defaulted: Vec::new(),
            pruned: Vec::new(),
            trace: Vec::new(),
        }
    }
}

/// One reason why an object is rejected. `Display` is the API server's text.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejection {
    /// The field; the empty path for the object as a whole.
    pub path: PathBuf,
    /// The API server's text.
    pub message: String,
    /// The error with its kind, value and detail; `None` if the object could not be read at all.
    pub error: Option<FieldError>,
    /// What the decoder wanted to read, if it is a value that could not be read.
    pub wanted: Option<Wanted>,
}

impl Rejection {
    /// What the error is about, where it says so.
    #[must_use]
    pub fn about(&self) -> Option<About> {
        self.error.as_ref()?.about
    }

    /// Whether a CRD is rejected for the cost of its CEL rules.
    #[must_use]
    pub fn is_about_cost(&self) -> bool {
        self.about().is_some_and(About::is_cost)
    }
}

impl From<FieldError> for Rejection {
    fn from(error: FieldError) -> Self {
        Self {
            path: error.path.clone(),
            message: error.to_string(),
            error: Some(error),
            wanted: None,
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Rejection {}

/// A field that was filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defaulted {
    /// The field.
    pub path: PathBuf,
    /// Its new value as JSON.
    pub value: String,
}

/// What a step did to a field.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceStep {
    /// The field.
    pub path: PathBuf,
    /// What was done.
    pub action: Action,
    /// The tag or rule that caused it; `None` for CRDs, and for actions without one.
    pub source: Option<Place>,
}

/// What a step did to a field.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Action {
    /// Filled in with this JSON value.
    Defaulted(String),
    /// Changed by a hand-written defaulting function.
    Hooked,
    /// Dropped, because the schema does not have it.
    Pruned,
    /// Not validated again, because it did not change.
    Unchanged,
    /// Not validated further, because it is unset.
    Stopped,
    /// Rejected with this error.
    Failed(Box<FieldError>),
}

impl TraceStep {
    fn of(event: &Event<'_>) -> Option<Self> {
        let (path, action, source) = match event {
            Event::Defaulted { path, source, value } => (
                Path::to_owned(path),
                Action::Defaulted(to_string(*value)),
                *source,
            ),
            Event::Hooked { path } => (Path::to_owned(path), Action::Hooked, None),
            Event::Pruned { path } => (Path::to_owned(path), Action::Pruned, None),
            Event::Unchanged { path } => (Path::to_owned(path), Action::Unchanged, None),
            Event::Stopped { path, rule } => (Path::to_owned(path), Action::Stopped, *rule),
            Event::Failed { error } => (
                error.path.clone(),
                Action::Failed(Box::new(FieldError::clone(error))),
                error.rule,
            ),
            _ => return None,
        };
        Some(Self { path, action, source })
    }
}

/// A review whose object lives in an arena.
pub type ArenaReview<'a> = Review<Value<'a>>;
