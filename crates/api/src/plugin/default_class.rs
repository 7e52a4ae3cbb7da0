//! `DefaultStorageClass` and `DefaultIngressClass`: new claims and ingresses without a class get the default one
//! (plugin/pkg/admission/storage/storageclass/setdefault and plugin/pkg/admission/network/defaultingressclass).

use kindsmith_json::Value;
use kindsmith_request::AdmissionOperation;

use super::{Refusal, Review};

/// Which objects get a class, and which class is the default.
struct Rule {
    group: &'static str,
    resource: &'static str,
    /// The field that names the class, and the older annotation in its place.
    field: [&'static str; 2],
    annotation: &'static str,
    class_group: &'static str,
    classes: &'static str,
    /// Annotations that make a class the default.
    marks: &'static [&'static str],
}

const STORAGE: Rule = Rule {
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

const INGRESS: Rule = Rule {
    group: "networking.k8s.io",
    resource: "ingresses",
    field: ["spec", "ingressClassName"],
    annotation: "kubernetes.io/ingress.class",
    class_group: "networking.k8s.io",
    classes: "ingressclasses",
    marks: &["ingressclass.kubernetes.io/is-default-class"],
};

/// Sets the default storage class of a new claim.
pub(super) fn storage<'a>(review: &Review<'_, '_, 'a>, object: Value<'a>) -> Result<Value<'a>, Refusal> {
    Ok(set(review, &STORAGE, object))
}

/// Sets the default ingress class of a new ingress.
pub(super) fn ingress<'a>(review: &Review<'_, '_, 'a>, object: Value<'a>) -> Result<Value<'a>, Refusal> {
    Ok(set(review, &INGRESS, object))
}

/// The object with the default class, if it is of the kind that has one and names none.
fn set<'a>(review: &Review<'_, '_, 'a>, rule: &Rule, object: Value<'a>) -> Value<'a> {
    let is_new = review.request.operation == AdmissionOperation::Create;
    if !is_new || !review.is_of(rule.group, rule.resource, "") {
        return object;
    }
    let annotation = object.lookup(&["metadata", "annotations", rule.annotation]);
    let given = object.lookup(&rule.field).filter(|class| !class.is_null());
    if given.or(annotation).is_some() {
        return object;
    }
    let mut object = object;
    let classes = review.all_of_cluster(rule.class_group, rule.classes);
    if let Some(class) = default_class(classes, rule) {
        object.set(review.arena, &rule.field, class);
    }
    object
}

/// The name of the default class; of several, the newest one, then the first by name.
fn default_class<'a>(classes: Vec<Value<'a>>, rule: &Rule) -> Option<Value<'a>> {
    let text = |class: &Value<'a>, key: &str| {
        let text = class.lookup(&["metadata", key]).and_then(Value::as_str);
        text.unwrap_or_default()
    };
    let is_default = |class: &Value<'a>| {
        let mark = |mark: &&str| class.lookup(&["metadata", "annotations", mark]);
        let mut marks = rule.marks.iter().filter_map(mark);
        marks.any(|mark| mark == Value::Str("true"))
    };
    let default = classes.into_iter().filter(is_default).min_by(|left, right| {
        let newer = text(right, "creationTimestamp").cmp(text(left, "creationTimestamp"));
        newer.then_with(|| text(left, "name").cmp(text(right, "name")))
    })?;
    default.lookup(&["metadata", "name"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use kindsmith_json::Arena;

    #[test]
    fn the_newest_default_class_wins_then_the_first_by_name() {
        let class = |name: &str, created: &str, mark: &str| {
            format!(
                r#"{{"metadata":{{"name":"{name}","creationTimestamp":"{created}","annotations":{{"storageclass.kubernetes.io/is-default-class":"{mark}"}}}}}}"#
            )
        };
        let arena = Arena::new();
        let parse = |text: String| kindsmith_json::parse_str(&arena, arena.alloc_str(&text)).expect("JSON");
        let classes = vec![
            parse(class("old", "2020-01-01T00:00:00Z", "true")),
            parse(class("b", "2021-01-01T00:00:00Z", "true")),
            parse(class("a", "2021-01-01T00:00:00Z", "true")),
            parse(class("newest", "2022-01-01T00:00:00Z", "false")),
        ];
        assert_eq!(default_class(classes, &STORAGE), Some(Value::Str("a")));
        assert_eq!(default_class(Vec::new(), &STORAGE), None);
    }
}
