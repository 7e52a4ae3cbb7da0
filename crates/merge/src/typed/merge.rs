//! Merges a configuration into a live value: nothing is removed, and the configuration wins
//! (structured-merge-diff `typed/merge.go`).

use std::cmp::Ordering;

use kindsmith_gostd::budget;
use kindsmith_json::{Arena, Object, Value};

use super::list::Index;
use super::{Handler, entries, handler, is_identical, items};
use crate::MAX_DEPTH;
use crate::topology::{AtomId, List, Map, Topology};

impl Topology {
    /// Merges `config` into `live`. Unchanged parts share the memory of `live`.
    #[must_use]
    pub fn merge<'a>(&self, arena: &'a Arena, live: Value<'a>, config: Value<'a>) -> Value<'a> {
        Walk {
            topology: self,
            arena,
        }
        .value(self.root(), live, config, 0)
    }
}

#[derive(Clone, Copy)]
struct Walk<'t, 'a> {
    topology: &'t Topology,
    arena: &'a Arena,
}

impl<'a> Walk<'_, 'a> {
    fn value(self, id: AtomId, live: Value<'a>, config: Value<'a>, depth: usize) -> Value<'a> {
        budget::spend_in(1, || self.arena.allocated_bytes());
        if depth == MAX_DEPTH {
            return leaf(live, config);
        }
        match handler(self.topology.atom(id), config) {
            Handler::Map(map) if !map.atomic => {
                match (entries(live).is_empty(), entries(config).is_empty()) {
                    (true, _) => leaf(live, config),
                    // An empty configuration, even null, removes nothing.
                    (false, true) => live,
                    (false, false) => Value::Object(self.members(map, entries(live), entries(config), depth)),
                }
            }
            Handler::List(list) if list.associative => {
                match (items(live).is_empty(), items(config).is_empty()) {
                    (true, _) => leaf(live, config),
                    (false, true) => live,
                    (false, false) => self.items(list, live, items(config), depth),
                }
            }
            _ => leaf(live, config),
        }
    }

    fn members(self, map: &Map, live: Object<'a>, config: Object<'a>, depth: usize) -> Object<'a> {
        let mut edit = live.edit(self.arena);
        for entry in config.entries() {
            let Some(position) = edit.position(entry.key) else {
                edit.push(entry.key, entry.value);
                continue;
            };
            let old = edit.at(position);
            let new = match map.child(entry.key) {
                Some(id) => self.value(id, old, entry.value, depth + 1),
                None => entry.value,
            };
            if !is_identical(old, new) {
                edit.set(position, new);
            }
        }
        edit.finish()
    }

    fn items(self, list: &List, live: Value<'a>, config: &'a [Value<'a>], depth: usize) -> Value<'a> {
        let old = Index::new(self.arena, list, items(live));
        let new = Index::new(self.arena, list, config);
        let pairs = Pairs::new(&old, &new);
        let mut out = Vec::with_capacity(old.elements.len().max(new.elements.len()));
        let mut plan = Plan::new(&pairs);
        while let Some(step) = plan.next(&pairs) {
            out.push(match step {
                Step::Live(at) => old.item(at),
                Step::Config(at) => match pairs.live_of[at as usize] {
                    // Duplicate items are not merged.
                    Partner::None | Partner::Several => new.item(at),
                    Partner::One(partner) => {
                        self.value(list.element, old.item(partner), new.item(at), depth + 1)
                    }
                },
            });
        }
        let before = items(live);
        let is_same =
            before.len() == out.len() && before.iter().zip(&out).all(|(old, new)| is_identical(*old, *new));
        if is_same {
            live
        } else {
            Value::Array(self.arena.alloc_slice_copy(&out))
        }
    }
}

/// The configuration's value, or the live one if both are equal.
fn leaf<'a>(live: Value<'a>, config: Value<'a>) -> Value<'a> {
    if live == config { live } else { config }
}

#[derive(Clone, Copy, PartialEq)]
enum Partner {
    None,
    One(u32),
    Several,
}

/// Which live item each item of the configuration matches, and the reverse.
struct Pairs {
    live_of: Vec<Partner>,
    config_of: Vec<Option<u32>>,
}

impl Pairs {
    fn new(live: &Index<'_>, config: &Index<'_>) -> Self {
        let mut pairs = Pairs {
            live_of: vec![Partner::None; config.elements.len()],
            config_of: vec![None; live.elements.len()],
        };
        let mut lives = live.groups().peekable();
        let mut configs = config.groups().peekable();
        while let (Some(old), Some(new)) = (lives.peek(), configs.peek()) {
            match live.element(old[0]).cmp(&config.element(new[0])) {
                Ordering::Less => _ = lives.next(),
                Ordering::Greater => _ = configs.next(),
                Ordering::Equal => {
                    pairs.live_of[new[0] as usize] = match old {
                        [only] => Partner::One(*only),
                        _ => Partner::Several,
                    };
                    for position in *old {
                        pairs.config_of[*position as usize] = Some(new[0]);
                    }
                    lives.next();
                    configs.next();
                }
            }
        }
        pairs
    }
}

enum Step {
    /// A live item that is not in the configuration.
    Live(u32),
    /// An item of the configuration, with the live one it matches.
    Config(u32),
}

/// The order of the result: that of the configuration, with the other live items in between.
struct Plan {
    live: u32,
    config: u32,
    /// Positions in the configuration of shared items that are still to come, last first.
    shared: Vec<u32>,
    placed: Vec<bool>,
}

impl Plan {
    fn new(pairs: &Pairs) -> Self {
        let numbered = (0..).zip(&pairs.live_of);
        let shared = numbered
            .filter(|(_, partner)| **partner != Partner::None)
            .map(|(at, _)| at);
        let mut shared: Vec<u32> = shared.collect();
        shared.reverse();
        Plan {
            live: 0,
            config: 0,
            shared,
            placed: vec![false; pairs.live_of.len()],
        }
    }

    fn next(&mut self, pairs: &Pairs) -> Option<Step> {
        let (lives, configs) = (pairs.config_of.len() as u32, pairs.live_of.len() as u32);
        while self.live < lives || self.config < configs {
            if self.live < lives {
                match pairs.config_of[self.live as usize] {
                    None => {
                        self.live += 1;
                        return Some(Step::Live(self.live - 1));
                    }
                    Some(named) if self.config < configs && named == self.config => {
                        self.live += 1;
                        self.shared.pop();
                        return Some(self.place());
                    }
                    // In both, but other items come first.
                    Some(named)
                        if self.config < configs && self.shared.last().is_some_and(|next| *next != named) =>
                    {
                        self.live += 1;
                        continue;
                    }
                    Some(named) if self.placed[named as usize] => self.live += 1,
                    Some(_) => {}
                }
            }
            if self.config < configs {
                if self.shared.last() == Some(&self.config) {
                    self.shared.pop();
                }
                return Some(self.place());
            }
        }
        None
    }

    fn place(&mut self) -> Step {
        self.placed[self.config as usize] = true;
        self.config += 1;
        Step::Config(self.config - 1)
    }
}
