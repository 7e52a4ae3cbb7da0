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
            if let Some(part) = indexed(&cel.rule).filter(|_| !is_symmetric(&cel.rule)) {
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
        (!is_word && inside.starts_with(|c: char| c.is_ascii_digit())).then(|| &rule[at..=at + start.len()])
    })
}

/// Whether a rule about the first two items says the same if they change places, as `self[0] != self[1]` does.
fn is_symmetric(rule: &str) -> bool {
    let swapped = rule
        .replace("self[0]", "\0")
        .replace("self[1]", "self[0]")
        .replace('\0', "self[1]");
    let has_others =
        rule.matches("elf[").count() != rule.matches("self[0]").count() + rule.matches("self[1]").count();
    !has_others && rule.contains("self[1]") && conditions(rule) == conditions(&swapped)
}

/// The conditions that a rule is made of, sorted, as are the two sides of an equation.
fn conditions(rule: &str) -> Vec<String> {
    let mut found: Vec<String> = parts(rule)
        .into_iter()
        .map(|part| {
            let equation = ["==", "!="]
                .into_iter()
                .find_map(|sign| Some((sign, part.split_once(sign)?)));
            match equation {
                Some((sign, (one, other))) if other.trim() < one.trim() => {
                    format!("{}{sign}{}", other.trim(), one.trim())
                }
                Some((sign, (one, other))) => format!("{}{sign}{}", one.trim(), other.trim()),
                None => part.trim().to_owned(),
            }
        })
        .collect();
    found.sort_unstable();
    found
}

/// The text between logical operators and the parentheses around them; those of calls stay.
fn parts(rule: &str) -> Vec<&str> {
    let (mut found, mut start, mut calls) = (Vec::new(), 0, Vec::new());
    let mut before = ' ';
    for (at, letter) in rule.char_indices() {
        let is_call = letter == '(' && (before.is_alphanumeric() || before == '_');
        let ends = match letter {
            '(' => {
                calls.push(is_call);
                !is_call
            }
            ')' => calls.pop() == Some(false),
            '&' | '|' | '?' | ':' => !calls.contains(&true),
            _ => false,
        };
        if ends {
            found.push(&rule[start..at]);
            start = at + 1;
        }
        before = letter;
    }
    found.push(&rule[start..]);
    found.retain(|part| !part.trim().is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_say_the_same_of_swapped_items() {
        for (rule, expected) in [
            ("self[0] != self[1]", true),
            (
                "size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? ip(self[0]).family() != ip(self[1]).family() : true",
                true,
            ),
            (
                "self == oldSelf || (size(self) == 2 && isIP(self[0]) && isIP(self[1]) ? f(self[0]) != f(self[1]) : true)",
                true,
            ),
            ("self[0] < self[1]", false),
            ("self[0] == 'a' && self[1] == 'b'", false),
            ("self[0] == 'a'", false),
            ("self[0] != self[1] && self[2] == 'c'", false),
            ("f(self[0], self[1])", false),
            ("self[0] == oldSelf[0] && self[1] == oldSelf[1]", false),
        ] {
            assert_eq!(is_symmetric(rule), expected, "{rule}");
        }
    }
}
