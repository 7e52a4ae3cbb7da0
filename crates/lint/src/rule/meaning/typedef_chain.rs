//! Type declarations over a named type whose rules they lose.

use kindsmith_schema::{Family, Shape, TypeRef};
use kindsmith_source::{Finding, Tool};

use crate::Report;
use crate::declared::Declared;
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("typedef-chain", Tool::Kindsmith, include_str!("typedef_chain.md")),
    check,
)
.about(About::All);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for named in report.types(&declared.types) {
        let (Shape::Def(TypeRef::Named(inner)), Some(name)) = (&named.ty.shape, named.name) else {
            continue;
        };
        let inner = declared.schema.ty(*inner);
        let rule = inner.rules.iter().find(|rule| rule.family == Family::Declarative);
        let Some(rule) = rule else {
            continue;
        };
        let outer = &named.ty.name.name;
        let text = format!(
            "`+k8s:{}` and other rules of `{}` do not apply to `{outer}`",
            rule.facet.name(),
            inner.name.name
        );
        report.warn(name, text, |finding| {
            finding.help(format!(
                "repeat the rules on `{outer}`, or use `{}` itself",
                inner.name.name
            ))
        });
    }
}
