//! Replays recorded writes of custom resources. The stored object and the request come from the recording; ownership
//! afterwards and the result of an apply must match it.

mod kind;
mod step;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kindsmith_json::{Arena, Value, parse_str};

use kind::Kind;
use step::{Owner, Replay};

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
    let own: Vec<Arc<Kind>> = Kind::own().into_iter().map(Arc::new).collect();
    let (mut custom, mut server, mut wrong) = (0, 0, Vec::new());
    for path in &files {
        let text = fs::read_to_string(path).expect("recordings are text");
        let arena = Arena::new();
        let scenario = parse_str(&arena, &text).expect("recordings are JSON");
        let mut replay = Replay::new(&own);
        for step in scenario
            .get("steps")
            .and_then(Value::as_array)
            .expect("there are steps")
        {
            let name = step.get("name").and_then(Value::as_str).unwrap_or_default();
            match replay.step(*step) {
                Ok(None) => {}
                Ok(Some(Owner::Custom)) => custom += 1,
                Ok(Some(Owner::Server)) => server += 1,
                Err(why) => wrong.push(format!(
                    "{}: {name}\n{why}",
                    path.file_stem().unwrap_or_default().display()
                )),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(
        custom > 300,
        "only {custom} steps on custom resources were checked"
    );
    assert!(
        server > 140,
        "only {server} steps on the server's own kinds were checked"
    );
}
