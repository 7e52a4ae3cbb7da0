//! The state of one evaluation, and how values and errors are made in it.

use std::cell::Cell;

use kindsmith_json::{Arena, Value as Json};

use crate::access::Authorizer;
use crate::dialect::Dialect;
use crate::types::decl::Node;

use super::compared::Compared;
use super::scratch::{Links, Scratch};
use super::stack::Stack;
use super::value::{Ext, Key, Map, Record, Value};

/// What an expression is evaluated with.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// `self`: the value and its node.
    pub object: Option<(&'a Json<'a>, &'a Node)>,
    /// `oldSelf`, if there is an old value.
    pub old: Option<(&'a Json<'a>, &'a Node)>,
    /// Whether `oldSelf` is an optional rather than a plain value.
    pub optional_old: bool,
    /// The cost at which evaluation is cancelled.
    pub limit: u64,
}

/// The result of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The value; errors are values.
    pub value: Value<'a>,
    /// What the evaluation cost.
    pub cost: u64,
    /// Whether the cost limit stopped it.
    pub cancelled: bool,
}

/// Evaluation cannot continue: the cost limit was exceeded, or Kubernetes would panic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop;

pub(crate) type Eval<'a> = Result<Value<'a>, Stop>;

/// A map under construction.
#[derive(Default)]
pub(crate) struct MapBuilder<'a> {
    pub(crate) entries: Vec<(Value<'a>, Value<'a>)>,
    pub(crate) index: std::collections::HashMap<Key<'a>, usize>,
}

/// The state of one evaluation.
pub(crate) struct Context<'a> {
    pub(crate) arena: &'a Arena,
    scratch: &'a Scratch,
    ext: Links<'a>,
    pub(crate) slots: &'a mut [Option<Value<'a>>],
    /// Lists under construction, by the slot of their loop.
    pub(crate) lists: Vec<Vec<Value<'a>>>,
    pub(crate) maps: Vec<MapBuilder<'a>>,
    pub(crate) cost: u64,
    limit: u64,
    /// The cost at which to look whether the limit is reached or nobody wants the result any more.
    checkpoint: Cell<u64>,
    /// Whether it ends at the next charge.
    is_over: Cell<bool>,
    stopped: Option<Value<'a>>,
    cancelled: bool,
    /// How often values were visited, how deep in a value this is, and the results of long comparisons.
    visits: Cell<u64>,
    depth: usize,
    pub(super) compared: Compared<'a>,
    /// An error value was made, so the cost needs the exact replay.
    pub(crate) saw_error: bool,
    pub(super) stack: Stack<'a>,
    /// The release whose values expressions have.
    pub(crate) dialect: Dialect,
    /// What an admission policy knows besides.
    pub(crate) policy: Option<&'a dyn Policy<'a>>,
}

/// What expressions of an admission policy see besides their slots.
pub(crate) trait Policy<'a> {
    /// The data of a slot.
    fn data(&self, slot: usize) -> Option<&'a Json<'a>>;

    /// The value of a slot without data.
    fn value(&self, slot: usize) -> Option<Value<'a>>;

    /// A part of the data as a value.
    fn show(&self, json: &'a Json<'a>) -> Value<'a>;

    /// The value of a variable, evaluated now if it was not before.
    fn variable(&'a self, name: &str) -> Option<Value<'a>>;

    /// Answers questions about access.
    fn authorizer(&self) -> Option<&'a dyn Authorizer>;
}

/// How many bytes or elements one string or list may have. No object is that large; what is larger was made by an
/// expression that multiplies its input, and is stopped before it is built.
const LARGEST: u64 = 1 << 26;

/// After how much cost, or how many visits of values, an evaluation looks whether its result is still wanted.
const LOOK: u64 = 10_000;

/// How deep values are looked into. Expressions can nest values deeper than any text, and walks over them use the stack.
const DEEPEST: usize = 1_000;

/// How many bytes a value of a library type takes, beside its text.
const EXT: usize = 128;

pub(crate) const CANCELLED: &str = "operation cancelled: actual cost limit exceeded";

