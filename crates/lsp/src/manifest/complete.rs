//! Completion of fields and values.

use kindsmith_schema::{Json, JsonSchema};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, MarkupContent, MarkupKind,
    TextEdit,
};

use super::place::{Place, place};
use super::{Crds, constants, node};
use crate::documents::Document;
use crate::markdown;

/// The completions at an offset.
pub(crate) fn complete(crds: &Crds, document: &Document, offset: usize) -> Vec<CompletionItem> {
    let at = place(document.text.as_str(), offset);
    if let Some(range) = &at.value_range
        && offset >= range.start.min(at.key_range.end + 1)
    {
        // After `key:` the value may have to be set apart, and after `key: ` it starts at the cursor.
        let range = if range.is_empty() {
            offset..offset
        } else {
            range.clone()
        };
        let apart = if document.text.as_str()[..offset].ends_with(':') && range.is_empty() {
            " "
        } else {
            ""
        };
        return values(crds, &at)
            .into_iter()
            .map(|value| {
                let text = format!("{apart}{value}");
                item(
                    document,
                    &value,
                    CompletionItemKind::ENUM_MEMBER,
                    range.clone(),
                    text,
                )
            })
            .collect();
    }
    let Some(root) = crds.schema(&at.api_version, &at.kind) else {
        return if at.parent.is_empty() {
            heads(document, &at)
        } else {
            Vec::new()
        };
    };
    let Some(parent) = node(&root, &at.parent) else {
        return Vec::new();
    };
    let is_new = |name: &str| !at.siblings.iter().any(|sibling| sibling == name);
    let members = parent.properties.iter().filter(|(name, _)| is_new(name));
    members
        .map(|(name, schema)| member(document, &at, parent, name, schema))
        .collect()
}

/// The first lines of a document without kind.
fn heads(document: &Document, at: &Place) -> Vec<CompletionItem> {
    let names = ["apiVersion", "kind", "metadata"].into_iter();
    names
        .filter(|name| !at.siblings.iter().any(|sibling| sibling == name))
        .map(|name| {
            let range = at.key_range.clone();
            item(
                document,
                name,
                CompletionItemKind::FIELD,
                range,
                format!("{name}: "),
            )
        })
        .collect()
}

fn member(
    document: &Document,
    at: &Place,
    parent: &JsonSchema,
    name: &str,
    schema: &JsonSchema,
) -> CompletionItem {
    let is_required = parent.required.iter().any(|member| **member == *name);
    let below = match &*schema.ty {
        "object" | "array" => ":",
        _ => ": ",
    };
    // A line that has a colon keeps its value.
    let text = match at.value_range {
        Some(_) => name.to_owned(),
        None => format!("{name}{below}"),
    };
    CompletionItem {
        detail: Some(markdown::type_name(schema)),
        documentation: Some(Documentation::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value: markdown::field_page(name, schema, is_required),
        })),
        sort_text: Some(format!("{}{name}", u8::from(!is_required))),
        ..item(
            document,
            name,
            CompletionItemKind::FIELD,
            at.key_range.clone(),
            text,
        )
    }
}

fn item(
    document: &Document,
    label: &str,
    kind: CompletionItemKind,
    range: std::ops::Range<usize>,
    text: String,
) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(
            document.text.range(range),
            text,
        ))),
        ..CompletionItem::default()
    }
}

/// The values that a field can have, if they are few.
fn values(crds: &Crds, at: &Place) -> Vec<String> {
    match (&*at.key, at.parent.is_empty()) {
        ("apiVersion", true) => {
            let all = crds.all().into_iter();
            let of_kind = |(_, kind): &(String, String)| at.kind.is_empty() || *kind == at.kind;
            let mut versions: Vec<String> = all.filter(of_kind).map(|(version, _)| version).collect();
            versions.dedup();
            versions
        }
        ("kind", true) => {
            let all = crds.all().into_iter();
            let of_version =
                |(version, _): &(String, String)| at.api_version.is_empty() || *version == at.api_version;
            all.filter(of_version).map(|(_, kind)| kind).collect()
        }
        (key, _) => {
            let root = crds.schema(&at.api_version, &at.kind);
            let schema = root
                .as_deref()
                .and_then(|root| node(root, &at.parent)?.property(key));
            let mut found = schema.map(of_schema).unwrap_or_default();
            let constants = constants::of_field(&at.api_version, &at.kind, &at.parent, key);
            found.extend(constants.iter().map(plain));
            let mut known = std::collections::HashSet::new();
            found.retain(|value| known.insert(value.clone()));
            found
        }
    }
}

fn of_schema(schema: &JsonSchema) -> Vec<String> {
    if &*schema.ty == "boolean" {
        return vec!["true".to_owned(), "false".to_owned()];
    }
    let values = schema.enum_values.iter().chain(&schema.default);
    let mut texts: Vec<String> = values.map(plain).collect();
    texts.dedup();
    texts
}

/// A value as YAML: texts without quotes where they need none.
fn plain(value: &Json) -> String {
    let text = value.as_str();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let is_plain = |text: &&str| {
        let mut letters = text.chars();
        letters.next().is_some_and(char::is_alphabetic)
            && letters.all(|letter| letter.is_alphanumeric() || "-_./".contains(letter))
            && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
                .contains(&&*text.to_ascii_lowercase())
    };
    inner.filter(is_plain).unwrap_or(text).to_owned()
}
