//! Observed calls, for metrics. Labels are those of the reference (apiserver's pkg/admission/metrics).

use std::fmt;
use std::time::Duration;

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
    pub(crate) fn prefix(self) -> &'static str {
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
