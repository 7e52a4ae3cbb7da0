//! Recorded objects get the defaults that defaulter-gen's code gave them.

mod recorded;

use std::path::Path;

use kindsmith_engine::Plan;
use kindsmith_go::package::MemoryFiles;
use kindsmith_json::{Arena, Value, to_string};
use recorded::{Known, Package, folder, json, names, text};

/// All Go files below a folder, by their relative path.
fn add_files(files: &mut MemoryFiles, folder: &Path, prefix: &str) {
    for name in names(folder) {
        let path = folder.join(&name);
        let inner = format!("{prefix}/{name}");
        if path.is_dir() {
            add_files(files, &path, &inner);
        } else if name.ends_with(".go") {
            files.add(inner, text(&path));
        }
    }
}

fn package(name: &str) -> Package {
    let mut files = MemoryFiles::default();
    add_files(
        &mut files,
        &folder("gen/types").join(name),
        &format!("gen/{name}"),
    );
    let modules = vec![("example.org/gen".to_owned(), "gen".to_owned())];
    Package::new(&files, modules, &format!("gen/{name}/..."), "example.org/gen")
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
    for file in names(&folder("gen/defaults")) {
        let name = file.trim_end_matches(".jsonl");
        let mut package = package(name);
        let lines = text(&folder("gen/defaults").join(&file));
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
