//! Collects the changes that rules find.

use kindsmith_openapi::crd::Definition;
use kindsmith_source::Finding;

use crate::change::{Change, Class};

/// The kind, or version of a kind, that is compared.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    group: String,
    kind: String,
    version: Option<String>,
}

impl Subject {
    /// All versions of a kind.
    pub(crate) fn of(definition: &Definition) -> Self {
        Self {
            group: definition.spec.group.to_string(),
            kind: definition.spec.names.kind.to_string(),
            version: None,
        }
    }

    /// One version of the kind.
    pub(crate) fn version(&self, name: &str) -> Self {
        Self {
            version: Some(name.to_owned()),
            ..self.clone()
        }
    }
}

/// Collects the changes that one rule finds.
#[derive(Debug)]
pub(crate) struct Report<'r> {
    subject: &'r Subject,
    finding: &'static Finding,
    changes: &'r mut Vec<Change>,
}

impl<'r> Report<'r> {
    pub(crate) fn new(subject: &'r Subject, finding: &'static Finding, changes: &'r mut Vec<Change>) -> Self {
        Self {
            subject,
            finding,
            changes,
        }
    }

    /// Adds a change, to be completed.
    pub(crate) fn add(&mut self, class: Class, path: &str, message: impl Into<String>) -> &mut Change {
        self.changes.push(Change {
            finding: self.finding,
            class,
            group: self.subject.group.clone(),
            kind: self.subject.kind.clone(),
            version: self.subject.version.clone(),
            object: None,
            path: path.to_owned(),
            message: message.into(),
            stored: None,
            help: None,
        });
        self.changes.last_mut().expect("it was just added")
    }
}

impl Change {
    /// Says that it breaks nothing.
    pub(crate) fn acquit(&mut self) {
        self.class = Class::Compatible;
        self.stored = None;
        self.help = None;
    }

    /// Says what happens to stored objects.
    pub(crate) fn stored(&mut self, text: impl Into<String>) -> &mut Self {
        self.stored = Some(text.into());
        self
    }

    /// Says what to do.
    pub(crate) fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help = Some(text.into());
        self
    }
}
