//! What the user wants: which rules, where, and with which settings. Text in, decisions out; knows no files.

mod glob;
mod read;
mod select;

use std::collections::BTreeMap;

use kindsmith_source::{Diagnostic, Tool};
use serde_json::Value;

use crate::PackageKind;
use crate::facts::Facts;
use glob::Glob;

pub use read::ConfigError;
pub use select::is_known_selector;

/// Which rules run, where, and with which settings.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The release of Kubernetes that is the reference, as written.
    pub kubernetes_version: Option<String>,
    /// What every package is taken for, instead of what its code says.
    pub packages: Option<PackageKind>,
    /// Selectors of the rules to run instead of the default ones.
    pub select: Vec<String>,
    /// Selectors of rules to run besides.
    pub extend_select: Vec<String>,
    /// Selectors of rules not to run.
    pub ignore: Vec<String>,
    /// Names of markers of the project's own generators, which are not unknown.
    pub known_tags: Vec<String>,
    per_path: Vec<PerPath>,
    settings: BTreeMap<&'static str, BTreeMap<String, Value>>,
}

#[derive(Debug, Clone)]
struct PerPath {
    path: Glob,
    ignore: Vec<String>,
}

/// What a selector names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Not,
    /// By its group: the rule runs where it applies.
    Group,
    /// By its own name: the rule runs everywhere.
    Rule,
}

/// The keys of `[lint]`, and what each is for.
pub const KEYS: [(&str, &str); 7] = [
    (
        "select",
        "rules to run instead of the default ones: codes, kube-api-linter's names, groups or tools",
    ),
    ("extend-select", "rules to run besides"),
    ("ignore", "rules not to run"),
    (
        "known-tags",
        "names of markers of your own generators, which are not unknown",
    ),
    (
        "packages",
        "what packages are taken for, instead of what their code says: `auto`, `native`, `crd` or `library`",
    ),
    (
        "per-path",
        "a table of path patterns, each with rules to ignore: `\"internal/**\" = { ignore = [\"all\"] }`",
    ),
    ("rules", "a table for each rule with settings, below"),
];

/// Words that select several rules.
pub const GROUPS: [&str; 3] = ["all", "default", "conventions"];

impl Config {
    /// Whether a rule runs on packages of a kind.
    #[must_use]
    pub fn runs(&self, rule: &Facts, kind: PackageKind) -> bool {
        let kind = self.packages.unwrap_or(kind);
        let is_ignored = self
            .ignore
            .iter()
            .any(|selector| names(selector, rule) != Named::Not);
        let selected = |selectors: &[String]| {
            selectors.iter().any(|selector| match names(selector, rule) {
                Named::Not => false,
                Named::Group => match &**selector {
                    "default" => rule.is_on(kind),
                    _ => rule.applies_to(kind),
                },
                Named::Rule => true,
            })
        };
        let is_selected = if self.select.is_empty() {
            rule.is_on(kind)
        } else {
            selected(&self.select)
        };
        !is_ignored && (is_selected || selected(&self.extend_select))
    }

    /// Whether the text of a marker starts with a known name.
    fn knows(&self, text: &str) -> bool {
        let text = text.trim_start_matches(['/', ' ', '+']);
        self.known_tags.iter().any(|name| text.starts_with(&**name))
    }

    /// A setting of a rule, if it is set.
    #[must_use]
    pub(crate) fn setting(&self, rule: &Facts, name: &str) -> Option<&Value> {
        self.settings.get(rule.finding.code())?.get(name)
    }

    /// Changes a setting of a rule.
    pub fn set(&mut self, rule: &'static Facts, name: &str, value: Value) {
        let settings = self.settings.entry(rule.finding.code()).or_default();
        settings.insert(name.to_owned(), value);
    }
}

/// Whether a finding is about a tag that no tool has.
pub(crate) fn is_unknown_tag(finding: &Diagnostic) -> bool {
    finding.code() == "unknown-tag"
}

/// What a selector says about a rule.
fn names(selector: &str, rule: &Facts) -> Named {
    if selector == rule.finding.code() || Some(selector) == rule.alias {
        return Named::Rule;
    }
    let in_group = match selector {
        "all" | "default" => true,
        "conventions" => rule.finding.tool() == Tool::KubeApiLinter,
        tool => rule.finding.tool().name() == tool,
    };
    if in_group { Named::Group } else { Named::Not }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rule;

    fn on(config: &str, code: &str, kind: PackageKind) -> bool {
        let config = Config::parse(config).expect("a valid file");
        config.runs(&Rule::find(code).expect("a rule").facts, kind)
    }

    #[test]
    fn selectors_are_codes_aliases_and_groups() {
        use PackageKind::{Custom, Library, Native};
        assert!(!on("", "bool-field", Custom));
        assert!(on("[lint]\nselect = [\"nobools\"]", "bool-field", Library));
        assert!(on("[lint]\nselect = [\"conventions\"]", "bool-field", Native));
        assert!(!on("[lint]\nselect = [\"conventions\"]", "bool-field", Library));
        assert!(!on("[lint]\nselect = [\"conventions\"]", "requiredness", Native));
        assert!(!on(
            "[lint]\nselect = [\"all\"]\nignore = [\"nobools\"]",
            "bool-field",
            Custom
        ));
        assert!(on(
            "[lint]\nextend-select = [\"nobools\"]",
            "requiredness",
            Native
        ));
        assert!(on(
            "[lint]\npackages = \"crd\"\nselect = [\"all\"]",
            "bool-field",
            Library
        ));
    }
}
