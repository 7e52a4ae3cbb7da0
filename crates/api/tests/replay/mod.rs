//! Replays all recorded requests through [`Api::handle`] over an in-memory store and compares the responses.
//!
//! `API_SCENARIO=api-crud cargo test -p kindsmith-api --test it replay` runs the scenarios whose name starts so.

pub(crate) mod inside;

use kindsmith_conformance::{Known, Report, replay, scenarios};

use inside::Inside;

#[test]
#[allow(clippy::print_stdout, reason = "the counts of a replay are for people")]
fn recorded_answers() {
    let only = std::env::var("API_SCENARIO").ok();
    let start = only.clone().unwrap_or_default();
    let mut known = Known::read("api.steps");
    let mut report = Report::default();
    for name in scenarios(&[&start]) {
        let mut inside = Inside::new();
        replay(&name, &mut inside, &mut known, &mut report);
        let differences = inside.differences();
        assert!(
            differences.is_empty(),
            "{name}: tags and hand-written rules differ: {differences:?}"
        );
    }
    println!("{report}");
    let differing: Vec<String> = report
        .differing
        .iter()
        .map(|(id, difference)| format!("{id} {difference}"))
        .collect();
    assert!(
        differing.is_empty(),
        "{} differ:\n\n{}",
        differing.len(),
        differing.join("\n\n")
    );
    if only.is_none() {
        assert_eq!(known.stale(), Vec::<&str>::new(), "these no longer differ");
    }
}
