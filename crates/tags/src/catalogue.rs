//! The list of all tags, with lookup by exact or misspelt name.

use std::sync::LazyLock;

pub use kindsmith_formats::nearest::nearest_of;
use rustc_hash::FxHashMap;

use crate::grammar::marker::Arguments;
use crate::tag::{Apply, Tag, client, control, declarative, default, kep, kubebuilder, openapi};

/// Lists of tags, one per folder.
const LISTS: &[&[&Tag]] = &[
    declarative::ALL,
    kep::ALL,
    control::ALL,
    default::ALL,
    openapi::ALL,
    kubebuilder::ALL,
    client::ALL,
];

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Tag>> = LazyLock::new(|| {
    let mut by_name = FxHashMap::default();
    for tag in catalogue() {
        for name in std::iter::once(&tag.name).chain(tag.aliases) {
            by_name.insert(*name, tag);
        }
    }
    by_name
});

/// All tags, in the order of the lists.
pub fn catalogue() -> impl Iterator<Item = &'static Tag> {
    LISTS.iter().flat_map(|list| list.iter().copied())
}

/// The tag with exactly this name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static Tag> {
    BY_NAME.get(name).copied()
}

/// The tag of a marker: the one with its name, otherwise the one whose name the marker's extends after a `:`,
/// if the tag parses such lines itself.
#[must_use]
pub fn resolve(name: &str) -> Option<&'static Tag> {
    if let Some((tag, _)) = find_marker(name) {
        return Some(tag);
    }
    let mut rest = name;
    while let Some((shorter, _)) = rest.rsplit_once(':') {
        match find_marker(shorter) {
            Some((tag, _)) if goes_on(tag, &name[shorter.len()..]) => return Some(tag),
            _ => rest = shorter,
        }
    }
    None
}

/// Whether the name of a marker may extend that of its tag.
fn goes_on(tag: &Tag, rest: &str) -> bool {
    match &tag.apply {
        Apply::Line(_) => true,
        // controller-gen accepts `name:=value` and `name:argument=value`; the form of other tools' markers is
        // unknown.
        Apply::Marker(marker) => {
            rest == ":" || !marker.crd || matches!(marker.arguments, Arguments::Named(_))
        }
        Apply::Declarative(_) | Apply::Raw(_) => false,
    }
}

/// The tag with this name, and whether it is controller-gen's form for list items.
#[must_use]
pub fn find_marker(name: &str) -> Option<(&'static Tag, bool)> {
    let Some(rest) = name.strip_prefix("kubebuilder:validation:items:") else {
        return find(name).map(|tag| (tag, false));
    };
    let tag = find(&format!("kubebuilder:validation:{rest}"))?;
    tag.as_marker()?.items.then_some((tag, true))
}

/// The known name closest to a misspelt one, if any is close.
#[must_use]
pub fn nearest(name: &str) -> Option<&'static str> {
    nearest_of(name, BY_NAME.keys().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut seen = std::collections::HashSet::new();
        for tag in catalogue() {
            for name in std::iter::once(&tag.name).chain(tag.aliases) {
                assert!(seen.insert(*name), "{name} is listed twice");
            }
        }
    }

    #[test]
    fn every_tag_has_a_page_with_an_example() {
        for tag in catalogue() {
            assert!(!tag.summary().is_empty(), "{} has no summary", tag.name);
            assert!(
                !tag.summary().ends_with(':'),
                "{}: the first line is a summary",
                tag.name
            );
            assert!(tag.docs.contains("```go"), "{} has no example", tag.name);
        }
    }

    #[test]
    fn misspelt_names_are_recognized() {
        for (name, expected) in [
            ("k8s:minimun", Some("k8s:minimum")),
            ("k8s:maxlength", Some("k8s:maxLength")),
            ("k8s:requierd", Some("k8s:required")),
            ("k8s:somethingElseEntirely", None),
            ("todo", None),
        ] {
            assert_eq!(nearest(name), expected, "{name}");
        }
    }
}
