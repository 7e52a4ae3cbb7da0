//! Uses of a type in fields and type declarations, for the rules that discourage one.

use kindsmith_schema::{Shape, TypeRef};

use crate::Report;
use crate::declared::{Declared, walk};

/// Reports every part of a type for which `problem` has words, in fields and in type declarations. The words follow
/// "field `Spec.Count` …".
pub(super) fn report(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    help: &str,
    problem: impl Fn(&str, &TypeRef) -> Option<&'static str>,
) {
    for member in report.fields(&declared.types) {
        let found = parts(declared, member.package, &member.field.ty, &problem);
        for (way, words) in found {
            let text = format!("field `{}`{way} {words}", member.path);
            report.warn(member.name, text, |finding| finding.help(help));
        }
    }
    for named in report.types(&declared.types) {
        let (Shape::Def(target) | Shape::Alias(target), Some(name)) = (&named.ty.shape, named.name) else {
            continue;
        };
        let found = parts(declared, &named.ty.name.package, target, &problem);
        for (way, words) in found {
            let text = format!("type `{}`{way} {words}", named.ty.name.name);
            report.warn(name, text, |finding| finding.help(help));
        }
    }
}

fn parts(
    declared: &Declared<'_>,
    package: &str,
    of: &TypeRef,
    problem: &impl Fn(&str, &TypeRef) -> Option<&'static str>,
) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    walk(declared.schema, package, of, &mut |part, way| {
        match problem(package, part) {
            Some(words) => found.push((way.to_owned(), words)),
            None => return true,
        }
        false
    });
    found
}
