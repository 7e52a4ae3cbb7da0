//! A mistake of the author, before it is known where it stands.

use std::ops::Range;

use kindsmith_source::Finding;

use crate::finding;
use crate::grammar::codetags::{Arg, Link};

/// What evaluating a tag ends with.
pub type Answer = Result<Yield, Misuse>;

/// Whether a tag gave upstream anything to generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Yield {
    /// Something: checks, or an effect on checks.
    Something,
    /// Nothing by itself.
    Nothing,
}

/// A mistake in one tag.
#[derive(Debug, Clone)]
pub struct Misuse {
    /// Upstream's text, without what it puts in front. Empty when the mistake has been reported already.
    pub text: String,
    /// The offending part of the line.
    pub span: Option<Range<usize>>,
    /// How to fix it.
    pub help: Vec<String>,
    /// What it is reported as. Of what only Kindsmith rejects, upstream has no text.
    pub finding: &'static Finding,
    /// Upstream's full text, where it is not put together as usual.
    pub whole: Option<String>,
    /// Whether it is one only because the line is read again under `subfield`.
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
    /// A mistake in upstream's words, at the name of the tag.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            span: None,
            help: Vec::new(),
            finding: &finding::TAG_MISUSE,
            whole: None,
            again: false,
        }
    }

    /// A mistake upstream has no words for.
    pub fn ours(text: impl Into<String>) -> Self {
        Self {
            finding: &finding::TAG_VALUE,
            ..Self::new(text)
        }
    }

    /// A mistake whose text stands alone in upstream's output, but for what is put in front here.
    pub fn whole(prefix: &str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            whole: Some(format!("{prefix}{text}")),
            ..Self::new(text)
        }
    }

    /// A mistake upstream crashes on.
    pub fn crash(text: impl Into<String>) -> Self {
        const CRASH: &str = "panic: runtime error: invalid memory address or nil pointer dereference";
        Self {
            whole: Some(CRASH.to_owned()),
            ..Self::new(text)
        }
    }

    /// A mistake for which upstream writes a Go file that it then cannot format.
    pub fn unformatted(text: impl Into<String>) -> Self {
        Self {
            whole: Some("unable to format file".to_owned()),
            ..Self::new(text)
        }
    }

    /// A mistake that was reported where it was found.
    pub(crate) fn reported() -> Self {
        Self::new("")
    }

    pub(crate) fn is_reported(&self) -> bool {
        self.text.is_empty()
    }

    /// The mistake counts where a line is read again, too: read for the first time it was none.
    #[must_use]
    pub fn again(mut self) -> Self {
        self.again = true;
        self
    }

    /// The mistake is in the value of the tag.
    #[must_use]
    pub fn in_value(self, link: &Link) -> Self {
        if link.value_span.is_empty() {
            return self;
        }
        self.at(link.value_span.clone())
    }

    /// The mistake is in an argument.
    #[must_use]
    pub fn in_arg(self, arg: &Arg) -> Self {
        self.at(arg.span.clone())
    }

    /// The mistake is in this part of the line.
    #[must_use]
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// The mistake is reported as another finding than usual.
    #[must_use]
    pub fn as_finding(self, finding: &'static Finding) -> Self {
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
