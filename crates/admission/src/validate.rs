//! Validating webhooks: called all at once, and all must allow the request (`validatingDispatcher` in apiserver's
//! pkg/admission/plugin/webhook/validating/dispatcher.go).

use std::sync::Arc;
use std::time::Duration;

use kindsmith_json::Value;
use kindsmith_request::Status;

use crate::answer;
use crate::caller::Call;
use crate::dispatch::{conclude, prepare, should_call};
use crate::invocation::Versioned;
use crate::observe::Step;
use crate::place::Place;
use crate::policy::{self, Cluster, Policies};
use crate::{Attributes, Host, Webhook};

/// Of failures this close together, that of the first webhook wins: the response should not depend on thread timing.
const TIE: Duration = Duration::from_millis(100);

/// The validating policies and webhooks of a request.
pub struct ValidatingHooks<'h, 'a> {
    /// The policies.
    pub policies: &'h [Arc<Policies>],
    /// The webhooks.
    pub webhooks: Vec<&'h Webhook>,
    /// Shows them an object.
    pub show: &'h dyn Fn(Value<'a>) -> Attributes<'a>,
    /// The cluster.
    pub cluster: &'h mut dyn Cluster<'a>,
}

impl std::fmt::Debug for ValidatingHooks<'_, '_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ValidatingHooks").finish_non_exhaustive()
    }
}

impl<'a> ValidatingHooks<'_, 'a> {
    pub(crate) fn ask_policies(&mut self, object: Value<'a>) -> Result<(), Status> {
        if self.policies.iter().all(|policies| policies.has_no_validating()) {
            return Ok(());
        }
        policy::validate(self.policies, &(self.show)(object), self.cluster)
    }

    pub(crate) fn ask_webhooks(&mut self, object: Value<'a>) -> Result<(), Status> {
        if self.webhooks.is_empty() {
            return Ok(());
        }
        validate(&self.webhooks, &(self.show)(object), self.cluster.host())
    }
}

/// Runs a request through the validating webhooks. The first failure to arrive is the response.
fn validate<'a>(
    webhooks: &[&Webhook],
    attributes: &Attributes<'a>,
    host: &mut dyn Host<'a>,
) -> Result<(), Status> {
    let shown = Versioned::of(attributes);
    let mut asked: Vec<(Place<'_>, String)> = Vec::new();
    let mut index = 0..;
    let mut calls: Vec<Call<'_>> = Vec::new();
    let mut failures: Vec<(Duration, Status)> = Vec::new();
    for webhook in webhooks {
        let Some(invocation) = should_call(host, webhook, attributes, &shown)? else {
            continue;
        };
        let shown = shown.shown_as(host, &invocation.kind)?;
        let place = Place {
            webhook,
            step: Step::Validating,
            round: 0,
            index: index.next().unwrap_or_default(),
        };
        match prepare(host, webhook, attributes, &invocation, &shown) {
            Ok(prepared) => {
                asked.push((place, prepared.uid));
                calls.push(prepared.call);
            }
            Err(failure) => {
                place.tell::<()>(host, attributes, Err(&failure), Duration::ZERO);
                failures.extend(failure.counted(webhook).map(|status| (Duration::ZERO, status)));
            }
        }
    }
    if calls.is_empty() && failures.is_empty() {
        return Ok(());
    }
    let called = host.caller().call(&calls);
    for ((place, uid), called) in asked.iter().zip(&called) {
        let concluded = conclude(host, place.webhook, uid, called, answer::Kind::Validating);
        place.tell(host, attributes, concluded.as_ref(), called.took);
        if let Err(failure) = concluded {
            failures.extend(failure.counted(place.webhook).map(|status| (called.took, status)));
        }
    }
    let first = failures.iter().map(|(took, _)| *took).min().unwrap_or_default();
    let counts = |took: Duration| took <= first + TIE;
    match failures.into_iter().find(|(took, _)| counts(*took)) {
        Some((_, status)) => Err(status),
        None => Ok(()),
    }
}
