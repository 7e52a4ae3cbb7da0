//! Diagnostics of source files, as data; the renderers decide how they look.

use std::fmt::Write;

use crate::{Finding, Span};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The source cannot work as its author wants.
    Error,
    /// The source is valid, but probably not what its author wants.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// The name shown to people and written into reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// One finding in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The type of finding: its code, page and tool.
    pub finding: &'static Finding,
    /// The severity.
    pub severity: Severity,
    /// One line, lower case, without full stop.
    pub message: String,
    /// The location.
    pub span: Span,
    /// A note next to the marked text.
    pub label: Option<String>,
    /// Other locations that explain the finding.
    pub related: Vec<Label>,
    /// Other locations with the same finding, which is reported once.
    pub also: Vec<Span>,
    /// How to fix it, one sentence each.
    pub help: Vec<String>,
    /// The full message of the upstream tool for this mistake, for people who search for it.
    pub upstream: Option<String>,
    /// Edits that fix it.
    pub fix: Option<Fix>,
    /// What it is about, for code that compares findings: a marker, a path in a CRD. Never shown.
    pub subject: Option<String>,
}

/// A second location of a [`Diagnostic`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The location.
    pub span: Span,
    /// A note next to it.
    pub message: String,
}

/// Edits that fix a finding. They belong together: all are made, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do, imperative.
    pub title: String,
    /// Whether the fix may be made without asking.
    pub safety: Safety,
    /// The edits, all in one file.
    pub edits: Vec<Edit>,
}

/// A replacement of source text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The text to replace; empty to insert.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// Whether a fix may be made without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Safety {
    /// The API stays as its author wrote it, or becomes what it plainly should be.
    Safe,
    /// The API, its Go types or accepted objects change.
    Unsafe,
}

impl Safety {
    /// The name written into reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

impl Fix {
    /// A fix that may be made without asking.
    #[must_use]
    pub fn safe(title: impl Into<String>) -> Self {
        Self::new(title.into(), Safety::Safe)
    }

    /// A fix that changes the API, its Go types or accepted objects.
    #[must_use]
    pub fn risky(title: impl Into<String>) -> Self {
        Self::new(title.into(), Safety::Unsafe)
    }

    fn new(title: String, safety: Safety) -> Self {
        Self {
            title,
            safety,
            edits: Vec::new(),
        }
    }

    /// Adds an edit.
    #[must_use]
    pub fn edit(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.edits.push(Edit {
            span,
            replacement: replacement.into(),
        });
        self
    }
}

impl Diagnostic {
    /// An error.
    #[must_use]
    pub fn error(finding: &'static Finding, span: Span, message: impl Into<String>) -> Self {
        Self::new(finding, Severity::Error, span, message.into())
    }

    /// A warning.
    #[must_use]
    pub fn warning(finding: &'static Finding, span: Span, message: impl Into<String>) -> Self {
        Self::new(finding, Severity::Warning, span, message.into())
    }

    /// A note: worth knowing, nothing to fix.
    #[must_use]
    pub fn note(finding: &'static Finding, span: Span, message: impl Into<String>) -> Self {
        Self::new(finding, Severity::Note, span, message.into())
    }

    fn new(finding: &'static Finding, severity: Severity, span: Span, message: String) -> Self {
        Self {
            finding,
            severity,
            message,
            span,
            label: None,
            related: Vec::new(),
            also: Vec::new(),
            help: Vec::new(),
            upstream: None,
            fix: None,
            subject: None,
        }
    }

    /// The stable code of the finding.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.finding.code()
    }

    /// The message with everything that viewers of one text per finding would not show otherwise.
    #[must_use]
    pub fn full_message(&self) -> String {
        let mut text = self.message.clone();
        if let Some(label) = &self.label {
            let _ = write!(text, ": {label}");
        }
        for help in &self.help {
            let _ = write!(text, "\nhelp: {help}");
        }
        if let Some(upstream) = self.upstream.as_ref().filter(|text| **text != self.message) {
            let _ = write!(text, "\nupstream says: {upstream}");
        }
        text
    }

    /// Says what it is about.
    #[must_use]
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// Adds a note next to the marked text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds a second location.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Label {
            span,
            message: message.into(),
        });
        self
    }

    /// Adds a sentence on how to fix it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds the upstream tool's full message.
    #[must_use]
    pub fn upstream(mut self, text: impl Into<String>) -> Self {
        self.upstream = Some(text.into());
        self
    }

    /// Adds one safe edit that fixes it.
    #[must_use]
    pub fn fix(self, title: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        self.fix_with(Fix::safe(title).edit(span, replacement))
    }

    /// Adds edits that fix it.
    #[must_use]
    pub fn fix_with(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}
