//! Go's regular expressions: Go's syntax and error texts on Rust's engine.
//!
//! Texts are searched as in Go's `regexp`: leftmost match, alternatives in the order written, no
//! backtracking. Groups are accepted but their matches are not kept, since neither `pattern` nor CEL needs
//! them.
//!
//! Two engines, chosen by how much text there is. To read an expression for host names and match two of them, the plain
//! machine takes 155,000 instructions and the fast engine 543,000, most of them to compile. For each further name the
//! plain machine takes 20,000, the fast engine 500.

mod class;
mod error;
mod escape;
mod inclusion;
mod machine;
mod node;
mod parser;
mod repeat;
mod set;
mod unicode;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use regex_automata::meta;

pub use error::{Error, ErrorCode};
use machine::Program;

/// The maximum number of bytes the fast engine may use for one expression.
const MEMORY_LIMIT: usize = 32 << 20;

/// The plain machine is ready at once, so it matches this many bytes of text before the fast engine is compiled.
const FEW_BYTES: usize = 1024;

/// An expression. It is compiled for the first text, and again for the fast engine after many texts: keep it.
#[derive(Debug)]
pub struct Regexp {
    text: Box<str>,
    /// How many steps the compiled expression has, as Go counts them.
    size: u64,
    // Compiled expressions are large, and many of those in schemas are never used.
    plain: OnceLock<Arc<Program>>,
    fast: OnceLock<Option<meta::Regex>>,
    /// How many bytes the plain machine has matched.
    seen: AtomicUsize,
}

/// The engine that matches an expression.
enum Matcher<'r> {
    Fast(&'r meta::Regex),
    Plain(&'r Program),
}

impl Clone for Regexp {
    fn clone(&self) -> Self {
        Self {
            text: self.text.clone(),
            size: self.size,
            plain: self.plain.clone(),
            fast: self.fast.clone(),
            seen: AtomicUsize::new(self.seen.load(Ordering::Relaxed)),
        }
    }
}

/// Checks that `regexp.Compile` accepts an expression.
///
/// # Errors
///
/// If it does not, with Go's message.
pub fn check(text: &str) -> Result<(), Error> {
    parser::parse(text).map(|_| ())
}

impl Regexp {
    /// Reads an expression as `regexp.Compile` does.
    pub fn new(text: &str) -> Result<Regexp, Error> {
        let node = parser::parse(text)?;
        Ok(Regexp {
            text: text.into(),
            size: node.size(),
            plain: OnceLock::new(),
            fast: OnceLock::new(),
            seen: AtomicUsize::new(0),
        })
    }

    /// The engine for a text of this many bytes.
    fn matcher(&self, bytes: usize) -> Matcher<'_> {
        let is_few = || self.seen.fetch_add(bytes + 1, Ordering::Relaxed) + bytes < FEW_BYTES;
        let fast = match self.fast.get() {
            None if is_few() => &None,
            None => self.fast.get_or_init(|| fast(&self.node())),
            Some(known) => known,
        };
        match fast {
            Some(engine) => Matcher::Fast(engine),
            None => Matcher::Plain(
                self.plain
                    .get_or_init(|| Arc::new(Program::new(&self.node().hir))),
            ),
        }
    }

    fn node(&self) -> node::Node {
        parser::parse(&self.text).expect("it was read before")
    }

    /// Roughly how many bytes it takes to compile the expression; 0 for those of a usual size.
    pub fn memory(&self) -> usize {
        const USUAL: u64 = 4_096;
        const STEP: u64 = 200;
        match self.size {
            0..=USUAL => 0,
            size => usize::try_from(size.saturating_mul(STEP)).unwrap_or(usize::MAX),
        }
    }

    /// The expression as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Reports whether the expression matches anywhere in the text (`MatchString`).
    pub fn is_match(&self, text: &str) -> bool {
        match self.matcher(text.len()) {
            Matcher::Fast(engine) => engine.is_match(text),
            Matcher::Plain(program) => program.is_match(text),
        }
    }

    /// Finds the leftmost match (`FindStringIndex`).
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        match self.matcher(text.len()) {
            Matcher::Fast(engine) => engine.find(text).map(|found| found.range()),
            Matcher::Plain(program) => program.find(text, 0),
        }
    }

    /// Finds successive matches that do not overlap, at most `limit` of them (`FindAllStringIndex`). An empty
    /// match right after another match is skipped.
    pub fn find_all(&self, text: &str, limit: Option<usize>) -> Vec<Range<usize>> {
        let limit = limit.unwrap_or(usize::MAX);
        match self.matcher(text.len()) {
            Matcher::Fast(engine) => engine
                .find_iter(text)
                .map(|found| found.range())
                .take(limit)
                .collect(),
            Matcher::Plain(program) => program.find_all(text, limit),
        }
    }
}

/// The fast engine, unless compiling for it costs too much.
fn fast(node: &node::Node) -> Option<meta::Regex> {
    if !node.suits_automata() {
        return None;
    }
    let config = meta::Config::new().nfa_size_limit(Some(MEMORY_LIMIT));
    let mut builder = meta::Builder::new();
    builder.configure(config).build_from_hir(&node.hir).ok()
}
