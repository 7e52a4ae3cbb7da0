//! Formats of text, as equivalent patterns and lengths.

use kindsmith_formats::format::message;
use kindsmith_schema::JsonSchema;

use super::cel_text::{quoted, rule_of};
use super::demand::Demand;
use super::marks::addition;

/// Parts of names, in the form that Kubernetes shows.
const SHOWN: Parts = Parts {
    label: "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
    subdomain: r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
    name: "([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]",
    grouped: true,
};

/// The same parts in fewer characters, which reduces the cost of a rule.
const SHORT: Parts = Parts {
    label: r"[a-z\d]+(-+[a-z\d]+)*",
    subdomain: r"[a-z\d]+((-+|\.)[a-z\d]+)*",
    // All of `\w` but `_`: letters and digits.
    name: r"[^\W_]([-\w.]{0,61}[^\W_])?",
    grouped: false,
};

struct Parts {
    label: &'static str,
    subdomain: &'static str,
    /// A name of at most 63 characters.
    name: &'static str,
    /// Whether a group encloses the whole, needed or not.
    grouped: bool,
}

/// Whether a text is an IP address in canonical form, in CEL.
const IS_IP: &str = "(isIP(self) && ip.isCanonical(self))";

/// The pattern of a format, if it is equivalent except for lengths.
fn pattern(name: &str) -> Option<String> {
    pattern_of(name, &SHOWN)
}

/// The conditions of a format on `of`, a text without keywords of its own.
pub(crate) fn demands(name: &str, of: &str) -> Option<Vec<Demand>> {
    let matches = match name {
        "ip" | "k8s-ip" => IS_IP.replace("self", of),
        // The forbidden texts are shorter to express.
        "k8s-path-segment-name" => format!("!{of}.matches('^\\\\.\\\\.?$|[/%]')"),
        _ => format!("{of}.matches({})", quoted(&pattern_of(name, &SHORT)?)),
    };
    let mut found = vec![Demand::new(matches, words(name))];
    if let Some(limit) = limit(name) {
        let text = message::max_length(usize::try_from(limit).unwrap_or_default());
        // Texts that match the pattern have as many characters as bytes.
        found.push(Demand::new(format!("size({of}) <= {limit}"), text));
    }
    if let Some((rule, text)) = rule(name) {
        found.push(Demand::new(rule.replace("self", of), text));
    }
    Some(found)
}

/// The message for a text that does not match.
fn words(name: &str) -> String {
    match name {
        "k8s-short-name" | "dns-label" => message::label(),
        "k8s-long-name" => message::subdomain(),
        "k8s-long-name-caseless" => message::subdomain_caseless(),
        "k8s-label-value" => message::label_value(),
        "ip" | "k8s-ip" => "must be a valid IP address in canonical form".to_owned(),
        "k8s-uuid" => "must be a lowercase UUID in 8-4-4-4-12 format".to_owned(),
        _ => format!("must be a {name}"),
    }
}

fn pattern_of(format: &str, parts: &Parts) -> Option<String> {
    let Parts {
        label,
        subdomain,
        name,
        grouped,
    } = parts;
    let body = match format {
        "k8s-short-name" | "dns-label" => (*label).to_owned(),
        "k8s-long-name" => (*subdomain).to_owned(),
        "k8s-long-name-caseless" => format!("(?i:{subdomain})"),
        "k8s-label-key" => format!("({subdomain}/)?{name}"),
        "k8s-prefixed-label-key" | "k8s-extended-resource-name" => format!("{subdomain}/{name}"),
        "k8s-label-value" => format!("({name})?"),
        "k8s-path-segment-name" => r"[^/%.]?|[^/%]{3,}|[^/%.][^/%]|[^/%][^/%.]".to_owned(),
        "k8s-uuid" => "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}".to_owned(),
        "k8s-resource-pool-name" => format!("{subdomain}(/{subdomain})*"),
        "k8s-resource-fully-qualified-name" => {
            // Names of more than two parts are not checked.
            format!("{subdomain}/[A-Za-z_][A-Za-z0-9_]{{0,31}}|[^/]*/[^/]*/(?s:.*)")
        }
        _ => return None,
    };
    // True for alternatives.
    let is_choice = matches!(
        format,
        "k8s-path-segment-name" | "k8s-resource-fully-qualified-name"
    );
    Some(if *grouped || is_choice {
        format!("^({body})$")
    } else {
        format!("^{body}$")
    })
}

/// The maximum size in bytes, if the format has one.
fn limit(name: &str) -> Option<i64> {
    match name {
        "k8s-short-name" | "dns-label" | "k8s-label-value" => Some(63),
        "k8s-long-name" | "k8s-long-name-caseless" | "k8s-resource-pool-name" => Some(253),
        "k8s-label-key" | "k8s-prefixed-label-key" => Some(253 + 1 + 63),
        "k8s-extended-resource-name" => Some(244 + 1 + 63),
        // Eight groups of four digits.
        "ip" | "k8s-ip" => Some(39),
        _ => None,
    }
}

/// Conditions that neither pattern nor length can express.
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

/// Adds a format to a schema; with `or_empty` the text may be empty too. Returns whether the format is known.
pub(crate) fn add(name: &str, or_empty: bool, node: &mut JsonSchema) -> bool {
    if matches!(name, "ip" | "k8s-ip") {
        node.all_of.push(JsonSchema {
            max_length: limit(name),
            ..addition()
        });
        let rule = if or_empty {
            format!("self == '' || {IS_IP}")
        } else {
            IS_IP.to_owned()
        };
        node.validations.push(rule_of(&rule, &words(name)));
        return true;
    }
    let Some(pattern) = pattern(name) else {
        return false;
    };
    let pattern = if or_empty {
        format!("^$|{pattern}")
    } else {
        pattern
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

#[cfg(test)]
mod tests {
    use super::*;
    use kindsmith_formats::format::{FORMATS, is_valid};
    use kindsmith_gostd::regexp::Regexp;

    /// All texts of up to four of these characters.
    fn texts() -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..4 {
            let longer =
                |text: &String| ["a", "B", "1", "-", ".", "/", "_", "%"].map(|end| format!("{text}{end}"));
            last = last.iter().flat_map(longer).collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    #[test]
    fn patterns_accept_the_same_texts_as_formats() {
        let texts = texts();
        for format in FORMATS {
            let patterns = [&SHOWN, &SHORT].map(|parts| pattern_of(format.name, parts));
            for pattern in patterns.into_iter().flatten() {
                let read = Regexp::new(&pattern).expect("a pattern");
                assert!(read.is_match(format.example), "{pattern}: {}", format.example);
                for text in &texts {
                    assert_eq!(
                        read.is_match(text),
                        is_valid(format, text),
                        "{}: {pattern}: {text}",
                        format.name
                    );
                }
            }
        }
    }
}