impl<'a> Context<'a> {
    pub(crate) fn new(scratch: &'a Scratch, slots: usize, limit: u64) -> Context<'a> {
        Context {
            arena: scratch.arena(),
            scratch,
            ext: scratch.links(),
            slots: scratch.arena().alloc_slice_fill_copy(slots, None),
            lists: Vec::new(),
            maps: Vec::new(),
            cost: 0,
            limit,
            checkpoint: Cell::new(limit.min(LOOK)),
            is_over: Cell::new(false),
            stopped: None,
            cancelled: false,
            visits: Cell::new(0),
            depth: 0,
            compared: Compared::default(),
            saw_error: false,
            stack: Stack::default(),
            dialect: Dialect::default(),
            policy: None,
        }
    }

    /// Adds to the cost and stops the evaluation at the limit.
    #[inline]
    pub(crate) fn charge(&mut self, cost: u64) -> Result<(), Stop> {
        self.cost = self.cost.wrapping_add(cost);
        if self.cost > self.checkpoint.get() {
            self.look()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        if self.cost > self.limit || self.is_over() || kindsmith_gostd::budget::is_done() {
            return Err(self.cancel());
        }
        self.checkpoint
            .set(self.limit.min(self.cost.saturating_add(LOOK)));
        Ok(())
    }

    /// Pays for bytes that are about to be made. If there are not as many left, the evaluation ends at its next charge.
    #[inline]
    pub(crate) fn spend(&self, bytes: usize) -> bool {
        let has_room = self.scratch.pay(bytes as u64);
        if !has_room {
            self.end_soon();
        }
        has_room
    }

    /// Pays for bytes that are about to be made; stops the evaluation if there are not as many left.
    #[inline]
    pub(crate) fn pay(&mut self, bytes: usize) -> Result<(), Stop> {
        if bytes as u64 <= LARGEST && self.spend(bytes) {
            Ok(())
        } else {
            Err(self.cancel())
        }
    }

    /// Stops the evaluation if there is no room for bytes that are paid for once they are a value.
    #[inline]
    pub(crate) fn room_for(&mut self, bytes: usize) -> Result<(), Stop> {
        if bytes as u64 <= LARGEST && self.has_room(bytes) {
            Ok(())
        } else {
            Err(self.cancel())
        }
    }

    /// Whether there is room for bytes that are freed at once.
    #[inline]
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        let has_room = self.scratch.has_room(bytes as u64);
        if !has_room {
            self.end_soon();
        }
        has_room
    }

    fn end_soon(&self) {
        self.is_over.set(true);
        self.checkpoint.set(0);
    }

    /// Whether the evaluation ends at its next charge: what is done until then is for nothing.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Counts a visit of a part of a value, which costs nothing in Kubernetes; `false` if the evaluation ends.
    #[inline]
    pub(crate) fn visit(&self) -> bool {
        let visits = self.visits.get() + 1;
        self.visits.set(visits);
        if visits.is_multiple_of(LOOK) && kindsmith_gostd::budget::is_done() {
            self.end_soon();
        }
        !self.is_over()
    }

    /// The cost at which the evaluation is cancelled.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// How often values were visited so far.
    pub(super) fn visits(&self) -> u64 {
        self.visits.get()
    }

    /// Looks into a value; `None` if it is too deep or the evaluation ends.
    #[inline]
    pub(crate) fn within<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEEPEST {
            self.end_soon();
        }
        if !self.visit() {
            return None;
        }
        self.depth += 1;
        let seen = look(self);
        self.depth -= 1;
        Some(seen)
    }

    /// Stops the evaluation if a list of this length is too large to be made.
    #[inline]
    pub(crate) fn room(&mut self, length: u64) -> Result<(), Stop> {
        if length > LARGEST {
            return Err(self.cancel());
        }
        Ok(())
    }

    #[cold]
    pub(super) fn cancel(&mut self) -> Stop {
        self.cancelled = true;
        let error = self.error(CANCELLED);
        self.stopped = Some(error);
        Stop
    }

    /// What the evaluation comes to, and whether an error value was made.
    pub(super) fn outcome(mut self, result: Eval<'a>) -> (Outcome<'a>, bool) {
        let result = match result {
            Ok(_) if self.is_over() => Err(self.cancel()),
            result => result,
        };
        let value = match result {
            Ok(value) => value,
            Err(Stop) => self.stopped.unwrap_or(Value::Null),
        };
        let outcome = Outcome {
            value,
            cost: self.cost,
            cancelled: self.cancelled,
        };
        (outcome, self.saw_error)
    }

