//! Go's regular expressions: Go's syntax and error texts on Rust's engine.
//!
//! Texts are searched as `regexp` does it: leftmost match, alternatives in the order written, no backtracking.
//! Groups are accepted but what they matched is not kept, since neither `pattern` nor CEL asks for it.

mod class;
mod error;
mod escape;
mod node;
mod parser;
mod repeat;
mod set;
mod unicode;

use std::ops::Range;

use regex_automata::meta;

pub use error::{Error, ErrorCode};

/// The most bytes a compiled expression may take.
///
/// Go's own limit counts instructions and is checked while reading. Rust's engine works on bytes, so a large
/// Unicode class that is repeated hundreds of times takes more here; only such expressions meet this limit first.
const MEMORY_LIMIT: usize = 256 << 20;

/// A compiled expression. Compiling costs far more than matching, so keep it.
#[derive(Clone, Debug)]
pub struct Regexp {
    text: String,
    engine: meta::Regex,
}

impl Regexp {
    /// Compiles an expression as `regexp.Compile` does.
    pub fn new(text: &str) -> Result<Regexp, Error> {
        let hir = parser::parse(text)?;
        let config = meta::Config::new().nfa_size_limit(Some(MEMORY_LIMIT));
        let engine = meta::Builder::new().configure(config).build_from_hir(&hir);
        let engine = engine.map_err(|_| ErrorCode::Large.at(text))?;
        Ok(Regexp {
            text: text.to_owned(),
            engine,
        })
    }

    /// The expression as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Reports whether the expression matches anywhere in the text (`MatchString`).
    pub fn is_match(&self, text: &str) -> bool {
        self.engine.is_match(text)
    }

    /// Finds the leftmost match (`FindStringIndex`).
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        self.engine.find(text).map(|found| found.range())
    }

    /// Finds successive matches that do not overlap, at most `limit` of them (`FindAllStringIndex`). An empty
    /// match right after another match is skipped.
    pub fn find_all(&self, text: &str, limit: Option<usize>) -> Vec<Range<usize>> {
        let found = self.engine.find_iter(text).map(|found| found.range());
        found.take(limit.unwrap_or(usize::MAX)).collect()
    }
}
