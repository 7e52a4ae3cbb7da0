//! Answers of older releases, where they differ from the recorded ones.

use std::collections::BTreeMap;

use kindsmith_json::{Arena, Value};

use crate::files::{conformance, text};

/// What a release answers otherwise to scenarios of an area such as `api`: by name and index of the step, with the line that has the
/// `response` as JSON.
///
/// # Panics
///
/// If the answers cannot be read.
#[must_use]
pub fn older_steps(area: &str, release: &str) -> BTreeMap<String, BTreeMap<usize, String>> {
    let mut found: BTreeMap<String, BTreeMap<usize, String>> = BTreeMap::new();
    for line in text(&conformance("releases/steps.jsonl")).lines() {
        let arena = Arena::new();
        let value = kindsmith_json::parse_str(&arena, line).expect("an answer is JSON");
        let of = value.get("of").and_then(Value::as_array).unwrap_or_default();
        let scenario = value.get("scenario").and_then(Value::as_str).unwrap_or_default();
        let index = value.get("step").and_then(Value::as_u64).unwrap_or_default();
        if let Some((_, name)) = scenario.split_once('/').filter(|(of_area, _)| *of_area == area)
            && of.contains(&Value::Str(release))
        {
            let steps = found.entry(name.to_owned()).or_default();
            steps.insert(index as usize, line.to_owned());
        }
    }
    found
}
