//! `StorageObjectInUseProtection`: volumes, claims and their classes of attributes are not removed while they are in use
//! (plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go).

use kindsmith_json::Value;

use super::{Refusal, Review, push};

/// Finalizers by group and resource.
const FINALIZERS: &[(&str, &str, &str)] = &[
    ("", "persistentvolumes", "kubernetes.io/pv-protection"),
    ("", "persistentvolumeclaims", "kubernetes.io/pvc-protection"),
    (
        "storage.k8s.io",
        "volumeattributesclasses",
        "kubernetes.io/vac-protection",
    ),
];
const PATH: [&str; 2] = ["metadata", "finalizers"];

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Refusal> {
    let mut object = object;
    let mut finalizers = FINALIZERS.iter();
    let own = finalizers.find(|(group, resource, _)| review.is_of(group, resource, ""));
    if let Some((.., finalizer)) = own
        && !object.list(&PATH).contains(&Value::Str(finalizer))
    {
        push(review.arena, &mut object, &PATH, Value::Str(finalizer));
    }
    Ok(object)
}
