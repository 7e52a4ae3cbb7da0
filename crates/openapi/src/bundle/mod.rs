//! Files with many documents: lists their content without building schemas.
//!
//! YAML is scanned line by line, which finds the few lines that name a CRD and skips the rest. Where a line
//! could mean something else, the document is parsed: the index is never wrong, only sometimes slower.

mod ambiguity;
mod head;
mod json;
mod lines;
mod yaml;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use kindsmith_json::{Arena, Value};
use kindsmith_schema::Str;

use crate::crd::ApiVersion;

/// One document of a file, or one item of a list in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'t> {
    /// Its head.
    pub head: Head,
    /// Its bytes in the file; for an item that could not be located, those of the whole list.
    pub range: Range<usize>,
    text: Cow<'t, str>,
    syntax: Syntax,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Json,
    Yaml,
}

/// The head of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A `CustomResourceDefinition`.
    Definition(DefinitionHead),
    /// An OpenAPI document.
    Published,
    /// Any other object; missing texts are empty.
    Other {
        /// `apiVersion`.
        api_version: Str,
        /// `kind`.
        kind: Str,
        /// `metadata.name`.
        name: Str,
    },
    /// A document that does not parse.
    Unreadable {
        /// The parser's message.
        error: String,
    },
}

/// What a CRD defines. Missing texts and values that are not strings are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionHead {
    /// API version of the CRD itself.
    pub api: ApiVersion,
    /// `metadata.name`.
    pub name: Str,
    /// `spec.group`.
    pub group: Str,
    /// `spec.names.kind`.
    pub kind: Str,
    /// `spec.names.plural`.
    pub plural: Str,
    /// The versions, in order.
    pub versions: Vec<VersionHead>,
}

/// A version of a CRD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionHead {
    /// Name.
    pub name: Str,
    /// Whether it is served.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
}

impl Entry<'_> {
    /// The value of the document.
    ///
    /// # Errors
    /// The parser's message.
    pub fn value<'a>(&'a self, arena: &'a Arena) -> Result<Value<'a>, EntryError> {
        parse(arena, &self.text, self.syntax)
    }
}

fn parse<'a>(arena: &'a Arena, text: &'a str, syntax: Syntax) -> Result<Value<'a>, EntryError> {
    match syntax {
        Syntax::Json => kindsmith_json::parse_str(arena, text).map_err(EntryError::Json),
        Syntax::Yaml => kindsmith_json::yaml::parse(arena, text.as_bytes()).map_err(EntryError::Yaml),
    }
}

/// Why a document cannot be read. `Display` is the parser's text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryError {
    /// It is not JSON.
    Json(kindsmith_json::read::ReadError),
    /// It is not YAML.
    Yaml(kindsmith_json::yaml::YamlError),
}

impl fmt::Display for EntryError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(out),
            Self::Yaml(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for EntryError {}

impl From<EntryError> for String {
    fn from(error: EntryError) -> Self {
        error.to_string()
    }
}

/// Lists the documents of a YAML or JSON file, including the items of lists.
///
/// ```
/// use kindsmith_openapi::bundle::{Head, scan};
///
/// let text = "
/// apiVersion: apiextensions.k8s.io/v1
/// kind: CustomResourceDefinition
/// spec:
///   group: example.org
///   names: {kind: Thing, plural: things}
/// ---
/// apiVersion: v1
/// kind: Namespace
/// ";
/// let entries = scan(text);
/// assert!(matches!(&entries[0].head, Head::Definition(head) if &*head.kind == "Thing"));
/// assert!(matches!(&entries[1].head, Head::Other { kind, .. } if &**kind == "Namespace"));
/// ```
#[must_use]
pub fn scan(text: &str) -> Vec<Entry<'_>> {
    json::scan(text).unwrap_or_else(|| yaml::scan(text))
}
