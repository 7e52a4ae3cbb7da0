//! Markers that need another one beside them.

use kindsmith_source::{Finding, Tool};
use serde_json::Value;

use crate::Report;
use crate::declared::{Declared, Marker};
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "missing-marker",
        Tool::KubeApiLinter,
        include_str!("missing_marker.md"),
    ),
    check,
)
.alias("dependenttags")
.settings(&[Setting::tables(
    "rules",
    &["identifier", "type", "dependsOn"],
    "a marker and those it needs: `All` of them or `Any`",
)])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let rules = report.list("rules");
    for member in report.fields(&declared.types) {
        if member.doc.is_none() {
            continue;
        }
        let markers: Vec<&Marker<'_>> = declared.all_markers(member).collect();
        let has = |name: &str| markers.iter().any(|marker| marker.as_named(name).is_some());
        for rule in rules {
            let identifier = rule["identifier"].as_str().unwrap_or_default();
            if !has(identifier) {
                continue;
            }
            let needed = rule["dependsOn"].as_array().into_iter().flatten();
            let needed: Vec<&str> = needed.filter_map(Value::as_str).collect();
            let missing: Vec<&str> = needed.iter().copied().filter(|name| !has(name)).collect();
            let is_wrong = match rule["type"].as_str() {
                Some("Any") => missing.len() == needed.len(),
                _ => !missing.is_empty(),
            };
            if is_wrong {
                let names: Vec<String> = missing.iter().map(|name| format!("`+{name}`")).collect();
                let word = if rule["type"] == "Any" { " or " } else { " and " };
                let text = format!(
                    "field `{}` has `+{identifier}` without {}",
                    member.path,
                    names.join(word)
                );
                report.warn(member.name, text, |finding| finding);
            }
        }
    }
}
