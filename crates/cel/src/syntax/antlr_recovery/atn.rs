//! The transition network: states, transitions, and the tokens that can come next.

use std::collections::HashSet;

use crate::syntax::token::Kind;

/// A set of token kinds, one bit each.
pub(super) type Set = u64;

/// Not a token: the end of the rule can be reached.
pub(super) const EPSILON: Set = 1 << 63;

/// The set of one kind.
pub(super) const fn one(kind: Kind) -> Set {
    1 << kind as u32
}

/// The rules of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Rule {
    Start,
    Expr,
    Or,
    And,
    Relation,
    Calc,
    Unary,
    Member,
    Primary,
    ExprList,
    ListInit,
    FieldList,
    OptField,
    MapList,
    EscapeIdent,
    OptExpr,
    Literal,
}

pub(super) const RULES: usize = 17;

/// What a matched part is called in its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    None,
    /// The main operand.
    E,
    Op,
    Ops,
    /// The operands behind repeated operators, or the middle of a conditional.
    E1,
    E2,
    Opt,
    Id,
    Open,
    Args,
    Index,
    Dot,
    Elems,
    Entries,
    Cols,
    Values,
    Keys,
    Fields,
    Sign,
    Tok,
}

/// How a state takes part in decisions and recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateKind {
    Basic,
    BlockStart,
    StarBlockStart,
    PlusBlockStart,
    StarLoopEntry,
    StarLoopBack,
    PlusLoopBack,
    BlockEnd,
    RuleStop,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Transition {
    Epsilon(usize),
    Token {
        set: Set,
        target: usize,
        label: Label,
    },
    Rule {
        rule: Rule,
        follow: usize,
        precedence: u8,
        label: Label,
    },
    /// Goes on only in rules of at most this precedence.
    Precedence {
        level: u8,
        target: usize,
    },
}

#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) kind: StateKind,
    pub(super) rule: Rule,
    pub(super) transitions: Vec<Transition>,
    /// Decided by the next token alone rather than by prediction.
    pub(super) by_token: bool,
    /// The loop of a left-recursive rule.
    pub(super) precedence_loop: bool,
}

/// A network with the start and end of every rule.
#[derive(Debug, Default)]
pub(super) struct Atn {
    pub(super) states: Vec<State>,
    pub(super) starts: [usize; RULES],
    pub(super) stops: [usize; RULES],
    /// Where each rule's callers go on, and whether the call was of precedence zero.
    pub(super) followers: Vec<Vec<(usize, bool)>>,
}

impl Atn {
    /// The tokens that can come next in a state's rule; `EPSILON` if its end can be reached.
    pub(super) fn next_tokens(&self, state: usize) -> Set {
        self.look(state, &Bottom::Unknown, &[])
    }

    /// The tokens that can come next, given the states to return to, outermost first.
    pub(super) fn next_tokens_in(&self, state: usize, returns: &[usize]) -> Set {
        self.look(state, &Bottom::Input, returns)
    }

    fn look(&self, state: usize, bottom: &Bottom, returns: &[usize]) -> Set {
        let mut look = Look {
            atn: self,
            bottom,
            busy: HashSet::new(),
            called: Vec::new(),
            found: 0,
        };
        let mut stack = returns.to_vec();
        look.visit(state, &mut stack);
        look.found
    }
}

/// What lies below the known callers.
enum Bottom {
    Unknown,
    Input,
}

struct Look<'a> {
    atn: &'a Atn,
    bottom: &'a Bottom,
    busy: HashSet<(usize, Vec<usize>)>,
    called: Vec<Rule>,
    found: Set,
}

impl Look<'_> {
    fn visit(&mut self, state: usize, stack: &mut Vec<usize>) {
        if !self.busy.insert((state, stack.clone())) {
            return;
        }
        let node = &self.atn.states[state];
        if node.kind == StateKind::RuleStop {
            match stack.pop() {
                Some(back) => {
                    // The rule returned to may be entered again.
                    let called = std::mem::take(&mut self.called);
                    self.called = called.iter().copied().filter(|rule| *rule != node.rule).collect();
                    self.visit(back, stack);
                    self.called = called;
                    stack.push(back);
                }
                None => {
                    self.found |= match self.bottom {
                        Bottom::Unknown => EPSILON,
                        Bottom::Input => one(Kind::Eof),
                    };
                }
            }
            return;
        }
        for transition in &node.transitions {
            match *transition {
                Transition::Epsilon(target) | Transition::Precedence { target, .. } => {
                    self.visit(target, stack);
                }
                Transition::Token { set, .. } => self.found |= set,
                Transition::Rule { rule, follow, .. } => {
                    if self.called.contains(&rule) {
                        continue;
                    }
                    self.called.push(rule);
                    stack.push(follow);
                    self.visit(self.atn.starts[rule as usize], stack);
                    stack.pop();
                    self.called.retain(|called| *called != rule);
                }
            }
        }
    }
}
