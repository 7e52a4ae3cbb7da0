//! A suite: cases for the rules of an API, and what they run against. Must not know how cases run.

mod read;

use kindsmith::{OptionSet, Profile};

pub use read::{ReadError, read};

/// The cases of one file.
#[derive(Debug, Clone)]
pub struct Suite {
    /// The file, as messages name it.
    pub file: String,
    /// The suite's name.
    pub name: String,
    /// How the file is written.
    pub dialect: Dialect,
    /// What the cases run against.
    pub sources: Sources,
    /// The cases, as written.
    pub cases: Vec<Case>,
    /// What the reader ignored, for the user to know.
    pub notes: Vec<String>,
}

/// How a suite is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// As openshift/api writes suites: `expectedError` is a part of the message, objects are texts.
    OpenShift,
    /// `kind: RuleTests`.
    RuleTests,
}

/// What a suite names as its schemas. Paths are relative to the suite's file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// The name of the CRD: `gates.park.example.org`.
    pub crd_name: Option<String>,
    /// Files with CRDs, or directories of such files.
    pub crds: Vec<String>,
    /// Directories of Go packages.
    pub types: Vec<String>,
    /// The only version that is served and stored.
    pub version: Option<String>,
    /// Feature gates that choose among variants of a CRD; those that must be off have a `-` before them.
    pub feature_gates: Vec<String>,
}

/// Which table a case is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Table {
    /// `onCreate`.
    OnCreate,
    /// `onUpdate`.
    OnUpdate,
}

impl Table {
    /// The key of the table.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Table::OnCreate => "onCreate",
            Table::OnUpdate => "onUpdate",
        }
    }
}

/// One case.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// Its table.
    pub table: Table,
    /// Its index in the table.
    pub index: usize,
    /// The line in the file, from 1.
    pub line: usize,
    /// The object that is created, as JSON.
    pub initial: String,
    /// The object that it is updated to, as JSON.
    pub updated: Option<String>,
    /// Patches of the CRD that hold while the first object is created, as a JSON patch.
    pub crd_patches: Option<String>,
    /// The subresource that the update goes through; empty for the object itself.
    pub subresource: String,
    /// Versions that the case runs with; empty if its objects name theirs.
    pub versions: Vec<String>,
    /// Gates and options.
    pub settings: Settings,
    /// The expected answer.
    pub expected: Expected,
}

/// Gates and options of a case.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Validation options of Go types.
    pub options: OptionSet,
    /// Which rules apply where the KEPs and Kubernetes differ.
    pub profile: Option<Profile>,
    /// `DeclarativeValidationBeta`; on by default.
    pub beta: Option<bool>,
    /// Whether alpha and beta rules count as stable.
    pub enforces_all: bool,
}

/// The expected answer.
#[derive(Debug, Clone, Default)]
pub struct Expected {
    /// The stored object, as JSON; the written one if nothing is expected.
    pub object: Option<String>,
    /// A part of the error message.
    pub error: Option<String>,
    /// A part of the error message of the status update that follows an update.
    pub status_error: Option<String>,
    /// All errors.
    pub errors: Option<Vec<ExpectedError>>,
    /// All warnings.
    pub warnings: Option<Vec<String>>,
}

impl Expected {
    /// Whether the write must be refused.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        self.error.is_some() || self.errors.as_ref().is_some_and(|errors| !errors.is_empty())
    }
}

/// One expected error: parts that are not given match anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedError {
    /// The whole text.
    pub text: Option<String>,
    /// The field's path.
    pub field: Option<String>,
    /// The type, such as `FieldValueInvalid` or `Invalid`.
    pub kind: Option<String>,
    /// The rule's name, such as `maxLength`; only Go types have it.
    pub origin: Option<String>,
    /// A part of the detail.
    pub detail: Option<String>,
}
