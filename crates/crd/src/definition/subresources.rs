//! The paths of the scale subresource.

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_openapi::crd::Subresources;

use super::faults::Faults;

pub(super) fn check(subresources: Option<&Subresources>, path: &Path<'_>, faults: &mut Faults) {
    let Some(scale) = subresources.and_then(|subresources| subresources.scale.as_ref()) else {
        return;
    };
    let at = path.child("scale");
    replicas(
        &scale.spec_replicas_path,
        &at.child("specReplicasPath"),
        ".spec",
        faults,
    );
    replicas(
        &scale.status_replicas_path,
        &at.child("statusReplicasPath"),
        ".status",
        faults,
    );
    let selector = scale.label_selector_path.as_deref().unwrap_or_default();
    if !selector.is_empty() {
        let at = at.child("labelSelectorPath");
        if simple(selector, &at, faults)
            && !selector.starts_with(".spec.")
            && !selector.starts_with(".status.")
        {
            let detail = "should be a json path under either .spec or .status";
            faults.invalid(&at, BadValue::json_text(selector), detail);
        }
    }
}

fn replicas(text: &str, at: &Path<'_>, under: &str, faults: &mut Faults) {
    if text.is_empty() {
        faults.required(at, "");
        return;
    }
    let inside = text.strip_prefix(under).is_some_and(|rest| rest.starts_with('.'));
    if simple(text, at, faults) && !inside {
        faults.invalid(at, text, &format!("should be a json path under {under}"));
    }
}

/// Checks that a path starts with a dot, and nothing more (`validateSimpleJSONPath`).
pub(super) fn simple(text: &str, at: &Path<'_>, faults: &mut Faults) -> bool {
    let simple = text.starts_with('.');
    if !simple {
        faults.invalid(at, text, "must be a simple json path starting with .");
    }
    simple
}
