//! One rule of a role: what it allows, and which other rules it covers.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;

use super::Attributes;

/// One rule of a role (`rbacv1.PolicyRule`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) verbs: Vec<String>,
    pub(super) groups: Vec<String>,
    pub(super) resources: Vec<String>,
    pub(super) names: Vec<String>,
    pub(super) paths: Vec<String>,
}

impl Rule {
    /// Reads the rules of a role.
    pub(super) fn all(role: Value<'_>) -> Vec<Rule> {
        let rules = role.get("rules").and_then(Value::as_array).unwrap_or_default();
        rules.iter().map(|&rule| Rule::read(rule)).collect()
    }

    fn read(rule: Value<'_>) -> Rule {
        let texts = |key| -> Vec<String> {
            let list = rule.get(key).and_then(Value::as_array).unwrap_or_default();
            list.iter()
                .filter_map(|text| text.as_str())
                .map(str::to_owned)
                .collect()
        };
        Rule {
            verbs: texts("verbs"),
            groups: texts("apiGroups"),
            resources: texts("resources"),
            names: texts("resourceNames"),
            paths: texts("nonResourceURLs"),
        }
    }

    /// Whether it allows this (`RuleAllows` in plugin/pkg/auth/authorizer/rbac/rbac.go).
    pub(super) fn allows(&self, wanted: &Attributes<'_>) -> bool {
        if !has_or_all(&self.verbs, wanted.verb) {
            return false;
        }
        if !wanted.is_resource {
            return self.paths.iter().any(|path| path_covers(path, wanted.path));
        }
        has_or_all(&self.groups, wanted.group)
            && self.allows_resource(&wanted.combined(), wanted.subresource)
            && (self.names.is_empty() || has(&self.names, wanted.name))
    }

    fn allows_resource(&self, combined: &str, subresource: &str) -> bool {
        self.resources.iter().any(|resource| {
            resource == "*"
                || resource == combined
                || (!subresource.is_empty() && resource.strip_prefix("*/") == Some(subresource))
        })
    }

    /// Splits the rule into rules of one verb, group, resource and name each (`BreakdownRule` in component-helpers'
    /// auth/rbac/validation/policy_comparator.go).
    fn broken_down(&self) -> Vec<Rule> {
        let one = |text: &String| vec![text.clone()];
        let names: Vec<Vec<String>> = if self.names.is_empty() {
            vec![Vec::new()]
        } else {
            self.names.iter().map(one).collect()
        };
        let mut parts = Vec::new();
        for group in &self.groups {
            for resource in &self.resources {
                for verb in &self.verbs {
                    parts.extend(names.iter().map(|names| Rule {
                        verbs: one(verb),
                        groups: one(group),
                        resources: one(resource),
                        names: names.clone(),
                        paths: Vec::new(),
                    }));
                }
            }
        }
        for path in &self.paths {
            parts.extend(self.verbs.iter().map(|verb| Rule {
                verbs: one(verb),
                paths: one(path),
                ..Rule::default()
            }));
        }
        parts
    }

    /// Whether it allows everything that such a split rule allows.
    fn covers(&self, part: &Rule) -> bool {
        let all_or_same =
            |own: &[String], wanted: &[String]| has(own, "*") || wanted.iter().all(|text| has(own, text));
        let covers_resource = |wanted: &String| {
            let subresource = wanted.split_once('/').map(|(_, name)| format!("*/{name}"));
            has(&self.resources, wanted) || subresource.is_some_and(|any| has(&self.resources, &any))
        };
        let covers_path = |wanted: &String| self.paths.iter().any(|path| path_covers(path, wanted));
        all_or_same(&self.verbs, &part.verbs)
            && all_or_same(&self.groups, &part.groups)
            && (has(&self.resources, "*") || part.resources.iter().all(covers_resource))
            && part.paths.iter().all(covers_path)
            && (self.names.is_empty()
                || (!part.names.is_empty() && part.names.iter().all(|name| has(&self.names, name))))
    }

    /// The rule as refusals show it (`CompactString` in pkg/apis/rbac/v1).
    fn compact(&self) -> String {
        let mut text = String::from("{");
        for (name, list) in [
            ("APIGroups", &self.groups),
            ("Resources", &self.resources),
            ("NonResourceURLs", &self.paths),
            ("ResourceNames", &self.names),
            ("Verbs", &self.verbs),
        ] {
            if !list.is_empty() {
                let comma = if text.len() > 1 { ", " } else { "" };
                let _ = write!(text, "{comma}{name}:{}", go_list(list));
            }
        }
        text.push('}');
        text
    }
}

/// Strings as Go prints a list of them with `%q`.
pub(super) fn go_list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quote(text)).collect();
    format!("[{}]", quoted.join(" "))
}

/// The rights in `wanted` that `own` lacks, as refusals list them; sorted.
pub(super) fn missing(own: &[Rule], wanted: &[Rule]) -> Vec<String> {
    let uncovered = wanted
        .iter()
        .flat_map(Rule::broken_down)
        .filter(|part| !own.iter().any(|rule| rule.covers(part)));
    let mut joined: Vec<Rule> = Vec::new();
    for part in uncovered {
        // Merges rules on the same resource and name.
        let same = joined.iter_mut().find(|rule| {
            !part.resources.is_empty()
                && rule.groups == part.groups
                && rule.resources == part.resources
                && rule.names == part.names
        });
        match same {
            Some(rule) => rule.verbs.extend(part.verbs),
            None => joined.push(part),
        }
    }
    let texts: BTreeSet<String> = joined.iter().map(Rule::compact).collect();
    texts.into_iter().collect()
}

fn has(list: &[String], text: &str) -> bool {
    list.iter().any(|known| known == text)
}

fn has_or_all(list: &[String], text: &str) -> bool {
    list.iter().any(|known| known == "*" || known == text)
}

/// Whether a rule's path, which may end in `*`, covers a path.
fn path_covers(rule: &str, path: &str) -> bool {
    rule == path || (rule.ends_with('*') && path.starts_with(rule.trim_end_matches('*')))
}
