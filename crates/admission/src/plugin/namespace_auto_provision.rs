//! `NamespaceAutoProvision`: creates the namespace of a new object (plugin/pkg/admission/namespace/autoprovision).

use kindsmith_json::{Object, Value};

use super::namespace_exists::is_missing;
use super::{Refusal, Review};

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Refusal> {
    let (arena, request) = (review.arena, review.request);
    if request.is_dry_run || !is_missing(review) {
        return Ok(object);
    }
    let mut namespace = Value::Object(Object::EMPTY);
    namespace.set(arena, &["apiVersion"], "v1".into());
    namespace.set(arena, &["kind"], "Namespace".into());
    namespace.set(arena, &["metadata", "name"], Value::Str(request.namespace));
    let created = review.server.create("/api/v1/namespaces", namespace);
    created
        .map(|()| object)
        .map_err(|failed| Refusal::Forbidden(failed.message))
}
