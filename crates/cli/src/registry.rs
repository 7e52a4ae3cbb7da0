//! All findings of all crates: what `kindsmith rules` shows and `docs/rules.md` lists. A crate that reports findings has
//! one line here; the crate itself lists its findings.

use kindsmith_source::{Finding, Tool};
use kindsmith_tags::catalogue::nearest_of;

/// All findings, by code.
#[must_use]
pub fn findings() -> Vec<&'static Finding> {
    let mut all = sources();
    all.extend(crate::finding::FINDINGS);
    all.extend(kindsmith_compat::findings());
    all.sort_by_key(|finding| finding.code());
    all
}

/// The findings in Go sources: what `kindsmith lint` looks for.
#[must_use]
pub fn sources() -> Vec<&'static Finding> {
    let lists = [
        kindsmith_go::finding::FINDINGS,
        kindsmith_tags::finding::FINDINGS,
        kindsmith_lint::finding::FINDINGS,
    ];
    let rules = kindsmith_lint::RULES.iter().map(|rule| &rule.facts.finding);
    lists.into_iter().flatten().copied().chain(rules).collect()
}

/// The findings on behalf of a tool, by code.
#[must_use]
pub fn of(tool: Tool) -> Vec<&'static Finding> {
    let mut all = findings();
    all.retain(|finding| finding.tool() == tool);
    all
}

/// The finding with exactly this code.
#[must_use]
pub fn find(code: &str) -> Option<&'static Finding> {
    findings().into_iter().find(|finding| finding.code() == code)
}

/// The known code most similar to a misspelled one, if any is close.
#[must_use]
pub fn nearest(code: &str) -> Option<&'static str> {
    nearest_of(code, findings().into_iter().map(Finding::code))
}
