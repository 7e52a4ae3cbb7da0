//! Licenses and sources of all dependencies, as `deny.toml` allows them.

use std::process::Command;

use crate::binary::root;
use serde_json::Value;

/// The strings of a list in `deny.toml`.
fn allowed(key: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("it is there");
    let start = format!("{key} = [");
    let list = text.lines().find_map(|line| line.strip_prefix(&start));
    let list = list.expect("it has the list").trim_end_matches(']');
    list.split(',')
        .map(|text| text.trim().trim_matches('"').to_owned())
        .collect()
}

/// Whether a license expression is satisfied by licenses that are allowed.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ");
    let bare = |text: &str| text.trim().trim_matches(['(', ')']).trim().to_owned();
    // `AND` binds closer unless there are parentheses, which stand only around alternatives.
    if expression.contains('(') {
        expression.split(" AND ").all(|part| any(&bare(part), allowed))
    } else {
        any(&expression, allowed)
    }
}

fn any(expression: &str, allowed: &[String]) -> bool {
    expression.split(" OR ").any(|all| {
        let mut parts = all.split(" AND ").map(str::trim);
        parts.all(|license| allowed.iter().any(|known| known == license))
    })
}

#[test]
fn dependencies_have_allowed_licenses_and_sources() {
    let (licenses, registries) = (allowed("allow"), allowed("allow-registry"));
    // Not offline: a build fetches the crates of its own platform only.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let packages = metadata["packages"].as_array().expect("there are some");
    let mut wrong = Vec::new();
    for package in packages {
        let name = &package["name"];
        let license = package["license"].as_str().unwrap_or_default();
        if !is_allowed(license, &licenses) {
            wrong.push(format!("{name} has the license {license:?}"));
        }
        if let Some(source) = package["source"].as_str()
            && !registries
                .iter()
                .any(|registry| source.strip_prefix("registry+") == Some(registry))
        {
            wrong.push(format!("{name} comes from {source}"));
        }
    }
    assert!(packages.len() > 100 && wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn expressions_of_licenses() {
    let allowed = ["MIT".to_owned(), "ISC".to_owned()];
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND ISC", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR GPL-3.0) AND ISC", true),
        ("(MIT OR GPL-3.0) AND GPL-3.0", false),
        ("", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
    }
}
