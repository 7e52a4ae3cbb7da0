//! Formats of text, as patterns and lengths that accept the same texts.

use kindsmith_schema::JsonSchema;

use super::{addition, rule_of};

const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
/// At most 63 characters of a name.
const NAME: &str = "([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]";

fn subdomain() -> String {
    format!(r"{LABEL}(\.{LABEL})*")
}

/// The pattern of a format, if a pattern says what it says but for lengths.
pub(super) fn pattern(name: &str) -> Option<String> {
    let subdomain = subdomain();
    let body = match name {
        "k8s-short-name" => LABEL.to_owned(),
        "k8s-long-name" => subdomain,
        "k8s-long-name-caseless" => format!("(?i:{subdomain})"),
        "k8s-label-key" => format!("({subdomain}/)?{NAME}"),
        "k8s-prefixed-label-key" | "k8s-extended-resource-name" => format!("{subdomain}/{NAME}"),
        "k8s-label-value" => format!("({NAME})?"),
        "k8s-path-segment-name" => r"[^/%.]?|[^/%]{3,}|[^/%.][^/%]|[^/%][^/%.]".to_owned(),
        "k8s-uuid" => "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}".to_owned(),
        "k8s-resource-pool-name" => format!("{subdomain}(/{subdomain})*"),
        "k8s-resource-fully-qualified-name" => {
            // Names of more than two parts are not looked at.
            format!("{subdomain}/[A-Za-z_][A-Za-z0-9_]{{0,31}}|[^/]*/[^/]*/(?s:.*)")
        }
        _ => return None,
    };
    Some(format!("^({body})$"))
}

/// Bytes of the whole, where the format limits them.
fn limit(name: &str) -> Option<i64> {
    match name {
        "k8s-short-name" | "k8s-label-value" => Some(63),
        "k8s-long-name" | "k8s-long-name-caseless" | "k8s-resource-pool-name" => Some(253),
        "k8s-label-key" | "k8s-prefixed-label-key" => Some(253 + 1 + 63),
        "k8s-extended-resource-name" => Some(244 + 1 + 63),
        _ => None,
    }
}

/// What neither pattern nor length says.
fn rule(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        "k8s-label-key" | "k8s-prefixed-label-key" => Some((
            "self.indexOf('/') <= 253",
            "prefix part must be no more than 253 bytes",
        )),
        "k8s-extended-resource-name" => Some((
            "self.indexOf('/') <= 244 && !self.startsWith('requests.') && !self.contains('kubernetes.io/')",
            "must have a prefix of no more than 244 bytes that is neither \"requests.\" nor a \"kubernetes.io/\" domain",
        )),
        "k8s-resource-fully-qualified-name" => Some((
            "self.indexOf('/') <= 63 || self.matches('/.*/')",
            "prefix may not be more than 63 bytes",
        )),
        _ => None,
    }
}

/// Adds a format to a schema; with `or_empty` it may be empty too. Says whether the format is known.
pub(super) fn add(name: &str, or_empty: bool, node: &mut JsonSchema) -> bool {
    let Some(pattern) = pattern(name) else {
        return false;
    };
    let pattern = match or_empty {
        true => format!("^$|{pattern}"),
        false => pattern,
    };
    node.all_of.push(JsonSchema {
        pattern: pattern.into(),
        max_length: limit(name),
        ..addition()
    });
    if let Some((rule, message)) = rule(name) {
        node.validations.push(rule_of(rule, message));
    }
    true
}
