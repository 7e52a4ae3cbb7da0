//! Adaptive prediction: which alternative of a decision the tokens ahead belong to (ANTLR's ALL(*)).
//!
//! First without regard to callers; where alternatives then conflict, again with the actual callers. What matters here is
//! not speed but at which token prediction gives up.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::atn::{Atn, Set, StateKind, Transition, one};
use crate::syntax::token::Kind;

/// No alternative fits; the offset of the token ahead at which that shows.
pub(super) struct NoViable {
    pub(super) ahead: usize,
}

/// A stack of states to return to, by number; zero is the empty one.
type Stack = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Config {
    state: usize,
    alt: usize,
    stack: Stack,
}

/// Configurations in order of discovery; the flags tell whether one left the decision's rule, and whether the
/// precedence filter must spare it.
#[derive(Default, Clone)]
struct Configs {
    list: Vec<(Config, bool, bool)>,
    seen: HashMap<Config, usize>,
}

impl Configs {
    fn add(&mut self, config: Config, outer: bool, suppressed: bool) {
        match self.seen.get(&config) {
            Some(at) => {
                self.list[*at].1 |= outer;
                self.list[*at].2 |= suppressed;
            }
            None => {
                self.seen.insert(config, self.list.len());
                self.list.push((config, outer, suppressed));
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = Config> + '_ {
        self.list.iter().map(|(config, _, _)| *config)
    }

    fn unique_alt(&self) -> Option<usize> {
        let mut alts = self.iter().map(|config| config.alt);
        let first = alts.next()?;
        alts.all(|alt| alt == first).then_some(first)
    }

    fn retain(&mut self, keep: impl Fn(&(Config, bool, bool)) -> bool) {
        self.list.retain(keep);
        self.seen = self
            .list
            .iter()
            .enumerate()
            .map(|(at, (config, _, _))| (*config, at))
            .collect();
    }
}

/// A decision to be made.
pub(super) struct Decision<'t> {
    pub(super) state: usize,
    /// The kinds of the tokens ahead, the end of input last.
    pub(super) ahead: &'t [Kind],
    /// The states the callers return to, outermost first.
    pub(super) returns: &'t [usize],
    /// The precedence the current rule was called with.
    pub(super) precedence: u8,
}

/// Predicts the alternative, counted from one.
pub(super) fn predict(atn: &Atn, decision: &Decision<'_>) -> Result<usize, NoViable> {
    let mut predictor = Predictor {
        atn,
        decision,
        stacks: vec![(0, 0)],
        ids: HashMap::new(),
        full: false,
    };
    predictor.run()
}

struct Predictor<'p> {
    atn: &'p Atn,
    decision: &'p Decision<'p>,
    /// Top and rest of every stack.
    stacks: Vec<(usize, Stack)>,
    ids: HashMap<(usize, Stack), Stack>,
    /// Callers are taken into account.
    full: bool,
}

/// What a closure carries along.
#[derive(Clone, Copy)]
struct Walk {
    /// Precedence is decided; only in the rule of the decision itself.
    collect: bool,
    depth: i32,
    outer: bool,
    suppressed: bool,
    eof_is_epsilon: bool,
}

