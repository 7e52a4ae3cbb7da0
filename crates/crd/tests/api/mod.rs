//! Replays recorded requests on CRDs and their objects and compares the responses.

mod definitions;
mod objects;
mod patch;
mod url;
mod world;

use std::collections::BTreeMap;

use kindsmith_conformance::{Known, Scenario, Step, difference, scenarios};
use kindsmith_crd::sent_warnings;
use kindsmith_json::{Arena, Value};

use url::{Place, Url};
use world::World;

/// Scenarios that need a whole server: lists, negotiation, deletions. The replay of the crate `api` covers them.
const ELSEWHERE: &[&str] = &[
    "api-content-type",
    "api-dry-run-delete",
    "api-method-not-allowed-collection",
    "api-propagation-held",
    "api-query-options-timeout",
    "api-rbac-denied",
];

/// Our response to a step.
struct Answer<'a> {
    status: u16,
    body: Value<'a>,
    warnings: Vec<String>,
}

/// The response to a step, or why it is not replayed.
type Done<'a> = Result<Answer<'a>, Left>;

/// Why a step is not replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    /// Server-side apply.
    Apply,
    /// A deletion.
    Delete,
    /// A list.
    List,
    /// A body that is decoded as a built-in kind.
    Native,
    /// A version or resource that is not served; the router answers.
    NotServed,
    /// Another API or verb.
    Other,
    /// A patch that cannot be applied, or of an unsupported type.
    Patch,
    /// Another representation, such as a table.
    Representation,
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts of a replay are for people")]
fn recorded_answers() {
    let only = std::env::var("API_SCENARIO").ok();
    let mut known = Known::read("custom.steps");
    let mut left: BTreeMap<Left, usize> = BTreeMap::new();
    let (mut compared, mut unstable, mut differing) = (0, 0, Vec::new());
    for name in scenarios(&["api-", "crd-", "validation-"]) {
        if ELSEWHERE.contains(&name.as_str())
            || only.as_ref().is_some_and(|only| !name.starts_with(only.as_str()))
        {
            continue;
        }
        let arena = Arena::new();
        let mut world = World::new(&arena);
        for (index, step) in Scenario::read(&arena, &name).steps().enumerate() {
            let id = format!("{name}/{index}");
            let done = run(&mut world, step);
            for (name, path) in step.saves() {
                let value = done.as_ref().ok().and_then(|answer| answer.body.lookup(&path));
                world.save(name, value.unwrap_or_default());
            }
            match done {
                Err(reason) => *left.entry(reason).or_default() += 1,
                Ok(_) if step.is_ignored() => unstable += 1,
                Ok(mut answer) => {
                    compared += 1;
                    answer.warnings = sent_warnings(answer.warnings);
                    leave_managers(&arena, step, &mut answer.body);
                    let difference = difference(&arena, step, answer.status, answer.body, &answer.warnings);
                    if let Some(difference) = difference
                        && !known.excuses(&id)
                    {
                        differing.push(format!("{id} ({}): {difference}", step.name()));
                    }
                }
            }
        }
    }
    println!("{compared} steps compared, {unstable} not stable in the reference, not replayed: {left:?}");
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

/// Removes managed fields, which are tested elsewhere.
fn leave_managers<'a>(arena: &'a Arena, step: Step<'a>, body: &mut Value<'a>) {
    const MANAGED: [&str; 2] = ["metadata", "managedFields"];
    match step.answer().lookup(&MANAGED) {
        Some(recorded) => body.set(arena, &MANAGED, recorded),
        None => _ = body.unset(arena, &MANAGED),
    }
}

fn run<'a>(world: &mut World<'a>, step: Step<'a>) -> Done<'a> {
    let url = Url::parse(world.fill(step.path()));
    match url.place {
        Place::Definitions { .. } => definitions::run(world, step, &url),
        Place::Objects { .. } => objects::run(world, step, url),
        Place::Other => Err(Left::Other),
    }
}
