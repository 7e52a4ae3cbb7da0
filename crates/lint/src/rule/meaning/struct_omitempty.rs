//! Structs by value with `omitempty`.

use kindsmith_source::{Finding, Tool};

use crate::Report;
use crate::declared::{Declared, Form};
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "struct-omitempty",
        Tool::Kindsmith,
        include_str!("struct_omitempty.md"),
    ),
    check,
)
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let form = Form::of(declared.schema, member.package, &member.field.ty);
        let is_struct = matches!(form, Form::Struct | Form::Foreign) && !member.is_pointer();
        let tag = &member.field.json;
        // Metadata is written like this everywhere.
        if !is_struct || !tag.omitempty || tag.omitzero || member.field.embedded {
            continue;
        }
        let text = format!("field `{}` is a struct, so `omitempty` does nothing", member.path);
        report.warn(member.name, text, |finding| {
            finding.help("use a pointer, or `omitzero` with Go 1.24")
        });
    }
}
