//! `patch=` of a webhook: a strategic merge patch of the fields of one webhook. Directives (`$patch` and its like) are
//! refused.

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Object, Value, parse_str, to_string};

use crate::manifest::list;

/// A field of the API: what it holds decides how it merges.
#[derive(Clone, Copy)]
enum Holds {
    Text,
    Int32,
    /// Any text to text.
    Map,
    /// Members by name; errors name the Go type.
    Members(&'static str, &'static [Member]),
    Texts,
    /// Replaced as a whole.
    Items(&'static str, &'static [Member]),
    /// Merged by the member `name`.
    ItemsByName(&'static str, &'static [Member]),
}

type Member = (&'static str, Holds);

const EXPRESSION: &[Member] = &[
    ("key", Holds::Text),
    ("operator", Holds::Text),
    ("values", Holds::Texts),
];
const SELECTOR: &[Member] = &[
    (
        "matchExpressions",
        Holds::Items("LabelSelectorRequirement", EXPRESSION),
    ),
    ("matchLabels", Holds::Map),
];
const SERVICE: &[Member] = &[
    ("name", Holds::Text),
    ("namespace", Holds::Text),
    ("path", Holds::Text),
    ("port", Holds::Int32),
];
const CLIENT_CONFIG: &[Member] = &[
    ("caBundle", Holds::Text),
    ("service", Holds::Members("ServiceReference", SERVICE)),
    ("url", Holds::Text),
];
const RULE: &[Member] = &[
    ("apiGroups", Holds::Texts),
    ("apiVersions", Holds::Texts),
    ("operations", Holds::Texts),
    ("resources", Holds::Texts),
    ("scope", Holds::Text),
];
const CONDITION: &[Member] = &[("expression", Holds::Text), ("name", Holds::Text)];
const WEBHOOK: &[Member] = &[
    ("admissionReviewVersions", Holds::Texts),
    (
        "clientConfig",
        Holds::Members("WebhookClientConfig", CLIENT_CONFIG),
    ),
    ("failurePolicy", Holds::Text),
    ("matchConditions", Holds::ItemsByName("MatchCondition", CONDITION)),
    ("matchPolicy", Holds::Text),
    ("name", Holds::Text),
    ("namespaceSelector", Holds::Members("LabelSelector", SELECTOR)),
    ("objectSelector", Holds::Members("LabelSelector", SELECTOR)),
    ("rules", Holds::Items("RuleWithOperations", RULE)),
    ("sideEffects", Holds::Text),
    ("timeoutSeconds", Holds::Int32),
];
const REINVOCATION: Member = ("reinvocationPolicy", Holds::Text);

/// Applies the patch to a webhook of the Go type `ty`.
pub(super) fn apply<'a>(
    arena: &'a Arena,
    webhook: Value<'a>,
    patch: &str,
    ty: &'static str,
) -> Result<Value<'a>, String> {
    let patch = parse_str(arena, arena.alloc_str(patch)).map_err(|error| {
        format!("failed to validate strategic merge patch: failed to unmarshal patch: {error}")
    })?;
    let Some(patch) = patch.as_object() else {
        return Err(format!(
            "failed to validate strategic merge patch: failed to unmarshal patch: json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            patch.go_json_name()
        ));
    };
    let mut members = WEBHOOK.to_vec();
    if ty == "MutatingWebhook" {
        members.push(REINVOCATION);
    }
    check(patch, ty, &members, "")
        .map_err(|error| format!("failed to validate strategic merge patch: {error}"))?;
    let webhook = webhook.as_object().unwrap_or_default();
    Ok(Value::Object(merge(arena, webhook, patch, &members)))
}

fn find(members: &[Member], key: &str) -> Option<Holds> {
    let found = members.iter().find(|(name, _)| *name == key);
    found.map(|(_, holds)| *holds)
}

/// A field of a patch, for errors.
struct Place<'p> {
    /// The Go type of the struct around it.
    ty: &'static str,
    /// The names of the fields that lead to it.
    path: &'p str,
}

