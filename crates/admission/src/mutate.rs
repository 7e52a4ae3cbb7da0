//! Mutating policies, then webhooks: run in order, each on the object that the previous one returned
//! (`mutatingDispatcher` in apiserver's pkg/admission/plugin/webhook/mutating/dispatcher.go, and its reinvocation
//! contexts).

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_merge::patch::JsonPatch;
use kindsmith_request::{AdmissionOperation, Status};

use crate::answer::{self, Reviewed};
use crate::dispatch::{Failure, Versioned, conclude, prepare, should_call};
use crate::observe::{Place, Step};
use crate::policy::{Cluster, Mutations, Policies};
use crate::{Attributes, Gvk, Host, Webhook};

/// Runs a request through the mutating webhooks. Returns the object, changed or not; `None` for a deletion.
///
/// `is_dated` says that this request wrote a managed fields entry of a built-in kind: until the object is first decoded
/// again, Kubernetes keeps the entry's time with fractions of a second, so that even a patch without effect changes the
/// object.
///
/// # Errors
///
/// If the request is rejected.
pub fn mutate<'a>(
    policies: &[Arc<Policies>],
    webhooks: &[&Webhook],
    attributes: &Attributes<'a>,
    is_dated: bool,
    cluster: &mut dyn Cluster<'a>,
) -> Result<Option<Value<'a>>, Status> {
    let mut run = Run {
        attributes,
        shown: Versioned::of(attributes),
        is_dirty: false,
        is_dated,
        again: Again::default(),
        last: None,
    };
    let mut mutations = Mutations::new(policies);
    for round in [Round::First, Round::Second] {
        if round == Round::Second && !run.again.is_needed {
            break;
        }
        run.ask_policies(&mut mutations, round, cluster)?;
        run.round(webhooks, round, cluster.host())?;
    }
    Ok(run.shown.object)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    First,
    Second,
}

/// The webhooks to call a second time: those called before another one changed the object.
#[derive(Debug, Default)]
struct Again {
    is_needed: bool,
    asked: HashSet<usize>,
    wanted: HashSet<usize>,
}

impl Again {
    fn changed(&mut self) {
        self.is_needed = true;
        self.wanted.extend(self.asked.drain());
    }
}

struct Run<'r, 'a> {
    attributes: &'r Attributes<'a>,
    shown: Versioned<'a>,
    is_dirty: bool,
    is_dated: bool,
    again: Again,
    /// The object after the last round of webhooks.
    last: Option<Value<'a>>,
}

impl<'a> Run<'_, 'a> {
    fn ask_policies(
        &mut self,
        mutations: &mut Mutations<'_, 'a>,
        round: Round,
        cluster: &mut dyn Cluster<'a>,
    ) -> Result<(), Status> {
        if mutations.is_empty() || self.attributes.operation == AdmissionOperation::Delete {
            return Ok(());
        }
        let attributes = Attributes {
            object: self.shown.object,
            ..self.attributes.clone()
        };
        if let Some(object) = mutations.round(round, &attributes, cluster)? {
            self.again.is_needed = true;
            self.is_dirty = true;
            self.shown.object = Some(object);
        }
        Ok(())
    }

    fn round(&mut self, webhooks: &[&Webhook], round: Round, host: &mut dyn Host<'a>) -> Result<(), Status> {
        if round == Round::Second && self.last != self.shown.object {
            self.again.changed();
        }
        for (index, webhook) in webhooks.iter().enumerate() {
            let Some(invocation) = should_call(host, webhook, self.attributes, &self.shown)? else {
                continue;
            };
            if round == Round::Second && !self.again.wanted.contains(&index) {
                continue;
            }
            self.shown = self.shown.shown_as(host, &invocation.kind)?;
            let mut took = Duration::ZERO;
            let asked = prepare(host, webhook, self.attributes, &invocation, &self.shown)
                .and_then(|prepared| self.ask(webhook, &prepared, host, &mut took));
            let place = Place {
                webhook,
                step: Step::Admit,
                round: usize::from(round == Round::Second),
                index,
            };
            place.note_mutation(host, matches!(asked, Ok(true)));
            place.tell(host, self.attributes, asked.as_ref(), took);
            if let Ok(true) = asked {
                self.again.changed();
            }
            if webhook.is_reinvoked {
                self.again.asked.insert(index);
            }
            if let Some(status) = asked.err().and_then(|failure| failure.counted(webhook)) {
                return Err(status);
            }
        }
        self.settle(host)?;
        self.last = self.shown.object;
        Ok(())
    }

    /// Calls a webhook; returns whether it changed the object.
    fn ask(
        &mut self,
        webhook: &Webhook,
        prepared: &crate::dispatch::Prepared<'_>,
        host: &mut dyn Host<'a>,
        took: &mut Duration,
    ) -> Result<bool, Failure> {
        let calls = std::slice::from_ref(&prepared.call);
        let called = host.caller().call(calls).pop();
        let called =
            called.ok_or_else(|| Failure::call(webhook, 503, "failed to call webhook: no answer"))?;
        *took = called.took;
        let reviewed = conclude(host, webhook, &prepared.uid, &called, answer::Kind::Mutating)?;
        self.apply(webhook, &reviewed, host)
    }

    fn apply(
        &mut self,
        webhook: &Webhook,
        reviewed: &Reviewed,
        host: &mut dyn Host<'a>,
    ) -> Result<bool, Failure> {
        let internal = |why: &str| Failure::Final(Status::internal(why));
        if reviewed.patch.is_empty() {
            return Ok(false);
        }
        let arena = host.arena();
        let bytes = arena.alloc_slice_copy(&reviewed.patch);
        let patch = JsonPatch::decode(arena, bytes).map_err(|why| {
            let why = format!("received undecodable patch in webhook response: {why}");
            Failure::call(webhook, 503, why)
        })?;
        if patch.is_empty() {
            return Ok(false);
        }
        let Some(object) = self.shown.object else {
            return Err(internal(&format!(
                "admission webhook {} attempted to modify the object, which is not supported for this operation",
                quote(&webhook.name)
            )));
        };
        if reviewed.patch_type != "JSONPatch" {
            let why = format!("unsupported patch type {}", quote(&reviewed.patch_type));
            return Err(Failure::call(webhook, 400, why));
        }
        let patched = patch.apply_or_tell(arena, object).map_err(|why| internal(&why))?;
        let mutated = host.decode(patched, &self.shown.kind).map_err(Failure::Final)?;
        let is_changed = self.is_dated || mutated.decoded != object;
        self.is_dated = false;
        self.is_dirty = true;
        self.shown.object = Some(mutated.object);
        Ok(is_changed)
    }

    /// Converts the object back to the kind of the request.
    fn settle(&mut self, host: &mut dyn Host<'a>) -> Result<(), Status> {
        let kind: &Gvk = &self.attributes.kind;
        let object = match self.shown.object {
            Some(object) if self.is_dirty => Some(host.settle(object)?),
            _ => self.attributes.object,
        };
        self.shown = Versioned {
            kind: kind.clone(),
            object,
            old: self.attributes.old,
        };
        Ok(())
    }
}
