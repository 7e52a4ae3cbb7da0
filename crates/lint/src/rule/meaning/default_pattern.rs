//! Defaults that the pattern, format or length of their field rejects.

use kindsmith_formats::{format, strfmt};
use kindsmith_gostd::regexp::Regexp;
use kindsmith_json::Arena;
use kindsmith_schema::Facet;
use kindsmith_source::{Finding, Tool};

use super::facts::{default, default_place, facets};
use crate::Report;
use crate::declared::Declared;
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "default-pattern",
        Tool::Kindsmith,
        include_str!("default_pattern.md"),
    ),
    check,
)
.about(About::All);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let Some(value) = default(member.field) else {
            continue;
        };
        let arena = Arena::new();
        let value = value.value(&arena);
        let Some(text) = value.as_str() else {
            continue;
        };
        for facet in facets(declared.schema, member.field) {
            let problem = match facet {
                Facet::Pattern(pattern) => Regexp::new(pattern)
                    .is_ok_and(|pattern| !pattern.is_match(text))
                    .then(|| format!("does not match `{pattern}`")),
                Facet::Format(name) if !has_format(text, name) => Some(format!("is not a valid `{name}`")),
                Facet::MinLength(limit) if (text.chars().count() as i64) < *limit => {
                    Some(format!("is shorter than {limit} characters"))
                }
                _ => None,
            };
            if let Some(problem) = problem {
                let place = default_place(report, member);
                let message = format!("the default of field `{}` {problem}", member.path);
                report.warn(place, message, |finding| finding);
            }
        }
    }
}

/// Whether a text has a format of declarative validation or of CRDs; unknown formats accept everything.
fn has_format(text: &str, name: &str) -> bool {
    let native = format::find(name).map(|found| format::is_valid(found, text));
    let published = || strfmt::find(strfmt::Applies::String, name).map(|found| (found.check)(text));
    native.or_else(published).unwrap_or(true)
}
