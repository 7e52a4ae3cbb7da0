//! All rules of a schema, each with its program.
//!
//! While the spine is compiled, every node with rules reserves its place; `build` fills them.

use std::sync::Arc;

use kindsmith_cel::eval::Program;
use kindsmith_cel::types::decl::Node as Declared;
use kindsmith_object::ErrorKind;
use kindsmith_schema::Str;

use crate::range::Range;

/// All rules of a schema, by node.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(super) nodes: Vec<Option<NodeRules>>,
}

/// The rules of one node.
#[derive(Debug)]
pub(super) struct NodeRules {
    pub(super) rules: Box<[Rule]>,
    /// Some rule refers to `oldSelf`; only then can message expressions see it.
    pub(super) binds_old_self: bool,
    /// The declarations that programs read values with.
    pub(super) declared: Arc<Declared>,
}

/// A rule that is ready to run.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its number among the rules of its node.
    pub(super) index: u32,
    /// The program, or why it is missing.
    pub(super) outcome: Outcome,
    /// The expression for the message.
    pub(super) message_program: Option<Arc<Program>>,
    /// Where the failure is reported, relative to the node.
    pub(super) field_path: Option<Box<str>>,
    /// The kind of the error.
    pub(super) kind: ErrorKind,
    /// Whether errors have the value that the rule is about, if it is a scalar; or else its type.
    pub(super) shows_value: bool,
    pub(super) uses_old_self: bool,
    pub(super) optional_old_self: bool,
    /// The rule as written.
    pub(super) text: Str,
    /// `message` as written; empty is absent.
    pub(super) message: Str,
    /// `messageExpression` as written; empty is absent.
    pub(super) message_expression: Str,
}

/// The result of compiling a rule.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Compiled.
    Ready(Arc<Program>),
    /// Its text is blank.
    Blank,
    /// It does not compile; impossible in a validated schema.
    Failed(Box<str>),
}

impl Tables {
    /// Reserves space for the rules of a node.
    pub(super) fn reserve(&mut self, rules: usize) -> Range {
        if rules == 0 {
            return Range::default();
        }
        self.nodes.push(None);
        Range {
            first: self.nodes.len() as u32 - 1,
            len: rules as u32,
        }
    }

    /// The rules of a node; `None` where expressions cannot see it.
    pub(super) fn of(&self, range: Range) -> Option<&NodeRules> {
        if range.len == 0 {
            return None;
        }
        self.nodes.get(range.first as usize)?.as_ref()
    }

    /// Memory in bytes outside the tables themselves; programs and declarations are not counted.
    pub(crate) fn memory(&self) -> usize {
        let rules = self.nodes.iter().flatten();
        size_of_val(&*self.nodes) + rules.map(|node| size_of_val(&*node.rules)).sum::<usize>()
    }
}
