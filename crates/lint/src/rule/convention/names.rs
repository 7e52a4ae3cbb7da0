//! Names of fields that a convention forbids.

use kindsmith_gostd::regexp::Regexp;
use kindsmith_source::{Fix, Span};

use crate::Report;
use crate::declared::{Declared, Member};

/// A convention for names.
pub(super) struct Convention<'a> {
    /// What a name must not contain.
    pub(super) matcher: Regexp,
    /// Why.
    pub(super) message: &'a str,
    pub(super) operation: Operation<'a>,
}

/// What to do about a name.
pub(super) enum Operation<'a> {
    /// Only tell.
    Inform,
    /// Remove the field.
    DropField,
    /// Put a text in its place; `$1` stands for a final `s` that was matched.
    Replace(&'a str),
}

pub(super) fn report(declared: &Declared<'_>, report: &mut Report<'_>, conventions: &[Convention<'_>]) {
    for member in report.fields(&declared.types) {
        if member.field.embedded {
            continue;
        }
        for convention in conventions {
            let matcher = &convention.matcher;
            if !matcher.is_match(&member.field.name) && !matcher.is_match(&member.field.json.name) {
                continue;
            }
            let text = format!("field `{}`: {}", member.path, convention.message);
            let fix = fix(declared, member, convention);
            report.warn(member.name, text, |finding| match fix {
                Some(fix) => finding.fix_with(fix),
                None => finding,
            });
        }
    }
}

fn fix(declared: &Declared<'_>, member: &Member<'_>, convention: &Convention<'_>) -> Option<Fix> {
    match convention.operation {
        Operation::Inform => None,
        Operation::DropField => {
            let place = whole(declared, member);
            Some(Fix::risky("remove the field").edit(place, ""))
        }
        Operation::Replace(replacement) => {
            let name = replaced(&member.field.name, &convention.matcher, replacement);
            let json = replaced(&member.field.json.name, &convention.matcher, replacement);
            let mut first = json.chars();
            let json: String = first
                .next()
                .into_iter()
                .flat_map(char::to_lowercase)
                .chain(first)
                .collect();
            if name.is_empty() || json.is_empty() {
                return None;
            }
            let value = member.json_value(declared)?;
            let value = value.part(0, member.field.json.name.len());
            let fix = Fix::risky(format!("call it `{name}`"));
            Some(fix.edit(member.name, name).edit(value, json))
        }
    }
}

/// The lines of a field with its comment.
fn whole(declared: &Declared<'_>, member: &Member<'_>) -> Span {
    let text = declared.sources.file(member.span.file).text();
    let start = member.doc.map_or(member.span.start, |doc| doc.start) as usize;
    let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = member.span.end as usize;
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    Span::new(member.span.file, start as u32, end as u32)
}

fn replaced(name: &str, matcher: &Regexp, replacement: &str) -> String {
    let (mut text, mut done) = (String::new(), 0);
    for found in matcher.find_all(name, None) {
        text.push_str(&name[done..found.start]);
        let plural = if name[found.clone()].ends_with('s') {
            "s"
        } else {
            ""
        };
        text.push_str(&replacement.replace("$1", plural));
        done = found.end;
    }
    text.push_str(&name[done..]);
    text
}