    /// Stops the evaluation where Kubernetes panics.
    #[cold]
    pub(crate) fn crash(&mut self, message: &str) -> Stop {
        let error = self.error(&format!("internal error: {message}"));
        self.stopped = Some(error);
        Stop
    }

    /// An error value.
    #[cold]
    pub(crate) fn error(&mut self, message: &str) -> Value<'a> {
        self.saw_error = true;
        self.spend(message.len());
        Value::Error(self.arena.alloc_str(message))
    }

    /// The error for operands that no overload accepts.
    pub(crate) fn no_overload(&mut self) -> Value<'a> {
        self.error("no such overload")
    }

    /// The value itself if it is an error, or else the error for operands that no overload accepts.
    pub(crate) fn no_overload_for(&mut self, value: Value<'a>) -> Value<'a> {
        if value.is_error() {
            value
        } else {
            self.no_overload()
        }
    }

    /// A string in the arena.
    pub(crate) fn string(&self, text: &str) -> Value<'a> {
        self.spend(text.len());
        Value::String(self.arena.alloc_str(text))
    }

    /// A value of a library type.
    pub(crate) fn ext(&mut self, value: Ext) -> Value<'a> {
        self.spend(EXT);
        Value::Ext(self.ext.push(value))
    }

    /// A list in the arena.
    pub(crate) fn list(&self, elements: &[Value<'a>]) -> Value<'a> {
        self.spend(size_of_val(elements));
        Value::List(self.arena.alloc_slice_copy(elements))
    }

    /// An optional with a value.
    pub(crate) fn some(&self, value: Value<'a>) -> Value<'a> {
        self.spend(size_of_val(&value));
        Value::Optional(Some(self.arena.alloc(value)))
    }

    /// A map in the arena.
    pub(crate) fn map(&self, builder: &MapBuilder<'a>) -> Value<'a> {
        self.spend(size_of::<Map<'_>>() + size_of_val(&*builder.entries));
        map_in(self.arena, &builder.entries)
    }

    /// A message of a mutation.
    pub(crate) fn record(&self, name: &'a str, fields: &[(&'a str, Value<'a>)]) -> Value<'a> {
        self.spend(size_of::<Record<'_>>() + size_of_val(fields));
        let fields = self.arena.alloc_slice_copy(fields);
        Value::Record(self.arena.alloc(Record { name, fields }))
    }
}

/// A map of entries without two equal keys.
pub(crate) fn map_in<'a>(arena: &'a Arena, entries: &[(Value<'a>, Value<'a>)]) -> Value<'a> {
    Value::Map(arena.alloc(Map::of(arena, entries)))
}

impl<'a> MapBuilder<'a> {
    /// Sets the value under a key, replacing one under the same key.
    pub(crate) fn set(&mut self, key: Value<'a>, value: Value<'a>) {
        match Key::new(key).map(|k| (k, self.index.get(&k).copied())) {
            Some((_, Some(at))) => self.entries[at].1 = value,
            found => {
                if let Some((k, None)) = found {
                    self.index.insert(k, self.entries.len());
                }
                self.entries.push((key, value));
            }
        }
    }

    /// Removes a key.
    pub(crate) fn remove(&mut self, key: Value<'a>) {
        let Some(at) = Key::new(key).and_then(|k| self.index.remove(&k)) else {
            return;
        };
        self.entries.remove(at);
        for position in self.index.values_mut().filter(|position| **position > at) {
            *position -= 1;
        }
    }

    /// Whether an equal key exists.
    pub(crate) fn contains(&self, key: Value<'a>) -> bool {
        let has = |key: Value<'a>| Key::new(key).is_some_and(|k| self.index.contains_key(&k));
        if has(key) {
            return true;
        }
        match key {
            Value::Double(d) => {
                super::value::lossless_int(d).is_some_and(|i| has(Value::Int(i)))
                    || super::value::lossless_uint(d).is_some_and(|u| has(Value::Uint(u)))
            }
            Value::Int(i) => u64::try_from(i).is_ok_and(|u| has(Value::Uint(u))),
            Value::Uint(u) => i64::try_from(u).is_ok_and(|i| has(Value::Int(i))),
            _ => false,
        }
    }
}
