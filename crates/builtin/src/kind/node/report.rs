//! What a node reports: its features, its swap space, and pods that it would rather not have (`ValidateNode` and
//! `ValidateAvoidPodsInNodeAnnotations` in pkg/apis/core/validation/validation.go).

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Path, Value, parse_str};

use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{duplicate, invalid_text, items, required, text};

const AVOIDED: &str = "scheduler.alpha.kubernetes.io/preferAvoidPods";

/// Each entry of the annotation must name a controller.
pub(super) fn validate_avoided(change: &Change<'_>, errors: &mut Errors) {
    let arena = Arena::new();
    let note = text(change.new.meta.annotations.get(AVOIDED));
    let Ok(noted) = parse_str(&arena, note) else {
        return;
    };
    let path = Path::root("metadata");
    let (path, key) = (path.child("annotations"), AVOIDED);
    let path = path.child(key);
    for (index, entry) in items(noted.get("preferAvoidPods")).iter().enumerate() {
        let path = path.index(index);
        let path = path.child("PodSignature");
        let controller = entry.lookup(&["podSignature", "podController"]);
        match controller.filter(|controller| !controller.is_null()) {
            None => errors.push(required(&path, "")),
            Some(owner) if owner.get("controller") == Some(Value::Bool(false)) => {
                let path = path.child("PodController");
                let controller = Field {
                    path: path.child("Controller"),
                    value: owner.get("controller"),
                    release: change.release,
                };
                controller.invalid("must point to a controller", errors);
            }
            Some(_) => {}
        }
    }
}

/// Swap space is reported below the metadata.
pub(super) fn validate_swap(status: &Field<'_, '_>, errors: &mut Errors) {
    let info = status.child("nodeInfo");
    let swap = info.child("swap");
    let path = Path::root("metadata");
    let path = path.child("nodeSwapStatus");
    let capacity = Field {
        path: path.child("capacity"),
        value: swap.child("capacity").value,
        release: status.release,
    };
    if capacity.is_set() && capacity.number() <= 0 {
        capacity.invalid("must be greater than zero", errors);
    }
}

/// Features are well named, in order, and there once.
pub(super) fn validate_features(features: &Field<'_, '_>, errors: &mut Errors) {
    const LIMIT: usize = 253;
    let list: Vec<&str> = features.items().map(|feature| feature.text()).collect();
    for (index, name) in list.iter().enumerate() {
        let problem = match name {
            name if name.len() > LIMIT => Some(format!("must be no more than {LIMIT} characters")),
            name if !is_feature(name) => Some(
                "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature \
                 or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"
                    .to_owned(),
            ),
            _ => None,
        };
        if let Some(problem) = problem {
            let detail = format!("invalid feature name {}: {problem}", quote(name));
            errors.push(invalid_text(&features.path.index(index), name, detail));
        }
        let Some(next) = list.get(index + 1) else { continue };
        let path = features.path.index(index + 1);
        if name == next {
            errors.push(duplicate(&path, next));
        } else if name > next {
            errors.push(invalid_text(&path, next, "list must be sorted alphabetically"));
        }
    }
}

/// `Feature` or `Feature/part`.
fn is_feature(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    name.starts_with(|first: char| first.is_ascii_uppercase()) && name.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::is_feature;

    #[test]
    fn features_start_with_a_capital() {
        for (name, expected) in [
            ("MyFeature", true),
            ("MyFeature/mySub2", true),
            ("myFeature", false),
            ("A/", false),
            ("A/2", false),
            ("A-b", false),
            ("", false),
        ] {
            assert_eq!(is_feature(name), expected, "{name}");
        }
    }
}