impl Predictor<'_> {
    fn push(&mut self, state: usize, rest: Stack) -> Stack {
        if let Some(id) = self.ids.get(&(state, rest)) {
            return *id;
        }
        self.stacks.push((state, rest));
        self.ids.insert((state, rest), self.stacks.len() - 1);
        self.stacks.len() - 1
    }

    fn kind(&self, ahead: usize) -> Kind {
        self.decision.ahead.get(ahead).copied().unwrap_or(Kind::Eof)
    }

    fn run(&mut self) -> Result<usize, NoViable> {
        let mut previous = self.start(0);
        if self.atn.states[self.decision.state].precedence_loop {
            self.filter_precedence(&mut previous);
        }
        let mut ahead = 0;
        loop {
            let kind = self.kind(ahead);
            let Some(reach) = self.reach(&previous, kind) else {
                return self.give_up(&previous, ahead);
            };
            if let Some(alt) = reach.unique_alt() {
                return Ok(alt);
            }
            if self.conflicts(&reach) {
                return self.run_full();
            }
            previous = reach;
            ahead += usize::from(kind != Kind::Eof);
        }
    }

    fn run_full(&mut self) -> Result<usize, NoViable> {
        self.full = true;
        let returns = self.decision.returns.to_vec();
        let stack = returns.iter().fold(0, |stack, state| self.push(*state, stack));
        let mut previous = self.start(stack);
        let mut ahead = 0;
        loop {
            let kind = self.kind(ahead);
            let Some(reach) = self.reach(&previous, kind) else {
                return self.give_up(&previous, ahead);
            };
            if let Some(alt) = reach.unique_alt() {
                return Ok(alt);
            }
            let subsets = self.alt_subsets(&reach);
            let minima: BTreeSet<usize> = subsets.iter().filter_map(|alts| alts.first().copied()).collect();
            if let (1, Some(alt)) = (minima.len(), minima.first()) {
                return Ok(*alt);
            }
            previous = reach;
            ahead += usize::from(kind != Kind::Eof);
        }
    }

    /// Nothing goes on: an alternative that had left the rule of the decision is taken, else prediction fails.
    fn give_up(&self, previous: &Configs, ahead: usize) -> Result<usize, NoViable> {
        let finished = previous.list.iter().filter(|(config, outer, _)| {
            *outer || (self.atn.states[config.state].kind == StateKind::RuleStop && config.stack == 0)
        });
        finished
            .map(|(config, _, _)| config.alt)
            .min()
            .ok_or(NoViable { ahead })
    }

    fn start(&mut self, stack: Stack) -> Configs {
        let mut configs = Configs::default();
        let targets: Vec<usize> = self.atn.states[self.decision.state]
            .transitions
            .iter()
            .filter_map(|transition| match transition {
                Transition::Epsilon(target) => Some(*target),
                _ => None,
            })
            .collect();
        for (at, target) in targets.into_iter().enumerate() {
            let config = Config {
                state: target,
                alt: at + 1,
                stack,
            };
            let walk = Walk {
                collect: true,
                depth: 0,
                outer: false,
                suppressed: false,
                eof_is_epsilon: false,
            };
            self.closure(config, walk, &mut configs, &mut HashSet::new());
        }
        self.absorb(&mut configs);
        configs
    }

    /// Leaving the loop is dropped where staying in it leads to the same place.
    fn filter_precedence(&self, configs: &mut Configs) {
        let first: HashSet<(usize, Stack)> = configs
            .iter()
            .filter(|config| config.alt == 1)
            .map(|config| (config.state, config.stack))
            .collect();
        configs.retain(|(config, _, suppressed)| {
            config.alt == 1 || *suppressed || !first.contains(&(config.state, config.stack))
        });
    }

    fn reach(&mut self, from: &Configs, kind: Kind) -> Option<Configs> {
        let eof = kind == Kind::Eof;
        let mut moved = Configs::default();
        let mut stopped = Vec::new();
        for (config, outer, suppressed) in &from.list {
            if self.atn.states[config.state].kind == StateKind::RuleStop {
                if self.full || eof {
                    stopped.push((*config, *outer, *suppressed));
                }
                continue;
            }
            for transition in &self.atn.states[config.state].transitions {
                if let Transition::Token { set, target, .. } = transition
                    && set & one(kind) != 0
                {
                    moved.add(
                        Config {
                            state: *target,
                            ..*config
                        },
                        *outer,
                        *suppressed,
                    );
                }
            }
        }
        let settled = stopped.is_empty() && !eof && (moved.list.len() == 1 || moved.unique_alt().is_some());
        let mut reach = Configs::default();
        if settled {
            reach = moved;
        } else {
            let mut busy = HashSet::new();
            for (config, outer, suppressed) in &moved.list {
                let walk = Walk {
                    collect: false,
                    depth: 0,
                    outer: *outer,
                    suppressed: *suppressed,
                    eof_is_epsilon: eof,
                };
                self.closure(*config, walk, &mut reach, &mut busy);
            }
        }
        if eof {
            let stops: HashSet<usize> = self.atn.stops.iter().copied().collect();
            reach.retain(|(config, _, _)| stops.contains(&config.state));
        }
        let at_stop = reach
            .iter()
            .any(|config| self.atn.states[config.state].kind == StateKind::RuleStop);
        if !self.full || !at_stop {
            for (config, outer, suppressed) in stopped {
                reach.add(config, outer, suppressed);
            }
        }
        self.absorb(&mut reach);
        (!reach.list.is_empty()).then_some(reach)
    }

    /// Without callers the empty stack stands for every stack, so it absorbs the longer ones it is a part of.
    fn absorb(&self, configs: &mut Configs) {
        if self.full {
            return;
        }
        let all: HashSet<Config> = configs.iter().collect();
        let mut absorbed = HashMap::new();
        for config in &all {
            let tops = self.tops(config.stack);
            for length in 0..tops.len() {
                if let Some(shorter) = self.find(&tops[..length])
                    && all.contains(&Config {
                        stack: shorter,
                        ..*config
                    })
                {
                    absorbed.entry(*config).or_insert(Config {
                        stack: shorter,
                        ..*config
                    });
                }
            }
        }
        for (config, outer, suppressed) in configs.list.clone() {
            if let Some(by) = absorbed.get(&config) {
                configs.add(*by, outer, suppressed);
            }
        }
        configs.retain(|(config, _, _)| !absorbed.contains_key(config));
    }

    /// The states of a stack, top first.
    fn tops(&self, mut stack: Stack) -> Vec<usize> {
        let mut tops = Vec::new();
        while stack != 0 {
            let (top, rest) = self.stacks[stack];
            tops.push(top);
            stack = rest;
        }
        tops
    }

    fn find(&self, tops: &[usize]) -> Option<Stack> {
        tops.iter()
            .rev()
            .try_fold(0, |rest, top| self.ids.get(&(*top, rest)).copied())
    }

    /// The alternatives that share a state and all its stacks.
    fn alt_subsets(&self, configs: &Configs) -> Vec<BTreeSet<usize>> {
        let mut stacks: BTreeMap<(usize, usize), BTreeSet<Stack>> = BTreeMap::new();
        for config in configs.iter() {
            stacks
                .entry((config.state, config.alt))
                .or_default()
                .insert(config.stack);
        }
        let mut subsets: BTreeMap<(usize, BTreeSet<Stack>), BTreeSet<usize>> = BTreeMap::new();
        for ((state, alt), stacks) in stacks {
            subsets.entry((state, stacks)).or_default().insert(alt);
        }
        subsets.into_values().collect()
    }

    /// Whether looking further cannot help without the callers.
    fn conflicts(&self, configs: &Configs) -> bool {
        if configs
            .iter()
            .all(|config| self.atn.states[config.state].kind == StateKind::RuleStop)
        {
            return true;
        }
        let conflicting = self.alt_subsets(configs).iter().any(|alts| alts.len() > 1);
        let mut alts: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for config in configs.iter() {
            alts.entry(config.state).or_default().insert(config.alt);
        }
        conflicting && !alts.values().any(|alts| alts.len() == 1)
    }

    /// Adds everything reachable without a token.
    fn closure(&mut self, config: Config, walk: Walk, out: &mut Configs, busy: &mut HashSet<Config>) {
        let at_stop = self.atn.states[config.state].kind == StateKind::RuleStop;
        if at_stop && config.stack != 0 {
            let (state, stack) = self.stacks[config.stack];
            let walk = Walk {
                depth: walk.depth - 1,
                ..walk
            };
            self.closure(
                Config {
                    state,
                    stack,
                    ..config
                },
                walk,
                out,
                busy,
            );
            return;
        }
        if at_stop && self.full {
            out.add(config, walk.outer, walk.suppressed);
            return;
        }
        if at_stop {
            self.leave_rule(config, walk, out, busy);
            return;
        }
        let transitions = self.atn.states[config.state].transitions.clone();
        if transitions
            .iter()
            .any(|transition| matches!(transition, Transition::Token { .. }))
        {
            out.add(config, walk.outer, walk.suppressed);
        }
        for transition in transitions {
            self.step(config, walk, transition, out, busy);
        }
    }

    fn step(
        &mut self,
        config: Config,
        walk: Walk,
        transition: Transition,
        out: &mut Configs,
        busy: &mut HashSet<Config>,
    ) {
        match transition {
            Transition::Epsilon(target) => {
                self.closure(
                    Config {
                        state: target,
                        ..config
                    },
                    walk,
                    out,
                    busy,
                );
            }
            Transition::Precedence { level, target } => {
                let decided = walk.collect && walk.depth == 0;
                let applies = self.full || self.atn.states[self.decision.state].precedence_loop;
                if decided && applies && level < self.decision.precedence {
                    return;
                }
                self.closure(
                    Config {
                        state: target,
                        ..config
                    },
                    walk,
                    out,
                    busy,
                );
            }
            Transition::Rule { rule, follow, .. } => {
                let stack = self.push(follow, config.stack);
                let next = Config {
                    state: self.atn.starts[rule as usize],
                    alt: config.alt,
                    stack,
                };
                let depth = if walk.depth >= 0 {
                    walk.depth + 1
                } else {
                    walk.depth
                };
                self.closure(next, Walk { depth, ..walk }, out, busy);
            }
            Transition::Token { set, target, .. } => {
                let eof: Set = one(Kind::Eof);
                if walk.eof_is_epsilon
                    && set == eof
                    && busy.insert(Config {
                        state: target,
                        ..config
                    })
                {
                    self.closure(
                        Config {
                            state: target,
                            ..config
                        },
                        walk,
                        out,
                        busy,
                    );
                }
            }
        }
    }

    /// Without callers, a rule's end goes on wherever the rule is called.
    fn leave_rule(&mut self, config: Config, walk: Walk, out: &mut Configs, busy: &mut HashSet<Config>) {
        let rule = self.atn.states[config.state].rule;
        let followers = self.atn.followers[rule as usize].clone();
        if followers.is_empty() {
            out.add(config, walk.outer, walk.suppressed);
            return;
        }
        let decision = &self.atn.states[self.decision.state];
        let spares = decision.precedence_loop && decision.rule == rule;
        for (target, outermost) in followers {
            let next = Config {
                state: target,
                ..config
            };
            if !busy.insert(next) {
                continue;
            }
            let walk = Walk {
                depth: walk.depth - 1,
                outer: true,
                suppressed: walk.suppressed || (spares && outermost),
                ..walk
            };
            self.closure(next, walk, out, busy);
        }
    }
}
