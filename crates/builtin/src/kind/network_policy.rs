//! Network policies (`SetDefaults_NetworkPolicy` in pkg/apis/networking/v1/defaults.go).

use kindsmith_json::{Arena, Value};

use crate::edit::member;
use crate::rule::items;

/// A policy that names no directions is about incoming traffic, and about outgoing if it has rules for that.
pub(crate) fn default_network_policy<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    const BOTH: &[Value<'static>] = &[Value::Str("Ingress"), Value::Str("Egress")];
    let mut object = object;
    if object.get("spec").is_none_or(Value::is_null) {
        object.set(arena, &["spec"], Value::Object(kindsmith_json::Object::EMPTY));
    }
    member(arena, &mut object, &["spec"], |spec| {
        let mut spec = spec;
        if items(spec.get("policyTypes")).is_empty() {
            let has_egress = !items(spec.get("egress")).is_empty();
            let types = if has_egress { BOTH } else { &BOTH[..1] };
            spec.set(arena, &["policyTypes"], Value::Array(types));
        }
        spec
    });
    object
}
