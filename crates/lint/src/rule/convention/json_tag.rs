//! Missing and misspelled `json` tags.

use kindsmith_gostd::regexp::Regexp;
use kindsmith_source::{Diagnostic, Finding, Fix, Tool};

use super::words;
use crate::Report;
use crate::declared::{Declared, Member};
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("json-tag", Tool::KubeApiLinter, include_str!("json_tag.md")),
    check,
)
.alias("jsontags")
.settings(&[
    Setting::text(
        "jsonTagRegex",
        "^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)*$",
        "the names that are allowed",
    ),
    Setting::choice(
        "fieldNameMatch",
        &["Ignore", "Warn", "SuggestFix"],
        "whether the name must be the Go name in camel case",
    ),
])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let pattern = report.text("jsonTagRegex");
    // An invalid pattern of one's own allows everything; the command checks it when it reads the file.
    let allowed = Regexp::new(pattern).ok();
    for named in report.types(&declared.types) {
        // Errors and other values of code have no tags at all.
        if !named.fields.iter().any(|member| member.field.json.present) {
            continue;
        }
        for member in named.fields.iter().filter(|member| !member.is_skipped()) {
            let Some(problem) = problem(member, allowed.as_ref()) else {
                name_match(declared, report, member);
                continue;
            };
            let text = format!("field `{}` {problem}", member.path);
            report.warn(member.name, text, |finding| help(finding, member));
            if member.field.json.present && !member.field.json.name.is_empty() {
                name_match(declared, report, member);
            }
        }
    }
}

fn problem(member: &Member<'_>, allowed: Option<&Regexp>) -> Option<String> {
    let (tag, embedded) = (&member.field.json, member.field.embedded);
    let is_inline = tag.present && tag.name.is_empty() && tag.inline;
    match &*tag.name {
        _ if !tag.present => Some("has no `json` tag".to_owned()),
        "" if is_inline && !embedded => Some("has an inline `json` tag but is not embedded".to_owned()),
        "" if !embedded => Some("has a `json` tag without a name".to_owned()),
        "" => None,
        name if allowed.is_some_and(|allowed| !allowed.is_match(name)) => {
            Some(format!("is called `{name}` in JSON, which is not camel case"))
        }
        _ => None,
    }
}

fn help(finding: Diagnostic, member: &Member<'_>) -> Diagnostic {
    if member.field.embedded {
        finding.help("write `json:\",inline\"`")
    } else {
        finding.help(format!(
            "write `json:\"{}\"`",
            words::camel_case(&member.field.name)
        ))
    }
}

fn name_match(declared: &Declared<'_>, report: &mut Report<'_>, member: &Member<'_>) {
    let policy = report.text("fieldNameMatch");
    let name = &*member.field.json.name;
    let is_same = words::words(name) == words::words(&member.field.name);
    if policy == "Ignore" || member.field.embedded || name.is_empty() || is_same {
        return;
    }
    let expected = words::camel_case(&member.field.name);
    let text = format!(
        "field `{}` is called `{name}` in JSON, not `{expected}`",
        member.path
    );
    report.warn(member.name, text, |finding| {
        let value = member.json_value(declared).filter(|_| policy == "SuggestFix");
        match value {
            Some(value) => {
                let fix = Fix::risky(format!("write `{expected}`"));
                finding.fix_with(fix.edit(value.part(0, name.len()), expected))
            }
            None => finding,
        }
    });
}
