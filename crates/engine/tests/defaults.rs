//! Recorded objects get the defaults that defaulter-gen's code gave them.

use crate::recorded::{Known, Package};
use kindsmith_engine::Plan;
use kindsmith_json::{Arena, Value, to_string};
use kindsmith_testkit::{GoPackages, json, names, recordings, text};

fn package(name: &str) -> Package {
    let packages = GoPackages::default().module("example.org/gen", "gen");
    let packages = packages.tree(&recordings("gen/types").join(name), &format!("gen/{name}"));
    Package::new(&packages, &format!("gen/{name}/..."), "example.org/gen")
}

/// Decodes, defaults and encodes, as for the recordings.
fn answer(plan: &Plan, given: Value<'_>) -> Result<String, String> {
    if let Err(error) = plan.decode(given) {
        return Err(format!("unmarshal: {error}"));
    }
    let arena = Arena::new();
    let given = given.copy_in(&arena);
    Ok(plan.encode(plan.default(&arena, given)))
}

#[test]
fn recorded_objects_get_the_recorded_defaults() {
    let mut known = Known::read("gen.defaults");
    let (mut count, mut wrong) = (0, Vec::new());
    for file in names(&recordings("gen/defaults")) {
        let name = file.trim_end_matches(".jsonl");
        let mut package = package(name);
        let lines = text(&recordings("gen/defaults").join(&file));
        for (number, line) in lines.lines().enumerate() {
            let arena = Arena::new();
            let case = json(&arena, line);
            let plan = package.plan(case.get("type").and_then(Value::as_str).expect("a type"));
            let ours = answer(plan, case.get("in").unwrap_or_default());
            let theirs = match case.get("error").and_then(Value::as_str) {
                Some(error) => Err(error.to_owned()),
                None => Ok(to_string(case.get("out").expect("an answer"))),
            };
            count += 1;
            let same = match (&ours, &theirs) {
                (Ok(ours), Ok(theirs)) => {
                    let arena = Arena::new();
                    to_string(json(&arena, ours)) == *theirs
                }
                (ours, theirs) => ours == theirs,
            };
            let id = format!("{name}-{}", number + 1);
            if !same && !known.excuses(&id) && !known.excuses(name) {
                wrong.push(format!("{id} {line}\n  ours     {ours:?}\n  recorded {theirs:?}"));
            }
        }
    }
    let shown = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{shown}", wrong.len());
    assert!(count > 1000, "only {count} lines");
    assert_eq!(
        known.stale(),
        Vec::<&str>::new(),
        "known differences that are none"
    );
}
