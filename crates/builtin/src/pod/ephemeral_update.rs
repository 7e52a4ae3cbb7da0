//! Updates through `/ephemeralcontainers`, which adds containers to a running pod.

use super::annotation;
use super::spec::{MIRROR, annotations};
use super::validate::validate_pod;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::forbidden;
use crate::go_value::internal::{self, CORE};
use crate::go_value::json::is_same;

/// Checks an update of ephemeral containers: they can only be added.
pub(crate) fn validate_ephemeral(change: &Change<'_>, errors: &mut Errors) {
    change.validate_metadata(errors);
    validate_pod(change, errors);
    let old_annotations = change.old.map(|old| old.meta.annotations).unwrap_or_default();
    annotation::check_unchanged(&annotations(change), old_annotations, errors);
    annotation::check_again(change, &Field::root(change, "spec"), errors);
    if old_annotations.contains_key(MIRROR) {
        errors.clear();
        let detail = "static pods do not support ephemeral containers";
        errors.push(forbidden(&kindsmith_json::Path::root(""), detail));
        return;
    }
    let spec = Field::root(change, "spec");
    let containers = spec.child("ephemeralContainers");
    let old_spec = Field::old_root(change, "spec");
    for old in old_spec.child("ephemeralContainers").items() {
        let name = old.child("name").text();
        let new = containers.items().filter(|new| new.child("name").text() == name);
        let shown = kindsmith_gostd::quote::quote(name);
        let detail = match new.last() {
            None => format!("existing ephemeral containers {shown} may not be removed\n"),
            Some(new) if !is_same(new.value, old.value) => format!(
                "existing ephemeral containers {shown} may not be changed\n{}",
                internal::difference(new.release, CORE, "EphemeralContainer", old.value, new.value)
            ),
            Some(_) => continue,
        };
        containers.forbidden(&detail, errors);
    }
}
