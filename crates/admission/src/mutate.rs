//! Mutating policies, then webhooks: run in order, each on the object that the previous one returned
//! (`mutatingDispatcher` in apiserver's pkg/admission/plugin/webhook/mutating/dispatcher.go, and its reinvocation
//! contexts).

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_merge::patch::JsonPatch;
use kindsmith_request::Status;

use crate::answer::{self, Reviewed};
use crate::dispatch::{Failure, Prepared, conclude, prepare, should_call};
use crate::invocation::Versioned;
use crate::observe::Step;
use crate::place::Place;
use crate::policy::{Cluster, Mutations, Policies};
use crate::round::Round;
use crate::{Attributes, Gvk, Host, Webhook};

/// A request as policies and webhooks see it.
#[derive(Debug, Clone)]
pub struct Sent<'a> {
    /// The request.
    pub attributes: Attributes<'a>,
    /// Whether this request wrote a managed fields entry of a built-in kind: until the object is first decoded again,
    /// Kubernetes keeps the entry's time with fractions of a second, so that even a patch without effect changes the
    /// object.
    pub is_dated: bool,
}

/// The mutating policies and webhooks of a request.
pub struct MutatingHooks<'h, 'a> {
    mutations: Mutations<'h, 'a>,
    webhooks: Vec<&'h Webhook>,
    /// Shows them an object.
    show: &'h dyn Fn(Value<'a>) -> Sent<'a>,
    cluster: &'h mut dyn Cluster<'a>,
    /// `None` until the first is asked.
    run: Option<Run<'a>>,
}

impl std::fmt::Debug for MutatingHooks<'_, '_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("MutatingHooks").finish_non_exhaustive()
    }
}

impl<'h, 'a> MutatingHooks<'h, 'a> {
    /// Policies and webhooks that have not been asked yet.
    pub fn new(
        policies: &'h [Arc<Policies>],
        webhooks: Vec<&'h Webhook>,
        show: &'h dyn Fn(Value<'a>) -> Sent<'a>,
        cluster: &'h mut dyn Cluster<'a>,
    ) -> Self {
        MutatingHooks {
            mutations: Mutations::new(policies),
            webhooks,
            show,
            cluster,
            run: None,
        }
    }

    /// Whether one of them changed the object, so that all plugins see it once more.
    pub(crate) fn has_changed(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.again.is_needed)
    }

    pub(crate) fn ask_policies(&mut self, round: Round, object: Value<'a>) -> Result<Value<'a>, Status> {
        if self.mutations.is_empty() {
            return Ok(object);
        }
        let run = Run::at(&mut self.run, self.show, object);
        run.ask_policies(&mut self.mutations, round, self.cluster)?;
        Ok(run.object(object))
    }

    pub(crate) fn ask_webhooks(&mut self, round: Round, object: Value<'a>) -> Result<Value<'a>, Status> {
        if self.webhooks.is_empty() && self.run.is_none() {
            return Ok(object);
        }
        let run = Run::at(&mut self.run, self.show, object);
        run.round(&self.webhooks, round, self.cluster.host())?;
        Ok(run.object(object))
    }
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

struct Run<'a> {
    attributes: Attributes<'a>,
    shown: Versioned<'a>,
    is_dirty: bool,
    is_dated: bool,
    again: Again,
    /// The object after the last round of webhooks.
    last: Option<Value<'a>>,
}

impl<'a> Run<'a> {
    /// The run, with the object as plugins left it.
    fn at<'s>(
        run: &'s mut Option<Self>,
        show: &dyn Fn(Value<'a>) -> Sent<'a>,
        object: Value<'a>,
    ) -> &'s mut Self {
        let run = run.get_or_insert_with(|| {
            let Sent { attributes, is_dated } = show(object);
            Run {
                shown: Versioned::of(&attributes),
                attributes,
                is_dirty: false,
                is_dated,
                again: Again::default(),
                last: None,
            }
        });
        if run.is_dirty {
            run.shown.object = run.shown.object.map(|_| object);
        }
        run
    }

    /// The object after policies and webhooks; theirs only if one of them changed it.
    fn object(&self, object: Value<'a>) -> Value<'a> {
        self.shown.object.filter(|_| self.is_dirty).unwrap_or(object)
    }

    fn ask_policies(
        &mut self,
        mutations: &mut Mutations<'_, 'a>,
        round: Round,
        cluster: &mut dyn Cluster<'a>,
    ) -> Result<(), Status> {
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
            let Some(invocation) = should_call(host, webhook, &self.attributes, &self.shown)? else {
                continue;
            };
            if round == Round::Second && !self.again.wanted.contains(&index) {
                continue;
            }
            self.shown = self.shown.shown_as(host, &invocation.kind)?;
            let mut took = Duration::ZERO;
            let asked = prepare(host, webhook, &self.attributes, &invocation, &self.shown)
                .and_then(|prepared| self.ask(webhook, &prepared, host, &mut took));
            let place = Place {
                webhook,
                step: Step::Admit,
                round: usize::from(round == Round::Second),
                index,
            };
            place.note_mutation(host, matches!(asked, Ok(true)));
            place.tell(host, &self.attributes, asked.as_ref(), took);
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
        prepared: &Prepared<'_>,
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
        let patched = patch
            .apply_or_tell(arena, object)
            .map_err(|why| internal(&why.to_string()))?;
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
