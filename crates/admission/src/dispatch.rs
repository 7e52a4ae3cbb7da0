//! Shared by mutating and validating webhooks: whether one is called, how, and which responses are usable
//! (`Webhook.ShouldCallHook` in apiserver's pkg/admission/plugin/webhook/generic/webhook.go).

use std::fmt;

use kindsmith_gostd::quote::quote;
use kindsmith_request::Status;

use crate::answer::Reviewed;
use crate::caller::{Call, CallError, Called};
use crate::invocation::{Invocation, Versioned};
use crate::setting::{FailurePolicy, ReviewVersion};
use crate::{Attributes, Host, Webhook, answer, http_error, match_condition, review};

/// Why a webhook gave no usable response; its failure policy decides what follows.
pub(crate) enum Failure {
    /// The call failed, or its response is invalid.
    Call {
        /// The message for the client.
        why: String,
        /// The HTTP status in metrics.
        code: u16,
    },
    /// The webhook denied the request.
    Denied(Status),
    /// The request is rejected whatever the failure policy.
    Final(Status),
}

impl Failure {
    pub(crate) fn call(webhook: &Webhook, code: u16, why: impl fmt::Display) -> Self {
        Failure::Call {
            why: format!("failed calling webhook {}: {why}", quote(&webhook.name)),
            code,
        }
    }

    /// The response to the request, if the failure policy rejects it.
    pub(crate) fn counted(self, webhook: &Webhook) -> Option<Status> {
        match self {
            Failure::Call { .. } if webhook.failure_policy == FailurePolicy::Ignore => None,
            Failure::Call { why, .. } => Some(Status::internal(&why)),
            Failure::Denied(status) | Failure::Final(status) => Some(status),
        }
    }
}

/// Whether a webhook is called, and how.
pub(crate) fn should_call<'a>(
    host: &dyn Host<'a>,
    webhook: &Webhook,
    attributes: &Attributes<'a>,
    shown: &Versioned<'a>,
) -> Result<Option<Invocation>, Status> {
    let Some(invocation) = webhook.constraints.matched(host, attributes, shown)? else {
        return Ok(None);
    };
    let is_wanted = match_condition::hold(
        host,
        (&webhook.match_conditions, webhook.failure_policy),
        attributes,
        &invocation,
        shown,
    )?;
    Ok(is_wanted.then_some(invocation))
}

/// A prepared call, with the uid that its response must have.
pub(crate) struct Prepared<'w> {
    pub(crate) call: Call<'w>,
    pub(crate) uid: String,
}

/// Prepares the call of a webhook.
pub(crate) fn prepare<'w, 'a>(
    host: &dyn Host<'a>,
    webhook: &'w Webhook,
    attributes: &Attributes<'a>,
    invocation: &Invocation,
    shown: &Versioned<'a>,
) -> Result<Prepared<'w>, Failure> {
    if attributes.is_dry_run && !webhook.allows_dry_run {
        return Err(Failure::Final(Status::bad_request(format!(
            "admission webhook {} does not support dry run",
            quote(&webhook.name)
        ))));
    }
    let Some(version) = webhook.review_version else {
        let why = "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)";
        return Err(Failure::call(webhook, 400, why));
    };
    let uid = host.new_uid();
    Ok(Prepared {
        call: Call {
            client: &webhook.client,
            body: review::request(host.arena(), version, &uid, attributes, invocation, shown),
            timeout: webhook.timeout.min(host.time_left()),
        },
        uid,
    })
}

/// Evaluates a finished call. Warnings are passed on even if the request is denied.
pub(crate) fn conclude(
    host: &mut dyn Host<'_>,
    webhook: &Webhook,
    uid: &str,
    called: &Called,
    kind: answer::Kind,
) -> Result<Reviewed, Failure> {
    let failed = |code: u16, why: &dyn fmt::Display| Failure::call(webhook, code, why);
    let answered = called.result.as_ref().map_err(|error| match error {
        CallError::Client(_) => failed(500, error),
        CallError::Transport(_) => failed(503, error),
    })?;
    let body = http_error::body_of(answered).map_err(|why| {
        let code = if answered.body.is_empty() {
            500
        } else {
            answered.status
        };
        failed(code, &format_args!("failed to call webhook: {why}"))
    })?;
    let version = webhook.review_version.unwrap_or(ReviewVersion::V1);
    let reviewed = answer::read(body, version, uid, kind).map_err(|error| failed(503, &error))?;
    for warning in &reviewed.warnings {
        host.warn(warning.clone());
    }
    for (key, value) in &reviewed.audit_annotations {
        host.annotate(format!("{}/{key}", webhook.name), value.clone());
    }
    if reviewed.is_allowed {
        Ok(reviewed)
    } else {
        Err(Failure::Denied(answer::denial(&webhook.name, reviewed.status)))
    }
}
