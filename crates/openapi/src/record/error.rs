//! Errors of documents, with the messages of encoding/json and sigs.k8s.io/json.

use std::cmp::Ordering;
use std::fmt;

use kindsmith_json::path::{PathBuf, Step};

/// A document that does not fit its Go type. `Display` is Go's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    pub(crate) text: String,
    pub(crate) stops: bool,
}

impl DecodeError {
    /// Whether decoding stopped there. Go remembers the first value of a wrong kind and continues; it reports
    /// it only if nothing later stops the decoding.
    #[must_use]
    pub fn stops(&self) -> bool {
        self.stops
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl std::error::Error for DecodeError {}

/// A field that strict decoding rejects. `Display` is its message: `unknown field "spec.x"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What is wrong with it.
    pub kind: ReportKind,
    /// Its path; every step into an object is a field, as sigs.k8s.io/json prints it.
    pub path: PathBuf,
}

impl Report {
    /// Which of two reports comes first in a document whose keys are sorted.
    #[must_use]
    pub(crate) fn cmp_sorted(&self, other: &Report) -> Ordering {
        let (steps, others) = (self.path.steps(), other.path.steps());
        let step = |(left, right): (&Step, &Step)| match (left, right) {
            (Step::Index(left), Step::Index(right)) => left.cmp(right),
            (Step::Field(left) | Step::Key(left), Step::Field(right) | Step::Key(right)) => left.cmp(right),
            (Step::Index(_), _) => Ordering::Less,
            (_, Step::Index(_)) => Ordering::Greater,
        };
        let differing = steps.iter().zip(others).map(step).find(|order| order.is_ne());
        differing.unwrap_or_else(|| steps.len().cmp(&others.len()))
    }
}

/// What strict decoding rejects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportKind {
    /// An unknown field.
    Unknown,
    /// A duplicate field.
    Duplicate,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.kind {
            ReportKind::Unknown => "unknown",
            ReportKind::Duplicate => "duplicate",
        };
        write!(
            out,
            "{word} field {}",
            kindsmith_json::write::go_quote(&self.path.dotted())
        )
    }
}

/// An error that does not know its position yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Go's `UnmarshalTypeError`.
    Type {
        /// What was there: `string`, `number 1.5`.
        found: String,
        /// The Go type.
        ty: String,
        /// The Go struct that holds the field.
        holder: &'static str,
        /// The path of the field below that struct's decoder.
        field: String,
    },
    /// Any other text.
    Text(String),
}

impl Fault {
    /// Adds the position, as `addErrorContext` in decode.go does; nested decoders put theirs in front.
    pub(crate) fn placed(self, holder: Option<&'static str>, fields: &[&'static str]) -> Fault {
        match (self, holder) {
            (Fault::Type { found, ty, field, .. }, Some(holder)) => {
                let mut path = fields.join(".");
                if !field.is_empty() {
                    path.push('.');
                    path.push_str(&field);
                }
                Fault::Type {
                    found,
                    ty,
                    holder,
                    field: path,
                }
            }
            (fault, _) => fault,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Text(text) => out.write_str(text),
            Fault::Type {
                found,
                ty,
                holder,
                field,
            } if holder.is_empty() && field.is_empty() => {
                write!(out, "json: cannot unmarshal {found} into Go value of type {ty}")
            }
            Fault::Type {
                found,
                ty,
                holder,
                field,
            } => write!(
                out,
                "json: cannot unmarshal {found} into Go struct field {holder}.{field} of type {ty}"
            ),
        }
    }
}
