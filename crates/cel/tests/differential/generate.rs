//! Generates expressions that type-check, and objects for them.

use proptest::prelude::*;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Bool,
    Int,
    Text,
    Ints,
    Texts,
}

/// An expression of a type, with every operand in parentheses so that precedence does not matter.
pub(crate) fn expression(ty: Ty, depth: u32) -> BoxedStrategy<String> {
    let leaf = leaf(ty);
    if depth == 0 {
        return leaf;
    }
    let sub = |ty| expression(ty, depth - 1);
    let choice = (sub(Ty::Bool), sub(ty), sub(ty)).prop_map(|(c, a, b)| format!("(({c}) ? ({a}) : ({b}))"));
    let inner = match ty {
        Ty::Bool => prop_oneof![
            binary(&["&&", "||"], sub(Ty::Bool), sub(Ty::Bool)),
            binary(&["==", "!=", "<", "<=", ">", ">="], sub(Ty::Int), sub(Ty::Int)),
            binary(&["==", "!=", "<", ">="], sub(Ty::Text), sub(Ty::Text)),
            binary(&["==", "!="], sub(Ty::Ints), sub(Ty::Ints)),
            binary(&["in"], sub(Ty::Int), sub(Ty::Ints)),
            binary(&["in"], sub(Ty::Text), sub(Ty::Texts)),
            sub(Ty::Bool).prop_map(|a| format!("!({a})")),
            sub(Ty::Text).prop_map(|a| format!("({a}) in self.m")),
            (
                select(&["startsWith", "endsWith", "contains"]),
                sub(Ty::Text),
                sub(Ty::Text)
            )
                .prop_map(|(name, a, b)| format!("({a}).{name}({b})")),
            (select(&["all", "exists"]), sub(Ty::Ints), sub(Ty::Bool))
                .prop_map(|(name, a, b)| format!("({a}).{name}(x, x > 1 || ({b}))")),
            (select(&["all", "exists"]), sub(Ty::Bool))
                .prop_map(|(name, a)| format!("self.l.{name}(x, 6 / x > 1 || ({a}))")),
        ]
        .boxed(),
        Ty::Int => prop_oneof![
            binary(&["+", "-", "*", "/", "%"], sub(Ty::Int), sub(Ty::Int)),
            sub(Ty::Int).prop_map(|a| format!("-({a})")),
            (sub(Ty::Ints), sub(Ty::Int)).prop_map(|(a, b)| format!("({a})[{b}]")),
            sub(Ty::Text).prop_map(|a| format!("self.m[{a}]")),
            prop_oneof![sub(Ty::Text), sub(Ty::Ints), sub(Ty::Texts)].prop_map(|a| format!("size({a})")),
        ]
        .boxed(),
        Ty::Text => prop_oneof![
            binary(&["+"], sub(Ty::Text), sub(Ty::Text)),
            (sub(Ty::Texts), sub(Ty::Int)).prop_map(|(a, b)| format!("({a})[{b}]")),
        ]
        .boxed(),
        Ty::Ints => prop_oneof![
            binary(&["+"], sub(Ty::Ints), sub(Ty::Ints)),
            (sub(Ty::Ints), sub(Ty::Int)).prop_map(|(a, b)| format!("({a}).map(x, x + ({b}))")),
            (sub(Ty::Ints), sub(Ty::Int)).prop_map(|(a, b)| format!("({a}).filter(x, x > ({b}))")),
            (sub(Ty::Int), sub(Ty::Int)).prop_map(|(a, b)| format!("[{a}, {b}]")),
        ]
        .boxed(),
        Ty::Texts => prop_oneof![
            (sub(Ty::Texts), sub(Ty::Text)).prop_map(|(a, b)| format!("({a}).map(x, x + ({b}))")),
            (sub(Ty::Text), sub(Ty::Text)).prop_map(|(a, b)| format!("[{a}, {b}]")),
        ]
        .boxed(),
    };
    prop_oneof![1 => leaf, 4 => inner, 1 => choice].boxed()
}

fn select(names: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(names)
}

fn binary(
    operators: &'static [&'static str],
    left: BoxedStrategy<String>,
    right: BoxedStrategy<String>,
) -> BoxedStrategy<String> {
    (select(operators), left, right)
        .prop_map(|(operator, left, right)| format!("({left}) {operator} ({right})"))
        .boxed()
}

fn leaf(ty: Ty) -> BoxedStrategy<String> {
    let texts: &'static [&'static str] = match ty {
        Ty::Bool => &["true", "false", "self.b", "has(self.i)", "has(self.s)"],
        Ty::Int => &["0", "1", "2", "9223372036854775807", "self.i", "self.j"],
        Ty::Text => &["''", "'a'", "'ab'", "'\u{e9}'", "self.s"],
        Ty::Ints => &["[3]", "[1, 2]", "self.l"],
        Ty::Texts => &["['a']", "['a', 'b']", "self.t"],
    };
    select(texts).prop_map(str::to_owned).boxed()
}

/// An object with some of the fields.
pub(crate) fn object() -> impl Strategy<Value = String> {
    let number = || prop_oneof![-3..4_i64, Just(i64::MIN), Just(i64::MAX)];
    let text = || select(&["", "a", "ab", "\u{e9}", "ba"]);
    let members = (
        prop::option::of(any::<bool>()),
        prop::option::of(number()),
        prop::option::of(number()),
        prop::option::of(text()),
        prop::collection::vec(number(), 0..4),
        prop::collection::vec(text(), 0..3),
        prop::collection::btree_map(text(), number(), 0..3),
    );
    members.prop_map(|(b, i, j, s, l, t, m)| {
        let mut members = vec![format!("\"l\": {l:?}"), format!("\"t\": {t:?}")];
        members.push(format!("\"m\": {m:?}"));
        members.extend(b.map(|b| format!("\"b\": {b}")));
        members.extend(i.map(|i| format!("\"i\": {i}")));
        members.extend(j.map(|j| format!("\"j\": {j}")));
        members.extend(s.map(|s| format!("\"s\": {s:?}")));
        format!("{{{}}}", members.join(", "))
    })
}
