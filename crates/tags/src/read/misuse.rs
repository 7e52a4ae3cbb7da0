//! An error in a tag, before its place is known.

use std::fmt;
use std::ops::Range;

use kindsmith_source::Finding;

use crate::finding;
use crate::grammar::codetags::{Arg, Link};

/// The result of evaluating a tag.
pub type Answer = Result<Yield, Misuse>;

/// Whether upstream generates anything for a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Yield {
    /// Something: checks, or an effect on checks.
    Something,
    /// Nothing by itself.
    Nothing,
}

/// An error in one tag.
#[derive(Debug, Clone)]
pub struct Misuse {
    /// Upstream's message, without its prefix. Empty when the error was already reported.
    pub text: String,
    /// The wrong part of the line.
    pub span: Option<Range<usize>>,
    /// How to fix it.
    pub help: Vec<String>,
    /// The finding to report it as. For errors that only Kindsmith has, there is no upstream message.
    pub finding: &'static Finding,
    /// Upstream's full message, if it has an unusual form.
    pub whole: Option<String>,
    /// Whether the tag is for other types.
    pub wrong_type: bool,
    /// Whether it is an error only because the line is read again for `subfield`.
    pub again: bool,
}

/// Something was given.
pub fn something() -> Answer {
    Ok(Yield::Something)
}

/// Nothing was given.
pub fn nothing() -> Answer {
    Ok(Yield::Nothing)
}

impl Misuse {
    /// An error with upstream's message, at the name of the tag.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            span: None,
            help: Vec::new(),
            finding: &finding::TAG_MISUSE,
            whole: None,
            wrong_type: false,
            again: false,
        }
    }

    /// A tag on a type that it is not for.
    pub fn only_on(types: impl fmt::Display) -> Self {
        Self {
            wrong_type: true,
            ..Self::new(format!("can only be used on {types}"))
        }
    }

    /// An error without an upstream message.
    pub fn ours(text: impl Into<String>) -> Self {
        Self {
            finding: &finding::TAG_VALUE,
            ..Self::new(text)
        }
    }

    /// An error whose message has no envelope in upstream's output, only the given prefix.
    pub fn whole(prefix: &str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            whole: Some(format!("{prefix}{text}")),
            ..Self::new(text)
        }
    }

    /// An error that crashes upstream.
    pub fn crash(text: impl Into<String>) -> Self {
        const CRASH: &str = "panic: runtime error: invalid memory address or nil pointer dereference";
        Self {
            whole: Some(CRASH.to_owned()),
            ..Self::new(text)
        }
    }

    /// An error for which upstream writes a Go file that it cannot format.
    pub(crate) fn unformatted(text: impl Into<String>) -> Self {
        Self {
            whole: Some("unable to format file".to_owned()),
            ..Self::new(text)
        }
    }

    /// An error that was already reported.
    pub(crate) fn reported() -> Self {
        Self::new("")
    }

    pub(crate) fn is_reported(&self) -> bool {
        self.text.is_empty()
    }

    /// The error also counts when a line is read again: the first reading did not report it.
    #[must_use]
    pub fn again(mut self) -> Self {
        self.again = true;
        self
    }

    /// The error is in the value of the tag.
    #[must_use]
    pub(crate) fn in_value(self, link: &Link) -> Self {
        if link.value_span.is_empty() {
            return self;
        }
        self.at(link.value_span.clone())
    }

    /// The error is in an argument.
    #[must_use]
    pub(crate) fn in_arg(self, arg: &Arg) -> Self {
        self.at(arg.span.clone())
    }

    /// The error is in this part of the line.
    #[must_use]
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// The error is reported as another finding.
    #[must_use]
    pub(crate) fn with_finding(self, finding: &'static Finding) -> Self {
        Self { finding, ..self }
    }

    /// Adds a sentence on how to fix it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}

impl<T> From<Misuse> for Result<T, Misuse> {
    fn from(misuse: Misuse) -> Self {
        Err(misuse)
    }
}
