//! Shared by mutating and validating webhooks: whether one is called, how, and which responses are usable
//! (`Webhook.ShouldCallHook` in apiserver's pkg/admission/plugin/webhook/generic/webhook.go).

use std::fmt;
use std::time::Duration;

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Object, Value};
use kindsmith_request::{AdmissionOperation, Mutated, Status};

use crate::answer::Reviewed;
use crate::attributes::{Attributes, Equivalent, Gvk, Gvr};
use crate::caller::{Call, Called, Caller};
use crate::configuration::MatchPolicy;
use crate::selector::labels;
use crate::{Webhook, answer, http_error, match_condition, review};

/// What webhooks need from the server: cluster state and conversions.
pub trait Host<'a> {
    /// The arena of all values.
    fn arena(&self) -> &'a Arena;

    /// Makes the calls.
    fn caller(&self) -> &dyn Caller;

    /// A new UID for a review.
    fn new_uid(&self) -> String;

    /// The time left for the request.
    fn time_left(&self) -> Duration;

    /// The labels of a namespace.
    ///
    /// # Errors
    ///
    /// If there is no such namespace.
    fn namespace_labels(&self, namespace: &str) -> Result<Object<'a>, Status>;

    /// The other resources that serve the same objects as the request's resource.
    fn equivalents(&self) -> Vec<Equivalent>;

    /// Converts an object to another kind.
    ///
    /// # Errors
    ///
    /// If it cannot be converted.
    fn convert(&self, object: Value<'a>, kind: &Gvk) -> Result<Value<'a>, Status>;

    /// Decodes an object after a patch, before the next webhook sees it.
    ///
    /// # Errors
    ///
    /// If it no longer fits its type.
    fn decode(&self, patched: Value<'a>, kind: &Gvk) -> Result<Mutated<'a>, Status>;

    /// Converts an object back to the request's kind after a round of mutations.
    ///
    /// # Errors
    ///
    /// If it cannot be converted.
    fn settle(&self, object: Value<'a>) -> Result<Value<'a>, Status>;

    /// Adds a warning for the client.
    fn warn(&mut self, text: String);
}

/// The resource and kind with which a webhook is called.
#[derive(Debug, Clone)]
pub(crate) struct Invocation {
    pub(crate) resource: Gvr,
    pub(crate) kind: Gvk,
}

/// The objects of a request in one kind.
#[derive(Debug, Clone)]
pub(crate) struct Versioned<'a> {
    pub(crate) kind: Gvk,
    pub(crate) object: Option<Value<'a>>,
    pub(crate) old: Option<Value<'a>>,
}

impl<'a> Versioned<'a> {
    pub(crate) fn of(attributes: &Attributes<'a>) -> Self {
        Versioned {
            kind: attributes.kind.clone(),
            object: attributes.object,
            old: attributes.old,
        }
    }

    /// The same objects in another kind.
    pub(crate) fn shown_as(&self, host: &dyn Host<'a>, kind: &Gvk) -> Result<Self, Status> {
        if self.kind == *kind {
            return Ok(self.clone());
        }
        let convert = |object: Option<Value<'a>>| {
            let converted = object.map(|object| host.convert(object, kind)).transpose();
            converted.map_err(|status| Status::internal(&status.message))
        };
        Ok(Versioned {
            kind: kind.clone(),
            object: convert(self.object)?,
            old: convert(self.old)?,
        })
    }
}

/// Why a webhook gave no usable response; its failure policy decides what follows.
pub(crate) enum Failure {
    /// It could not be called, or its response is invalid.
    Call(String),
    /// The request is rejected whatever the policy.
    Final(Status),
}

impl Failure {
    pub(crate) fn call(webhook: &Webhook, why: impl fmt::Display) -> Self {
        Failure::Call(format!("failed calling webhook {}: {why}", quote(&webhook.name)))
    }
}

/// Whether a webhook is called, and how.
pub(crate) fn should_call<'a>(
    host: &dyn Host<'a>,
    webhook: &Webhook,
    attributes: &Attributes<'a>,
    shown: &Versioned<'a>,
) -> Result<Option<Invocation>, Status> {
    let in_namespace = matches_namespace(host, webhook, attributes, shown);
    if matches!(in_namespace, Ok(false)) || !matches_object(webhook, shown) {
        return Ok(None);
    }
    let Some(invocation) = invocation(host, webhook, attributes) else {
        return Ok(None);
    };
    in_namespace?;
    let is_wanted = match_condition::hold(host, webhook, attributes, &invocation, shown)?;
    Ok(is_wanted.then_some(invocation))
}

/// The rule that matches; one for the request's own version is preferred.
fn invocation(host: &dyn Host<'_>, webhook: &Webhook, attributes: &Attributes<'_>) -> Option<Invocation> {
    let matches = |resource: &Gvr| {
        webhook
            .rules
            .iter()
            .any(|rule| rule.matches(attributes, resource))
    };
    if matches(&attributes.resource) {
        return Some(Invocation {
            resource: attributes.resource.clone(),
            kind: attributes.kind.clone(),
        });
    }
    if webhook.match_policy == MatchPolicy::Exact {
        return None;
    }
    let mut others = host.equivalents().into_iter();
    let found = others.find(|other| matches(&other.resource))?;
    Some(Invocation {
        resource: found.resource,
        kind: found.kind,
    })
}

/// Cluster-scoped objects match every selector; a `Namespace` is matched by its own new labels.
fn matches_namespace<'a>(
    host: &dyn Host<'a>,
    webhook: &Webhook,
    attributes: &Attributes<'a>,
    shown: &Versioned<'a>,
) -> Result<bool, Status> {
    let selector = &webhook.namespace_selector;
    if selector.is_empty() || (attributes.namespace.is_empty() && !attributes.is_namespace()) {
        return Ok(true);
    }
    let is_written = attributes.operation != AdmissionOperation::Delete && attributes.subresource.is_empty();
    let found = match shown.object {
        Some(object) if attributes.is_namespace() && is_written => labels(object),
        _ => host.namespace_labels(&attributes.namespace)?,
    };
    Ok(selector.matches(found))
}

fn matches_object(webhook: &Webhook, shown: &Versioned<'_>) -> bool {
    let selector = &webhook.object_selector;
    let matches = |object: &Value<'_>| selector.matches(labels(*object));
    selector.is_empty() || shown.object.iter().chain(&shown.old).any(matches)
}

/// A prepared call, with the UID and version that its response must have.
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
        return Err(Failure::call(webhook, why));
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
pub(crate) fn conclude<'a>(
    host: &mut dyn Host<'a>,
    webhook: &Webhook,
    uid: &str,
    called: &Called,
    kind: answer::Kind,
) -> Result<Reviewed, Failure> {
    let failed = |why: &dyn fmt::Display| Failure::call(webhook, why);
    let answered = called.result.as_ref().map_err(|error| failed(error))?;
    let body = http_error::body(answered)
        .map_err(|why| Failure::call(webhook, format_args!("failed to call webhook: {why}")))?;
    let version = webhook
        .review_version
        .unwrap_or(crate::configuration::ReviewVersion::V1);
    let reviewed = answer::read(body, version, uid, kind).map_err(|error| failed(&error))?;
    for warning in &reviewed.warnings {
        host.warn(warning.clone());
    }
    match reviewed.is_allowed {
        true => Ok(reviewed),
        false => Err(Failure::Final(answer::denial(&webhook.name, reviewed.status))),
    }
}
