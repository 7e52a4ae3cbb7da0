//! Limits that no value meets.

use kindsmith_schema::Facet;
use kindsmith_source::{Finding, Tool};

use super::facts::{facets, number};
use crate::Report;
use crate::declared::Declared;
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "impossible-bounds",
        Tool::Kindsmith,
        include_str!("impossible_bounds.md"),
    ),
    check,
)
.about(About::All);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let facets = facets(declared.schema, member.field);
        for (what, low, high) in ends(&facets) {
            if low > high {
                let text = format!(
                    "field `{}`: no value has {what} from {low} to {high}",
                    member.path
                );
                report.warn(member.name, text, |finding| {
                    finding.help("swap the limits, or remove one")
                });
            }
        }
    }
}

/// The lowest and highest value of each kind of limit that has both ends.
fn ends(facets: &[&Facet]) -> Vec<(&'static str, f64, f64)> {
    let kinds = ["a value", "a length", "a number of items", "a number of entries"];
    let end = |kind: usize, is_low: bool| {
        let values = facets.iter().filter_map(|facet| {
            let (of, low, value) = limit(facet)?;
            (of == kind && low == is_low).then_some(value)
        });
        values.reduce(if is_low { f64::max } else { f64::min })
    };
    let ends = (0..kinds.len()).filter_map(|kind| Some((kinds[kind], end(kind, true)?, end(kind, false)?)));
    ends.collect()
}

/// Which limit a check is, whether it is the lower one, and its value.
fn limit(facet: &Facet) -> Option<(usize, bool, f64)> {
    Some(match facet {
        Facet::Minimum(bound) => (0, true, number(&bound.limit)?),
        Facet::Maximum(bound) => (0, false, number(&bound.limit)?),
        Facet::MinLength(limit) => (1, true, *limit as f64),
        Facet::MaxLength(limit) => (1, false, *limit as f64),
        Facet::MinItems(limit) => (2, true, *limit as f64),
        Facet::MaxItems(limit) => (2, false, *limit as f64),
        Facet::MinProperties(limit) => (3, true, *limit as f64),
        Facet::MaxProperties(limit) => (3, false, *limit as f64),
        _ => return None,
    })
}
