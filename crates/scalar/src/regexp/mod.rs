//! Go's regular expressions: Go's syntax and error texts on Rust's engine.
//!
//! Texts are searched as `regexp` does it: leftmost match, alternatives in the order written, no backtracking.
//! Groups are accepted but what they matched is not kept, since neither `pattern` nor CEL asks for it.

mod class;
mod error;
mod escape;
mod machine;
mod node;
mod parser;
mod repeat;
mod set;
mod unicode;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use regex_automata::meta;

pub use error::{Error, ErrorCode};
use machine::Program;

/// From so many ranges of code points on, compiling for the fast engine costs more than it gains.
const MANY_RANGES: u64 = 10_000;
/// The most bytes the fast engine may take for one expression.
const MEMORY_LIMIT: usize = 32 << 20;

/// An expression. It is compiled when the first text asks for it, which costs far more than matching: keep it.
#[derive(Clone, Debug)]
pub struct Regexp {
    text: Box<str>,
    // Compiled ones are large, and many of those in schemas never serve.
    matcher: OnceLock<Matcher>,
}

#[derive(Clone, Debug)]
enum Matcher {
    Fast(meta::Regex),
    Plain(Arc<Program>),
}

/// Whether `regexp.Compile` takes an expression.
///
/// # Errors
///
/// If it does not, for the reason it gives.
pub fn check(text: &str) -> Result<(), Error> {
    parser::parse(text).map(|_| ())
}

impl Regexp {
    /// Reads an expression as `regexp.Compile` does.
    pub fn new(text: &str) -> Result<Regexp, Error> {
        parser::parse(text)?;
        Ok(Regexp {
            text: text.into(),
            matcher: OnceLock::new(),
        })
    }

    fn matcher(&self) -> &Matcher {
        self.matcher.get_or_init(|| {
            let node = parser::parse(&self.text).expect("it was read before");
            compile(&node)
        })
    }

    /// The expression as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Reports whether the expression matches anywhere in the text (`MatchString`).
    pub fn is_match(&self, text: &str) -> bool {
        match self.matcher() {
            Matcher::Fast(engine) => engine.is_match(text),
            Matcher::Plain(program) => program.is_match(text),
        }
    }

    /// Finds the leftmost match (`FindStringIndex`).
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        match self.matcher() {
            Matcher::Fast(engine) => engine.find(text).map(|found| found.range()),
            Matcher::Plain(program) => program.find(text, 0),
        }
    }

    /// Finds successive matches that do not overlap, at most `limit` of them (`FindAllStringIndex`). An empty
    /// match right after another match is skipped.
    pub fn find_all(&self, text: &str, limit: Option<usize>) -> Vec<Range<usize>> {
        let limit = limit.unwrap_or(usize::MAX);
        match self.matcher() {
            Matcher::Fast(engine) => engine
                .find_iter(text)
                .map(|found| found.range())
                .take(limit)
                .collect(),
            Matcher::Plain(program) => program.find_all(text, limit),
        }
    }
}

fn compile(node: &node::Node) -> Matcher {
    let fast = (node.ranges() < MANY_RANGES).then(|| {
        let config = meta::Config::new().nfa_size_limit(Some(MEMORY_LIMIT));
        meta::Builder::new()
            .configure(config)
            .build_from_hir(&node.hir)
            .ok()
    });
    let plain = || Matcher::Plain(Arc::new(Program::new(&node.hir)));
    fast.flatten().map_or_else(plain, Matcher::Fast)
}
