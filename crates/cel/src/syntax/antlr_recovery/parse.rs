//! Parses along the graph of the grammar and repairs errors, so that there is always a tree.
//!
//! Has cel-go's limits on nesting and errors.

use super::grammar::{Form, Label, RULES, Rule};
use super::graph::{Choice, ChoiceKind, GRAPH, Node, NodeId, RULE_END, Set};
use super::input::Input;
use super::predict::{Predictor, Question};
use super::recover::{Recovery, Trouble};
use super::repair::{Cause, Repair};
use super::report::{Reports, Step, missing};
use super::stacks::{EMPTY, Stack};
use super::tree::{ContextId, Leaf, Part, Tree};
use crate::syntax::error::Errors;
use crate::syntax::lexer::LexError;
use crate::syntax::parser::{MAX_DEPTH, RULE_DEPTH_TEXT};
use crate::syntax::source::Source;
use crate::syntax::token::{Kind, Token};

/// The repaired tree, if parsing came to an end, and the syntax errors.
pub(super) fn parse(source: &Source, tokens: &[Token], lex_errors: &[LexError]) -> (Option<Tree>, Errors) {
    let mut parser = Parser {
        input: Input::new(source, tokens),
        predictor: Predictor::new(),
        recovery: Recovery::default(),
        reports: Reports::new(source, lex_errors),
        tree: Tree::default(),
        depth: [0; RULES],
    };
    let parsed = parser.run();
    let read = match parsed {
        Ok(()) => u32::MAX,
        Err(_) => parser.input.offset(parser.input.furthest()),
    };
    let lexed = parser.reports.lexer_errors_before(read);
    let tree = parsed.and(lexed).ok().map(|()| parser.tree);
    (tree, parser.reports.errors)
}

struct Parser<'s> {
    input: Input<'s>,
    predictor: Predictor,
    recovery: Recovery,
    reports: Reports<'s>,
    tree: Tree,
    /// How deeply each rule is nested.
    depth: [u32; RULES],
}

/// A call of a rule.
#[derive(Clone, Copy)]
struct Call {
    rule: Rule,
    level: u8,
    /// The role of the rule in its caller.
    label: Label,
    callers: Stack,
}

/// A rule that is being parsed.
struct Frame {
    call: Call,
    node: NodeId,
    context: ContextId,
}

