//! Rules that count on the order of a list that has none.

use kindsmith_schema::{Facet, ListType};
use kindsmith_source::{Finding, Tool};

use super::facts::facets;
use crate::Report;
use crate::declared::Declared;
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("ordered-rule", Tool::Kindsmith, include_str!("ordered_rule.md")),
    check,
)
.about(About::All);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let facets = facets(declared.schema, member.field);
        let list = facets.iter().find_map(|facet| match facet {
            Facet::ListType(list @ (ListType::Map | ListType::Set)) => Some(list.name()),
            _ => None,
        });
        let Some(list) = list else {
            continue;
        };
        for facet in &facets {
            let Facet::Cel(cel) = facet else {
                continue;
            };
            if let Some(part) = indexed(&cel.rule) {
                let text = format!(
                    "field `{}`: `{part}…` depends on the order of a list of type `{list}`",
                    member.path
                );
                report.warn(member.name, text, |finding| {
                    finding.help("select the item by its key: `self.exists(item, item.name == …)`")
                });
            }
        }
    }
}

/// An item by its number.
fn indexed(rule: &str) -> Option<&str> {
    ["self[", "oldSelf["].into_iter().find_map(|start| {
        let at = rule.find(start)?;
        let inside = &rule[at + start.len()..];
        let is_word = rule[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
        (!is_word && inside.starts_with(|c: char| c.is_ascii_digit()))
            .then(|| &rule[at..at + start.len() + 1])
    })
}
