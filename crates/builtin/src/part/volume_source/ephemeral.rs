//! Volumes whose claim is made together with the pod.

use kindsmith_object::meta::{validate_annotations, validate_labels};

use crate::field::{Errors, Field};
use crate::field_check::entries;
use crate::part::volume_claim::validate_claim;

/// Members of metadata that a template must leave out, as errors spell them.
const NOT_IN_TEMPLATES: [(&str, &str); 13] = [
    ("name", "name"),
    ("generateName", "generateName"),
    ("namespace", "namespace"),
    ("selfLink", "selfLink"),
    ("uid", "uID"),
    ("resourceVersion", "resourceVersion"),
    ("generation", "generation"),
    ("creationTimestamp", "creationTimestamp"),
    ("deletionTimestamp", "deletionTimestamp"),
    ("deletionGracePeriodSeconds", "deletionGracePeriodSeconds"),
    ("ownerReferences", "ownerReferences"),
    ("finalizers", "finalizers"),
    ("managedFields", "managedFields"),
];

/// Checks the template of the claim.
pub(super) fn check(source: &Field<'_, '_>, errors: &mut Errors) {
    let template = source.child("volumeClaimTemplate");
    if !template.is_set() {
        return;
    }
    let metadata = template.child("metadata");
    let annotations = metadata.child("annotations");
    validate_annotations(entries(annotations.value), &annotations.path, errors);
    let labels = metadata.child("labels");
    validate_labels(entries(labels.value), &labels.path, errors);
    for (key, shown) in NOT_IN_TEMPLATES {
        let member = metadata.child(key);
        let is_zero = member.is_blank() || member.value.is_some_and(|value| value.as_i64() == Some(0));
        // A pointer to zero is still set.
        if !is_zero || (key == "deletionGracePeriodSeconds" && member.is_set()) {
            metadata.child(shown).forbidden("cannot be set", errors);
        }
    }
    validate_claim(&template.child("spec"), errors);
}
