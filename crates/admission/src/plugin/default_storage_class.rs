//! `DefaultStorageClass`: new claims without a class get the default one
//! (plugin/pkg/admission/storage/storageclass/setdefault).

use kindsmith_json::Value;

use super::default_class::{Rule, set};
use super::{Refusal, Review};

pub(super) const RULE: Rule = Rule {
    group: "",
    resource: "persistentvolumeclaims",
    field: ["spec", "storageClassName"],
    annotation: "volume.beta.kubernetes.io/storage-class",
    class_group: "storage.k8s.io",
    classes: "storageclasses",
    marks: &[
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
    ],
};

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Refusal> {
    Ok(set(review, &RULE, object))
}
