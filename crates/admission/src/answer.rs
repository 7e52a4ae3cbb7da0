//! Responses of webhooks (`webhookrequest.VerifyAdmissionResponse` in apiserver's
//! pkg/admission/plugin/webhook/request/admissionreview.go), and denials (`ToStatusErr` in
//! pkg/admission/plugin/webhook/errors/statuserror.go).

use std::fmt;

use kindsmith_gostd::base64;
use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Value};
use kindsmith_request::{Cause, Details, ListMeta, Status};

use crate::envelope::{self, present, text, unfit};
use crate::setting::ReviewVersion;

const GROUP: &str = "admission.k8s.io";
const KIND: &str = "AdmissionReview";

/// The type of the webhook that responded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Mutating,
    Validating,
}

/// A valid response.
#[derive(Debug, Default)]
pub(crate) struct Reviewed {
    pub(crate) is_allowed: bool,
    /// The `Status` of a denial, unchanged.
    pub(crate) status: Option<Status>,
    pub(crate) patch: Vec<u8>,
    pub(crate) patch_type: String,
    pub(crate) warnings: Vec<String>,
    pub(crate) audit_annotations: Vec<(String, String)>,
}

/// Why a response is not usable.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AnswerError {
    /// It cannot be decoded.
    Undecodable(String),
    /// It violates the rules of `AdmissionReview`.
    Invalid(String),
}

impl fmt::Display for AnswerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::Undecodable(text) => write!(out, "failed to call webhook: {text}"),
            AnswerError::Invalid(text) => write!(out, "received invalid webhook response: {text}"),
        }
    }
}

/// Reads and checks a response.
pub(crate) fn read(
    bytes: &[u8],
    version: ReviewVersion,
    uid: &str,
    kind: Kind,
) -> Result<Reviewed, AnswerError> {
    let arena = Arena::new();
    let review = envelope::decode(&arena, bytes, KIND, GROUP, version).map_err(AnswerError::Undecodable)?;
    let given = Given::read(review).map_err(AnswerError::Undecodable)?;
    let checked = match version {
        ReviewVersion::V1 => check(review, given.as_ref(), uid, kind),
        ReviewVersion::V1beta1 => Ok(()),
    };
    let given = given.ok_or_else(|| AnswerError::Invalid("webhook response was absent".to_owned()))?;
    checked.map_err(AnswerError::Invalid)?;
    Ok(Reviewed {
        is_allowed: given.is_allowed,
        status: given.status,
        patch_type: match version {
            ReviewVersion::V1 => given.patch_type.unwrap_or_default(),
            ReviewVersion::V1beta1 => "JSONPatch".to_owned(),
        },
        patch: given.patch,
        warnings: given.warnings,
        audit_annotations: given.audit_annotations,
    })
}

/// Checks a v1 response: `patch` and `patchType` come together, and only from mutating webhooks.
fn check(review: Value<'_>, given: Option<&Given>, uid: &str, kind: Kind) -> Result<(), String> {
    let Some(given) = given else {
        return Ok(());
    };
    envelope::check_kind(review, KIND, GROUP)?;
    envelope::check_uid(uid, &given.uid)?;
    let why = match (kind, given.patch.is_empty(), given.patch_type.as_deref()) {
        (Kind::Mutating, false, None) => "webhook returned response.patch but not response.patchType",
        (Kind::Mutating, true, Some(_)) => "webhook returned response.patchType but not response.patch",
        (Kind::Mutating, false, Some("")) => "webhook returned invalid response.patchType of \"\"",
        (Kind::Validating, false, _) => "validating webhook may not return response.patch",
        (Kind::Validating, true, Some(_)) => "validating webhook may not return response.patchType",
        _ => return Ok(()),
    };
    Err(why.to_owned())
}

/// The `response` of a review, unchecked.
#[derive(Debug, Default)]
struct Given {
    uid: String,
    is_allowed: bool,
    status: Option<Status>,
    patch: Vec<u8>,
    patch_type: Option<String>,
    warnings: Vec<String>,
    audit_annotations: Vec<(String, String)>,
}

