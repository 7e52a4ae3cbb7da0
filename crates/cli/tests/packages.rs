//! Every crate can be packaged: it has what a registry and docs.rs ask for, and no file from outside.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::binary::root;

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
            "--locked",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let packages = metadata["packages"].as_array().expect("there are some");
    let is_published = |package: &&Value| package["publish"].is_null();
    packages.iter().filter(is_published).cloned().collect()
}

/// What a package lacks.
fn lacks(package: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for key in ["description", "license", "repository", "rust_version"] {
        if package[key].as_str().is_none_or(str::is_empty) {
            wrong.push(key.to_owned());
        }
    }
    if package["keywords"].as_array().is_none_or(Vec::is_empty) {
        wrong.push("keywords".to_owned());
    }
    if package["metadata"]["docs"]["rs"].is_null() {
        wrong.push("settings for docs.rs".to_owned());
    }
    let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
    let folder = manifest.parent().unwrap_or(root());
    if !folder.join("LICENSE").is_file() {
        wrong.push("LICENSE".to_owned());
    }
    for dependency in package["dependencies"].as_array().into_iter().flatten() {
        // Those of tests are left out of a package if they have no version.
        if dependency["kind"] != "dev" && dependency["req"] == "*" {
            wrong.push(format!("the version of {}", dependency["name"]));
        }
    }
    outside(&folder.join("src"), &mut wrong);
    wrong
}

/// Files that sources include from outside their crate, but for tests.
fn outside(folder: &Path, wrong: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("sources are there") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            outside(&path, wrong);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).expect("sources are text");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let depth = path
                .ancestors()
                .take_while(|above| !above.ends_with("src"))
                .count();
            let far = format!("include_str!(\"{}", "../".repeat(depth + 1));
            if lines.into_iter().any(|line| line.contains(&far)) {
                wrong.push(format!("a file inside the crate for {}", path.display()));
            }
        }
    }
}

#[test]
fn every_crate_can_be_packaged() {
    let packages = packages();
    assert!(packages.len() > 25, "{}", packages.len());
    let mut wrong = Vec::new();
    for package in &packages {
        let lacks = lacks(package);
        if !lacks.is_empty() {
            wrong.push(format!("{} lacks {}", package["name"], lacks.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
