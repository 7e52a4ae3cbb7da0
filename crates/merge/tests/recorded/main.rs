//! Replays recorded writes of custom resources: what was stored before and sent is taken from the recording, who owns
//! what afterwards, and what an apply makes of the object, must be as recorded.

mod kind;
mod step;

use std::fs;
use std::path::Path;

use kindsmith_json::{Arena, Value, parse_str};

use step::Replay;

#[test]
fn recorded_writes_leave_the_recorded_ownership() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/api");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the recordings are there")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("ssa-"))
        })
        .collect();
    files.sort();
    let (mut checked, mut wrong) = (0, Vec::new());
    for path in &files {
        let text = fs::read_to_string(path).expect("recordings are text");
        let arena = Arena::new();
        let scenario = parse_str(&arena, &text).expect("recordings are JSON");
        let mut replay = Replay::default();
        for step in scenario
            .get("steps")
            .and_then(Value::as_array)
            .expect("there are steps")
        {
            let name = step.get("name").and_then(Value::as_str).unwrap_or_default();
            match replay.step(*step) {
                Ok(counted) => checked += usize::from(counted),
                Err(why) => wrong.push(format!(
                    "{}: {name}\n{why}",
                    path.file_stem().unwrap_or_default().display()
                )),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong, {checked} right\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    assert!(checked > 300, "only {checked} steps were checked");
}
