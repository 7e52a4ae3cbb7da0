//! Deeply nested and long input: no stack overflow, no hang, and the errors of the limits.

use kindsmith_cel::eval::{Inputs, Scratch};
use kindsmith_cel::syntax::parse;
use kindsmith_cel::syntax::source::Source;
use kindsmith_cel::types::decl::{Declarations, ObjectShape, Schema, Shape};
use kindsmith_cel::validation_rule;
use kindsmith_json::Value;

/// Expects the first line of the errors, or `ok`.
fn check(text: &str, expected: &str) {
    let source = Source::new(text);
    let shown = match parse(&source) {
        Ok(_) => "ok".to_owned(),
        Err(errors) => errors.display(&source),
    };
    let first = shown.lines().next().unwrap_or_default();
    assert!(
        first.ends_with(expected),
        "{} ...: {first}",
        &text[..text.len().min(40)]
    );
}

const RULE_DEPTH: &str = "expression recursion limit exceeded: 250";
const TREE_DEPTH: &str = "max recursion depth exceeded";

#[test]
fn nesting_is_bounded() {
    check(&format!("{}x{}", "(".repeat(249), ")".repeat(249)), "ok");
    check(&format!("{}x{}", "(".repeat(250), ")".repeat(250)), RULE_DEPTH);
    check(
        &format!("{}x{}", "[".repeat(10_000), "]".repeat(10_000)),
        RULE_DEPTH,
    );
    check(
        &format!("{}x{}", "{1: ".repeat(10_000), "}".repeat(10_000)),
        RULE_DEPTH,
    );
    check(
        &format!("{}x{}", "f(".repeat(10_000), ")".repeat(10_000)),
        RULE_DEPTH,
    );
}

#[test]
fn chains_are_bounded_by_the_tree() {
    check(&format!("x{}", ".a".repeat(250)), "ok");
    check(&format!("x{}", ".a".repeat(251)), TREE_DEPTH);
    check(&format!("1{}", " + 1".repeat(251)), TREE_DEPTH);
    check(&format!("x{}", "[0]".repeat(10_000)), TREE_DEPTH);
    check(&format!("x{}", " && x".repeat(10_000)), "ok");
}

#[test]
fn bad_input_nests_as_deeply() {
    check(&"(".repeat(10_000), RULE_DEPTH);
    check(&format!("{}#", "(".repeat(10_000)), RULE_DEPTH);
    check(&format!("{})", "(".repeat(249)), "IDENTIFIER}");
    check(
        &format!("{}#", "-".repeat(300)),
        "token recognition error at: '#'",
    );
    check(&format!("x{}.", ".a".repeat(300)), TREE_DEPTH);
    check(&format!("x{}, y", " || x".repeat(200)), "expecting <EOF>");
}

#[test]
fn long_input_is_rejected() {
    let text = " ".repeat(100_001);
    check(
        &text,
        "expression code point size exceeds limit: size: 100001, limit 100000",
    );
}

fn object() -> Schema {
    let shape = Shape::Object(ObjectShape {
        properties: Some([].into()),
        ..ObjectShape::default()
    });
    Schema {
        shape,
        ..Schema::default()
    }
}

#[test]
fn the_deepest_expressions_compile_and_run() {
    let declarations = Declarations::new(&object(), false, "selfType1").expect("objects are visible");
    let object = Value::Object(kindsmith_json::Object::EMPTY);
    let deep = [
        format!("{}1{}", "[".repeat(249), "]".repeat(249)),
        format!("{}1{}", "{1: ".repeat(249), "}".repeat(249)),
        format!("{}1{}", "dyn(".repeat(249), ")".repeat(249)),
        format!("{}1{}", "[1].map(x, ".repeat(120), ")".repeat(120)),
        format!("{}1", "true ? 1 : ".repeat(120)),
        format!("1{}", " + 1".repeat(249)),
    ];
    for text in deep {
        let compiled = validation_rule::compile(&text, &declarations, false).expect("within the limits");
        let scratch = Scratch::new();
        let inputs = Inputs {
            object: Some((&object, &declarations.root)),
            old: None,
            optional_old: false,
            limit: 1_000_000,
        };
        let outcome = compiled.program.eval(inputs, &scratch);
        assert!(!outcome.value.is_error(), "{}: {:?}", &text[..20], outcome.value);
    }
}

#[test]
fn types_of_nested_maps_are_bounded() {
    let declarations = Declarations::new(&object(), false, "selfType1").expect("objects are visible");
    let depth = 40;
    let nested: String = (1..depth)
        .map(|level| format!("optional.of({{x{0}: x{0}}}).optMap(x{level}, ", level - 1))
        .collect();
    let text = format!(
        "optional.of([]).optMap(x0, {nested}size(x{}){}.hasValue()",
        depth - 1,
        ")".repeat(depth)
    );
    validation_rule::compile(&text, &declarations, false).expect("within the limits");
}

/// Evaluates `first`, then `step` of the value before, `times` times, then `last` of what that makes.
fn doubled(first: &str, step: impl Fn(&str) -> String, times: usize, last: &str) -> String {
    doubled_in(&Scratch::new(), first, step, times, last)
}