impl Given {
    fn read(review: Value<'_>) -> Result<Option<Self>, String> {
        let Some(response) = present(review.get("response")) else {
            return Ok(None);
        };
        if response.as_object().is_none() {
            return Err(unfit(
                response,
                "AdmissionReview.response",
                &format!("{}.AdmissionResponse", "v1"),
            ));
        }
        let field = |key: &str| present(response.get(key));
        let name = |key: &str| format!("AdmissionResponse.response.{key}");
        Ok(Some(Given {
            uid: text(field("uid"), &name("uid"), "types.UID")?,
            is_allowed: match field("allowed") {
                None => false,
                Some(Value::Bool(allowed)) => allowed,
                Some(other) => return Err(unfit(other, &name("allowed"), "bool")),
            },
            status: field("status").map(read_status).transpose()?,
            patch: patch(field("patch"), &name("patch"))?,
            patch_type: match field("patchType") {
                None => None,
                given => Some(text(given, &name("patchType"), "v1.PatchType")?),
            },
            warnings: texts(field("warnings"), &name("warnings"))?,
            audit_annotations: annotations(field("auditAnnotations"), &name("auditAnnotations"))?,
        }))
    }
}

/// Audit annotations are texts by their names; null is an empty text.
fn annotations(value: Option<Value<'_>>, name: &str) -> Result<Vec<(String, String)>, String> {
    match value {
        None => Ok(Vec::new()),
        Some(Value::Object(annotations)) => annotations
            .iter()
            .map(|(key, value)| Ok((key.to_owned(), text(present(Some(value)), name, "string")?)))
            .collect(),
        Some(other) => Err(unfit(other, name, "map[string]string")),
    }
}

fn patch(value: Option<Value<'_>>, name: &str) -> Result<Vec<u8>, String> {
    match value {
        None => Ok(Vec::new()),
        Some(Value::Str(text)) => base64::decode(text.as_bytes()).map_err(|error| error.to_string()),
        Some(Value::Array(items)) => match items
            .iter()
            .find(|item| item.as_u64().is_none_or(|byte| byte > 255))
        {
            Some(&item) => Err(unfit(item, name, "uint8")),
            None => Ok(items
                .iter()
                .filter_map(|item| item.as_u64()?.try_into().ok())
                .collect()),
        },
        Some(other) => Err(unfit(other, name, "[]uint8")),
    }
}

/// A list of strings; null is an empty one.
fn texts(value: Option<Value<'_>>, name: &str) -> Result<Vec<String>, String> {
    match value {
        None => Ok(Vec::new()),
        Some(Value::Array(items)) => items
            .iter()
            .map(|&item| text(present(Some(item)), name, "string"))
            .collect(),
        Some(other) => Err(unfit(other, name, "[]string")),
    }
}

/// The parts of a `metav1.Status` that are passed on.
fn read_status(value: Value<'_>) -> Result<Status, String> {
    let path = "response.status";
    if value.as_object().is_none() {
        return Err(unfit(value, "AdmissionResponse.response.status", "v1.Status"));
    }
    let field = |key: &str, ty: &str| text(present(value.get(key)), &format!("Status.{path}.{key}"), ty);
    let code = match present(value.get("code")) {
        None => 0,
        Some(code) => match code.as_i64() {
            Some(number) if i32::try_from(number).is_ok() => number,
            _ => return Err(unfit(code, &format!("Status.{path}.code"), "int32")),
        },
    };
    let list = read_list(present(value.get("metadata")))?;
    let details = present(value.get("details")).map(read_details);
    let details = match details {
        Some(details) => Some(Details { list, ..details }),
        None if list == ListMeta::default() => None,
        None => Some(Details {
            list,
            ..Details::default()
        }),
    };
    Ok(Status {
        // Codes that HTTP cannot send become 500.
        code: u16::try_from(code).unwrap_or(if code < 0 { 0 } else { 500 }),
        reason: field("reason", "v1.StatusReason")?.into(),
        message: field("message", "string")?,
        details: details.map(Box::new),
    })
}

