//! Compiled programs: a tree of nodes with names, fields, functions and patterns resolved.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use kindsmith_gostd::regexp::Regexp;

use crate::cost::price::Term;
use crate::dialect::Dialect;
use crate::library::{Implementation, Overload, Trait};
use crate::types::Type;
use crate::types::decl::Node as Schema;

use super::value::{Const, Key};

/// An expression ready to run, any number of times and from several threads.
#[derive(Debug)]
pub struct Program {
    pub(super) root: Node,
    /// The number of variables: `self`, `oldSelf`, and those of loops.
    pub(super) slots: usize,
    /// The release whose values it has.
    pub(super) dialect: Dialect,
    /// Whether the fast path supports it.
    pub(super) is_simple: bool,
    /// The variables that it reads.
    pub(super) reads: Reads,
}

/// The variables that programs read: one bit for each slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads(u8);

impl Reads {
    pub(super) fn add(&mut self, slot: usize) {
        self.0 |= 1 << slot;
    }

    pub(super) fn has(self, slot: usize) -> bool {
        self.0 & (1 << slot) != 0
    }
}

impl FromIterator<Reads> for Reads {
    fn from_iter<I: IntoIterator<Item = Reads>>(parts: I) -> Self {
        Reads(parts.into_iter().fold(0, |all, part| all | part.0))
    }
}

impl Program {
    /// The variables that it reads.
    #[must_use]
    pub fn reads(&self) -> Reads {
        self.reads
    }
}

/// A step of a program. The number is the id of its node in the syntax tree, which the cost stack uses as key.
#[derive(Debug)]
pub(super) enum Node {
    Const(u32, Const),
    Attribute(Box<Attribute>),
    /// `has(...)`: the last qualifier is only tested.
    Test(u32, Box<Attribute>),
    And(u32, Box<[Node; 2]>),
    Or(u32, Box<[Node; 2]>),
    Equal(u32, Box<[Node; 2]>),
    NotEqual(u32, Box<[Node; 2]>),
    Call(Box<Call>),
    /// Whether a loop goes on: its accumulator is not false. True for errors too.
    NotFalse(u32, Box<Node>),
    /// Membership in a list of constants.
    InSet(u32, Box<Node>, Box<Members>),
    OptionalOr(u32, Box<[Node; 2]>),
    OptionalOrValue(u32, Box<[Node; 2]>),
    List(u32, Box<[(Node, bool)]>),
    Map(u32, Box<[(Node, Node, bool)]>),
    Struct(u32, Box<Message>),
    Fold(Box<Fold>),
}

impl Node {
    /// The key of the step's value on the cost stack.
    pub(super) fn id(&self) -> u32 {
        match self {
            Node::Const(id, _)
            | Node::Test(id, _)
            | Node::And(id, _)
            | Node::Or(id, _)
            | Node::Equal(id, _)
            | Node::NotEqual(id, _)
            | Node::InSet(id, ..)
            | Node::NotFalse(id, _)
            | Node::OptionalOr(id, _)
            | Node::OptionalOrValue(id, _)
            | Node::List(id, _)
            | Node::Map(id, _)
            | Node::Struct(id, _) => *id,
            Node::Attribute(attribute) => attribute.id(),
            Node::Call(call) => call.id,
            Node::Fold(fold) => fold.id,
        }
    }
}

/// A variable or value, followed by selections and indexes.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) id: u32,
    pub(super) base: Base,
    /// Shared, because those after a conditional belong to both branches.
    pub(super) qualifiers: Vec<Arc<Qualifier>>,
}

impl Attribute {
    pub(super) fn id(&self) -> u32 {
        if let Base::Conditional(conditional) = &self.base {
            let (then, otherwise) = (conditional.then.id(), conditional.otherwise.id());
            return if then == otherwise { then } else { self.id };
        }
        self.qualifiers.last().map_or(self.id, |qualifier| qualifier.id)
    }

    pub(super) fn add(&mut self, qualifier: Arc<Qualifier>) {
        match &mut self.base {
            Base::Conditional(conditional) => {
                conditional.then.add(qualifier.clone());
                conditional.otherwise.add(qualifier);
            }
            _ => self.qualifiers.push(qualifier),
        }
    }
}

