//! `NamespaceExists`: demands that the namespace of an object exists (plugin/pkg/admission/namespace/exists).

use kindsmith_json::Value;
use kindsmith_request::Status;

use super::{Refusal, Review};

pub(super) fn is_missing(review: &Review<'_, '_>) -> bool {
    let namespace = review.request.namespace;
    let is_inside = !namespace.is_empty() && !review.is_of("", "namespaces", "");
    is_inside && review.find("", "namespaces", "", namespace).is_none()
}

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, _: Value<'a>) -> Result<(), Refusal> {
    if is_missing(review) {
        return Err(Status::not_found("", "namespaces", review.request.namespace).into());
    }
    Ok(())
}
