//! Names in Go for names in JSON.

use std::collections::BTreeSet;

/// Words that Go code writes in capitals.
const INITIALISMS: &[&str] = &[
    "acl", "api", "ascii", "aws", "ca", "cidr", "cpu", "css", "dns", "eof", "gce", "gcp", "guid", "html",
    "http", "https", "iam", "id", "ip", "json", "jwt", "kms", "oidc", "pvc", "qps", "ram", "rpc", "sla",
    "smtp", "sql", "ssh", "ssl", "tcp", "tls", "ttl", "udp", "ui", "uid", "uri", "url", "utf8", "uuid", "vm",
    "vpc", "xml", "yaml",
];

/// Names that generated methods have.
const METHODS: &[&str] = &["DeepCopy", "DeepCopyInto", "DeepCopyObject"];

/// An exported Go name for a member of an object, or for a value of an enum.
pub(super) fn exported(name: &str) -> String {
    let mut made = String::with_capacity(name.len());
    for word in words(name) {
        let lower = word.to_ascii_lowercase();
        let is_capitalized = word.chars().skip(1).all(|c| !c.is_uppercase());
        if is_capitalized && INITIALISMS.contains(&lower.as_str()) {
            made.push_str(&lower.to_ascii_uppercase());
        } else {
            let mut characters = word.chars();
            made.extend(characters.next().into_iter().flat_map(char::to_uppercase));
            made.push_str(characters.as_str());
        }
    }
    if !made.starts_with(|c: char| c.is_alphabetic() && c.is_uppercase()) {
        made.insert(0, 'X');
    }
    if METHODS.contains(&made.as_str()) {
        made.push_str("Value");
    }
    made
}

/// The words of a name: `podCIDR.max-size` has `pod`, `CIDR`, `max` and `size`.
fn words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for part in name.split(|c: char| !c.is_alphanumeric()) {
        let mut start = 0;
        let mut was_lower = false;
        for (at, c) in part.char_indices() {
            if c.is_uppercase() && was_lower {
                words.push(&part[start..at]);
                start = at;
            }
            was_lower = !c.is_uppercase();
        }
        words.push(&part[start..]);
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A name that is not taken yet, and takes it.
pub(super) fn free(taken: &mut BTreeSet<String>, wanted: String) -> String {
    if taken.insert(wanted.clone()) {
        return wanted;
    }
    let mut number = 2;
    loop {
        let other = format!("{wanted}{number}");
        if taken.insert(other.clone()) {
            return other;
        }
        number += 1;
    }
}

/// Whether Go's JSON package accepts the name in a field tag (`encoding/json`, `isValidTag`); the tag is written in back quotes.
pub(super) fn is_taggable(name: &str) -> bool {
    let is_fine = |c: char| "!#$%&()*+-./:;<=>?@[]^_{|}~ ".contains(c) || c.is_alphanumeric();
    !name.is_empty() && name.chars().all(is_fine)
}

/// The Go package of a version.
pub(super) fn package(version: &str) -> String {
    let mut name: String = version.chars().filter(char::is_ascii_alphanumeric).collect();
    name.make_ascii_lowercase();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'v');
    }
    name
}

/// Directories for groups and versions: `v1`, or `group/v1` if there are several groups.
pub(super) fn directories<'a>(of: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Vec<String> {
    let groups: BTreeSet<&str> = of.clone().map(|(group, _)| group).collect();
    let first = |group: &'a str| group.split('.').next().unwrap_or_default();
    let heads: BTreeSet<&str> = groups.iter().copied().map(first).collect();
    of.map(|(group, version)| {
        let version = package(version);
        match (groups.len(), heads.len() == groups.len()) {
            (1, _) => version,
            (_, true) => format!("{}/{version}", safe(first(group))),
            (_, false) => format!("{}/{version}", safe(group)),
        }
    })
    .collect()
}

/// A name as a file name.
pub(super) fn safe(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = name.chars().filter(|c| keep(*c)).collect();
    name.trim_matches(['.', '_', '-']).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{directories, exported};

    #[test]
    fn names_are_go_names() {
        for (name, go) in [
            ("replicas", "Replicas"),
            ("podIp", "PodIP"),
            ("podIPs", "PodIPs"),
            ("api-version", "APIVersion"),
            ("a.b/c", "ABC"),
            ("2fast", "X2fast"),
            ("", "X"),
            ("$ref", "Ref"),
            ("deepCopy", "DeepCopyValue"),
            ("über", "Über"),
        ] {
            assert_eq!(exported(name), go, "{name}");
        }
    }

    #[test]
    fn directories_are_as_short_as_they_can_be() {
        let made = |of: &[(&'static str, &'static str)]| directories(of.iter().copied());
        assert_eq!(made(&[("a.org", "v1"), ("a.org", "v2")]), ["v1", "v2"]);
        assert_eq!(made(&[("a.org", "v1"), ("b.org", "v1")]), ["a/v1", "b/v1"]);
        assert_eq!(
            made(&[("a.b.org", "v1"), ("a.org", "v1")]),
            ["a.b.org/v1", "a.org/v1"]
        );
    }
}
