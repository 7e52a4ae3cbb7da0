//! The state of one run of Go's JSON decoder: where it is, what it saved, what a strict caller minds.

use kindsmith_json::path::{PathBuf, Segment, Step};
use kindsmith_json::read::Duplicate;
use kindsmith_json::{Entry, Object};

use super::error::{DecodeError, Fault, Report, ReportKind};
use crate::crd::ApiVersion;

/// The deepest nesting of objects and arrays in a document that is still read: whoever walks a schema may recurse.
/// Real definitions stay far below.
const MAX_DEPTH: usize = 256;

/// Reports that are kept; sigs.k8s.io/json stops counting there.
const MAX_REPORTS: usize = 100;

/// How a document reached the decoder.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Options<'v> {
    /// Whether keys are read by their bytes, not in the order of the document.
    pub(crate) sorted: bool,
    /// Keys that were there before.
    pub(crate) duplicates: &'v [Duplicate],
}

/// One run of a decoder. Types with an own decoder start another, which knows nothing of the place and reports no
/// unknown fields.
pub(crate) struct Decoder<'v> {
    api: ApiVersion,
    options: Options<'v>,
    /// The struct whose field is being read.
    pub(super) holder: Option<&'static str>,
    /// The fields that led here, for type errors: neither indices nor keys of maps.
    pub(super) fields: Vec<&'static str>,
    /// The path that led here, for reports.
    path: Vec<Segment<'v>>,
    strict: bool,
    depth: usize,
    saved: Option<Fault>,
    reports: Vec<Report>,
}

impl<'v> Decoder<'v> {
    pub(super) fn new(api: ApiVersion, options: Options<'v>) -> Self {
        Self {
            api,
            options,
            holder: None,
            fields: Vec::new(),
            path: Vec::new(),
            strict: true,
            depth: 0,
            saved: None,
            reports: Vec::new(),
        }
    }

    /// The API version whose types are read.
    pub(super) fn api(&self) -> ApiVersion {
        self.api
    }

    /// The entries of an object in the order in which Go meets them.
    pub(super) fn entries(&self, object: Object<'v>) -> Vec<Entry<'v>> {
        if self.options.sorted {
            object.sorted()
        } else {
            object.entries().to_vec()
        }
    }

    /// Ends the run: what stopped it, else what was saved, else the reports.
    pub(super) fn finish(self, read: Result<(), Fault>) -> Result<Vec<Report>, DecodeError> {
        let (fault, stops) = match (read, self.saved) {
            (Err(fault), _) => (fault.placed(self.holder, &self.fields), true),
            (Ok(()), Some(fault)) => (fault, false),
            (Ok(()), None) => return Ok(self.reports),
        };
        Err(DecodeError {
            text: fault.to_string(),
            stops,
        })
    }

    /// Lets a type's own decoder read. Whatever fails there stops this run too.
    pub(crate) fn inside(
        &mut self,
        read: impl FnOnce(&mut Decoder<'v>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut inner = Decoder {
            strict: false,
            depth: self.depth,
            ..Decoder::new(self.api, self.options)
        };
        read(&mut inner).map_err(|fault| fault.placed(inner.holder, &inner.fields))?;
        inner.saved.map_or(Ok(()), Err)
    }

    /// Goes one level down, unless that is too deep.
    pub(super) fn deeper(
        &mut self,
        read: impl FnOnce(&mut Decoder<'v>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.depth >= MAX_DEPTH {
            return Err(Fault::Text("exceeded max depth".into()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads below a key that the type knows.
    pub(super) fn at_key(
        &mut self,
        key: &'v str,
        read: impl FnOnce(&mut Decoder<'v>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.path.push(Segment::Field(key));
        if self.strict && self.is_duplicate() {
            self.report(ReportKind::Duplicate);
        }
        read(self)?;
        self.path.pop();
        Ok(())
    }

    /// Reads an element of an array.
    pub(super) fn at_index(
        &mut self,
        index: usize,
        read: impl FnOnce(&mut Decoder<'v>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.path.push(Segment::Index(index));
        read(self)?;
        self.path.pop();
        Ok(())
    }

    /// Reports a field the type does not have.
    pub(super) fn unknown(&mut self, key: &'v str) {
        if self.strict {
            self.path.push(Segment::Field(key));
            self.report(ReportKind::Unknown);
            self.path.pop();
        }
    }

    fn is_duplicate(&self) -> bool {
        let here = |duplicate: &Duplicate| {
            let steps = duplicate.path.steps();
            steps.len() == self.path.len()
                && self.path.iter().zip(steps).all(|(here, step)| same(*here, step))
        };
        self.options.duplicates.iter().any(here)
    }

    fn report(&mut self, kind: ReportKind) {
        if self.reports.len() < MAX_REPORTS {
            let path: PathBuf = self.path.iter().map(|&segment| Step::from(segment)).collect();
            self.reports.push(Report { kind, path });
        }
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

fn same(here: Segment<'_>, step: &Step) -> bool {
    match (here, step) {
        (Segment::Index(here), Step::Index(index)) => here == *index,
        (Segment::Field(here), Step::Field(key) | Step::Key(key)) => *here == **key,
        _ => false,
    }
}
