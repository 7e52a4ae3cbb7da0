//! A running call of a webhook, and what is reported and noted in the audit log about it: keys are those of the reference (the
//! annotators of apiserver's webhook dispatchers).

use std::time::Duration;

use kindsmith_json::{Arena, Value, object_of_present};

use crate::dispatch::Failure;
use crate::observe::{Observed, Step};
use crate::setting::FailurePolicy;
use crate::{Attributes, Host, Webhook};

/// A running call: the position of its webhook in the current round.
pub(crate) struct Place<'w> {
    pub(crate) webhook: &'w Webhook,
    pub(crate) step: Step,
    pub(crate) round: usize,
    pub(crate) index: usize,
}

impl Place<'_> {
    fn key(&self, before: &str) -> String {
        let Place { round, index, .. } = self;
        format!("{before}{}round_{round}_index_{index}", self.step.prefix())
    }

    /// Reports the end of a call.
    pub(crate) fn tell<'a, T>(
        &self,
        host: &mut dyn Host<'a>,
        attributes: &Attributes<'a>,
        outcome: Result<&T, &Failure>,
        took: Duration,
    ) {
        let webhook = self.webhook;
        let is_ignored = webhook.failure_policy == FailurePolicy::Ignore;
        let (code, rejection) = match outcome {
            Ok(_) => (200, None),
            Err(Failure::Call { code, .. }) if is_ignored => (*code, None),
            Err(Failure::Call { code, .. }) => (*code, Some("calling_webhook_error")),
            Err(Failure::Denied(status)) => (status.code, Some("no_error")),
            Err(Failure::Final(_)) => (0, Some("apiserver_internal_error")),
        };
        let fails_open = is_ignored && matches!(outcome, Err(Failure::Call { .. }));
        if let Some(observer) = host.observer() {
            observer.called(&Observed {
                webhook: &webhook.name,
                step: self.step,
                operation: attributes.operation.name(),
                took,
                code: code.min(600),
                rejection,
            });
            if fails_open {
                observer.failed_open(&webhook.name, self.step);
            }
        }
        if fails_open {
            host.annotate(self.key("failed-open."), webhook.name.clone());
        }
    }

    /// Notes whether a mutating webhook changed the object.
    pub(crate) fn note_mutation(&self, host: &mut dyn Host<'_>, is_changed: bool) {
        let arena = Arena::new();
        let value = object_of_present(
            &arena,
            &[
                ("configuration", Some(Value::Str(&self.webhook.configuration))),
                ("webhook", Some(Value::Str(&self.webhook.name))),
                ("mutated", Some(Value::Bool(is_changed))),
            ],
        );
        host.annotate(self.key(""), kindsmith_json::to_string(value));
    }
}
