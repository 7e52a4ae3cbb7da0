//! Keys of a list that items may lack.

use kindsmith_schema::{Facet, ListType, Str, TypeRef};
use kindsmith_source::{Finding, Tool};

use super::facts::{facets, has_default};
use crate::Report;
use crate::declared::{Declared, Member, Named};
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "optional-list-key",
        Tool::Kindsmith,
        include_str!("optional_list_key.md"),
    ),
    check,
);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let facets = facets(declared.schema, member.field);
        let is_map = facets
            .iter()
            .any(|facet| **facet == Facet::ListType(ListType::Map));
        let Some(item) = item(declared, member).filter(|_| is_map) else {
            continue;
        };
        let mut keys: Vec<&Str> = facets
            .iter()
            .filter_map(|facet| match facet {
                Facet::ListMapKey(key) => Some(key),
                _ => None,
            })
            .collect();
        // Several tools have a marker for the same key.
        keys.sort();
        keys.dedup();
        for key in keys {
            let found = item
                .fields
                .iter()
                .find(|inner| inner.field.json_name() == Some(key));
            let Some(found) = found.filter(|found| is_optional(found) && !has_default(found.field)) else {
                continue;
            };
            let text = format!(
                "the key `{key}` of `{}` is optional and has no default",
                member.path
            );
            report.warn(found.name, text, |finding| {
                finding
                    .related(member.name, "the list")
                    .help("make it required, or give it a default")
            });
        }
    }
}

/// As tools publish it: by marker, otherwise by `omitempty`.
fn is_optional(member: &Member<'_>) -> bool {
    let tag = &member.field.json;
    member.is_optional() || (!member.is_required() && (tag.omitempty || tag.omitzero))
}

fn item<'d, 'a>(declared: &'d Declared<'a>, member: &Member<'a>) -> Option<&'d Named<'a>> {
    let TypeRef::List(item) = declared.schema.view().underlying(&member.field.ty) else {
        return None;
    };
    let item = match &**item {
        TypeRef::Pointer(inner) => inner,
        _ => item,
    };
    declared.local_struct(member.package, item)
}
