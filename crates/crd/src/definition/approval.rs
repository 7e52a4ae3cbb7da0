//! Approval of APIs in groups of the Kubernetes community.

use kindsmith_gostd::quote::quote;
use kindsmith_gostd::url::Url;
use kindsmith_json::Path;

use super::faults::Faults;

/// The annotation with the URL of the approval.
pub(super) const ANNOTATION: &str = "api-approved.kubernetes.io";

/// The state given by the annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Approval {
    Missing,
    Bypassed,
    Approved,
    Invalid,
}

/// Whether a group belongs to the community.
pub(super) fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"].iter().any(|domain| {
        group
            .strip_suffix(domain)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// The state given by the annotation, and its message (`GetAPIApprovalState`).
pub(super) fn state(annotation: &str) -> (Approval, String) {
    const SEE: &str = "see https://github.com/kubernetes/enhancements/pull/1111";
    let must = format!("protected groups must have approval annotation \"{ANNOTATION}\"");
    if annotation.is_empty() {
        return (Approval::Missing, format!("{must}, {SEE}"));
    }
    if annotation.starts_with("unapproved") {
        return (Approval::Bypassed, format!("not approved: {}", quote(annotation)));
    }
    let absolute = Url::parse_request_uri(annotation)
        .is_ok_and(|url| !url.host().is_empty() && !url.scheme().is_empty());
    if absolute {
        return (Approval::Approved, format!("approved in {annotation}"));
    }
    (
        Approval::Invalid,
        format!("{must} with either a URL or a reason starting with \"unapproved\", {SEE}"),
    )
}

/// Checks the annotation of a CRD in a protected group; an update that does not change the state passes.
pub(super) fn check(annotation: &str, old: Option<&str>, faults: &mut Faults) {
    let (approval, reason) = state(annotation);
    if old.is_some_and(|old| state(old).0 == approval) {
        return;
    }
    let metadata = Path::root("metadata");
    let annotations = metadata.child("annotations");
    let at = annotations.key(ANNOTATION);
    match approval {
        Approval::Missing => faults.required(&at, &reason),
        Approval::Invalid => faults.invalid(&at, annotation, &reason),
        Approval::Approved | Approval::Bypassed => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_the_community_are_protected() {
        for (group, protected) in [
            ("k8s.io", true),
            ("apps.k8s.io", true),
            ("x.kubernetes.io", true),
            ("xk8s.io", false),
            ("example.com", false),
        ] {
            assert_eq!(is_protected(group), protected, "{group}");
        }
    }

    #[test]
    fn annotations_have_states() {
        for (annotation, approval) in [
            ("", Approval::Missing),
            ("unapproved, experimental", Approval::Bypassed),
            (
                "https://github.com/kubernetes/kubernetes/pull/1",
                Approval::Approved,
            ),
            ("/only/a/path", Approval::Invalid),
            ("because", Approval::Invalid),
        ] {
            assert_eq!(state(annotation).0, approval, "{annotation}");
        }
    }
}
