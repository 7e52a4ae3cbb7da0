//! `DefaultIngressClass`: new ingresses without a class get the default one
//! (plugin/pkg/admission/network/defaultingressclass).

use kindsmith_json::Value;

use super::default_class::{Rule, set};
use super::{Refusal, Review};

const RULE: Rule = Rule {
    group: "networking.k8s.io",
    resource: "ingresses",
    field: ["spec", "ingressClassName"],
    annotation: "kubernetes.io/ingress.class",
    class_group: "networking.k8s.io",
    classes: "ingressclasses",
    marks: &["ingressclass.kubernetes.io/is-default-class"],
};

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Refusal> {
    Ok(set(review, &RULE, object))
}
