//! `NamespaceLifecycle`: no new objects in a namespace that does not exist or is being deleted; some namespaces are never
//! deleted (`Lifecycle.Admit` in apiserver's pkg/admission/plugin/namespace/lifecycle).

use kindsmith_json::Value;
use kindsmith_request::{AdmissionOperation, Cause, Status};

use super::{Refusal, Review};

/// Namespaces that are never deleted.
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];

pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<Value<'a>, Refusal> {
    let request = review.request;
    match request.operation {
        AdmissionOperation::Delete => check_deletion(review)?,
        AdmissionOperation::Create => check_creation(review, object)?,
        AdmissionOperation::Update | AdmissionOperation::Connect => {}
    }
    Ok(object)
}

fn check_deletion(review: &Review<'_, '_>) -> Result<(), Refusal> {
    let name = review.request.name;
    if review.is_of("", "namespaces", "") && IMMORTAL.contains(&name) {
        let why = "this namespace may not be deleted";
        return Err(Status::forbidden("", "namespaces", name, why).into());
    }
    Ok(())
}

fn check_creation<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<(), Refusal> {
    let request = review.request;
    // Reviews may name any namespace.
    if request.namespace.is_empty() || request.resource == "localsubjectaccessreviews" {
        return Ok(());
    }
    match review.server.phase(request.namespace)? {
        "Terminating" => Err(terminating(review, object)),
        _ => Ok(()),
    }
}

fn terminating<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Refusal {
    let namespace = review.request.namespace;
    let why = format!("unable to create new content in namespace {namespace} because it is being terminated");
    let mut status = review.request.forbidden(object, &why);
    if let Some(details) = &mut status.details {
        details.causes.push(Cause {
            reason: "NamespaceTerminating".into(),
            message: format!("namespace {namespace} is being terminated"),
            field: "metadata.namespace".to_owned(),
        });
    }
    status.into()
}
