//! Stability levels inside a chain of tags, where upstream's linter does not allow them.

use kindsmith_schema::{Family, Owner, Part, Wrap};
use kindsmith_source::{Finding, Tool};

use super::Rule;
use crate::reach::Reach;
use crate::{Report, linted};

pub(super) const RULE: Rule = Rule::reach(
    Finding::new(
        "level-position",
        Tool::ValidationGen,
        include_str!("level_position.md"),
    ),
    check,
);

fn check(reach: &Reach<'_>, report: &mut Report<'_>) {
    let types = linted::types(reach);
    for (owner, rules) in linted::declarations(reach.schema, &types) {
        // Upstream reports one finding per comment.
        let mut inner = rules
            .iter()
            .enumerate()
            .filter(|(_, rule)| rule.family == Family::Declarative);
        let found = inner.find_map(|(index, rule)| Some((index, misplaced(&rule.wraps)?)));
        if let Some((index, level)) = found {
            tell(reach, report, owner, index as u32, level);
        }
    }
}

/// The first level that is not outermost.
fn misplaced(wraps: &[Wrap]) -> Option<&'static str> {
    wraps.iter().skip(1).find_map(|wrap| match wrap {
        Wrap::Level { level, .. } => Some(level.name()),
        _ => None,
    })
}

fn tell(reach: &Reach<'_>, report: &mut Report<'_>, owner: Owner, index: u32, level: &str) {
    let text = format!("tag \"k8s:{level}\" can't be used in between");
    report.error(
        &[owner.part(Part::Rule(index)), owner.part(Part::Name)],
        text.clone(),
        |finding| {
            finding
                .help(format!(
                    "write `+k8s:{level}=` first and the rest of the chain after it"
                ))
                .upstream(linted::upstream_text(reach.schema, owner, &text))
        },
    );
}
