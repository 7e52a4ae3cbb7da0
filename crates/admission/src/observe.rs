//! Observed calls, for metrics and audit logs. Labels and keys are those of the reference
//! (apiserver's pkg/admission/metrics, and the annotators of its webhook dispatchers).

use std::fmt;
use std::time::Duration;

use kindsmith_json::{Arena, Value};

use crate::configuration::FailurePolicy;
use crate::dispatch::Failure;
use crate::review::members;
use crate::{Attributes, Host, Webhook};

/// Which webhooks are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Mutating ones.
    Admit,
    /// Validating ones.
    Validating,
}

impl Step {
    /// The word in metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Step::Admit => "admit",
            Step::Validating => "validating",
        }
    }

    /// The words in audit annotations.
    fn prefix(self) -> &'static str {
        match self {
            Step::Admit => "mutation.webhook.admission.k8s.io/",
            Step::Validating => "validating.webhook.admission.k8s.io/",
        }
    }
}

/// A call of an admission webhook that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observed<'o> {
    /// The webhook.
    pub webhook: &'o str,
    /// Which kind of webhook it is.
    pub step: Step,
    /// The operation: `CREATE`.
    pub operation: &'static str,
    /// How long it took.
    pub took: Duration,
    /// The HTTP status for metrics; zero if the server itself failed.
    pub code: u16,
    /// Why the request is rejected, if it is: the error type in metrics. `no_error` is a denial.
    pub rejection: Option<&'static str>,
}

/// What a policy said to a request with one binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolicyCheck<'o> {
    /// The policy.
    pub policy: &'o str,
    /// The binding.
    pub binding: &'o str,
    /// The type of the error: `no_error`, `compile_error`, `out_of_budget` or `invalid_error`, which a denial is, too.
    pub error: &'static str,
    /// What a validating policy did about it: `allow`, `deny`, `audit` or `warn`; `None` for a mutating one.
    pub action: Option<&'static str>,
    /// How long it took.
    pub took: Duration,
}

impl PolicyCheck<'_> {
    /// The type of an error by its text (`ErrorType` in apiserver's pkg/admission/plugin/policy/validating/errors.go).
    pub(crate) fn error_type(message: &str) -> &'static str {
        if message.starts_with("compilation") {
            "compile_error"
        } else if message.starts_with("validation failed due to running out of cost budget") {
            "out_of_budget"
        } else {
            "invalid_error"
        }
    }
}

/// Observes calls.
pub trait Observer: fmt::Debug + Send + Sync {
    /// An admission webhook was called.
    fn called(&self, call: &Observed<'_>);

    /// An admission webhook failed and was ignored.
    fn failed_open(&self, webhook: &str, step: Step);

    /// A policy was asked.
    fn checked(&self, check: &PolicyCheck<'_>);

    /// A conversion webhook was called; `failure` is the type of the failure, empty if there is none.
    fn converted(&self, failure: &'static str, took: Duration);
}

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
        let value = members(
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
