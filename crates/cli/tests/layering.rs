//! Who may know whom. The same table stands in `ARCHITECTURE.md`; a new edge is a decision, so it is its own commit.

mod binary;

use std::collections::BTreeSet;
use std::process::Command;

use binary::root;
use serde_json::Value;

/// Each crate with the crates of this workspace it may use, lowest first.
const LAYERS: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("json", &[]),
    ("scalar", &[]),
    ("conformance", &["json"]),
    ("store", &[]),
    ("schema", &["json", "scalar"]),
    ("tags", &["source", "json", "scalar", "schema"]),
    ("go", &["source", "json", "scalar", "schema", "tags"]),
    ("lint", &["source", "json", "scalar", "schema", "tags", "go"]),
    ("cel", &["json", "scalar", "schema"]),
    ("engine", &["json", "scalar", "schema", "cel"]),
    ("openapi", &["json", "scalar", "schema", "cel"]),
    ("wire", &["json", "scalar", "schema", "engine"]),
    (
        "custom",
        &["json", "scalar", "schema", "cel", "engine", "openapi", "wire"],
    ),
    ("merge", &["json", "scalar", "schema", "engine"]),
    ("emit", &["json", "scalar", "schema", "cel", "engine"]),
    (
        "native",
        &[
            "source", "json", "scalar", "schema", "tags", "go", "engine", "openapi", "wire",
        ],
    ),
    (
        "api",
        &[
            "json", "scalar", "schema", "cel", "engine", "openapi", "wire", "merge", "custom", "native",
            "store",
        ],
    ),
    (
        "server",
        &[
            "json", "scalar", "schema", "engine", "wire", "custom", "native", "store", "api",
        ],
    ),
    ("controller", &["json", "scalar", "schema", "openapi", "merge"]),
    (
        "cli",
        &[
            "source",
            "json",
            "scalar",
            "schema",
            "tags",
            "go",
            "lint",
            "cel",
            "engine",
            "openapi",
            "custom",
            "emit",
            "store",
            "wire",
            "native",
            "api",
            "server",
            "merge",
            "controller",
        ],
    ),
];

/// What only a product may use: terminals, threads of a runtime, sockets, the process itself.
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

/// Crates that touch the world: products, the server and controllers with their sockets, and the store, whose durable
/// half is a file.
const PRODUCTS: &[&str] = &["cli", "controller", "server", "store"];

#[test]
fn crates_use_only_what_lies_below_them() {
    let mut wrong = Vec::new();
    for package in packages() {
        let name = short(&package);
        let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
            wrong.push(format!(
                "crate `{name}` has no layer: add it to LAYERS in {} and to the table in ARCHITECTURE.md",
                file!()
            ));
            continue;
        };
        for used in uses(&package, "kindsmith-") {
            if !allowed.contains(&used.as_str()) {
                wrong.push(format!("`{name}` may not use `{used}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_core_does_not_touch_the_world() {
    let mut wrong = Vec::new();
    for package in packages() {
        let name = short(&package);
        if PRODUCTS.contains(&name.as_str()) {
            continue;
        }
        let outside = uses(&package, "").into_iter();
        wrong.extend(
            outside
                .filter(|used| PRODUCTS_ONLY.contains(&used.as_str()))
                .map(|used| format!("`{name}` is core and may not use `{used}`")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_layers_have_no_way_back() {
    for (index, (name, allowed)) in LAYERS.iter().enumerate() {
        let below: BTreeSet<_> = LAYERS[..index].iter().map(|(layer, _)| *layer).collect();
        for used in *allowed {
            assert!(
                below.contains(used),
                "`{name}` may not use `{used}`, which is not below it"
            );
        }
    }
}

#[test]
fn the_table_in_the_architecture_is_this_one() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is there");
    for (name, allowed) in LAYERS {
        let used = match allowed {
            [] => "nothing".to_owned(),
            _ if *name == "cli" => "everything above".to_owned(),
            _ => allowed.join(", "),
        };
        let row = format!("| `{name}` | {used} |");
        assert!(text.contains(&row), "ARCHITECTURE.md lacks the row {row}");
    }
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

/// What a package is built from (not what its tests use), of the names with `prefix`, without it.
fn uses(package: &Value, prefix: &str) -> Vec<String> {
    let dependencies = package["dependencies"]
        .as_array()
        .expect("packages list dependencies");
    let built = dependencies
        .iter()
        .filter(|dependency| dependency["kind"] != "dev");
    built
        .filter_map(|dependency| {
            dependency["name"]
                .as_str()?
                .strip_prefix(prefix)
                .map(str::to_owned)
        })
        .collect()
}
