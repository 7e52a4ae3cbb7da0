//! Which findings are wanted, of rules and of readers.

use kindsmith_source::{Diagnostic, Severity, SourceMap, Tool};

use super::{Config, GROUPS, Named, is_unknown_tag, names};
use crate::rule::{RULES, Rule};

impl Config {
    /// Whether a finding is wanted. Findings of rules were selected when the rules ran; those of readers are decided
    /// here. An error stops generators, so it is only dropped by its own code.
    #[must_use]
    pub fn keeps(&self, sources: &SourceMap, finding: &Diagnostic) -> bool {
        let code = finding.code();
        let is_rule = Rule::find(code).is_some();
        let by_code = |selectors: &[String]| selectors.iter().any(|selector| selector == code);
        if by_code(&self.ignore) || (!is_rule && self.is_deselected(finding)) {
            return false;
        }
        if is_unknown_tag(finding) && self.knows(sources.text(finding.span)) {
            return false;
        }
        let file = sources.file(finding.span.file).name();
        !self
            .per_path
            .iter()
            .filter(|per_path| per_path.path.matches(file))
            .any(|per_path| per_path.ignore.iter().any(|selector| is_named(selector, finding)))
    }

    /// Whether a list of rules to run leaves out a finding of a reader.
    fn is_deselected(&self, finding: &Diagnostic) -> bool {
        let mut wanted = self.select.iter().chain(&self.extend_select);
        finding.severity != Severity::Error
            && !self.select.is_empty()
            && !wanted.any(|selector| is_named(selector, finding))
    }
}

fn is_named(selector: &str, finding: &Diagnostic) -> bool {
    match Rule::find(finding.code()) {
        Some(rule) => names(selector, &rule.facts) != Named::Not,
        None => {
            matches!(selector, "all" | "default")
                || selector == finding.code()
                || selector == finding.finding.tool().name()
        }
    }
}

/// Whether a selector names something that this crate knows.
#[must_use]
pub fn is_known_selector(selector: &str) -> bool {
    GROUPS.contains(&selector)
        || Tool::ALL.iter().any(|tool| tool.name() == selector)
        || RULES
            .iter()
            .any(|rule| names(selector, &rule.facts) == Named::Rule)
}
