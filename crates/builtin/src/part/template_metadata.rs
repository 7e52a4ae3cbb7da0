//! Metadata of templates, which only have labels and annotations (`ValidateTemplateObjectMeta` in
//! pkg/apis/core/validation/validation.go).

use kindsmith_json::Value;
use kindsmith_object::meta::{validate_annotations, validate_labels};

use crate::field::{Errors, Field};
use crate::field_check::entries;

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

/// Checks the metadata of a template.
pub(crate) fn check(metadata: &Field<'_, '_>, errors: &mut Errors) {
    let annotations = metadata.child("annotations");
    validate_annotations(entries(annotations.value), &annotations.path, errors);
    let labels = metadata.child("labels");
    validate_labels(entries(labels.value), &labels.path, errors);
    for (key, shown) in NOT_IN_TEMPLATES {
        let member = metadata.child(key);
        // An empty list is not absent, nor is a pointer to zero.
        let is_set = match member.value {
            None | Some(Value::Null | Value::Str("")) => false,
            Some(value) => key == "deletionGracePeriodSeconds" || value.as_i64() != Some(0),
        };
        if is_set {
            metadata.child(shown).forbidden("cannot be set", errors);
        }
    }
}
