//! Named formats in words.

/// The meaning of a format; formats of OpenAPI explain themselves by their names.
fn meaning(format: &str) -> Option<&'static str> {
    Some(match format {
        "k8s-short-name" => "a DNS label: at most 63 lower case letters, digits and `-`",
        "k8s-long-name" => {
            "a DNS subdomain: lower case labels with dots between them, at most 253 characters"
        }
        "k8s-long-name-caseless" => "a DNS subdomain in any case, at most 253 characters",
        "k8s-label-key" => "a label key, such as `name` or `example.com/name`",
        "k8s-prefixed-label-key" => "a label key with a prefix, such as `example.com/name`",
        "k8s-label-value" => "a label value: at most 63 letters, digits, `-`, `_` and `.`, or nothing",
        "k8s-path-segment-name" => "a name that can be part of a path: no `/` or `%`, not `.` or `..`",
        "k8s-uuid" => "a UUID in lower case",
        "k8s-resource-pool-name" => "DNS subdomains with `/` between them, at most 253 characters",
        "k8s-extended-resource-name" => "an extended resource, such as `example.com/name`",
        "k8s-resource-fully-qualified-name" => "a domain and a C identifier, such as `example.com/name`",
        _ => return None,
    })
}

/// A format and its meaning.
pub(super) fn words(format: &str) -> String {
    match meaning(format) {
        Some(meaning) => format!("`{format}`, {meaning}"),
        None => format!("`{format}`"),
    }
}
