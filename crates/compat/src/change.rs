//! One change between two versions of an API, as data.

use kindsmith_source::{Finding, Severity};

/// A change, what it does, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The kind of change: its code and page.
    pub finding: &'static Finding,
    /// What it does.
    pub class: Class,
    /// API group.
    pub group: String,
    /// Kind.
    pub kind: String,
    /// Version; `None` if all versions are concerned.
    pub version: Option<String>,
    /// The object, if the change was seen on one.
    pub object: Option<String>,
    /// The field, with `[*]` for items and map values; empty for the kind as a whole.
    pub path: String,
    /// What changed: one line, lower case, without full stop.
    pub message: String,
    /// What happens to stored objects.
    pub stored: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

/// What a change does, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Requests that worked are refused, or clients read something else than they expect.
    BreaksClients,
    /// An update can be refused for a stored value that it does not touch.
    BreaksStored,
    /// New and changed values can be refused; a stored value is kept while it does not change.
    Ratchets,
    /// Nothing is refused, but the same request has another result.
    Meaning,
    /// Everything that worked works as before.
    Compatible,
}

impl Class {
    /// All classes, worst first.
    pub const ALL: [Self; 5] = [
        Self::BreaksClients,
        Self::BreaksStored,
        Self::Ratchets,
        Self::Meaning,
        Self::Compatible,
    ];

    /// Its name for options and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BreaksClients => "breaks-clients",
            Self::BreaksStored => "breaks-stored",
            Self::Ratchets => "ratchets",
            Self::Meaning => "meaning",
            Self::Compatible => "compatible",
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::BreaksClients => "breaks clients",
            Self::BreaksStored => "breaks stored objects",
            Self::Ratchets => "ratchets",
            Self::Meaning => "changes meaning",
            Self::Compatible => "compatible",
        }
    }

    /// Its severity as a finding.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::BreaksClients | Self::BreaksStored => Severity::Error,
            Self::Ratchets | Self::Meaning => Severity::Warning,
            Self::Compatible => Severity::Note,
        }
    }
}

impl Change {
    /// The kind with its group, and the version if only one is concerned.
    #[must_use]
    pub fn subject(&self) -> String {
        match &self.version {
            Some(version) => format!("{}.{} {version}", self.kind, self.group),
            None => format!("{}.{}", self.kind, self.group),
        }
    }

    /// Changes are listed by kind, version, class and field.
    pub(crate) fn key(&self) -> impl Ord + use<'_> {
        let place = (&self.group, &self.kind, &self.version, &self.object);
        (place, self.class, &self.path, self.finding.code(), &self.message)
    }
}