/// The metadata of a list, which is passed on too.
fn read_list(value: Option<Value<'_>>) -> Result<ListMeta, String> {
    let Some(value) = value else {
        return Ok(ListMeta::default());
    };
    if value.as_object().is_none() {
        return Err(unfit(value, "Status.response.status.metadata", "v1.ListMeta"));
    }
    let name = |key: &str| format!("ListMeta.response.status.metadata.{key}");
    let field = |key: &str| text(present(value.get(key)), &name(key), "string");
    let left = present(value.get("remainingItemCount"));
    Ok(ListMeta {
        self_link: field("selfLink")?,
        resource_version: field("resourceVersion")?,
        resume: field("continue")?,
        remaining_item_count: match left.map(|left| left.as_i64().ok_or(left)) {
            None => None,
            Some(Ok(left)) => Some(left),
            Some(Err(other)) => return Err(unfit(other, &name("remainingItemCount"), "int64")),
        },
    })
}

fn read_details(value: Value<'_>) -> Details {
    let text = |value: Value<'_>, key: &str| {
        value
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let causes = value.get("causes").and_then(Value::as_array).unwrap_or_default();
    Details {
        name: text(value, "name"),
        group: text(value, "group"),
        kind: text(value, "kind"),
        uid: text(value, "uid"),
        causes: causes
            .iter()
            .map(|&cause| Cause {
                reason: text(cause, "reason").into(),
                message: text(cause, "message"),
                field: text(cause, "field"),
            })
            .collect(),
        retry_after_seconds: value
            .get("retryAfterSeconds")
            .and_then(Value::as_u64)
            .and_then(|seconds| seconds.try_into().ok())
            .unwrap_or_default(),
        ..Details::default()
    }
}

/// The response for a request that a webhook denied.
pub(crate) fn denial(webhook: &str, status: Option<Status>) -> Status {
    let denied = format!("admission webhook {} denied the request", quote(webhook));
    let nothing = Status {
        code: 0,
        ..Status::unforeseen("")
    };
    let mut status = status.unwrap_or(nothing);
    status.code = status.code.max(400);
    status.message = match (&*status.message, &*status.reason) {
        ("", "") => format!("{denied} without explanation"),
        ("", reason) => format!("{denied}: {reason}"),
        (message, _) => format!("{denied}: {message}"),
    };
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: &str, expected: &str) {
        let arena = Arena::new();
        let value = kindsmith_json::parse_str(&arena, status).expect("it is JSON");
        let told = match read_status(value) {
            Ok(status) => kindsmith_json::to_string(denial("w", Some(status)).to_value(&arena)),
            Err(why) => why,
        };
        assert!(told.contains(expected), "{status}: {told}");
    }

    #[test]
    fn the_metadata_of_a_list_is_passed_on() {
        check(
            r#"{"metadata":{"resourceVersion":"5","continue":"abc","remainingItemCount":0,"selfLink":"/x"}}"#,
            r#""metadata":{"selfLink":"/x","resourceVersion":"5","continue":"abc","remainingItemCount":0},"status":"Failure","message":"admission webhook \"w\" denied the request without explanation","code":400}"#,
        );
        check(
            r#"{"metadata":{"foo":1},"details":{"name":"n"}}"#,
            r#""metadata":{},"#,
        );
        check(
            r#"{"metadata":{"continue":"c"},"details":{"name":"n"}}"#,
            r#""details":{"name":"n"}"#,
        );
        check(
            r#"{"metadata":"x"}"#,
            "json: cannot unmarshal string into Go struct field Status.response.status.metadata of type v1.ListMeta",
        );
        check(
            r#"{"metadata":{"remainingItemCount":"x"}}"#,
            "json: cannot unmarshal string into Go struct field ListMeta.response.status.metadata.remainingItemCount of type int64",
        );
    }
}
