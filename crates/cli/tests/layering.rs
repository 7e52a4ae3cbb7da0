//! Who may know whom: the table in `ARCHITECTURE.md`, compared with what cargo says. A new edge is a decision, so it is
//! its own commit. Inside crates, no modules use each other in a circle.

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

/// Crates that touch the world: products and their allocator, the façade with its test server, the server with its sockets, and
/// the store, whose durable half is a file.
const PRODUCTS: &[&str] = &["allocator", "cli", "controller", "kindsmith", "server", "store"];

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

#[test]
fn modules_use_each_other_in_no_circle() {
    let mut wrong = Vec::new();
    for package in packages() {
        let name = short(&package);
        let modules = Modules::read(&root().join("crates").join(&name).join("src"));
        wrong.extend(
            circles(&modules.uses())
                .into_iter()
                .map(|circle| format!("{name}: {circle:?}")),
        );
    }
    assert!(
        wrong.is_empty(),
        "modules that use each other in a circle:\n{}",
        wrong.join("\n")
    );
}
