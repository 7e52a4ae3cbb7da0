//! Metrics of webhook calls by their well-known names, in Prometheus' text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kindsmith_admission::{Observed, Observer, PolicyCheck, Step};

use crate::metrics::{escape, head};

/// Buckets of `apiserver_admission_webhook_admission_duration_seconds`.
const ADMISSION: [f64; 8] = [0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0, 25.0];
/// Buckets of `apiserver_conversion_webhook_duration_seconds`.
const CONVERSION: [f64; 15] = [
    0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0,
];

/// Buckets of `apiserver_validating_admission_policy_check_duration_seconds` and that of mutating policies.
const POLICY: [f64; 5] = [0.000_000_5, 0.001, 0.01, 0.1, 1.0];

/// Counts calls of webhooks, and what policies said.
#[derive(Debug, Default)]
pub struct WebhookMetrics(Mutex<State>);

/// Everything by the text of its labels, which are in alphabetical order.
#[derive(Debug, Default)]
struct State {
    admissions: BTreeMap<String, Histogram<8>>,
    requests: BTreeMap<String, u64>,
    rejections: BTreeMap<String, u64>,
    failed_open: BTreeMap<String, u64>,
    conversions: BTreeMap<String, Histogram<15>>,
    validating: BTreeMap<String, Histogram<5>>,
    mutating: BTreeMap<String, Histogram<5>>,
}

#[derive(Debug)]
struct Histogram<const N: usize> {
    buckets: [u64; N],
    seconds: f64,
    count: u64,
}

impl<const N: usize> Default for Histogram<N> {
    fn default() -> Self {
        Histogram {
            buckets: [0; N],
            seconds: 0.0,
            count: 0,
        }
    }
}

impl<const N: usize> Histogram<N> {
    fn observe(&mut self, bounds: &[f64; N], took: Duration) {
        let seconds = took.as_secs_f64();
        if let Some(bucket) = bounds.iter().position(|bound| seconds <= *bound) {
            self.buckets[bucket] += 1;
        }
        self.seconds += seconds;
        self.count += 1;
    }

    fn write(&self, text: &mut String, name: &str, labels: &str, bounds: &[f64; N]) {
        let mut below = 0;
        for (bound, count) in bounds.iter().zip(self.buckets) {
            below += count;
            let bound = bound_text(*bound);
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{bound}\"}} {below}");
        }
        let Histogram { seconds, count, .. } = self;
        let _ = writeln!(
            text,
            "{name}_bucket{{{labels},le=\"+Inf\"}} {count}\n{name}_sum{{{labels}}} {seconds}\n\
             {name}_count{{{labels}}} {count}"
        );
    }
}

/// A bound as Go prints it: small ones with an exponent of two digits.
fn bound_text(bound: f64) -> String {
    if bound >= 1e-4 {
        return bound.to_string();
    }
    let text = format!("{bound:e}");
    match text.split_once("e-") {
        Some((digits, exponent)) => format!("{digits}e-{exponent:0>2}"),
        None => text,
    }
}

impl Observer for WebhookMetrics {
    fn called(&self, call: &Observed<'_>) {
        let (name, step, operation) = (escape(call.webhook), call.step.name(), call.operation);
        let (code, is_rejected) = (call.code, call.rejection.is_some());
        let mut state = self.lock();
        let labels =
            format!("name=\"{name}\",operation=\"{operation}\",rejected=\"{is_rejected}\",type=\"{step}\"");
        let requests = state.requests.entry(format!("code=\"{code}\",{labels}"));
        *requests.or_default() += 1;
        let admissions = state.admissions.entry(labels).or_default();
        admissions.observe(&ADMISSION, call.took);
        if let Some(error) = call.rejection {
            let labels = format!(
                "error_type=\"{error}\",name=\"{name}\",operation=\"{operation}\",rejection_code=\"{code}\",type=\"{step}\""
            );
            *state.rejections.entry(labels).or_default() += 1;
        }
    }

    fn failed_open(&self, webhook: &str, step: Step) {
        let labels = format!("name=\"{}\",type=\"{}\"", escape(webhook), step.name());
        *self.lock().failed_open.entry(labels).or_default() += 1;
    }

    fn checked(&self, check: &PolicyCheck<'_>) {
        let (policy, binding) = (escape(check.policy), escape(check.binding));
        let labels = format!(
            "error_type=\"{}\",policy=\"{policy}\",policy_binding=\"{binding}\"",
            check.error
        );
        let mut state = self.lock();
        let histogram = match check.action {
            None => state.mutating.entry(labels).or_default(),
            Some(action) => {
                let labels = format!("enforcement_action=\"{action}\",{labels}");
                state.validating.entry(labels).or_default()
            }
        };
        histogram.observe(&POLICY, check.took);
    }

    fn converted(&self, failure: &'static str, took: Duration) {
        let result = if failure.is_empty() { "success" } else { "failure" };
        let labels = format!("failure_type=\"{failure}\",result=\"{result}\"");
        let mut state = self.lock();
        state
            .conversions
            .entry(labels)
            .or_default()
            .observe(&CONVERSION, took);
    }
}

