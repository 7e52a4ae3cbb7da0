//! Chooses between alternatives by the tokens ahead.
//!
//! Written from "Adaptive LL(*) Parsing: The Power of Dynamic Analysis" (Parr, Harwell, Fisher, 2014): all alternatives
//! are followed at once, token by token, until one is left. The first pass (SLL) ignores the callers, so its steps can
//! be cached. If it cannot decide, a second pass (LL) starts over with the actual callers. Error texts depend on the
//! token at which no alternative is left.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use super::graph::{GRAPH, Node, NodeId, one};
use super::stacks::{EMPTY, Stack, Stacks};
use crate::syntax::token::Kind;

/// A choice to be made.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub(super) choice: NodeId,
    /// The level its rule was called with.
    pub(super) level: u8,
    pub(super) callers: Stack,
}

/// A place that an alternative leads to ("configuration" in the paper).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Config {
    node: NodeId,
    alternative: u8,
    /// The calls made since the choice, on top of the callers in the second pass.
    stack: Stack,
    scope: Scope,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Scope {
    /// Still in the rule of the choice, before the first token: the rule was called with this level.
    Own(u8),
    Elsewhere,
    /// The rule of the choice has ended and the caller is unknown.
    Left,
}

impl Config {
    fn at(self, node: NodeId) -> Config {
        Config { node, ..self }
    }

    fn elsewhere(self, node: NodeId, stack: Stack) -> Config {
        let scope = match self.scope {
            Scope::Left => Scope::Left,
            Scope::Own(_) | Scope::Elsewhere => Scope::Elsewhere,
        };
        Config {
            node,
            stack,
            scope,
            ..self
        }
    }
}

/// Sorted, without duplicates.
type Configs = Arc<[Config]>;

/// The state of the first pass after a token.
#[derive(Clone, Copy)]
enum Step {
    Decided(usize),
    /// Alternatives cannot be distinguished without the callers.
    Conflict,
    /// No alternative continues. The first that had reached the end of the rule is taken, if any.
    Dead(Option<usize>),
    /// The configurations to continue with, by number.
    Undecided(usize),
}

#[derive(Clone)]
pub(super) struct Predictor {
    pub(super) stacks: Stacks,
    /// The cache of the first pass: its configurations, by number, before any token and after each.
    states: Vec<Configs>,
    numbers: HashMap<Configs, usize>,
    starts: HashMap<(NodeId, u8), usize>,
    steps: HashMap<(usize, Kind), Step>,
}

/// A predictor with the start of every choice in its cache.
static PREPARED: LazyLock<Predictor> = LazyLock::new(|| {
    let mut predictor = Predictor {
        stacks: Stacks::new(),
        states: Vec::new(),
        numbers: HashMap::new(),
        starts: HashMap::new(),
        steps: HashMap::new(),
    };
    for (choice, level) in GRAPH.predicted_choices() {
        predictor.first_state(choice, level);
    }
    predictor
});

impl Predictor {
    pub(super) fn new() -> Predictor {
        PREPARED.clone()
    }

    /// The alternative that the tokens ahead belong to, or how many tokens ahead none is left.
    pub(super) fn predict(&mut self, question: Question, ahead: &[Kind]) -> Result<usize, usize> {
        let mut state = self.first_state(question.choice, question.level);
        for (distance, kind) in ahead.iter().enumerate() {
            #[cfg(test)]
            super::laws::count_step();
            match self.step(state, *kind) {
                Step::Decided(alternative) => return Ok(alternative),
                Step::Dead(finished) => return finished.ok_or(distance),
                Step::Conflict => break,
                Step::Undecided(next) => state = next,
            }
        }
        self.predict_with_callers(question, ahead)
    }

    fn predict_with_callers(&mut self, question: Question, ahead: &[Kind]) -> Result<usize, usize> {
        let mut configs = self.start(question.choice, question.level, question.callers);
        for (distance, kind) in ahead.iter().enumerate() {
            #[cfg(test)]
            super::laws::count_step();
            let moved = consume(&configs, *kind);
            if moved.is_empty() {
                return Err(distance);
            }
            configs = self.closure(moved);
            // Alternatives that lead to the same places can no longer be distinguished; the first of them is taken.
            let groups = alike(&configs);
            let preferred: BTreeSet<&u8> = groups.iter().filter_map(BTreeSet::first).collect();
            if let (1, Some(alternative)) = (preferred.len(), preferred.first()) {
                return Ok(usize::from(**alternative));
            }
        }
        // Unreachable: at the end of the input all alternatives lead to the same place, so the loop has decided.
        Err(ahead.len().saturating_sub(1))
    }

    fn first_state(&mut self, choice: NodeId, level: u8) -> usize {
        if let Some(state) = self.starts.get(&(choice, level)) {
            return *state;
        }
        let configs = self.start(choice, level, EMPTY);
        let mut configs = self.absorb(&configs);
        if matches!(GRAPH.node(choice), Node::Choice(choice) if choice.kind.is_operator_loop()) {
            configs = prefer_operators(&configs);
        }
        let state = self.number(configs);
        self.starts.insert((choice, level), state);
        state
    }

    fn step(&mut self, state: usize, kind: Kind) -> Step {
        if let Some(step) = self.steps.get(&(state, kind)) {
            return *step;
        }
        let step = self.compute_step(state, kind);
        self.steps.insert((state, kind), step);
        step
    }