/// Refuses unknown fields, directives, and values of another type.
fn check(patch: Object<'_>, ty: &'static str, members: &[Member], path: &str) -> Result<(), String> {
    for (key, value) in patch {
        if key.starts_with('$') {
            return Err(format!("the directive {} is not supported", quote(key)));
        }
        let holds = find(members, key).ok_or_else(|| {
            let key = quote(key);
            format!(
                "invalid patch field {key}: unable to find api field in struct {ty} for the json field {key}"
            )
        })?;
        let path = &format!("{path}.{key}");
        check_value(value, holds, &Place { ty, path })?;
    }
    Ok(())
}

fn check_value(value: Value<'_>, holds: Holds, at: &Place<'_>) -> Result<(), String> {
    let refuse = |value: Value<'_>, expected: &str| Err(mismatch(value, at, expected));
    match (holds, value) {
        (_, Value::Null) | (Holds::Text, Value::Str(_)) => Ok(()),
        (Holds::Int32, Value::Int(number)) if i32::try_from(number).is_ok() => Ok(()),
        (Holds::Map, Value::Object(map)) => {
            let wrong = map
                .values()
                .find(|value| value.as_str().is_none() && !value.is_null());
            wrong.map_or(Ok(()), |value| refuse(value, "string"))
        }
        (Holds::Texts, Value::Array(items)) => {
            let wrong = items.iter().find(|item| item.as_str().is_none());
            wrong.map_or(Ok(()), |value| refuse(*value, "string"))
        }
        (Holds::Members(ty, members), Value::Object(object)) => check(object, ty, members, at.path),
        (Holds::Items(ty, members) | Holds::ItemsByName(ty, members), Value::Array(items)) => {
            items.iter().try_for_each(|item| match item.as_object() {
                Some(item) => check(item, ty, members, at.path),
                None => refuse(*item, &format!("v1.{ty}")),
            })
        }
        _ => refuse(value, &expected(holds)),
    }
}

/// The Go type of a field.
fn expected(holds: Holds) -> String {
    match holds {
        Holds::Text => "string".to_owned(),
        Holds::Int32 => "int32".to_owned(),
        Holds::Map => "map[string]string".to_owned(),
        Holds::Texts => "[]string".to_owned(),
        Holds::Members(ty, _) => format!("v1.{ty}"),
        Holds::Items(ty, _) | Holds::ItemsByName(ty, _) => format!("[]v1.{ty}"),
    }
}

fn mismatch(value: Value<'_>, at: &Place<'_>, expected: &str) -> String {
    let found = match value {
        Value::Int(_) | Value::Uint(_) | Value::Float(_) if expected == "int32" => {
            format!("number {}", to_string(value))
        }
        _ => value.go_json_name().to_owned(),
    };
    format!(
        "failed to validate patch fields: json: cannot unmarshal {found} into Go struct field {}{} of type {expected}",
        at.ty, at.path
    )
}

fn merge<'a>(arena: &'a Arena, base: Object<'a>, patch: Object<'a>, members: &[Member]) -> Object<'a> {
    let mut edit = base.edit(arena);
    for (key, value) in patch {
        if value.is_null() {
            edit.remove(key);
            continue;
        }
        let old = edit.get(key).unwrap_or(Value::Null);
        let merged = match (find(members, key), old, value) {
            (Some(Holds::Members(_, members)), old, Value::Object(patch)) => {
                let old = old.as_object().unwrap_or_default();
                Value::Object(merge(arena, old, patch, members))
            }
            (Some(Holds::Map), old, Value::Object(patch)) => {
                Value::Object(merge(arena, old.as_object().unwrap_or_default(), patch, &[]))
            }
            (Some(Holds::ItemsByName(..)), _, Value::Array(items)) => by_name(arena, items),
            (_, _, value) => value,
        };
        edit.insert(key, merged);
    }
    edit.finish()
}

/// Items of one name merge into the first of them. No marker sets such a list, so nothing else is merged with it.
fn by_name<'a>(arena: &'a Arena, items: &'a [Value<'a>]) -> Value<'a> {
    let mut kept: Vec<Value<'a>> = Vec::new();
    for item in items {
        let name = item.get("name");
        match kept.iter_mut().find(|other| other.get("name") == name) {
            Some(first) => {
                let old = first.as_object().unwrap_or_default();
                let new = item.as_object().unwrap_or_default();
                *first = Value::Object(merge(arena, old, new, CONDITION));
            }
            None => kept.push(*item),
        }
    }
    list(arena, &kept)
}
