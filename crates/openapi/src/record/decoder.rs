//! The state of one run of Go's JSON decoder: where it is, what it saved, what a strict caller minds.

use kindsmith_json::Value;

use super::error::{DecodeError, Fault, Report, ReportKind};
use crate::crd::ApiVersion;

/// The deepest nesting of objects and arrays in a document that is still read. Real definitions stay far below.
const MAX_DEPTH: usize = 400;

/// Reports that are kept; sigs.k8s.io/json stops counting there.
const MAX_REPORTS: usize = 100;

/// What a strict caller minds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Reports {
    pub(crate) reports: Vec<Report>,
    /// Where among them reports about metadata belong.
    pub(crate) metadata_at: usize,
}

/// One run of a decoder. Types with an own decoder start another, which knows nothing of the place and reports no
/// unknown fields.
pub(crate) struct Decoder {
    api: ApiVersion,
    /// The struct whose field is being read.
    pub(super) holder: Option<&'static str>,
    /// The fields that led here, for type errors: neither indices nor keys of maps.
    pub(super) fields: Vec<&'static str>,
    /// The path that led here, for reports.
    path: String,
    strict: bool,
    depth: usize,
    saved: Option<Fault>,
    reports: Vec<Report>,
    metadata_at: usize,
}

impl Decoder {
    pub(super) fn new(api: ApiVersion) -> Self {
        Self {
            api,
            holder: None,
            fields: Vec::new(),
            path: String::new(),
            strict: true,
            depth: 0,
            saved: None,
            reports: Vec::new(),
            metadata_at: 0,
        }
    }

    /// The API version whose types are read.
    pub(super) fn api(&self) -> ApiVersion {
        self.api
    }

    /// Ends the run: what stopped it, else what was saved, else the reports.
    pub(super) fn finish(self, read: Result<(), Fault>) -> Result<Reports, DecodeError> {
        let (fault, stops) = match (read, self.saved) {
            (Err(fault), _) => (fault.placed(self.holder, &self.fields), true),
            (Ok(()), Some(fault)) => (fault, false),
            (Ok(()), None) => {
                return Ok(Reports {
                    reports: self.reports,
                    metadata_at: self.metadata_at,
                });
            }
        };
        Err(DecodeError {
            text: fault.to_string(),
            stops,
        })
    }

    /// Lets a type's own decoder read. Whatever fails there stops this run too.
    pub(crate) fn inside(
        &mut self,
        read: impl FnOnce(&mut Decoder) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut inner = Decoder {
            strict: false,
            depth: self.depth,
            ..Decoder::new(self.api)
        };
        read(&mut inner).map_err(|fault| fault.placed(inner.holder, &inner.fields))?;
        inner.saved.map_or(Ok(()), Err)
    }

    /// Goes one level down, unless that is too deep.
    pub(super) fn deeper(
        &mut self,
        read: impl FnOnce(&mut Decoder) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.depth >= MAX_DEPTH {
            return Err(Fault::Text("exceeded max depth".into()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads below a key of an object.
    pub(super) fn at_key(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Decoder) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let length = self.path.len();
        if self.strict {
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(key);
        }
        read(self)?;
        self.path.truncate(length);
        Ok(())
    }

    /// Reads an element of an array.
    pub(super) fn at_index(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut Decoder) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let length = self.path.len();
        if self.strict {
            self.path.push_str(&format!("[{index}]"));
        }
        read(self)?;
        self.path.truncate(length);
        Ok(())
    }

    /// Reports a field the type does not have.
    pub(super) fn unknown(&mut self, key: &str) {
        if !self.strict || self.reports.len() >= MAX_REPORTS {
            return;
        }
        let path = if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        };
        self.reports.push(Report {
            kind: ReportKind::Unknown,
            path,
        });
    }

    /// Notes where reports about metadata belong, which others decode.
    pub(super) fn note_metadata(&mut self) {
        self.metadata_at = self.reports.len();
    }

    /// Saves that a value is of the wrong kind.
    pub(super) fn mismatch(&mut self, found: impl Into<String>, ty: &str) {
        let fault = self.type_fault(found, ty);
        self.save(fault);
    }

    pub(super) fn type_fault(&self, found: impl Into<String>, ty: &str) -> Fault {
        let package = match self.api {
            ApiVersion::V1 => "v1.",
            ApiVersion::V1beta1 => "v1beta1.",
        };
        Fault::Type {
            found: found.into(),
            ty: ty.replace('$', package),
            holder: "",
            field: String::new(),
        }
    }

    /// Saves a mistake; only the first one is kept.
    pub(super) fn save(&mut self, fault: Fault) {
        if self.saved.is_none() {
            self.saved = Some(fault.placed(self.holder, &self.fields));
        }
    }
}

/// What Go calls a JSON value in errors.
pub(super) fn kind(value: Value<'_>) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::Uint(_) | Value::Float(_) => "number",
        Value::Str(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
