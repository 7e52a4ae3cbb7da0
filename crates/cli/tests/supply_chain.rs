//! Licenses and sources of all dependencies, as `deny.toml` allows them, and advisories about them.

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

/// The numbers of a version; what follows a hyphen or plus is left out.
fn numbers(version: &str) -> [u64; 3] {
    let release = version.split(['-', '+']).next().unwrap_or_default();
    let mut parts = release
        .split('.')
        .map(|part| part.trim().parse().unwrap_or_default());
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

/// Whether a version is in a range such as `>= 1.2.3, < 1.3` or `^1.4`.
fn is_within(version: &str, range: &str) -> bool {
    let own = numbers(version);
    range.split(',').map(str::trim).all(|bound| {
        let start = bound.find(|c: char| c.is_ascii_digit()).unwrap_or(bound.len());
        let (operator, bound) = bound.split_at(start);
        let bound = numbers(bound);
        match operator.trim() {
            ">=" => own >= bound,
            ">" => own > bound,
            "<=" => own <= bound,
            "<" => own < bound,
            "=" => own == bound,
            "^" | "" => own >= bound && own[..significant(bound)] == bound[..significant(bound)],
            "~" => own >= bound && own[..2] == bound[..2],
            other => panic!("unknown operator {other:?} in {range:?}"),
        }
    })
}

/// How many numbers of a version may not change in a compatible one.
fn significant(version: [u64; 3]) -> usize {
    version.iter().position(|part| *part > 0).map_or(3, |at| at + 1)
}

#[test]
fn ranges_of_versions() {
    for (version, range, expected) in [
        ("1.5.1", ">= 1.5.1, < 1.6.0", true),
        ("1.6.0", ">= 1.5.1, < 1.6.0", false),
        ("1.6.2", "^1.4", true),
        ("2.0.0", "^1.4", false),
        ("0.3.9", "^0.3.2", true),
        ("0.4.0", "^0.3.2", false),
        ("0.0.4", "^0.0.3", false),
        ("1.2.9", "~1.2.3", true),
        ("1.3.0", "~1.2.3", false),
        ("1.0.0-rc.1", "= 1.0.0", true),
    ] {
        assert_eq!(is_within(version, range), expected, "{version} {range}");
    }
}

/// Without a network: `e2e/supply-chain/advisories` brings the list up to date, and `e2e/supply-chain/check` asks the newest
/// one before a release.
#[test]
fn no_dependency_has_a_known_vulnerability() {
    let list = root().join("e2e/supply-chain/advisories.tsv");
    let list = std::fs::read_to_string(list).expect("it is there");
    let lines = list.lines().skip(1);
    let advisories: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    let (mut wrong, mut packages) = (Vec::new(), 0);
    for lock in ["Cargo.lock", "fuzz/Cargo.lock", "benches/Cargo.lock"] {
        let text = std::fs::read_to_string(root().join(lock)).expect("it is there");
        for package in text.split("[[package]]").skip(1) {
            let value = |key: &str| {
                let start = format!("{key} = \"");
                let line = package.lines().find_map(|line| line.strip_prefix(&start));
                line.map_or("", |line| line.trim_end_matches('"'))
            };
            let (name, version) = (value("name"), value("version"));
            packages += 1;
            for advisory in advisories.iter().filter(|advisory| advisory[0] == name) {
                let mut ranges = advisory[2..].iter().flat_map(|ranges| ranges.split("; "));
                if !ranges.any(|range| !range.is_empty() && is_within(version, range)) {
                    wrong.push(format!("{lock}: {name} {version}: {}", advisory[1]));
                }
            }
        }
    }
    assert!(
        advisories.len() > 900 && packages > 300,
        "{} and {packages}",
        advisories.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
