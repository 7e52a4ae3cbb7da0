//! What is wrong with YAML text, in the words of go.yaml.in/yaml/v2, with the place.

use std::fmt;

use super::cursor::Mark;

/// Something wrong with the text, before it is a [`YamlError`].
#[derive(Debug)]
pub(super) struct Problem {
    text: std::borrow::Cow<'static, str>,
    mark: Mark,
    /// The line go-yaml would print, if any.
    printed_line: usize,
}

impl Problem {
    /// Found while cutting tokens: go-yaml prints lines from 1, but none on the first line.
    pub(super) fn scanning(text: &'static str, mark: Mark) -> Problem {
        let printed_line = if mark.line > 0 { mark.line + 1 } else { 0 };
        Problem {
            text: text.into(),
            mark,
            printed_line,
        }
    }

    /// Found while fitting tokens together: go-yaml prints lines from 0 here.
    pub(super) fn parsing(text: &'static str, mark: Mark) -> Problem {
        Problem {
            text: text.into(),
            mark,
            printed_line: mark.line,
        }
    }

    /// Found later, when go-yaml prints no line.
    pub(super) fn decoding(text: impl Into<std::borrow::Cow<'static, str>>, mark: Mark) -> Problem {
        Problem {
            text: text.into(),
            mark,
            printed_line: 0,
        }
    }
}

/// Text that is not YAML as Kubernetes reads it, or that JSON cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    message: Box<str>,
    /// The byte offset of the place.
    pub offset: usize,
    /// The line of the place, from 1.
    pub line: usize,
    /// The column of the place in characters, from 1.
    pub column: usize,
}

impl From<Problem> for YamlError {
    fn from(problem: Problem) -> Self {
        let message = match problem.printed_line {
            0 => problem.text.into_owned(),
            line => format!("line {line}: {}", problem.text),
        };
        YamlError::new(format!("yaml: {message}"), problem.mark)
    }
}

impl YamlError {
    pub(super) fn new(message: String, mark: Mark) -> Self {
        YamlError {
            message: message.into(),
            offset: mark.offset,
            line: mark.line + 1,
            column: mark.column + 1,
        }
    }
}

/// The message as sigs.k8s.io/yaml gives it, e.g. `yaml: line 3: did not find expected key`. Its line, where it has
/// one, may differ from the fields: go-yaml counts from 0 in some messages.
impl fmt::Display for YamlError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for YamlError {}
