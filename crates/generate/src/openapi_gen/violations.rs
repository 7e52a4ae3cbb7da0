//! openapi-gen's report on API conventions: one line for each field that breaks a rule (kube-openapi
//! `pkg/generators/rules`).

use std::fmt::Write as _;

use kindsmith_schema::{Field, GoKind, Scalar, Schema, TypeRef, View};

use super::comment;
use super::select::{Scope, Selection};

/// A rule: its name, and the fields of a struct that break it.
type Rule = (&'static str, fn(View<'_>, &[Field]) -> Vec<String>);

/// By name.
const RULES: [Rule; 6] = [
    ("list_type_missing", list_type_missing),
    ("names_match", names_match),
    ("omitempty_match_case", omitempty_match_case),
    ("streaming_list_type_field_order", field_order),
    ("streaming_list_type_json_tags", json_tags),
    ("streaming_list_type_proto_tags", protobuf_tags),
];

/// The fields of a list kind, in their order.
const LIST: [&str; 3] = ["TypeMeta", "ListMeta", "Items"];

/// The report on the input packages.
#[must_use]
pub fn violations(schema: &Schema) -> String {
    let selection = Selection::new(schema, Scope::Inputs);
    let mut found = Vec::new();
    for id in selection.sorted() {
        let of = TypeRef::Named(id);
        let Some((_, fields)) = selection.view.members(&of) else {
            continue;
        };
        let name = &schema.ty(id).name;
        for (rule, broken) in RULES {
            let fields = broken(selection.view, fields).into_iter();
            found.extend(fields.map(|field| (rule, &*name.package, &*name.name, field)));
        }
    }
    found.sort();
    let mut report = String::new();
    for (rule, package, ty, field) in found {
        let _ = writeln!(report, "API rule violation: {rule},{package},{ty},{field}");
    }
    report
}

/// Lists other than byte strings have a list type, the items of a list kind have none.
fn list_type_missing(view: View<'_>, fields: &[Field]) -> Vec<String> {
    let is_list_kind = fields.iter().any(|field| &*field.name == "ListMeta");
    let is_wrong = |field: &&Field| {
        let TypeRef::List(item) = view.unalias(&field.ty) else {
            return false;
        };
        let has_type = comment::has(&field.docs, "listType");
        if &*field.name == "Items" && is_list_kind {
            return has_type;
        }
        !matches!(**item, TypeRef::Scalar(Scalar::Byte | Scalar::Uint8)) && !has_type
    };
    names(fields.iter().filter(is_wrong))
}

/// The name in JSON is that in Go with a small first letter or word.
fn names_match(view: View<'_>, fields: &[Field]) -> Vec<String> {
    let is_wrong = |field: &&Field| !field.json.present || !(field.json.skip || is_named_alike(view, field));
    names(fields.iter().filter(is_wrong))
}

fn is_named_alike(view: View<'_>, field: &Field) -> bool {
    if field.json.name.is_empty() {
        return view.kind(view.deref(&field.ty)) == GoKind::Struct;
    }
    let ty = view.text(view.unalias(&field.ty));
    if let Some("ListMeta" | "ObjectMeta") = ty.strip_prefix("k8s.io/apimachinery/pkg/apis/meta/v1.") {
        return &*field.json.name == "metadata";
    }
    is_camel_case_of(&field.json.name, &field.name)
}

/// Whether a name in JSON is that of Go, its leading capitals small.
fn is_camel_case_of(json: &str, go: &str) -> bool {
    let is_plain = |name: &str| !name.contains(['_', '-']);
    let (json_bytes, go_bytes) = (json.as_bytes(), go.as_bytes());
    if !is_plain(json) || !is_plain(go) || !json.eq_ignore_ascii_case(go) {
        return false;
    }
    let is_capital = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_uppercase);
    if !is_capital(go_bytes.first()) || is_capital(json_bytes.first()) {
        return false;
    }
    let same = json_bytes.iter().zip(go_bytes).position(|(json, go)| json == go);
    same.is_none_or(|at| json_bytes[at..] == go_bytes[at..] && (at == 1 || is_capital(go_bytes.get(at))))
}

fn omitempty_match_case(_: View<'_>, fields: &[Field]) -> Vec<String> {
    let misspelled = fields.iter();
    let misspelled = misspelled.filter(|field| &*field.json.name != "-" && field.json.misspelled_omitempty);
    names(misspelled)
}

/// A list kind has its three fields in order.
fn field_order(_: View<'_>, fields: &[Field]) -> Vec<String> {
    let wrong = list_kind(fields).into_iter().flatten().zip(LIST);
    let wrong = wrong.filter(|(field, expected)| &*field.name != *expected);
    wrong.map(|(_, expected)| expected.to_owned()).collect()
}

fn json_tags(_: View<'_>, fields: &[Field]) -> Vec<String> {
    let is_right = |field: &Field| {
        let tag = &field.json;
        let plain = !tag.omitzero && !tag.string && !tag.misspelled_omitempty;
        match &*field.name {
            "TypeMeta" => field.embedded && tag.present && tag.name.is_empty() && plain && !tag.omitempty,
            "ListMeta" => &*tag.name == "metadata" && tag.omitempty && plain && !tag.inline,
            _ => &*tag.name == "items" && plain && !tag.omitempty && !tag.inline,
        }
    };
    let fields = list_kind(fields).into_iter().flatten();
    names(fields.filter(|field| !is_right(field)))
}

fn protobuf_tags(_: View<'_>, fields: &[Field]) -> Vec<String> {
    let is_wrong = |field: &&Field| {
        let allowed = match &*field.name {
            "TypeMeta" => "",
            "ListMeta" => "bytes,1,opt,name=metadata",
            _ => "bytes,2,rep,name=items",
        };
        let tag = field.protobuf.as_deref().unwrap_or_default();
        !tag.is_empty() && tag != allowed
    };
    names(list_kind(fields).into_iter().flatten().filter(is_wrong))
}

/// The fields, if they are exactly those of a list kind.
fn list_kind(fields: &[Field]) -> Option<&[Field]> {
    let has = |name: &&str| fields.iter().any(|field| &*field.name == *name);
    (fields.len() == LIST.len() && LIST.iter().all(has)).then_some(fields)
}

fn names<'f>(fields: impl Iterator<Item = &'f Field>) -> Vec<String> {
    fields.map(|field| field.name.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::is_camel_case_of;

    #[test]
    fn leading_capitals_are_small_in_json() {
        for (go, json, matches) in [
            ("BedSize", "bedSize", true),
            ("BedSize", "BedSize", false),
            ("bedSize", "bedSize", false),
            ("BedSize", "size", false),
            ("URLPath", "urlPath", true),
            ("URLPath", "urlpath", false),
            ("ID", "id", true),
            ("Bed_Size", "bed_size", false),
        ] {
            assert_eq!(is_camel_case_of(json, go), matches, "{go} {json}");
        }
    }
}
