//! The metadata of whole objects, by the rules for all objects.

use kindsmith_formats::format::{find, is_valid};

use super::typed::View;

/// Whether the metadata of an object is right, as far as is known here. The engine is asked about the rest: what a program reads from a server
/// has members that no program writes.
pub(super) fn holds(new: View<'_>, old: Option<View<'_>>, is_namespaced: bool) -> bool {
    let View::Object(new) = new else {
        return false;
    };
    let is_absent = |name: &str| !new.member(name).is_there();
    let others = [
        "annotations",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "finalizers",
        "generateName",
        "generation",
        "managedFields",
        "ownerReferences",
    ];
    let is_name = |name: &str, format: &str| matches!(new.member(name), View::Text(text) if is(format, text));
    let is_kept = match old {
        None => true,
        Some(View::Object(old)) => {
            let is_same = |name: &str| new.member(name).is_same(old.member(name));
            !old.member("deletionTimestamp").is_there()
                && !old.member("deletionGracePeriodSeconds").is_there()
                && is_same("name")
                && is_absent("creationTimestamp")
                && ["namespace", "uid"]
                    .iter()
                    .all(|name| is_absent(name) || is_same(name))
        }
        Some(_) => false,
    };
    is_kept
        && is_name("name", "k8s-long-name")
        && (is_absent("namespace") || is_namespaced && is_name("namespace", "k8s-short-name"))
        && others.iter().all(|name| is_absent(name))
        && are_labels(new.member("labels"))
}

fn are_labels(labels: View<'_>) -> bool {
    match labels {
        View::Absent => true,
        View::Map(labels) => labels.all(&mut |key, value| match (key, value) {
            (View::Text(key), View::Text(value)) => is("k8s-label-key", key) && is("k8s-label-value", value),
            _ => false,
        }),
        _ => false,
    }
}

fn is(format: &str, text: &str) -> bool {
    find(format).is_some_and(|format| is_valid(format, text))
}
