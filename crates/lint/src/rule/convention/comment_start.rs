//! Comments of fields that start with another name than clients see.

use kindsmith_source::{Finding, Fix, Tool};

use crate::Report;
use crate::declared::Declared;
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "comment-start",
        Tool::KubeApiLinter,
        include_str!("comment_start.md"),
    ),
    check,
)
.alias("commentstart")
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let name = &*member.field.json.name;
        if name.is_empty() {
            continue;
        }
        let Some(doc) = member.doc else {
            let text = format!("field `{}` has no comment", member.path);
            report.warn(member.name, text, |finding| {
                finding.help(format!("start it with the name that clients see: `// {name} …`"))
            });
            continue;
        };
        let line = declared.text(doc).lines().next().unwrap_or_default();
        let line = doc.part(0, line.len());
        let words = declared.text(line).strip_prefix("// ").unwrap_or_default();
        if words.starts_with(&format!("{name} ")) {
            continue;
        }
        let text = format!(
            "the comment of field `{}` does not start with `{name}`",
            member.path
        );
        let first = words.split(' ').next().unwrap_or_default();
        report.warn(line, text, |finding| {
            if first.eq_ignore_ascii_case(name) && words.len() > first.len() {
                let place = line.part("// ".len(), "// ".len() + first.len());
                return finding.fix_with(Fix::safe(format!("write `{name}`")).edit(place, name));
            }
            finding.help("API documentation shows the comment to people who write YAML")
        });
    }
}
