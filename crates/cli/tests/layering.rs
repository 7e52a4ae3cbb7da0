//! Who may know whom: the table in `ARCHITECTURE.md`, compared with what cargo says. A new edge is a decision, so it is
//! its own commit. Inside crates, modules that use each other in a circle are listed with their reason.

mod modules;

use std::collections::BTreeSet;
use std::process::Command;

use crate::binary::root;
use modules::{Modules, circles};
use serde_json::Value;

/// Dependencies only for products: terminals, async runtimes, sockets, processes.
const PRODUCTS_ONLY: &[&str] = &[
    "anstream",
    "clap",
    "hyper",
    "indicatif",
    "lsp-server",
    "mimalloc",
    "redb",
    "reqwest",
    "rustls",
    "tokio",
];

/// Crates that touch the world: products, the façade with its test server, the server with its sockets, and the store,
/// whose durable half is a file.
const PRODUCTS: &[&str] = &["cli", "controller", "kindsmith", "server", "store"];

#[test]
fn crates_use_what_the_architecture_says() {
    let layers = layers();
    let mut wrong = Vec::new();
    for package in packages() {
        let name = short(&package);
        let used = uses(&package).into_iter().filter_map(|used| match &*used {
            "kindsmith" => Some(used),
            _ => used.strip_prefix("kindsmith-").map(str::to_owned),
        });
        let used: BTreeSet<String> = used.collect();
        match layers.iter().find(|(layer, _)| *layer == name) {
            None => wrong.push(format!("ARCHITECTURE.md has no row for the crate `{name}`")),
            Some((_, allowed)) if *allowed != used => {
                wrong.push(format!(
                    "`{name}` uses {used:?}, ARCHITECTURE.md says {allowed:?}"
                ));
            }
            Some(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_core_has_no_side_effects() {
    let mut wrong = Vec::new();
    for package in packages() {
        let name = short(&package);
        if PRODUCTS.contains(&name.as_str()) {
            continue;
        }
        let outside = uses(&package).into_iter();
        wrong.extend(
            outside
                .filter(|used| PRODUCTS_ONLY.contains(&used.as_str()))
                .map(|used| format!("`{name}` is core and may not use `{used}`")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_layers_have_no_cycle() {
    let mut below = BTreeSet::new();
    for (name, allowed) in layers() {
        for used in &allowed {
            assert!(
                below.contains(used),
                "`{name}` may not use `{used}`, which is not below it"
            );
        }
        below.insert(name);
    }
}

/// The rows of the table "Who may know whom": each crate with the crates it uses, lowest first.
fn layers() -> Vec<(String, BTreeSet<String>)> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is there");
    let (_, section) = text
        .split_once("## Who may know whom")
        .expect("the section is there");
    let rows = section
        .lines()
        .skip_while(|line| !line.starts_with("| `"))
        .take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let name = cells.next().unwrap_or_default().trim_matches('`').to_owned();
        let used = cells.next().unwrap_or_default();
        let used = used.split(", ").filter(|used| *used != "nothing");
        (name, used.map(str::to_owned).collect())
    })
    .collect()
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let packages = metadata["packages"].as_array().expect("metadata lists packages");
    assert!(!packages.is_empty());
    packages.clone()
}

fn short(package: &Value) -> String {
    let name = package["name"].as_str().expect("packages have names");
    name.trim_start_matches("kindsmith-").to_owned()
}

/// A package's dependencies, without those of its tests.
fn uses(package: &Value) -> Vec<String> {
    let dependencies = package["dependencies"]
        .as_array()
        .expect("packages list dependencies");
    let built = dependencies
        .iter()
        .filter(|dependency| dependency["kind"] != "dev");
    built
        .filter_map(|dependency| Some(dependency["name"].as_str()?.to_owned()))
        .collect()
}

/// Circles of modules that remain, each with its reason. The list only shrinks: `UPDATE=1` removes what is gone.
const CIRCLES: &str = "crates/cli/tests/layering/circles.txt";

#[test]
fn circles_of_modules_are_listed_and_only_shrink() {
    let listed = listed_circles();
    let mut wrong = Vec::new();
    let mut left = Vec::new();
    for package in packages() {
        let name = short(&package);
        let modules = Modules::read(&root().join("crates").join(&name).join("src"));
        for circle in circles(&modules.uses()) {
            let circle: BTreeSet<String> = circle.into_iter().map(|file| format!("{name}/{file}")).collect();
            if !listed.iter().any(|(_, listed)| circle.is_subset(listed)) {
                wrong.push(format!("new circle, or one that grew: {circle:?}"));
            }
            left.extend(circle);
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        keep_circles(listed, &left);
    } else {
        let gone = listed.iter().flat_map(|(_, listed)| listed);
        let gone = gone.filter(|file| !left.contains(file));
        wrong.extend(gone.map(|file| format!("{file} is in no circle any more: remove it from {CIRCLES}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The reasons, each with the files of its circle, behind the name of their crate.
fn listed_circles() -> Vec<(String, BTreeSet<String>)> {
    let text = std::fs::read_to_string(root().join(CIRCLES)).expect("the list is there");
    let paragraphs = text
        .split("\n\n")
        .filter_map(|paragraph| paragraph.trim().split_once('\n'));
    let circle = |(reason, files): (&str, &str)| {
        let (name, _) = reason
            .split_once(": ")
            .expect("a circle begins with its crate and reason");
        let files = files.lines().map(|file| format!("{name}/{}", file.trim()));
        (reason.to_owned(), files.collect())
    };
    paragraphs.map(circle).collect()
}

fn keep_circles(listed: Vec<(String, BTreeSet<String>)>, left: &[String]) {
    let kept = listed.into_iter().filter_map(|(reason, files)| {
        let files = files.iter().filter(|file| left.contains(file));
        let lines = files.filter_map(|file| Some(format!("  {}\n", file.split_once('/')?.1)));
        let lines: String = lines.collect();
        (!lines.is_empty()).then(|| format!("{reason}\n{lines}"))
    });
    let text = kept.collect::<Vec<_>>().join("\n");
    std::fs::write(root().join(CIRCLES), text).expect("the list is writable");
}
