//! Reads YAML like sigs.k8s.io/yaml: same values, same reports of repeated keys, same error messages.
//!
//! The text becomes a tree (`parser`), the tree a value (`evaluate`). Knows nothing of schemas.

mod ahead;
mod base64;
mod block;
mod block_scalar;
mod cursor;
mod documents;
mod error;
mod evaluate;
mod flow;
mod fold;
mod frame;
mod input;
mod key;
mod locate;
mod look;
mod node;
mod parser;
mod plain;
mod properties;
mod quoted;
mod resolve;
mod show;
mod timestamp;
mod tree;

pub use documents::{Document, documents};
pub use error::YamlError;
pub use evaluate::Duplicate;
pub(crate) use locate::Index;
pub(crate) use resolve::untagged;
pub(crate) use timestamp::is_timestamp;

use crate::read::Options;
use crate::{Arena, Value};

/// The result of reading.
#[derive(Clone, Debug)]
pub struct Read<'a> {
    /// The value; if a key is repeated, the last value counts, at the position of the first.
    pub value: Value<'a>,
    /// Repeated keys, including those repeated by a merge.
    pub duplicates: Vec<Duplicate>,
}

impl Read<'_> {
    /// The error of a strict read, if a key is repeated.
    #[must_use]
    pub fn strict_error(&self) -> Option<String> {
        let lines = self.duplicates.iter();
        let lines: Vec<_> = lines
            .map(|duplicate| {
                format!(
                    "  line {}: key {} already set in map",
                    duplicate.line, duplicate.key
                )
            })
            .collect();
        (!lines.is_empty()).then(|| format!("yaml: unmarshal errors:\n{}", lines.join("\n")))
    }
}

/// Reads the first YAML document, ignoring repeated keys.
pub fn parse<'a>(arena: &'a Arena, text: &'a [u8]) -> Result<Value<'a>, YamlError> {
    read(arena, text, Options::default()).map(|read| read.value)
}

/// Reads the first YAML document and reports repeated keys.
pub fn read<'a>(arena: &'a Arena, text: &'a [u8], options: Options) -> Result<Read<'a>, YamlError> {
    if text.len() > options.max_bytes.min(u32::MAX as usize / 4) {
        return Err(YamlError::too_long());
    }
    let text = input::text(arena, text)?;
    let tree = parser::parse(text, arena, options.max_depth)?;
    let evaluated = evaluate::evaluate(&tree, arena, options)?;
    Ok(Read {
        value: evaluated.value,
        duplicates: evaluated.duplicates,
    })
}
