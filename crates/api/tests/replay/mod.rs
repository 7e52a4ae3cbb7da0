//! Replays all recorded requests through [`Api::handle`] over an in-memory store and compares the responses.
//!
//! `API_SCENARIO=api-crud cargo test -p kindsmith-api --test it replay` runs the scenarios whose name starts so.

pub(crate) mod inside;

use kindsmith_conformance::{Known, Report, older_steps, replay, replay_as, scenarios};
use kindsmith_object::Release;

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
    expect_none(&report);
    if only.is_none() {
        assert_eq!(known.stale(), Vec::<&str>::new(), "these no longer differ");
    }
}

/// Scenarios that a release answers otherwise, as that release answers them.
#[test]
#[allow(clippy::print_stdout, reason = "the counts of a replay are for people")]
fn recorded_answers_of_older_releases() {
    let only = std::env::var("API_SCENARIO").ok();
    let start = only.clone().unwrap_or_default();
    let (mut newest, mut known) = (Known::read("api.steps"), Known::read("releases.api"));
    let mut report = Report::default();
    for &release in Release::KNOWN {
        let mut of_release = Report::default();
        for (name, older) in older_steps("api", &release.to_string()) {
            if !name.starts_with(&start) {
                continue;
            }
            let mut inside = Inside::of(release);
            let mut excuses = |index: usize| {
                let id = format!("{name}/{index}");
                newest.excuses(&id) || known.excuses(&format!("{release} {id}"))
            };
            replay_as(&name, &older, &mut inside, &mut excuses, &mut of_release);
        }
        println!("{release}\n{of_release}");
        for (id, _) in &mut of_release.differing {
            *id = format!("{release} {id}");
        }
        report.add(of_release);
    }
    expect_none(&report);
    if only.is_none() {
        assert_eq!(known.stale(), Vec::<&str>::new(), "these no longer differ");
    }
}

/// Fails if a step differs without an excuse.
fn expect_none(report: &Report) {
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
}
