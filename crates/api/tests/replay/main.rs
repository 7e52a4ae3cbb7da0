//! Replays all recorded requests through [`Api::handle`] over a store in memory, and compares the answers.
//!
//! `API_SCENARIO=api-crud cargo test -p kindsmith-api --test replay` runs the scenarios that start so and shows all
//! differences.

mod inside;

use kindsmith_conformance::{Known, Report, conformance, replay, scenarios, text};

use inside::Inside;

#[test]
#[allow(clippy::print_stdout, reason = "the counts of a replay are for people")]
fn recorded_answers() {
    let only = std::env::var("API_SCENARIO").ok();
    let start = only.clone().unwrap_or_default();
    let mut known = Known::read("api.steps");
    let mut report = Report::default();
    for name in scenarios(&[&start]) {
        replay(&name, &mut Inside::new(), &mut known, &mut report);
    }
    println!("{report}");
    let pending = text(&conformance("../crates/api/tests/replay/pending.txt"));
    let is_pending = |id: &str| {
        let name = id.rsplit_once('/').map_or(id, |(name, _)| name);
        only.is_none() && pending.lines().any(|line| line == name)
    };
    if std::env::var_os("UPDATE").is_some() {
        let names = report.scenarios().join("\n");
        std::fs::write(
            conformance("../crates/api/tests/replay/pending.txt"),
            names + "\n",
        )
        .expect("the list can be written");
    }
    let differing: Vec<String> = report
        .differing
        .iter()
        .filter(|(id, _)| !is_pending(id))
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
