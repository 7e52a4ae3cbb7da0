//! The grammar as a graph of nodes, and the tokens that can come next at each node.
//!
//! Every part of a rule is one node that names its successor. Knows nothing about input.

use std::sync::LazyLock;

use super::grammar::{Form, GRAMMAR, Item, Label, RULES, Rule};
use crate::syntax::token::Kind;

pub(super) static GRAPH: LazyLock<Graph> = LazyLock::new(Graph::new);

/// A set of token kinds, one bit each.
pub(super) type Set = u64;

/// Not a token: the end of the rule can be reached without one.
pub(super) const RULE_END: Set = 1 << 63;

pub(super) const fn one(kind: Kind) -> Set {
    1 << kind as u32
}

/// The highest level that a rule is called with.
const MAX_LEVEL: u8 = 3;

/// A node, by number.
pub(super) type NodeId = u16;

pub(super) enum Node {
    Token {
        set: Set,
        label: Label,
        next: NodeId,
    },
    Call {
        rule: Rule,
        /// Operators below this level are left to the caller.
        level: u8,
        label: Label,
        next: NodeId,
    },
    Choice(Choice),
    /// Starts an operator. Passed only by calls of at most this level.
    Operator {
        level: u8,
        form: Form,
        next: NodeId,
    },
    End(Rule),
}

pub(super) struct Choice {
    pub(super) kind: ChoiceKind,
    pub(super) alternatives: Vec<NodeId>,
    /// The next token alone decides.
    pub(super) by_token: bool,
}

pub(super) enum ChoiceKind {
    /// The forms of a rule, one for each alternative.
    Forms(Vec<Form>),
    /// One of a rule's operators.
    Operator,
    /// An optional part or skipping it.
    Optional,
    /// A round of a loop or leaving it.
    Loop {
        /// A round came before.
        again: bool,
        /// The rounds are a rule's operators.
        operators: bool,
    },
}

impl ChoiceKind {
    pub(super) fn is_operator_loop(&self) -> bool {
        matches!(self, ChoiceKind::Loop { operators: true, .. })
    }

    /// Whether the choice depends on the level its rule was called with.
    fn has_levels(&self) -> bool {
        self.is_operator_loop() || matches!(self, ChoiceKind::Operator)
    }
}

pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) starts: [NodeId; RULES],
    /// The nodes at which the callers of each rule continue.
    pub(super) returns: Vec<Vec<NodeId>>,
    /// The tokens that can come next inside the rule of a node, and `RULE_END`.
    pub(super) first: Vec<Set>,
}

impl Graph {
    fn new() -> Graph {
        let mut graph = Graph {
            nodes: Vec::new(),
            starts: [0; RULES],
            returns: vec![Vec::new(); RULES],
            first: Vec::new(),
        };
        for (rule, items) in &GRAMMAR {
            let end = graph.add(Node::End(*rule));
            let mut builder = Builder {
                graph: &mut graph,
                rule: *rule,
                operand_level: 0,
            };
            let start = builder.sequence(items, end);
            graph.starts[*rule as usize] = start;
        }
        for node in &graph.nodes {
            if let Node::Call { rule, next, .. } = node {
                graph.returns[*rule as usize].push(*next);
            }
        }
        graph.first = graph.fixed_point(|_, _| RULE_END);
        graph.mark_choices_by_token();
        graph
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn first(&self, id: NodeId) -> Set {
        self.first[id as usize]
    }

    /// The choices that need prediction, with the levels they may be made at.
    pub(super) fn predicted_choices(&self) -> impl Iterator<Item = (NodeId, u8)> {
        let choices = self.nodes.iter().zip(0..).filter_map(|(node, id)| match node {
            Node::Choice(choice) if !choice.by_token => Some((id, choice.kind.has_levels())),
            _ => None,
        });
        choices
            .flat_map(|(id, levels)| (0..=if levels { MAX_LEVEL } else { 0 }).map(move |level| (id, level)))
    }

    /// The tokens that can come next at each node: the smallest sets that contain those of its successors. `end` gives
    /// the set of a rule's end: `RULE_END` for FIRST sets, what follows its calls for FOLLOW sets.
    fn fixed_point(&self, end: impl Fn(&[Set], Rule) -> Set) -> Vec<Set> {
        let mut sets = vec![0; self.nodes.len()];
        loop {
            let mut changed = false;
            for (at, node) in self.nodes.iter().enumerate() {
                let set = match node {
                    Node::Token { set, .. } => *set,
                    // No rule is empty, so what follows the call does not matter.
                    Node::Call { rule, .. } => sets[self.starts[*rule as usize] as usize],
                    Node::Choice(choice) => union(&sets, &choice.alternatives),
                    Node::Operator { next, .. } => sets[*next as usize],
                    Node::End(rule) => end(&sets, *rule),
                };
                changed |= sets[at] != set;
                sets[at] = set;
            }
            if !changed {
                return sets;
            }
        }
    }

    /// The next token decides if it never starts two alternatives of the choice. If the level matters too, it is not
    /// enough.
    fn mark_choices_by_token(&mut self) {
        let ahead = self.fixed_point(|sets, rule| union(sets, &self.returns[rule as usize]));
        for node in &mut self.nodes {
            let Node::Choice(choice) = node else { continue };
            let sets = choice.alternatives.iter().map(|at| ahead[*at as usize]);
            let disjoint = sets.clone().fold(0, |all, set| all | set).count_ones()
                == sets.map(Set::count_ones).sum::<u32>();
            choice.by_token = disjoint && !choice.kind.has_levels();
        }
    }
}

fn union(sets: &[Set], nodes: &[NodeId]) -> Set {
    nodes.iter().fold(0, |set, node| set | sets[*node as usize])
}

/// Adds one rule to the graph, from its end to its start.
struct Builder<'g> {
    graph: &'g mut Graph,
    rule: Rule,
    /// The level at which the rule calls itself.
    operand_level: u8,
}