impl WebhookMetrics {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All metrics as text.
    pub(crate) fn text(&self) -> String {
        let (state, mut text) = (self.lock(), String::new());
        let name = "apiserver_admission_webhook_admission_duration_seconds";
        if !state.admissions.is_empty() {
            let help = "[STABLE] How long calls of admission webhooks took, in seconds.";
            head(&mut text, name, "histogram", help);
        }
        for (labels, histogram) in &state.admissions {
            histogram.write(&mut text, name, labels, &ADMISSION);
        }
        let counters = [
            (
                "apiserver_admission_webhook_request_total",
                "[ALPHA] How often admission webhooks were called, with which HTTP status.",
                &state.requests,
            ),
            (
                "apiserver_admission_webhook_rejection_count",
                "[ALPHA] How often admission webhooks or their failures ended a request.",
                &state.rejections,
            ),
            (
                "apiserver_admission_webhook_fail_open_count",
                "[ALPHA] How often a request went on though an admission webhook failed.",
                &state.failed_open,
            ),
        ];
        for (name, help, counts) in counters {
            write_counter(
                &mut text,
                name,
                help,
                counts.iter().map(|(labels, count)| (labels, *count)),
            );
        }
        let calls = state.conversions.iter();
        let calls = calls.map(|(labels, histogram)| (labels, histogram.count));
        let help = "[ALPHA] How often conversion webhooks were called.";
        write_counter(
            &mut text,
            "apiserver_conversion_webhook_request_total",
            help,
            calls,
        );
        let name = "apiserver_conversion_webhook_duration_seconds";
        if !state.conversions.is_empty() {
            let help = "[ALPHA] How long calls of conversion webhooks took, in seconds.";
            head(&mut text, name, "histogram", help);
        }
        for (labels, histogram) in &state.conversions {
            histogram.write(&mut text, name, labels, &CONVERSION);
        }
        for (of, checks) in [("mutating", &state.mutating), ("validating", &state.validating)] {
            let level = if of == "mutating" { "ALPHA" } else { "BETA" };
            let calls = checks.iter().map(|(labels, histogram)| (labels, histogram.count));
            let name = format!("apiserver_{of}_admission_policy_check_total");
            let help = format!("[{level}] What {of} policies said to requests.");
            write_counter(&mut text, &name, &help, calls);
            let name = format!("apiserver_{of}_admission_policy_check_duration_seconds");
            if !checks.is_empty() {
                let help = format!("[{level}] How long {of} policies took, in seconds.");
                head(&mut text, &name, "histogram", &help);
            }
            for (labels, histogram) in checks {
                histogram.write(&mut text, &name, labels, &POLICY);
            }
        }
        text
    }
}

fn write_counter<'l>(
    text: &mut String,
    name: &str,
    help: &str,
    counts: impl ExactSizeIterator<Item = (&'l String, u64)>,
) {
    if counts.len() > 0 {
        head(text, name, "counter", help);
    }
    for (labels, count) in counts {
        let _ = writeln!(text, "{name}{{{labels}}} {count}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(metrics: &WebhookMetrics, line: &str) {
        let text = metrics.text();
        assert!(text.lines().any(|found| found == line), "{line}\nin\n{text}");
    }

    #[test]
    fn nothing_is_said_of_calls_that_nobody_made() {
        assert_eq!(WebhookMetrics::default().text(), "");
    }

    #[test]
    fn calls_are_counted_by_their_outcome() {
        let metrics = WebhookMetrics::default();
        let call = Observed {
            webhook: "w.example.org",
            step: Step::Validating,
            operation: "CREATE",
            took: Duration::from_millis(30),
            code: 403,
            rejection: Some("no_error"),
        };
        metrics.called(&call);
        metrics.failed_open("w.example.org", Step::Admit);
        check(
            &metrics,
            "apiserver_admission_webhook_admission_duration_seconds_bucket{name=\"w.example.org\",operation=\"CREATE\",\
             rejected=\"true\",type=\"validating\",le=\"0.1\"} 1",
        );
        check(
            &metrics,
            "apiserver_admission_webhook_request_total{code=\"403\",name=\"w.example.org\",operation=\"CREATE\",\
             rejected=\"true\",type=\"validating\"} 1",
        );
        check(
            &metrics,
            "apiserver_admission_webhook_rejection_count{error_type=\"no_error\",name=\"w.example.org\",\
             operation=\"CREATE\",rejection_code=\"403\",type=\"validating\"} 1",
        );
        check(
            &metrics,
            "apiserver_admission_webhook_fail_open_count{name=\"w.example.org\",type=\"admit\"} 1",
        );
    }

    #[test]
    fn policies_are_counted_by_what_is_done() {
        let metrics = WebhookMetrics::default();
        let check_of = |action| PolicyCheck {
            policy: "p",
            binding: "b",
            error: "invalid_error",
            action,
            took: Duration::from_micros(20),
        };
        metrics.checked(&check_of(Some("deny")));
        metrics.checked(&check_of(None));
        check(
            &metrics,
            "apiserver_validating_admission_policy_check_total{enforcement_action=\"deny\",error_type=\"invalid_error\",\
             policy=\"p\",policy_binding=\"b\"} 1",
        );
        check(
            &metrics,
            "apiserver_validating_admission_policy_check_duration_seconds_bucket{enforcement_action=\"deny\",\
             error_type=\"invalid_error\",policy=\"p\",policy_binding=\"b\",le=\"5e-07\"} 0",
        );
        check(
            &metrics,
            "apiserver_mutating_admission_policy_check_total{error_type=\"invalid_error\",policy=\"p\",policy_binding=\"b\"} 1",
        );
    }

    #[test]
    fn conversions_are_counted_by_their_failure() {
        let metrics = WebhookMetrics::default();
        metrics.converted("", Duration::from_millis(1));
        metrics.converted("conversion_webhook_call_failure", Duration::from_secs(90));
        check(
            &metrics,
            "apiserver_conversion_webhook_request_total{failure_type=\"\",result=\"success\"} 1",
        );
        check(
            &metrics,
            "apiserver_conversion_webhook_duration_seconds_bucket{failure_type=\"conversion_webhook_call_failure\",\
             result=\"failure\",le=\"60\"} 0",
        );
    }
}
