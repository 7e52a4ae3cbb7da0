//! A dependency has the same features whether one crate or the whole workspace is built, so nothing is compiled twice, and what is
//! tested is what is shipped. What is shipped is optimized.

use std::collections::BTreeSet;
use std::process::Command;

use crate::binary::root;

/// Packages with their features, as cargo would build them for this selection.
fn packages(selection: &[&str], edges: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--prefix", "none", "--format", "{p} [{f}]"])
        .args(["--edges", edges])
        .args(selection)
        .current_dir(root())
        .output()
        .expect("cargo starts");
    let text = String::from_utf8(output.stdout).expect("it is text");
    assert!(!text.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    text.lines()
        .map(|line| line.trim_end_matches(" (*)").to_owned())
        .collect()
}

/// The benches of this crate use clap with fewer features, and nothing else depends on that.
const ALONE: &[&str] = &["kindsmith-json"];

/// What only macros use while they run: those of `derive`, which the command line does not have, need more of it than its own.
const OF_MACROS: &[&str] = &["syn v2."];

#[test]
fn builds_of_one_crate_share_what_the_workspace_compiles() {
    let workspace = packages(&["--workspace"], "normal,build,dev");
    let built = packages(&["-p", "kindsmith-cli"], "normal,build");
    let mut other: Vec<_> = built.difference(&workspace).collect();
    other.retain(|package| !OF_MACROS.iter().any(|of_macros| package.starts_with(of_macros)));
    assert!(other.is_empty(), "cargo build -p kindsmith-cli: {other:#?}");
    for entry in std::fs::read_dir(root().join("crates")).expect("it is there") {
        let folder = entry.expect("it can be read").file_name();
        let name = match folder.to_str() {
            Some("kindsmith") => "kindsmith".to_owned(),
            folder => format!("kindsmith-{}", folder.unwrap_or_default()),
        };
        if ALONE.contains(&&*name) {
            continue;
        }
        let tested = packages(&["-p", &name], "normal,build,dev");
        let other: Vec<_> = tested.difference(&workspace).collect();
        assert!(
            other.is_empty(),
            "cargo test -p {name}: {other:#?}\nsee crates/unified"
        );
    }
}

/// `dist` and `web` would inherit what `release` does not optimize, so each of them names the same packages.
#[test]
fn what_is_shipped_is_optimized() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("it is there");
    let packages = |profile: &str| -> BTreeSet<&str> {
        let heading = format!("\n[profile.{profile}.package]\n");
        let (_, section) = manifest.split_once(&heading).expect("it names packages");
        let lines = section.lines().take_while(|line| !line.is_empty());
        lines
            .filter_map(|line| Some(line.split_once(" = { opt-level")?.0))
            .collect()
    };
    let left_out = packages("release");
    assert!(!left_out.is_empty());
    for shipped in ["dist", "web"] {
        assert_eq!(packages(shipped), left_out, "{shipped}");
    }
}
