//! State of one run of Go's JSON decoder: its position, its saved error, and what strict decoding rejects.

use kindsmith_json::path::{PathBuf, Segment, Step};
use kindsmith_json::read::Duplicate;
use kindsmith_json::{Entry, Object};

use super::error::{DecodeError, Fault, Report, ReportKind};
use crate::crd::ApiVersion;

/// The maximum nesting of objects and arrays in a document: code that walks a schema may recurse. Real CRDs
/// stay far below.
const MAX_DEPTH: usize = 256;

/// The maximum number of reports; sigs.k8s.io/json stops counting there.
const MAX_REPORTS: usize = 100;

/// How a document reached the decoder.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Options<'v> {
    /// Whether keys are read in sorted order, not in the order of the document.
    pub(crate) sorted: bool,
    /// Duplicate keys.
    pub(crate) duplicates: &'v [Duplicate],
}

/// One run of a decoder. A type with its own decoder starts another, which does not know its position and
/// reports no unknown fields.
pub(crate) struct Decoder<'v> {
    api: ApiVersion,
    options: Options<'v>,
    /// The struct whose field is being read.
    pub(super) holder: Option<&'static str>,
    /// The path of fields for type errors: neither indices nor map keys.
    pub(super) fields: Vec<&'static str>,
    /// The path for reports.
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

    /// The entries of an object in the order in which Go reads them.
    pub(super) fn entries(&self, object: Object<'v>) -> Vec<Entry<'v>> {
        if self.options.sorted {
            object.sorted()
        } else {
            object.entries().to_vec()
        }
    }

    /// Ends the run: returns the error that stopped it, otherwise the saved one, otherwise the reports.
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

    /// Runs a type's own decoder. An error there stops this run too.
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

    /// Reports an unknown field.
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

    /// Saves an error about a value of the wrong kind.
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

    /// Saves an error; only the first one is kept.
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
