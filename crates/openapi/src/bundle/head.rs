//! The head of a parsed document, and the entries of a parsed list.

use std::borrow::Cow;
use std::ops::Range;

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Json, Str};

use super::{DefinitionHead, Entry, Head, Syntax, VersionHead, parse};
use crate::crd::ApiVersion;
use crate::published::Published;

/// The head of a value.
pub(super) fn of(value: Value<'_>) -> Head {
    let api_version = text(value, &["apiVersion"]);
    let kind = text(value, &["kind"]);
    if let Some(api) = definition_version(&api_version, &kind) {
        return Head::Definition(definition(api, value));
    }
    if Published::open(value).is_some() {
        return Head::Published;
    }
    Head::Other {
        api_version,
        kind,
        name: text(value, &["metadata", "name"]),
    }
}

/// The API version of a CRD; `None` if it is not one.
pub(super) fn definition_version(api_version: &str, kind: &str) -> Option<ApiVersion> {
    let versions = [ApiVersion::V1, ApiVersion::V1beta1];
    versions
        .into_iter()
        .find(|api| kind == "CustomResourceDefinition" && api.as_str() == api_version)
}

fn definition(api: ApiVersion, value: Value<'_>) -> DefinitionHead {
    let listed = value.lookup(&["spec", "versions"]).and_then(Value::as_array);
    let truth = |version: Value<'_>, key| version.get(key).and_then(Value::as_bool).unwrap_or_default();
    let mut versions: Vec<_> = listed
        .unwrap_or_default()
        .iter()
        .map(|&version| VersionHead {
            name: text(version, &["name"]),
            served: truth(version, "served"),
            storage: truth(version, "storage"),
        })
        .collect();
    let single = text(value, &["spec", "version"]);
    if api == ApiVersion::V1beta1 && versions.is_empty() && !single.is_empty() {
        versions.push(VersionHead {
            name: single,
            served: true,
            storage: true,
        });
    }
    DefinitionHead {
        api,
        name: text(value, &["metadata", "name"]),
        group: text(value, &["spec", "group"]),
        kind: text(value, &["spec", "names", "kind"]),
        plural: text(value, &["spec", "names", "plural"]),
        versions,
    }
}

fn text(value: Value<'_>, keys: &[&str]) -> Str {
    value.text(keys).into()
}

/// The items of a value, if it is a list of objects.
pub(super) fn items(value: Value<'_>) -> Option<&[Value<'_>]> {
    is_list(value.get("kind")?.as_str()?).then_some(())?;
    value.get("items")?.as_array()
}

/// Whether a kind is a list, by client-go's rule.
pub(super) fn is_list(kind: &str) -> bool {
    kind.ends_with("List")
}

/// Parses a document for its entries: itself, or the items of a list.
pub(super) fn parsed(text: &str, range: Range<usize>, syntax: Syntax) -> Vec<Entry<'_>> {
    let arena = Arena::new();
    let value = match parse(&arena, text, syntax) {
        Ok(value) => value,
        Err(error) => {
            return vec![entry(
                Head::Unreadable {
                    error: error.to_string(),
                },
                range,
                text.into(),
                syntax,
            )];
        }
    };
    let Some(items) = items(value) else {
        return vec![entry(of(value), range, text.into(), syntax)];
    };
    let own = |item: Value<'_>| Cow::Owned(Json::exact(item).as_str().to_owned());
    items
        .iter()
        .map(|&item| entry(of(item), range.clone(), own(item), Syntax::Json))
        .collect()
}

pub(super) fn entry(head: Head, range: Range<usize>, text: Cow<'_, str>, syntax: Syntax) -> Entry<'_> {
    Entry {
        head,
        range,
        text,
        syntax,
    }
}
