//! Tags as they are written on fields and types.

use std::collections::BTreeSet;

use kindsmith_json::Arena;
use kindsmith_schema::{Owner, TypeRef};

use super::{Tag, Words};
use crate::validation::target::{Target, is_map, item_member};
use crate::validation::value::{Emit, PathStep};

/// The tag as it is written on a field or type.
pub(super) fn written(
    target: &Target<'_>,
    words: &Words,
    gates: &str,
    emit: &Emit,
) -> Result<Vec<Tag>, String> {
    let on_field = |text: &str| {
        let text = format!("{gates}{}{text}", target.wraps);
        let docs = target.of().docs.text.as_deref().unwrap_or_default();
        Tag {
            present: is_there(docs, &text),
            text,
            owner: Owner::Field(target.field),
        }
    };
    Ok(match words {
        // A field with a default is never absent when it is validated, so `optional` says the same.
        Words::Plain(text) if text == "+k8s:required" && target.of().default.is_some() => {
            vec![on_field("+k8s:optional")]
        }
        // The sizes of maps have tags of their own.
        Words::Plain(text) if text.contains("Items=") && is_map(target.schema, &target.ty) => {
            vec![on_field(&text.replace("Items=", "Properties="))]
        }
        Words::Plain(text) => vec![on_field(text)],
        Words::Enum(allowed) => vec![enumeration(target, allowed, gates)?],
        Words::Unique(key) => unique_tags(target, key.as_deref())?
            .iter()
            .map(|text| on_field(text))
            .collect(),
        Words::Dependent(tag) => {
            let Some(PathStep::Child(other)) = emit.path.last() else {
                return Err("the other field is not known".to_owned());
            };
            vec![on_field(&format!("+k8s:{tag}(\"{other}\")"))]
        }
    })
}

fn enumeration(target: &Target<'_>, allowed: &BTreeSet<String>, gates: &str) -> Result<Tag, String> {
    let mut ty = target.ty.clone();
    while let TypeRef::Pointer(inner) = ty {
        ty = *inner;
    }
    let TypeRef::Named(id) = ty else {
        return Err("an enum needs a type of its own".to_owned());
    };
    let arena = Arena::new();
    let declared = target.schema.ty(id);
    let constants: BTreeSet<String> = declared
        .constants
        .iter()
        .filter_map(|constant| Some(constant.value.as_ref()?.value(&arena).as_str()?.to_owned()))
        .collect();
    if constants != *allowed {
        return Err(format!(
            "the constants of {} are other values",
            declared.name.name
        ));
    }
    let text = format!("{gates}+k8s:enum");
    Ok(Tag {
        present: is_there(declared.docs.text.as_deref().unwrap_or_default(), &text),
        text,
        owner: Owner::Type(id),
    })
}

/// Tags for unique items, by what is said about the list already.
fn unique_tags(target: &Target<'_>, key: Option<&str>) -> Result<Vec<String>, String> {
    let docs = target.of().docs.text.as_deref().unwrap_or_default();
    let is_atomic = docs.lines().any(|line| line.trim().ends_with("listType=atomic"));
    let tag = if is_atomic { "+k8s:unique" } else { "+k8s:listType" };
    match key {
        None => Ok(vec![format!("{tag}=set")]),
        Some(key) => {
            let json = item_member(target.schema, &target.ty, key)
                .ok_or_else(|| format!("the items have no field {key}"))?;
            Ok(vec![format!("{tag}=map"), format!("+k8s:listMapKey={json}")])
        }
    }
}

/// Whether the comment has the tag, at any level of stability.
fn is_there(docs: &str, tag: &str) -> bool {
    let plain = |text: &str| text.trim().replace('"', "");
    let tag = plain(tag);
    let wrapped = format!("={tag}");
    docs.lines()
        .map(plain)
        .any(|line| line == tag || line.ends_with(&wrapped))
}
