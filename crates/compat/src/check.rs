//! Compares fragments of CRDs in tests: the properties of `spec`, or lines of the CRD's own spec.

use kindsmith_json::{Arena, yaml};
use kindsmith_openapi::crd::{self, Definition, Source};
use kindsmith_source::Finding;

use crate::{Change, compare};

/// The spec of the CRD around a fragment, one line for each key.
const SPEC: [&str; 4] = [
    "group: park.example.org",
    "scope: Namespaced",
    "names: {plural: gates, singular: gate, kind: Gate, listKind: GateList}",
    "versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]",
];

/// Compares two fragments and expects changes of one kind, each as `class path: message`.
pub(crate) fn check(finding: &'static Finding, old: &str, new: &str, expected: &[&str]) {
    let found: Vec<String> = changes(old, new)
        .iter()
        .filter(|change| change.finding == finding)
        .map(|change| format!("{} {}: {}", change.class.name(), change.path, change.message))
        .collect();
    assert_eq!(found, expected, "{old}\n=>\n{new}");
}

/// What happens to stored objects, for each change of one kind.
pub(crate) fn check_stored(finding: &'static Finding, old: &str, new: &str, expected: &[&str]) {
    let found: Vec<String> = changes(old, new)
        .into_iter()
        .filter(|change| change.finding == finding)
        .filter_map(|change| change.stored)
        .collect();
    assert_eq!(found, expected, "{old}\n=>\n{new}");
}

pub(crate) fn changes(old: &str, new: &str) -> Vec<Change> {
    compare(&definitions(old), &definitions(new))
}

fn definitions(fragment: &str) -> Vec<Definition> {
    let Some(text) = text(fragment) else {
        return Vec::new();
    };
    let arena = Arena::new();
    let value = yaml::parse(&arena, text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let read = crd::read(value, Source::Unknown).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut definition = read.definition;
    definition.default_fields();
    vec![definition]
}

/// The CRD around a fragment; `None` if the fragment is empty.
pub(crate) fn text(fragment: &str) -> Option<String> {
    let is_comment = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let lines: Vec<&str> = fragment.lines().filter(|line| !is_comment(line)).collect();
    let key = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
    let first = key(lines.first()?);
    let mut spec: Vec<String> = Vec::new();
    if ["properties", "required", "type", "x-kubernetes-validations"].contains(&&*first) {
        spec.extend(SPEC[..3].iter().map(|line| (*line).to_owned()));
        spec.extend(
            [
                "versions:",
                "- name: v1",
                "  served: true",
                "  storage: true",
                "  schema:",
                "    openAPIV3Schema:",
            ]
            .map(str::to_owned),
        );
        spec.extend(
            [
                "      type: object",
                "      properties:",
                "        spec:",
                "          type: object",
            ]
            .map(str::to_owned),
        );
        spec.extend(lines.iter().map(|line| format!("          {line}")));
    } else {
        let given: Vec<String> = lines.iter().map(|line| key(line)).collect();
        let kept = SPEC.iter().filter(|line| !given.contains(&key(line)));
        spec.extend(kept.map(|line| (*line).to_owned()));
        spec.extend(lines.iter().map(|line| (*line).to_owned()));
    }
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: gates.park.example.org}\nspec:\n";
    Some(format!("{head}  {}\n", spec.join("\n  ")))
}

/// The fenced YAML blocks below a heading of a page.
fn blocks(page: &str, heading: &str) -> Vec<String> {
    let start = format!("## {heading}\n");
    let (_, section) = page.split_once(&start).unwrap_or_default();
    let section = section.split("\n## ").next().unwrap_or_default();
    let blocks = section.split("```yaml\n").skip(1);
    blocks
        .filter_map(|block| Some(block.split_once("```")?.0.to_owned()))
        .collect()
}

#[test]
fn examples_on_pages_are_true() {
    for rule in crate::RULES {
        let (code, page) = (rule.finding.code(), rule.finding.page());
        let example = blocks(page, "Example");
        let [old, new] = &example[..] else {
            panic!(
                "{code} shows {} blocks instead of before and after",
                example.len()
            );
        };
        let reports = |new: &str| {
            changes(old, new)
                .iter()
                .any(|change| change.finding == rule.finding)
        };
        assert!(reports(new), "{code}: the example is not reported");
        for better in blocks(page, "Use instead") {
            assert!(!reports(&better), "{code}: what is recommended is reported");
        }
    }
}

#[test]
fn nothing_changes_between_equal_crds() {
    for rule in crate::RULES {
        for text in blocks(rule.finding.page(), "Example") {
            assert_eq!(changes(&text, &text), [], "{}", rule.finding.code());
        }
    }
}
