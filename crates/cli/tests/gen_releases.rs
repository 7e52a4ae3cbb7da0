//! Output by release of controller-gen: `--compat` writes what the release wrote. What only an older release refuses is written as
//! the first release does that accepts it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::binary::{kindsmith_in, root};

const RELEASES: [&str; 8] = [
    "v0.16", "v0.17", "v0.18", "v0.19", "v0.20", "v0.21", "v0.22", "v0.23",
];

/// What differs: the case, the releases, and why.
const KNOWN: [(&str, &[&str], &str); 1] = [(
    "numbers",
    &["v0.23"],
    "it names the function of Go that reads a number",
)];

/// The recording for a release: that of the last release before which the answer changed.
fn recorded(case: &Path, release: usize) -> Option<(PathBuf, bool)> {
    RELEASES[..=release].iter().rev().find_map(|name| {
        let file = |ending| case.join(format!("{name}.{ending}"));
        ["yaml", "code", "txt"]
            .into_iter()
            .map(|ending| (file(ending), ending != "txt"))
            .find(|(file, _)| file.exists())
    })
}

/// Copies the Go files of a folder and of those below it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("can be written");
    for entry in fs::read_dir(from).expect("can be read") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else if path.extension().is_some_and(|ending| ending == "go") {
            fs::copy(&path, target).expect("can be copied");
        }
    }
}

/// A copy of a case as a module of its own.
fn module(case: &Path) -> PathBuf {
    let name = case.file_name().expect("a name");
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("gen_releases")
        .join(name);
    let _ = fs::remove_dir_all(&directory);
    copy(case, &directory.join(name));
    fs::write(directory.join("go.mod"), "module example.org/fixtures\n").expect("can be written");
    directory
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn each_release_is_followed() {
    let mut cases: Vec<PathBuf> = fs::read_dir(root().join("conformance/controller-gen/releases"))
        .expect("recordings")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    let mut wrong = String::new();
    for case in &cases {
        let name = case.file_name().and_then(|name| name.to_str()).expect("a name");
        let directory = module(case);
        let options = case.join("options.txt");
        let word = if options.exists() {
            text(&options).trim().to_owned()
        } else {
            "crd:maxDescLen=0".to_owned()
        };
        for (index, release) in RELEASES.iter().enumerate() {
            let Some((file, accepted)) = recorded(case, index) else {
                continue;
            };
            let is_it =
                |(of, releases, _): &&(&str, &[&str], &str)| *of == name && releases.contains(release);
            if KNOWN.iter().any(|known| is_it(&known)) {
                continue;
            }
            let run = kindsmith_in(
                &directory,
                &format!("gen {word} paths=./{name}/... output:stdout --compat {release}"),
            );
            // The recordings were made by tools built from source.
            let expected = text(&file).replace("version: (devel)", &format!("version: {release}.0"));
            if accepted && run.stdout != expected {
                wrong += &format!("{name} {release}: {}{}\n", run.stdout, run.stderr);
            }
            // An older release refuses more; the newest one refuses what we refuse.
            if !accepted && index == RELEASES.len() - 1 {
                let said = text(&file);
                let missing = said.lines().find(|line| !run.stderr.contains(line));
                if let Some(missing) = missing {
                    wrong += &format!("{name} {release}: {missing} is not said: {}\n", run.stderr);
                }
            }
        }
    }
    assert!(wrong.is_empty() && !cases.is_empty(), "not as recorded:\n{wrong}");
}