fn doubled_in(
    scratch: &Scratch,
    first: &str,
    step: impl Fn(&str) -> String,
    times: usize,
    last: &str,
) -> String {
    let mut text = format!("[{first}].all(x0, ");
    for level in 1..=times {
        let before = format!("x{}", level - 1);
        text.push_str(&format!("[{}].all(x{level}, ", step(&before)));
    }
    text.push_str(&last.replace('_', &format!("x{times}")));
    text.push_str(&")".repeat(times + 1));

    let declarations = Declarations::new(&object(), false, "selfType1").expect("objects are visible");
    let compiled = validation_rule::compile(&text, &declarations, false).expect("within the limits");
    let object = Value::Object(kindsmith_json::Object::EMPTY);
    let inputs = Inputs {
        object: Some((&object, &declarations.root)),
        old: None,
        optional_old: false,
        limit: 10_000_000,
    };
    format!("{:?}", compiled.program.eval(inputs, scratch).value)
}

#[test]
fn what_doubles_is_stopped_before_it_is_built() {
    let lists = |list: &str| format!("{list} + {list}");
    let strings = |text: &str| format!("{text}.replace('a', {text})");
    assert_eq!(doubled("['a']", lists, 20, "size(_) == 1048576"), "Bool(true)");
    for made in [
        doubled("['a']", lists, 60, "size(_) > 0"),
        doubled("['a']", lists, 60, "_.join(',') == ''"),
        doubled("'aa'", strings, 20, "size(_) > 0"),
        doubled("'aa'", |text| format!("{text} + {text}"), 60, "size(_) > 0"),
    ] {
        assert!(made.contains("operation cancelled"), "{made}");
    }
}

#[test]
fn what_is_printed_is_paid_for() {
    let maps = |map: &str| format!("{{'a': {map}, 'b': {map}}}");
    let lists = |list: &str| format!("[{list}, {list}]");
    let formats = |text: &str| format!("'%s%s%s%s'.format([{text}, {text}, {text}, {text}])");
    let scratch = || Scratch::limited(8 << 20);
    for made in [
        doubled_in(&scratch(), "'aa'", formats, 20, "size(_) > 0"),
        doubled_in(&scratch(), "['aa']", lists, 60, "'%s'.format([_]) == ''"),
        doubled_in(&scratch(), "['aa']", lists, 60, "_.flatten(100).size() > 0"),
        doubled_in(&scratch(), "{'a': 'aa'}", maps, 60, "'%s'.format([_]) == ''"),
    ] {
        assert!(made.contains("operation cancelled"), "{made}");
    }
}

#[test]
fn what_shares_parts_is_compared_once() {
    let maps = |map: &str| format!("{{'a': {map}, 'b': {map}}}");
    let lists = |list: &str| format!("[{list}, {list}]");
    let joined = |list: &str| format!("[{list} + {list}, {list} + {list}]");
    let equal = "[_].all(one, one == _ && _ in [one] && sets.equivalent([_], [one]) && [_, one].distinct().size() == 1)";
    assert_eq!(doubled("{'a': 1}", maps, 60, equal), "Bool(true)");
    assert_eq!(doubled("[1]", lists, 60, equal), "Bool(true)");
    assert_eq!(doubled("[[1]]", joined, 25, equal), "Bool(true)");
    // Two trees of their own, which differ in the last leaf.
    let pairs = |pair: &str| format!("{{'l': [{pair}.l, {pair}.l], 'r': [{pair}.r, {pair}.r]}}");
    assert_eq!(
        doubled("{'l': [1], 'r': [1]}", pairs, 60, "_.l == _.r"),
        "Bool(true)"
    );
    assert_eq!(
        doubled("{'l': [1], 'r': [2]}", pairs, 60, "_.l != _.r"),
        "Bool(true)"
    );
    assert_eq!(
        doubled("[double('NaN')]", lists, 60, "[_].all(one, one != _)"),
        "Bool(true)"
    );
}

#[test]
fn chains_of_opt_map_do_not_double_without_bound() {
    let chain = |links: usize| format!("optional.of(1){}.hasValue()", ".optMap(x, x)".repeat(links));
    check(&chain(10), "ok");
    check(&chain(60), "optMap() makes the expression too large");
}

#[test]
fn patterns_made_by_expressions_are_bounded() {
    let twice = |text: &str| format!("{text} + {text}");
    assert_eq!(doubled("'[ab]{9}'", twice, 2, "!('a'.matches(_))"), "Bool(true)");
    // A thousand patterns, each of which takes megabytes.
    let ten = "[1,2,3,4,5,6,7,8,9,10]";
    let text = format!("{ten}.all(a, {ten}.all(b, {ten}.all(c, !string(a).matches(_))))");
    let made = doubled("'[ab]{1000}'", twice, 8, &text);
    assert!(made.contains("operation cancelled"), "{made}");
}

#[test]
fn work_that_nobody_wants_is_stopped() {
    let budget = kindsmith_gostd::budget::Budget::default();
    let text = "[1,2,3].all(x, [1,2,3].all(y, [1,2,3].map(z, z).size() == 3))";
    let run = || doubled("'a'", |text| text.to_owned(), 1, text);
    assert_eq!(budget.enter(run), "Bool(true)");
    budget.stop();
    assert!(budget.enter(run).contains("operation cancelled"));
}
