//! `NamespaceAutoProvision` creates the namespace of a new object; `NamespaceExists` demands one
//! (plugin/pkg/admission/namespace).

use kindsmith_json::Value;
use kindsmith_request::{AdmissionOperation, Status};

use super::{Refusal, Review};
use crate::Loopback;

fn is_missing(review: &Review<'_, '_, '_>) -> bool {
    let namespace = review.request.namespace;
    let is_inside = !namespace.is_empty() && !review.is_of("", "namespaces", "");
    is_inside && review.find("", "namespaces", "", namespace).is_none()
}

pub(super) fn provide<'a>(review: &Review<'_, '_, 'a>, object: Value<'a>) -> Result<Value<'a>, Refusal> {
    let request = review.request;
    let is_new = request.operation == AdmissionOperation::Create && !request.is_dry_run;
    if !is_new || !is_missing(review) {
        return Ok(object);
    }
    let body = format!(
        r#"{{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":{}}}}}"#,
        kindsmith_json::to_string(Value::Str(request.namespace))
    );
    let answer = Loopback::own(review.call.above).post("/api/v1/namespaces", &body);
    match answer.status {
        ..400 | 409 => Ok(object),
        _ => Err(Refusal::Forbidden(answer.message())),
    }
}

pub(super) fn check<'a>(review: &Review<'_, '_, 'a>, _: Value<'a>) -> Result<(), Refusal> {
    match is_missing(review) {
        true => {
            let status = Status::not_found("", "namespaces", review.request.namespace);
            Err(Refusal::Other(Box::new(status)))
        }
        false => Ok(()),
    }
}