#[derive(Debug)]
pub(super) enum Base {
    /// A variable by its slot, and its name for the error when it is missing.
    Variable(usize, Arc<str>),
    /// A loop's accumulator, which is initialized when first read.
    Accumulator(usize, Arc<Accumulator>),
    Value(Node),
    Conditional(Box<Conditional>),
}

/// How an accumulator starts.
#[derive(Debug)]
pub(super) struct Accumulator {
    pub(super) init: Node,
    /// The empty list or map of a macro that collects; it is extended in place.
    pub(super) collects: bool,
}

#[derive(Debug)]
pub(super) struct Conditional {
    pub(super) condition: Node,
    pub(super) then: Attribute,
    pub(super) otherwise: Attribute,
}

/// One selection or index.
#[derive(Debug)]
pub(super) struct Qualifier {
    pub(super) id: u32,
    pub(super) optional: bool,
    pub(super) kind: QualifierKind,
}

#[derive(Debug)]
pub(super) enum QualifierKind {
    /// A field name or constant string key.
    Field(Field),
    /// Another constant.
    Constant(Const),
    /// An index that is itself a variable with qualifiers.
    Attribute(Attribute),
    /// Any other index.
    Value(Node),
    /// The test of `has`.
    Test(Field),
}

/// A constant string key, its property and, if the type is known, that property's node.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: Arc<str>,
    /// The name without CEL's escapes; `None` if an escape is invalid.
    pub(super) property: Option<Arc<str>>,
    /// The object node the type checker saw, and the property's node in it.
    pub(super) hint: Option<(Arc<Schema>, Arc<Schema>)>,
    /// The index where the property was last found; objects of one kind mostly have the same order.
    pub(super) position: AtomicUsize,
}

/// How the arguments of a call are evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    /// All arguments, then the first error counts.
    Eager,
    /// Up to the first error.
    Sequential,
    /// Errors are arguments like any other.
    NonStrict,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) id: u32,
    pub(super) function: &'static str,
    pub(super) args: Box<[Node]>,
    pub(super) mode: Mode,
    pub(super) target: Target,
    /// What the call charges.
    pub(super) cost: Term,
    pub(super) simple: Option<Simple>,
}

/// The calls that the fast path supports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Simple {
    Less,
    LessEquals,
    Greater,
    GreaterEquals,
    Not,
    Size,
    In,
    StartsWith,
    EndsWith,
    Contains,
}

impl Simple {
    pub(super) fn of(function: &str) -> Option<Simple> {
        Some(match function {
            "_<_" => Simple::Less,
            "_<=_" => Simple::LessEquals,
            "_>_" => Simple::Greater,
            "_>=_" => Simple::GreaterEquals,
            "!_" => Simple::Not,
            "size" => Simple::Size,
            "@in" => Simple::In,
            "startsWith" => Simple::StartsWith,
            "endsWith" => Simple::EndsWith,
            "contains" => Simple::Contains,
            _ => return None,
        })
    }
}

/// The implementation of a call.
#[derive(Debug)]
pub(super) enum Target {
    /// One implementation for all overloads; the first argument must have the trait.
    Singleton(Implementation, Option<Trait>),
    /// One overload; the listed arguments are checked against their types first.
    Overload(Implementation, Box<[(usize, Type)]>),
    /// The first overload whose argument types fit.
    Dispatch(Box<[&'static Overload]>),
    /// A function on strings with a constant pattern.
    Pattern(Pattern, Box<Regexp>),
    /// Declared without implementation.
    Missing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pattern {
    Matches,
    Find,
    FindAll,
}

/// A message literal.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) name: Arc<str>,
    pub(super) fields: Box<[(Arc<str>, Node, bool)]>,
}

/// A loop.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) id: u32,
    pub(super) range: Node,
    pub(super) accu_slot: usize,
    pub(super) iter_slot: usize,
    pub(super) iter2_slot: Option<usize>,
    pub(super) condition: Node,
    pub(super) step: Node,
    pub(super) result: Node,
}

/// The members of a constant list; numbers are stored under every numeric type that can represent them.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) strings: HashSet<Box<str>>,
    pub(super) scalars: HashSet<Key<'static>>,
}
