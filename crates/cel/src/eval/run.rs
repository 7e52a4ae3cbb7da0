//! Evaluates a program: the fast path first, then in full, then with a replay if there was an error.

use super::activation::Activation;
use super::context::{Context, Inputs, Outcome};
use super::program::Program;
use super::quick::{self, Roots};
use super::scratch::Scratch;
use super::value::Value;
use super::{exec, json};

impl Program {
    /// Evaluates the program. Results live in `scratch`, which the caller may reset afterwards.
    pub fn eval<'a>(&'a self, inputs: Inputs<'a>, scratch: &'a Scratch) -> Outcome<'a> {
        if let Some(outcome) = self.quickly(Roots::Rule(&inputs), inputs.limit) {
            return outcome;
        }
        let (outcome, saw_error) = self.run::<false>(inputs, scratch);
        if !saw_error {
            return outcome;
        }
        // After errors, cel-go's cost tracker loses track of arguments; only a replay of its stack gives its cost.
        self.run::<true>(inputs, scratch).0
    }

    /// What the fast path gives.
    fn quickly<'a>(&'a self, roots: Roots<'_, 'a>, limit: u64) -> Option<Outcome<'a>> {
        let is_wanted = self.is_simple && !kindsmith_gostd::budget::is_done();
        is_wanted.then(|| quick::eval(self, roots, limit)).flatten()
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
        if let Some(outcome) = self.quickly(Roots::Policy(activation), limit) {
            return outcome;
        }
        let (outcome, saw_error) = self.run_in::<false>(activation, limit);
        if !saw_error {
            return outcome;
        }
        self.run_in::<true>(activation, limit).0
    }

    fn run_in<'a, const EXACT: bool>(
        &'a self,
        activation: &'a Activation<'a>,
        limit: u64,
    ) -> (Outcome<'a>, bool) {
        self.run_filled::<EXACT>(limit, activation.scratch, |cx| cx.policy = Some(activation))
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
    use crate::eval::{Given, Variable};
    use crate::policy::{self, Declared, Purpose, Scope};
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
                inner
                    .clone()
                    .prop_map(|a| format!("(has(self.s) ? self.s : oldSelf.s) == 'text' || {a}")),
                (inner.clone(), inner.clone(), inner.clone())
                    .prop_map(|(a, b, c)| format!("(({a}) ? ({b}) : ({c}))")),
                inner.prop_map(|a| format!("self.l.all(x, self.l.exists(y, y != x) || {a})")),
            ]
        })
    }

    const POLICY_OBJECT: &str = r#"{"i": 3, "s": "text", "l": [3, 1, 2], "o": {"x": 1, "n": null},
        "cs": [{"name": "a", "port": 80}, {"name": "b"}]}"#;

    /// Expressions of policies that the fast path evaluates for that object.
    const FOR_POLICIES: &[&str] = &[
        "object.i > 1",
        "object.i == object.o.x",
        "object['s'] != 'text'",
        "object.s.startsWith('te') && object.s.endsWith(object.s) && object.s.contains('x')",
        "oldObject == null",
        "object.o.n == null",
        "has(object.absent)",
        "has(object.o.n)",
        "has(object.o.x) ? object.o.x < 2 : object.o.n == 2",
        "(object.i > 2 ? object.i : object.s) == 3",
        "size(object.s) == 5 || object.l.size() == 4 || size(object.o) == 2",
        "object.i in [1, 3] && object.s in ['text']",
        "request.operation == 'CREATE' && !request.dryRun",
        "'x' in object.o && !(object.s in object.o) && !('a' in object.l)",
        "object.l.all(x, x > 0)",
        "object.cs.exists(c, c.name == 'b' && !has(c.port))",
        "variables.name == 'text'",
        "variables.is && variables.both",
    ];

    /// Variables of policies. The fast path does not have the values of the last two.
    const POLICY_VARIABLES: &[(&str, &str)] = &[
        ("name", "object.s"),
        ("is", "object.i > 1"),
        ("both", "variables.is && variables.name.startsWith('t')"),
        ("list", "object.l"),
        ("gone", "object.gone"),
    ];

    /// What the fast path and the full evaluation make of an expression of a policy: its value, its cost and that of variables.
    fn both_ways(text: &str, (object, old): (&str, &str), limit: u64) -> (Option<String>, String) {
        let (mut variables, mut declared) = (Vec::new(), Declared::default());
        let compiled = |text: &str, declared: &Declared| {
            let scope = Scope {
                variables: Some(declared),
                ..Scope::default()
            };
            policy::compile(text, Purpose::Variable, &scope).expect("it compiles")
        };
        for (name, text) in POLICY_VARIABLES {
            let expression = compiled(text, &declared);
            declared.declare(name, Some(expression.ty()));
            variables.push(Variable {
                name: (*name).to_owned(),
                compiled: Ok(expression.into_program()),
            });
        }
        let program = compiled(text, &declared).into_program();
        let arena = Arena::new();
        let json = |text| parse_str(&arena, text).expect("JSON");
        let given = Given {
            object: json(object),
            old: json(old),
            request: json(r#"{"operation": "CREATE", "dryRun": false}"#),
            ..Given::default()
        };
        let scratch = Scratch::new();
        let told = |activation: &Activation<'_>, outcome: Outcome<'_>| {
            let spent = activation.take_spent();
            format!(
                "{:?} {} {spent} {}",
                outcome.value, outcome.cost, outcome.cancelled
            )
        };
        let quick = Activation::new(&scratch, &given, &variables);
        let quick = program
            .quickly(Roots::Policy(&quick), limit)
            .map(|outcome| told(&quick, outcome));
        let full = Activation::new(&scratch, &given, &variables);
        let full = told(&full, program.run_in::<false>(&full, limit).0);
        (quick, full)
    }

    #[test]
    fn policies_take_the_fast_path() {
        for text in FOR_POLICIES {
            let (quick, full) = both_ways(text, (POLICY_OBJECT, "null"), 1_000);
            assert_eq!(quick.as_ref(), Some(&full), "{text}");
        }
        for text in [
            "variables.list == [3, 1, 2]",
            "variables.gone == 1",
            "object.gone == 1",
            "object.i == 3.5",
        ] {
            let (quick, _) = both_ways(text, (POLICY_OBJECT, "null"), 1_000);
            assert_eq!(quick, None, "{text}");
        }
    }

    /// Each level of an object that is read becomes a value with all that is below it.
    #[test]
    fn data_that_becomes_values_is_paid_for() {
        let paths: Vec<String> = (0..60)
            .map(|depth| format!("object{} == 1", ".a".repeat(depth)))
            .collect();
        let text = paths.join(" || ");
        let expression = policy::compile(&text, Purpose::Variable, &Scope::default()).expect("it compiles");
        let program = expression.into_program();
        let arena = Arena::new();
        let object = format!(
            "{}[{}1]{}",
            "{\"a\":".repeat(60),
            "1,".repeat(20_000),
            "}".repeat(60)
        );
        let given = Given {
            object: parse_str(&arena, &object).expect("JSON"),
            ..Given::default()
        };
        for (limit, is_enough) in [(4 << 20, false), (64 << 20, true)] {
            let scratch = Scratch::limited(limit);
            let activation = Activation::new(&scratch, &given, &[]);
            let outcome = program.eval_in(&activation, 1_000_000);
            assert_eq!(outcome.cancelled, !is_enough, "{limit}");
            let made = scratch.arena().allocated_bytes() as u64;
            assert!(made < 3 * limit, "{made} of {limit}");
        }
    }

    /// Evaluates an expression of a policy with little work to spend.
    fn is_cancelled(text: &str, object: &str) -> bool {
        let expression = policy::compile(text, Purpose::Variable, &Scope::default()).expect("it compiles");
        let program = expression.into_program();
        assert!(program.is_simple, "{text}");
        let arena = Arena::new();
        let given = Given {
            object: parse_str(&arena, object).expect("JSON"),
            ..Given::default()
        };
        let scratch = Scratch::new();
        let activation = Activation::new(&scratch, &given, &[]);
        let budget = kindsmith_gostd::budget::Budget::new(500_000);
        budget.enter(|| program.eval_in(&activation, 1_000_000).cancelled)
    }

    #[test]
    fn the_fast_path_notices_that_nobody_waits() {
        let items: Vec<String> = (0..20_000).map(|number| format!("\"{number}\"")).collect();
        let (items, long) = (items.join(","), "x".repeat(1_000_000));
        let object = format!(r#"{{"l": [{items}], "s": "{long}", "few": ["a", "b"]}}"#);
        for text in [
            "object.l.all(x, x in object.l)",
            "object.l.all(x, object.s != 'another text')",
            "object.l.all(x, size(object.s) > 1)",
            "object.l.all(x, !object.s.endsWith('a'))",
        ] {
            assert!(is_cancelled(text, &object), "{text}");
        }
        assert!(!is_cancelled("object.few.all(x, object.s != x)", &object));
    }

    proptest! {
        #[test]
        fn simple_policies_need_no_state(
            texts in prop::collection::vec(prop::sample::select(FOR_POLICIES), 1..4),
            operator in prop::sample::select(vec!["&&", "||", "=="]),
            object in prop::sample::select(vec![
                POLICY_OBJECT,
                r#"{"o": {"x": 1}, "i": 1, "l": [], "cs": []}"#,
                r#"{"s": "ein Text mit Umlauten: äöü", "i": 2, "l": null, "cs": {"a": 1}}"#,
                r#"{"i": 2.5, "o": {"x": null, "n": "t"}, "l": [1, "a"], "s": 3}"#,
                r#"{"i": true, "l": 3, "o": 4, "cs": [1]}"#,
                "null",
            ]),
            old in prop::sample::select(vec!["null", "{}"]),
            limit in prop::sample::select(vec![0_u64, 3, 9, 1_000_000]),
        ) {
            let texts: Vec<String> = texts.iter().map(|text| format!("({text})")).collect();
            let text = texts.join(operator);
            let (quick, full) = both_ways(&text, (object, old), limit);
            if let Some(quick) = quick {
                prop_assert_eq!(quick, full, "{}", text);
            }
        }

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
            if let Some(quick) = quick::eval(&compiled.program, Roots::Rule(&inputs), inputs.limit) {
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