    fn compute_step(&mut self, state: usize, kind: Kind) -> Step {
        let configs = &self.states[state];
        let moved = consume(configs, kind);
        let Some(any) = moved.first() else {
            let left = configs.iter().filter(|config| config.scope == Scope::Left);
            return Step::Dead(left.map(|config| usize::from(config.alternative)).min());
        };
        if moved.iter().all(|config| config.alternative == any.alternative) {
            return Step::Decided(usize::from(any.alternative));
        }
        let configs = self.closure(moved);
        let configs = self.absorb(&configs);
        if conflict(&configs) {
            return Step::Conflict;
        }
        Step::Undecided(self.number(configs))
    }

    fn number(&mut self, configs: Configs) -> usize {
        let next = self.states.len();
        let number = *self.numbers.entry(configs.clone()).or_insert(next);
        if number == next {
            self.states.push(configs);
        }
        number
    }

    /// Where the alternatives of a choice lead before any token.
    fn start(&mut self, choice: NodeId, level: u8, stack: Stack) -> Configs {
        let alternatives = match GRAPH.node(choice) {
            Node::Choice(choice) => &choice.alternatives[..],
            _ => &[],
        };
        let starts = alternatives.iter().zip(0..);
        let starts = starts.map(|(node, alternative)| Config {
            node: *node,
            alternative,
            stack,
            scope: Scope::Own(level),
        });
        self.closure(starts.collect())
    }

    /// The places where a token comes next, or the end of everything.
    fn closure(&mut self, mut todo: Vec<Config>) -> Configs {
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        while let Some(config) = todo.pop() {
            if !seen.insert(config) {
                continue;
            }
            match GRAPH.node(config.node) {
                Node::Token { .. } => found.push(config),
                Node::Choice(choice) => todo.extend(choice.alternatives.iter().map(|node| config.at(*node))),
                Node::Operator { level, next, .. } => match config.scope {
                    Scope::Own(lowest) if *level < lowest => {}
                    _ => todo.push(config.at(*next)),
                },
                Node::Call { rule, next, .. } => {
                    let stack = self.stacks.push(*next, config.stack);
                    todo.push(config.elsewhere(GRAPH.starts[*rule as usize], stack));
                }
                Node::End(rule) => {
                    match (self.stacks.pop(config.stack), &GRAPH.returns[*rule as usize][..]) {
                        (Some((next, below)), _) => todo.push(config.elsewhere(next, below)),
                        (None, []) => found.push(config),
                        // Any caller is possible.
                        (None, returns) => todo.extend(returns.iter().map(|next| Config {
                            scope: Scope::Left,
                            ..config.at(*next)
                        })),
                    }
                }
            }
        }
        sorted(found)
    }

    /// In the first pass anything may be below a stack, so a stack covers all that start with it.
    fn absorb(&self, configs: &[Config]) -> Configs {
        let shortest = |config: &Config| {
            let alike = configs
                .iter()
                .filter(|other| (other.node, other.alternative) == (config.node, config.alternative));
            alike.fold(config.stack, |shortest, other| {
                if self.stacks.starts_with(shortest, other.stack) {
                    other.stack
                } else {
                    shortest
                }
            })
        };
        let absorbed = configs.iter().map(|config| Config {
            stack: shortest(config),
            ..*config
        });
        sorted(absorbed.collect())
    }
}

fn sorted(mut configs: Vec<Config>) -> Configs {
    configs.sort_unstable();
    configs.dedup();
    configs.into()
}

/// Where the configurations are after a token.
fn consume(configs: &[Config], kind: Kind) -> Vec<Config> {
    let after = |config: &Config| match GRAPH.node(config.node) {
        Node::Token { set, next, .. } if set & one(kind) != 0 => Some(config.elsewhere(*next, config.stack)),
        _ => None,
    };
    configs.iter().filter_map(after).collect()
}

/// An operator belongs to the innermost operand that may take it, not to a caller of the same rule.
fn prefer_operators(configs: &[Config]) -> Configs {
    let place = |config: &Config| (config.node, config.stack);
    let inner = configs.iter().filter(|config| config.alternative == 0);
    let taken: HashSet<(NodeId, Stack)> = inner.map(place).collect();
    let kept = |config: &&Config| config.alternative == 0 || !taken.contains(&place(config));
    configs.iter().filter(kept).copied().collect()
}

/// Groups of alternatives that lead to the same node with the same stacks.
fn alike(configs: &[Config]) -> Vec<BTreeSet<u8>> {
    let mut stacks: BTreeMap<(NodeId, u8), BTreeSet<Stack>> = BTreeMap::new();
    for config in configs {
        let key = (config.node, config.alternative);
        stacks.entry(key).or_default().insert(config.stack);
    }
    let mut groups: BTreeMap<(NodeId, BTreeSet<Stack>), BTreeSet<u8>> = BTreeMap::new();
    for ((node, alternative), stacks) in stacks {
        groups.entry((node, stacks)).or_default().insert(alternative);
    }
    groups.into_values().collect()
}

/// Whether more tokens cannot help the first pass: some alternatives are alike, and no node belongs to one alone.
fn conflict(configs: &[Config]) -> bool {
    let mut alternatives: BTreeMap<NodeId, BTreeSet<u8>> = BTreeMap::new();
    for config in configs {
        alternatives
            .entry(config.node)
            .or_default()
            .insert(config.alternative);
    }
    alternatives.values().all(|alternatives| alternatives.len() > 1)
        && alike(configs).iter().any(|alternatives| alternatives.len() > 1)
}
