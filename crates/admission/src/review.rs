//! Reviews sent to webhooks (`webhookrequest.CreateAdmissionObjects` in apiserver's
//! pkg/admission/plugin/webhook/request/admissionreview.go).

use kindsmith_cel::policy::Reads;
use kindsmith_json::{Arena, Value, object_of_present};

use crate::invocation::{Invocation, Versioned};
use crate::setting::ReviewVersion;
use crate::{Attributes, Gvk, Gvr};

/// The review of a request, as JSON.
pub(crate) fn request<'a>(
    arena: &'a Arena,
    version: ReviewVersion,
    uid: &str,
    attributes: &Attributes<'a>,
    invocation: &Invocation,
    shown: &Versioned<'a>,
) -> String {
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    let mut request = facts(arena, uid, attributes, invocation);
    request.set(arena, &["object"], shown.object.unwrap_or_default());
    request.set(arena, &["oldObject"], shown.old.unwrap_or_default());
    let api_version = format!("admission.k8s.io/{}", version.name());
    kindsmith_json::to_string(object_of_present(
        arena,
        &[
            ("kind", Some("AdmissionReview".into())),
            ("apiVersion", Some(text(&api_version))),
            ("request", Some(request)),
        ],
    ))
}

/// `request` as expressions see it; null if they do not read it.
pub(crate) fn read_facts<'a>(
    reads: Reads,
    arena: &'a Arena,
    attributes: &Attributes<'a>,
    invocation: &Invocation,
) -> Value<'a> {
    if reads.request() {
        facts(arena, "", attributes, invocation)
    } else {
        Value::Null
    }
}

/// The members of a review's `request` without the objects.
fn facts<'a>(arena: &'a Arena, uid: &str, attributes: &Attributes<'a>, invocation: &Invocation) -> Value<'a> {
    let text = |text: &str| Value::Str(arena.alloc_str(text));
    let filled = |given: &str| (!given.is_empty()).then(|| text(given));
    object_of_present(
        arena,
        &[
            ("uid", Some(text(uid))),
            ("kind", Some(kind(arena, &invocation.kind))),
            ("resource", Some(resource(arena, &invocation.resource))),
            ("subResource", filled(&attributes.subresource)),
            ("requestKind", Some(kind(arena, &attributes.kind))),
            ("requestResource", Some(resource(arena, &attributes.resource))),
            ("requestSubResource", filled(&attributes.subresource)),
            ("name", filled(&attributes.name)),
            ("namespace", filled(&attributes.namespace)),
            ("operation", Some(attributes.operation.name().into())),
            ("userInfo", Some(attributes.user)),
            ("dryRun", Some(Value::Bool(attributes.is_dry_run))),
            ("options", Some(attributes.options)),
        ],
    )
}

fn kind<'a>(arena: &'a Arena, kind: &Gvk) -> Value<'a> {
    let text = |text: &str| Some(Value::Str(arena.alloc_str(text)));
    object_of_present(
        arena,
        &[
            ("group", text(&kind.group)),
            ("version", text(&kind.version)),
            ("kind", text(&kind.kind)),
        ],
    )
}

fn resource<'a>(arena: &'a Arena, resource: &Gvr) -> Value<'a> {
    let text = |text: &str| Some(Value::Str(arena.alloc_str(text)));
    object_of_present(
        arena,
        &[
            ("group", text(&resource.group)),
            ("version", text(&resource.version)),
            ("resource", text(&resource.resource)),
        ],
    )
}
