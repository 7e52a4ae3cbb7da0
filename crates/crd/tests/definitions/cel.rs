//! Whole CRDs with rules: recorded errors, in order where the order is stable.

use kindsmith_conformance::{Known, files};
use kindsmith_crd::definition::{DefinitionValidation, create, update};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_openapi::crd::{self, InternalDefinition};

use super::sample;

#[test]
fn recorded_definitions_with_rules() {
    let mut differences = Vec::new();
    let mut counts = [0; 2];
    let recordings = files("cel/crd");
    for (name, text) in &recordings {
        let arena = Arena::new();
        let case = parse_str(&arena, text).expect("a recording is JSON");
        let verdict = judge(case);
        counts[usize::from(verdict.is_accepted())] += 1;
        if let Err(difference) = compare(case, &verdict) {
            differences.push((name.clone(), difference));
        }
    }
    let [refused, accepted] = counts;
    println!(
        "cel/crd: {} definitions, {accepted} accepted, {refused} refused",
        recordings.len()
    );
    Known::read("cel.crd").hold_against(differences);
}

fn judge(case: Value<'_>) -> DefinitionValidation {
    let mut new = read(case.get("crd").expect("a definition"));
    match case.get("old") {
        None => create(&mut new, sample::newest()),
        Some(old) => {
            let mut old = read(old);
            create(&mut old, sample::newest());
            update(&mut new, &old, sample::newest())
        }
    }
}

fn read(value: Value<'_>) -> InternalDefinition {
    let mut definition = crd::read(value, crd::Source::Unknown)
        .expect("recorded definitions decode")
        .definition;
    definition.default_fields();
    definition.to_internal()
}

fn compare(case: Value<'_>, verdict: &DefinitionValidation) -> Result<(), String> {
    let text = |value: Value<'_>, key| {
        value
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let crash = case.get("panic").and_then(Value::as_str);
    if verdict.crash.as_deref() != crash {
        return Err(format!("crash {:?} instead of {crash:?}", verdict.crash));
    }
    if crash.is_some() {
        return Ok(());
    }
    let errors = case.get("errors").and_then(Value::as_array).unwrap_or_default();
    let mut expected: Vec<_> = errors
        .iter()
        .map(|error| {
            (
                text(*error, "field"),
                text(*error, "message"),
                text(*error, "type"),
            )
        })
        .collect();
    let mut found: Vec<_> = verdict
        .errors
        .iter()
        // Recorded updates have no resource version.
        .filter(|error| error.path.to_string() != "metadata.resourceVersion")
        .map(|error| {
            (
                error.path.to_string(),
                error.to_string(),
                error.kind.name().to_owned(),
            )
        })
        .collect();
    if text(case, "order") == "sorted" {
        expected.sort();
        found.sort();
    }
    if expected == found {
        return Ok(());
    }
    Err(format!("\n  expected {expected:#?}\n  found {found:#?}"))
}
