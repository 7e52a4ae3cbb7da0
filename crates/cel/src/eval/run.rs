//! Evaluates a program: the fast path first, then in full, then with a replay if there was an error.

use super::activation::Activation;
use super::context::{Context, Inputs, Outcome};
use super::program::Program;
use super::scratch::Scratch;
use super::value::Value;
use super::{exec, json, quick};

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
            cx.policy = Some(activation);
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
        cx.dialect = self.dialect;
        fill(&mut cx);
        let result = if kindsmith_gostd::budget::is_done() {
            Err(cx.cancel())
        } else {
            exec::eval::<EXACT>(&mut cx, &self.root)
        };
        cx.outcome(result)
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};
    use proptest::prelude::*;

    use super::*;
    use crate::types::decl::{ArrayShape, Declarations, Format, ObjectShape, Schema, Shape};
    use crate::validation_rule;

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
            let compiled = validation_rule::compile(&text, &declarations, false).expect("a well-typed rule");
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
            let compiled = validation_rule::compile(&text, &declarations, false).expect("a well-typed expression");
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
