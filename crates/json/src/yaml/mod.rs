//! Reads YAML as sigs.k8s.io/yaml does: YAML 1.1 booleans and octal numbers, merge keys, keys made strings, the same
//! complaints in the same words.

mod base64;
mod block;
mod cursor;
mod decode;
mod documents;
mod error;
mod flow;
mod locate;
mod map;
mod node;
mod parser;
mod resolve;
mod scalar;
mod scanner;
mod show;
mod tag;
mod text;
mod token;

pub use documents::{Document, documents};
pub use error::YamlError;
pub(crate) use locate::locate;
pub(crate) use resolve::is_special;

use crate::read::Options;
use crate::{Arena, Value};

/// What reading gave.
#[derive(Clone, Debug)]
pub struct Read<'a> {
    /// The value of the first document, `null` if there is none; of repeated keys the last one counts.
    pub value: Value<'a>,
    /// Repeated keys in document order.
    pub duplicates: Vec<YamlDuplicate>,
}

impl Read<'_> {
    /// What `yaml.UnmarshalStrict` would say of the repeated keys: one error with a line for each.
    #[must_use]
    pub fn strict_error(&self) -> Option<String> {
        if self.duplicates.is_empty() {
            return None;
        }
        let lines = self.duplicates.iter().map(|duplicate| format!("\n  {duplicate}"));
        Some(format!("yaml: unmarshal errors:{}", lines.collect::<String>()))
    }
}

/// A key that was there before in the same mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlDuplicate {
    /// The key as Go's `%#v` prints it.
    pub key: Box<str>,
    /// The line go-yaml prints, from 1: where the value starts, which need not be the line of the key.
    pub line: usize,
    /// The byte offset where the value starts.
    pub offset: usize,
}

impl std::fmt::Display for YamlDuplicate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "line {}: key {} already set in map", self.line, self.key)
    }
}

/// Reads the first document of a YAML stream, repeated keys ignored.
pub fn parse<'a>(arena: &'a Arena, text: &[u8]) -> Result<Value<'a>, YamlError> {
    read(arena, text, Options::default()).map(|read| read.value)
}

/// Reads the first document of a YAML stream and reports repeated keys.
///
/// Everything else in the stream is not looked at, as `yaml.Unmarshal` does; [`documents`] splits a stream.
/// Nesting is limited to what go-yaml takes, whatever the options say.
pub fn read<'a>(arena: &'a Arena, text: &[u8], options: Options) -> Result<Read<'a>, YamlError> {
    if text.len() > options.max_bytes.min(u32::MAX as usize) {
        return Err(YamlError::new("text is too long".into(), cursor::Mark::default()));
    }
    let text = text::decode(text)?;
    let document = parser::document(&text)?;
    decode::decode(arena, &document, options.big_integers)
}
