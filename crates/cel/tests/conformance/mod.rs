//! Replays the recorded results of the API server's CEL and compares them field by field.

mod instance;
mod render;
mod run;
mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use kindsmith_cel::types::decl::Declarations;
use kindsmith_cel::validation_rule::check_expression;
use kindsmith_json::{Arena, Value};

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance/cel")
        .join(name)
}

fn read(path: &PathBuf) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The cases that may differ: those under `[cel.cases]` in the list of known differences, each with its reason.
fn known_differences() -> BTreeSet<String> {
    let text = read(&folder("../known_differences.toml"));
    let section = text.split("[cel.cases]").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.strip_prefix('"')?.split('"').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn recorded_answers() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder("cases"))
        .expect("the recordings are part of the project")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    let only = std::env::var("CEL_CASE").ok();
    let mut counts: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
    let mut differences = BTreeMap::new();
    for file in files {
        let name = file
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a UTF-8 name")
            .to_owned();
        let arena = Arena::new();
        let schema_text = read(&folder("schemas").join(format!("{name}.json")));
        let schema: Value<'_> = kindsmith_json::parse_str(&arena, &schema_text).expect("a schema");
        for line in read(&file).lines() {
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
                        differences.insert((id.clone(), outcome.field.to_owned()), text);
                    }
                }
            }
        }
    }
    report(&counts, &differences, only.is_some());
}

/// Loops over keys and values count the keys in a way of their own.
#[test]
fn recorded_costs_of_loops() {
    let (arena, text) = (Arena::new(), read(&folder("loop-costs.json")));
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

#[allow(clippy::print_stdout)]
fn report(
    counts: &BTreeMap<&'static str, (usize, usize)>,
    differences: &BTreeMap<(String, String), String>,
    partial: bool,
) {
    for (field, (equal, total)) in counts {
        println!("{field}: {equal} of {total} equal");
    }
    let known = known_differences();
    let found: BTreeSet<String> = differences.keys().map(|(id, _)| id.clone()).collect();
    let unknown: Vec<_> = differences
        .iter()
        .filter(|((id, _), _)| !known.contains(id))
        .collect();
    for ((id, field), text) in unknown.iter().take(40) {
        println!("{id} {field}: {text}");
    }
    let stale: Vec<_> = if partial {
        Vec::new()
    } else {
        known.difference(&found).collect()
    };
    assert!(
        stale.is_empty(),
        "listed as known differences but equal: {stale:?}"
    );
    assert!(
        unknown.is_empty(),
        "{} answers differ from the recordings",
        unknown.len()
    );
}
