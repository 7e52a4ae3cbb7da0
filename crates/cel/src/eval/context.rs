//! The state of one evaluation, and how values and errors are made in it.

use std::cell::Cell;

use kindsmith_json::{Arena, Value as Json};

use crate::types::decl::Node;

use super::activation::Activation;
use super::equal::Compared;
use super::program::Program;
use super::scratch::{Links, Scratch};
use super::stack::Stack;
use super::value::{Ext, Key, Map, Record, Value};
use super::{exec, json, quick};

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
    /// The variables and the authorizer of an admission policy.
    pub(crate) activation: Option<&'a Activation<'a>>,
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
            activation: None,
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
    fn cancel(&mut self) -> Stop {
        self.cancelled = true;
        let error = self.error(CANCELLED);
        self.stopped = Some(error);
        Stop
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

impl Program {
    /// Evaluates the program. Results live in `scratch`, which the caller may reset afterwards.
    pub fn eval<'a>(&'a self, inputs: Inputs<'a>, scratch: &'a Scratch) -> Outcome<'a> {
        if self.is_simple
            && !kindsmith_gostd::budget::is_done()
            && let Some(outcome) = quick::eval(self, &inputs)
        {
            return outcome;
        }
        let (outcome, saw_error) = self.run::<false>(inputs, scratch);
        if !saw_error {
            return outcome;
        }
        // After errors, cel-go's cost tracker loses track of arguments; only a replay of its stack gives its cost.
        self.run::<true>(inputs, scratch).0
    }

    fn run<'a, const EXACT: bool>(&'a self, inputs: Inputs<'a>, scratch: &'a Scratch) -> (Outcome<'a>, bool) {
        self.run_filled::<EXACT>(inputs.limit, scratch, |cx| {
            cx.slots[0] = inputs.object.map(|(value, node)| json::wrap(cx, value, node));
            let old = inputs.old.map(|(value, node)| json::wrap(cx, value, node));
            cx.slots[1] = match (inputs.optional_old, old) {
                (true, Some(old)) => Some(cx.some(old)),
                (true, None) => Some(Value::Optional(None)),
                (false, old) => old,
            };
        })
    }

    /// Evaluates the program with what an activation knows; it was planned with the activation's names.
    pub(crate) fn eval_in<'a>(&'a self, activation: &'a Activation<'a>, limit: u64) -> Outcome<'a> {
        let scratch = activation.scratch;
        let fill = |cx: &mut Context<'a>| {
            let given = activation.slots.len();
            cx.slots[..given].copy_from_slice(&activation.slots);
            cx.activation = Some(activation);
        };
        let (outcome, saw_error) = self.run_filled::<false>(limit, scratch, fill);
        if !saw_error {
            return outcome;
        }
        self.run_filled::<true>(limit, scratch, fill).0
    }

    fn run_filled<'a, const EXACT: bool>(
        &'a self,
        limit: u64,
        scratch: &'a Scratch,
        fill: impl Fn(&mut Context<'a>),
    ) -> (Outcome<'a>, bool) {
        let mut cx = Context::new(scratch, self.slots, limit);
        fill(&mut cx);
        let result = if kindsmith_gostd::budget::is_done() {
            Err(cx.cancel())
        } else {
            exec::eval::<EXACT>(&mut cx, &self.root)
        };
        let result = match result {
            Ok(_) if cx.is_over() => Err(cx.cancel()),
            result => result,
        };
        let value = match result {
            Ok(value) => value,
            Err(Stop) => cx.stopped.unwrap_or(Value::Null),
        };
        (
            Outcome {
                value,
                cost: cx.cost,
                cancelled: cx.cancelled,
            },
            cx.saw_error,
        )
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};
    use proptest::prelude::*;

    use super::*;
    use crate::rule;
    use crate::types::decl::{ArrayShape, Declarations, Format, ObjectShape, Schema, Shape};

    const OBJECT: &str = r#"{"i": 3, "l": [3, 1, 2], "o": {"x": 1}, "m": {"k": 7}}"#;

    fn declarations() -> Declarations {
        let integer = || Schema {
            shape: Shape::Integer,
            ..Schema::default()
        };
        let object = |shape| Schema {
            shape: Shape::Object(shape),
            ..Schema::default()
        };
        let list = ArrayShape {
            items: Some(Box::new(integer())),
            ..ArrayShape::default()
        };
        let properties = vec![
            ("i".to_owned(), integer()),
            ("absent".to_owned(), integer()),
            (
                "s".to_owned(),
                Schema {
                    shape: Shape::String(Format::Plain),
                    ..Schema::default()
                },
            ),
            (
                "l".to_owned(),
                Schema {
                    shape: Shape::Array(list),
                    ..Schema::default()
                },
            ),
            (
                "m".to_owned(),
                object(ObjectShape {
                    additional: Some(Box::new(integer())),
                    ..ObjectShape::default()
                }),
            ),
            (
                "o".to_owned(),
                object(ObjectShape {
                    properties: Some([("x".to_owned(), integer())].into()),
                    ..ObjectShape::default()
                }),
            ),
        ];
        let root = object(ObjectShape {
            properties: Some(properties.into()),
            ..ObjectShape::default()
        });
        Declarations::new(&root, false, "selfType1").expect("objects are visible")
    }

    /// Integer expressions over the object, `x` being a loop variable.
    fn integer() -> impl Strategy<Value = String> {
        let leaf = prop::sample::select(vec![
            "1",
            "self.i",
            "self.l[0]",
            "self.o.x",
            "self.m.k",
            "self.m['k']",
            "x",
            "self.?absent.orValue(2)",
            "self.?i.value()",
            "self.absent",
            "size(self.l)",
            "self.l[self.o.x]",
        ])
        .prop_map(str::to_owned);
        leaf.prop_recursive(4, 24, 3, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} + {b})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} / {b})")),
                (inner.clone(), inner.clone(), inner.clone())
                    .prop_map(|(a, b, c)| format!("({a} > {b} || has(self.absent) ? {b} : {c})")),
                (inner.clone(), inner.clone())
                    .prop_map(|(a, b)| format!("self.l.filter(x, x != {a}).map(x, {b} + x).size()")),
                (inner.clone(), inner.clone())
                    .prop_map(|(a, b)| format!("([{a}, 2].exists(x, x == {b} && x > 0) ? 1 : {a})")),
                inner
                    .clone()
                    .prop_map(|a| format!("self.?o.x.optMap(x, x + {a}).orValue({a})")),
                inner.prop_map(|a| format!("self.l.transformMap(x, y, y + {a}).size()")),
            ]
        })
    }

    /// Rules over scalars of an object, some of which are not what the schema says.
    fn simple_rule() -> impl Strategy<Value = String> {
        let leaf = prop::sample::select(vec![
            "self.i > 1",
            "2 <= self.i",
            "self.i == self.o.x",
            "self.o.x != 1",
            "has(self.absent)",
            "has(self.o.x)",
            "has(self.o)",
            "has(self.l)",
            "self.i in [1, 3]",
            "self.absent < 2",
            "self.o.x >= oldSelf.o.x",
            "oldSelf.i == self.i",
            "self.s == 'text'",
            "self.s.startsWith('te')",
            "self.s.endsWith(oldSelf.s)",
            "self.s.contains('a rather long text')",
            "self.s < 'tf'",
            "size(self.s) > 4",
            "self.l.size() == self.i",
            "size(self.l) == 0",
            "true",
        ])
        .prop_map(str::to_owned);
        leaf.prop_recursive(4, 16, 2, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} && {b})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} || {b})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) == ({b})")),
                inner.clone().prop_map(|a| format!("!({a})")),
                (inner.clone(), 0..3).prop_map(|(a, n)| format!("self.l.all(x, x > {n} || {a})")),
                (inner.clone(), 0..4).prop_map(|(a, n)| format!("self.l.exists(x, x == {n} && {a})")),
                inner.prop_map(|a| format!("self.l.all(x, self.l.exists(y, y != x) || {a})")),
            ]
        })
    }

    proptest! {
        #[test]
        fn simple_rules_need_no_state(
            text in simple_rule(),
            object in prop::sample::select(vec![
                OBJECT,
                r#"{"o": {"x": 1}, "i": 1, "l": []}"#,
                r#"{"s": "text", "i": 2, "l": [1, 2]}"#,
                r#"{"s": "ein Text mit Umlauten: äöü", "i": 2, "l": null}"#,
                r#"{"i": 2.5, "o": {"x": null}}"#,
                r#"{"i": "text", "l": 3, "o": 4}"#,
                r#"{"absent": 1, "i": 3, "o": {}}"#,
            ]),
            old in prop::sample::select(vec![None, Some(OBJECT), Some(r#"{"i": 4, "s": "t"}"#)]),
            limit in prop::sample::select(vec![0_u64, 3, 1_000_000]),
        ) {
            let declarations = declarations();
            let compiled = rule::compile(&text, &declarations, false).expect("a well-typed rule");
            prop_assert!(compiled.program.is_simple, "{}", text);
            let arena = Arena::new();
            let object = parse_str(&arena, object).expect("JSON");
            let old = old.map(|old| parse_str(&arena, old).expect("JSON"));
            let inputs = Inputs {
                object: Some((&object, &declarations.root)),
                old: old.as_ref().map(|old| (old, &*declarations.root)),
                optional_old: false,
                limit,
            };
            let scratch = Scratch::new();
            let (full, saw_error) = compiled.program.run::<false>(inputs, &scratch);
            if let Some(quick) = quick::eval(&compiled.program, &inputs) {
                prop_assert!(!saw_error && !full.cancelled, "{} {:?}", text, full);
                prop_assert_eq!(format!("{:?} {}", quick.value, quick.cost), format!("{:?} {}", full.value, full.cost));
            }
        }

        #[test]
        fn charging_directly_costs_what_the_replay_costs(body in integer()) {
            let declarations = declarations();
            let text = format!("[1].map(x, {body})");
            let compiled = rule::compile(&text, &declarations, false).expect("a well-typed expression");
            let arena = Arena::new();
            let object = parse_str(&arena, OBJECT).expect("JSON");
            let inputs = Inputs {
                object: Some((&object, &declarations.root)),
                old: None,
                optional_old: false,
                limit: 1_000_000,
            };
            let scratch = Scratch::new();
            let (direct, saw_error) = compiled.program.run::<false>(inputs, &scratch);
            let (replayed, _) = compiled.program.run::<true>(inputs, &scratch);
            prop_assert_eq!(format!("{:?}", direct.value), format!("{:?}", replayed.value));
            if !saw_error {
                prop_assert_eq!(direct.cost, replayed.cost);
            }
        }
    }
}