impl Builder<'_> {
    fn sequence(&mut self, items: &[Item], next: NodeId) -> NodeId {
        items.iter().rev().fold(next, |next, item| self.item(item, next))
    }

    /// Adds an item that continues at `next`, and returns its start.
    fn item(&mut self, item: &Item, next: NodeId) -> NodeId {
        match item {
            Item::Token(kind, label) => self.token(one(*kind), *label, next),
            Item::OneOf(kinds, label) => {
                let set = kinds.iter().fold(0, |set, kind| set | one(*kind));
                self.token(set, *label, next)
            }
            Item::Rule(rule, label) => self.graph.add(Node::Call {
                rule: *rule,
                level: if *rule == self.rule { self.operand_level } else { 0 },
                label: *label,
                next,
            }),
            Item::Optional(items) => {
                let body = self.sequence(items, next);
                self.choice(ChoiceKind::Optional, vec![body, next])
            }
            Item::Repeated(items) => {
                self.repeated(false, next, |builder, again| builder.sequence(items, again))
            }
            Item::AtLeastOnce(items) => {
                let again = self.again(false, next);
                let body = self.sequence(items, again);
                self.set_body(again, body);
                body
            }
            Item::Choice(forms) => {
                let alternatives = forms
                    .iter()
                    .map(|(_, items)| self.sequence(items, next))
                    .collect();
                let forms = forms.iter().map(|(form, _)| *form).collect();
                self.choice(ChoiceKind::Forms(forms), alternatives)
            }
            Item::Operators(operators) => {
                self.repeated(true, next, |builder, again| builder.operators(operators, again))
            }
        }
    }

    fn token(&mut self, set: Set, label: Label, next: NodeId) -> NodeId {
        self.graph.add(Node::Token { set, label, next })
    }

    fn choice(&mut self, kind: ChoiceKind, alternatives: Vec<NodeId>) -> NodeId {
        self.graph.add(Node::Choice(Choice {
            kind,
            alternatives,
            by_token: false,
        }))
    }

    /// A loop has two nodes for the same choice: one before the first round and one after each round, because errors
    /// are repaired differently there.
    fn repeated(
        &mut self,
        operators: bool,
        next: NodeId,
        body: impl Fn(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        let again = self.again(operators, next);
        let body = body(self, again);
        self.set_body(again, body);
        let kind = ChoiceKind::Loop {
            again: false,
            operators,
        };
        self.choice(kind, vec![body, next])
    }

    /// The choice after a round; its body is set once it is known.
    fn again(&mut self, operators: bool, next: NodeId) -> NodeId {
        let kind = ChoiceKind::Loop {
            again: true,
            operators,
        };
        self.choice(kind, vec![next, next])
    }

    fn set_body(&mut self, again: NodeId, body: NodeId) {
        if let Node::Choice(choice) = &mut self.graph.nodes[again as usize] {
            choice.alternatives[0] = body;
        }
    }

    fn operators(&mut self, operators: &[(Form, &[Item])], next: NodeId) -> NodeId {
        let mut starts = Vec::new();
        for (at, (form, items)) in operators.iter().enumerate() {
            let level = (operators.len() - at) as u8;
            self.operand_level = level + 1;
            let next = self.sequence(items, next);
            self.operand_level = 0;
            starts.push(self.graph.add(Node::Operator {
                level,
                form: *form,
                next,
            }));
        }
        match starts[..] {
            [only] => only,
            _ => self.choice(ChoiceKind::Operator, starts),
        }
    }
}