impl Parser<'_> {
    /// Parses everything. Rules nest deeply, so their frames are kept here rather than on the thread's stack.
    fn run(&mut self) -> Step<()> {
        let start = Call {
            rule: Rule::Start,
            level: 0,
            label: Label::Unlabeled,
            callers: EMPTY,
        };
        let mut frames = vec![self.open(start)?];
        while let Some(frame) = frames.last_mut() {
            if let Some(call) = self.walk(frame)? {
                frames.push(self.open(call)?);
                continue;
            }
            self.leave(frame.call.rule);
            let part = (frame.call.label, Part::Context(frame.context));
            frames.pop();
            if let Some(caller) = frames.last() {
                self.tree.add_part(caller.context, part);
            }
        }
        Ok(())
    }

    fn open(&mut self, call: Call) -> Step<Frame> {
        self.enter(call.rule)?;
        let start = self.input.offset(self.input.at);
        Ok(Frame {
            call,
            node: GRAPH.starts[call.rule as usize],
            context: self.tree.add(call.rule, Form::Plain, start),
        })
    }

    fn enter(&mut self, rule: Rule) -> Step<()> {
        let depth = &mut self.depth[rule as usize];
        *depth += 1;
        if *depth > MAX_DEPTH {
            return Err(self.reports.abort(RULE_DEPTH_TEXT));
        }
        Ok(())
    }

    /// Leaves a rule. Never below zero: an error in the choice of an operator leaves its rule twice, as in cel-go.
    fn leave(&mut self, rule: Rule) {
        let depth = &mut self.depth[rule as usize];
        *depth = depth.saturating_sub(1);
    }

    /// Parses a rule up to a call, or to its end.
    fn walk(&mut self, frame: &mut Frame) -> Step<Option<Call>> {
        loop {
            #[cfg(test)]
            super::laws::count_step();
            let next = match GRAPH.node(frame.node) {
                Node::End(_) => None,
                Node::Token { set, label, next } => self.token(frame, *set, *next)?.map(|leaf| {
                    self.tree.add_part(frame.context, (*label, Part::Leaf(leaf)));
                    *next
                }),
                Node::Choice(choice) => self.choose(frame, choice)?,
                Node::Operator { form, next, .. } => {
                    self.enter(frame.call.rule)?;
                    frame.context = self.tree.wrap(frame.context, *form);
                    Some(*next)
                }
                Node::Call {
                    rule,
                    level,
                    label,
                    next,
                } => {
                    frame.node = *next;
                    return Ok(Some(Call {
                        rule: *rule,
                        level: *level,
                        label: *label,
                        callers: self.predictor.stacks.push(*next, frame.call.callers),
                    }));
                }
            };
            match next {
                Some(next) => frame.node = next,
                None => return Ok(None),
            }
        }
    }

    fn repair(&mut self, frame: &Frame, cause: Cause) -> Step<Repair> {
        let trouble = Trouble {
            node: frame.node,
            callers: frame.call.callers,
            cause,
        };
        let (input, stacks) = (&mut self.input, &self.predictor.stacks);
        self.recovery.repair(trouble, input, stacks, &mut self.reports)
    }

    /// The needed token, found or inserted, or `None` if the rule is left.
    fn token(&mut self, frame: &Frame, set: Set, next: NodeId) -> Step<Option<Leaf>> {
        if !self.input.is_one_of(set) {
            match self.repair(frame, Cause::Token { next })? {
                Repair::DeleteToken => {}
                Repair::InsertToken => return Ok(Some(self.missing(set))),
                Repair::SkipTokens | Repair::LeaveRule => return Ok(None),
            }
        }
        self.recovery.resume();
        Ok(Some(Leaf::Found(self.input.consume())))
    }

    fn missing(&self, set: Set) -> Leaf {
        // At the end of the input there is no token, so the inserted one gets the place of the last.
        let at = match self.input.kind() {
            Kind::Eof => self.input.at.saturating_sub(1),
            _ => self.input.at,
        };
        Leaf::Missing(missing(set), self.input.offset(at))
    }

    /// The start of the alternative to take, or `None` if the rule is left.
    fn choose(&mut self, frame: &Frame, choice: &Choice) -> Step<Option<NodeId>> {
        let fits = self.input.is_one_of(GRAPH.first(frame.node)) || GRAPH.first(frame.node) & RULE_END != 0;
        if !fits && !self.recovery.is_quiet() {
            let cause = match choice.kind {
                ChoiceKind::Loop { again: true, .. } => Cause::Round,
                _ => Cause::Choice,
            };
            if self.repair(frame, cause)? == Repair::LeaveRule {
                return Ok(None);
            }
        }
        let alternative = match self.alternative(frame, choice) {
            Ok(alternative) => alternative,
            Err(failed) => {
                self.repair(frame, Cause::NoAlternative { failed })?;
                return Ok(None);
            }
        };
        match &choice.kind {
            ChoiceKind::Forms(forms) => self.tree.set_form(frame.context, forms[alternative]),
            // The operator enters the rule again.
            ChoiceKind::Loop { operators: true, .. } if alternative == 0 => self.leave(frame.call.rule),
            _ => {}
        }
        Ok(Some(choice.alternatives[alternative]))
    }

    /// The alternative that fits the tokens ahead, or the token at which none is left.
    fn alternative(&mut self, frame: &Frame, choice: &Choice) -> Result<usize, usize> {
        if !choice.by_token {
            let question = Question {
                choice: frame.node,
                level: frame.call.level,
                callers: frame.call.callers,
            };
            let predicted = self.predictor.predict(question, self.input.ahead());
            return predicted.map_err(|distance| self.input.at + distance);
        }
        let starts = choice.alternatives.iter();
        let fitting = starts
            .map(|start| GRAPH.first(*start))
            .position(|set| self.input.is_one_of(set));
        match (fitting, &choice.kind) {
            (Some(alternative), _) => Ok(alternative),
            (None, ChoiceKind::Forms(_)) => Err(self.input.at),
            // Optional parts are skipped and loops are left.
            (None, _) => Ok(choice.alternatives.len() - 1),
        }
    }
}
