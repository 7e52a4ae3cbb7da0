//! Replays the recorded results of the API server's CEL and compares them field by field.

mod instance;
mod render;
mod run;
mod schema;

use std::collections::BTreeMap;

use kindsmith_cel::types::decl::Declarations;
use kindsmith_cel::validation_rule::check_expression;
use kindsmith_conformance::{Known, conformance, files, text};
use kindsmith_json::{Arena, Value};

#[test]
#[allow(clippy::print_stdout, reason = "the counts of a replay are for people")]
fn recorded_answers() {
    let only = std::env::var("CEL_CASE").ok();
    let mut counts: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
    let mut differences = Vec::new();
    for (name, cases) in files("cel/cases") {
        let arena = Arena::new();
        let schema_text = text(&conformance(&format!("cel/schemas/{name}.json")));
        let schema: Value<'_> = kindsmith_json::parse_str(&arena, &schema_text).expect("a schema");
        for line in cases.lines() {
            let arena = Arena::new();
            let case: Value<'_> = kindsmith_json::parse_str(&arena, line).expect("a case");
            let id = case.get("id").and_then(Value::as_str).expect("an id").to_owned();
            if only.as_ref().is_some_and(|only| !id.starts_with(only.as_str())) {
                continue;
            }
            for outcome in run::run(schema, case) {
                let count = counts.entry(outcome.field).or_default();
                count.1 += 1;
                match outcome.difference {
                    None => count.0 += 1,
                    Some(text) => {
                        differences.push((id.clone(), format!("{}: {text}", outcome.field)));
                    }
                }
            }
        }
    }
    for (field, (equal, total)) in counts {
        println!("{field}: {equal} of {total} equal");
    }
    let mut known = Known::read("cel.cases");
    match only {
        None => known.hold_against(differences),
        Some(_) => known.excuse_some(differences),
    }
}

/// Loops over keys and values count the keys in a way of their own.
#[test]
fn recorded_costs_of_loops() {
    let (arena, text) = (Arena::new(), text(&conformance("cel/loop-costs.json")));
    let recorded = kindsmith_json::parse_str(&arena, &text).expect("a recording");
    let schema = schema::read(recorded.get("schema").expect("a schema"));
    let declarations = Declarations::new(&schema, true, "selfType").expect("rules see it");
    let rules = recorded.get("rules").and_then(Value::as_array).expect("rules");
    let mut wrong = Vec::new();
    for case in rules {
        let rule = case.get("rule").and_then(Value::as_str).expect("a rule");
        let expected = case.get("cost").and_then(Value::as_u64);
        let checked = check_expression(rule, &declarations, false).expect("it compiles");
        if Some(checked.cost.max) != expected {
            wrong.push(format!("{rule}: {expected:?}, not {}", checked.cost.max));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
