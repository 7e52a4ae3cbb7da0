//! Metrics of the API server by their well-known names, in Prometheus' text format.
//!
//! The text is written here rather than by a metrics crate because names, help texts with their stability and buckets
//! are a contract with dashboards, and the well-maintained crates write OpenMetrics, which renames counters.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kindsmith_api::RequestInfo;
use kindsmith_request::Counts;

use crate::Gates;

const BUCKETS: [f64; 23] = [
    0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0,
    20.0, 30.0, 45.0, 60.0,
];

/// All counters.
#[derive(Debug)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<Labels, Requests>>,
    reading: AtomicI64,
    writing: AtomicI64,
    watching: AtomicI64,
    gates: Gates,
}

/// The labels of a request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Labels {
    pub(crate) verb: &'static str,
    pub(crate) dry_run: &'static str,
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) resource: String,
    pub(crate) subresource: String,
    pub(crate) scope: &'static str,
}

#[derive(Debug, Default)]
struct Requests {
    by_code: BTreeMap<u16, u64>,
    buckets: [u64; BUCKETS.len()],
    seconds: f64,
    count: u64,
}

/// The kind of a running request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Traffic {
    Reading,
    Writing,
    Watching,
}

/// How many sets of labels there are at most: a scrape stays small.
const MOST_LABELS: usize = 5_000;

/// Subresources of all kinds; clients can write anything there.
const SUBRESOURCES: [&str; 14] = [
    "approval",
    "attach",
    "binding",
    "ephemeralcontainers",
    "eviction",
    "exec",
    "finalize",
    "log",
    "portforward",
    "proxy",
    "resize",
    "scale",
    "status",
    "token",
];

impl Labels {
    /// The labels of what is beyond the bound.
    fn anonymous(self) -> Self {
        Labels {
            group: String::new(),
            version: String::new(),
            resource: String::new(),
            subresource: String::new(),
            ..self
        }
    }

    /// The labels of a request. Unknown paths get no labels of their own, or clients could create millions.
    pub(crate) fn of(info: &RequestInfo, content_type: &str, query: &str, is_known: bool) -> Self {
        let verb = match &*info.verb {
            "get" => "GET",
            "list" => "LIST",
            "watch" => "WATCH",
            "create" | "post" => "POST",
            "update" | "put" => "PUT",
            "patch" if content_type == "application/apply-patch+yaml" => "APPLY",
            "patch" => "PATCH",
            "delete" => "DELETE",
            "deletecollection" => "DELETECOLLECTION",
            _ => "other",
        };
        let dry_run = match query.split('&').find_map(|part| part.strip_prefix("dryRun=")) {
            None | Some("") => "",
            Some("All") => "All",
            Some(_) => "invalid",
        };
        let scope = match (info.is_resource, info.name.is_empty(), info.namespace.is_empty()) {
            (false, _, _) => "",
            (true, false, _) => "resource",
            (true, true, _) if info.verb == "create" => "resource",
            (true, true, false) => "namespace",
            (true, true, true) => "cluster",
        };
        let text = |text: &str| if is_known { text.to_owned() } else { String::new() };
        Labels {
            verb,
            dry_run,
            group: text(&info.group),
            version: text(&info.version),
            resource: text(&info.resource),
            subresource: if info.is_resource {
                let is_known = SUBRESOURCES.contains(&&*info.subresource);
                text(if is_known { &info.subresource } else { "" })
            } else {
                text(&info.path)
            },
            scope,
        }
    }
}

impl Metrics {
    pub(crate) fn new(gates: Gates) -> Self {
        Metrics {
            requests: Mutex::default(),
            reading: AtomicI64::new(0),
            writing: AtomicI64::new(0),
            watching: AtomicI64::new(0),
            gates,
        }
    }

    /// Counts an answered request.
    pub(crate) fn answered(&self, labels: Labels, code: u16, took: Duration) {
        let seconds = took.as_secs_f64();
        let mut requests = self.lock();
        // CRDs can come and go; whatever is beyond the bound is counted together.
        let labels = if requests.len() < MOST_LABELS || requests.contains_key(&labels) {
            labels
        } else {
            labels.anonymous()
        };
        let entry = requests.entry(labels).or_default();
        *entry.by_code.entry(code).or_default() += 1;
        if let Some(bucket) = BUCKETS.iter().position(|bound| seconds <= *bound) {
            entry.buckets[bucket] += 1;
        }
        entry.seconds += seconds;
        entry.count += 1;
    }

    /// Counts a request as running until the returned guard is dropped.
    pub(crate) fn under_way(self: &std::sync::Arc<Self>, traffic: Traffic) -> UnderWay {
        self.gauge(traffic).fetch_add(1, Ordering::Relaxed);
        UnderWay {
            metrics: std::sync::Arc::clone(self),
            traffic,
        }
    }

    fn gauge(&self, traffic: Traffic) -> &AtomicI64 {
        match traffic {
            Traffic::Reading => &self.reading,
            Traffic::Writing => &self.writing,
            Traffic::Watching => &self.watching,
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Labels, Requests>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All metrics as text.
    pub(crate) fn text(&self, validation: &Counts) -> String {
        let mut text = String::new();
        self.write_requests(&mut text);
        self.write_gauges(&mut text);
        self.write_fixed(&mut text);
        write_validation(&mut text, validation);
        text
    }

    fn write_requests(&self, text: &mut String) {
        let requests = self.lock();
        head(
            text,
            "apiserver_request_duration_seconds",
            "histogram",
            "[STABLE] How long requests took, in seconds.",
        );
        for (labels, entry) in requests.iter() {
            let labels = label_text(labels);
            let mut below = 0;
            for (bound, count) in BUCKETS.iter().zip(entry.buckets) {
                below += count;
                let _ = writeln!(
                    text,
                    "apiserver_request_duration_seconds_bucket{{{labels},le=\"{bound}\"}} {below}"
                );
            }
            let Requests { seconds, count, .. } = entry;
            let _ = writeln!(
                text,
                "apiserver_request_duration_seconds_bucket{{{labels},le=\"+Inf\"}} {count}\n\
                 apiserver_request_duration_seconds_sum{{{labels}}} {seconds}\n\
                 apiserver_request_duration_seconds_count{{{labels}}} {count}"
            );
        }
        head(
            text,
            "apiserver_request_total",
            "counter",
            "[STABLE] How many requests were answered, with which HTTP status.",
        );
        for (labels, entry) in requests.iter() {
            let labels = label_text(labels);
            for (code, count) in &entry.by_code {
                let _ = writeln!(
                    text,
                    "apiserver_request_total{{{labels},code=\"{code}\"}} {count}"
                );
            }
        }
    }

    fn write_gauges(&self, text: &mut String) {
        let load = |traffic| self.gauge(traffic).load(Ordering::Relaxed);
        head(
            text,
            "apiserver_current_inflight_requests",
            "gauge",
            "[STABLE] How many reads and writes are being answered now, without watches.",
        );
        let _ = writeln!(
            text,
            "apiserver_current_inflight_requests{{request_kind=\"mutating\"}} {}\n\
             apiserver_current_inflight_requests{{request_kind=\"readOnly\"}} {}",
            load(Traffic::Writing),
            load(Traffic::Reading),
        );
        head(
            text,
            "kindsmith_dropped_log_lines_total",
            "counter",
            "[ALPHA] How many lines of the logs were dropped because nobody read them.",
        );
        let _ = writeln!(
            text,
            "kindsmith_dropped_log_lines_total {}",
            crate::lines::dropped()
        );
        head(
            text,
            "apiserver_longrunning_requests",
            "gauge",
            "[STABLE] How many watches are open.",
        );
        let _ = writeln!(
            text,
            "apiserver_longrunning_requests{{component=\"apiserver\",verb=\"WATCH\"}} {}",
            load(Traffic::Watching)
        );
    }

    fn write_fixed(&self, text: &mut String) {
        head(
            text,
            "kubernetes_feature_enabled",
            "gauge",
            "[BETA] Feature gates with their stage: 1 for those that are on.",
        );
        for (gate, on) in self.gates.all() {
            let _ = writeln!(
                text,
                "kubernetes_feature_enabled{{name=\"{}\",stage=\"{}\"}} {}",
                gate.name,
                gate.stage.label(),
                u8::from(on)
            );
        }
        // kube-apiserver creates these series and never records anything in them.
        let name = "field_validation_request_duration_seconds";
        let help = "[ALPHA] How long requests took, in seconds, by their `fieldValidation`.";
        head(text, name, "histogram", help);
        for word in ["Ignore", "Strict", "Warn"] {
            let label = format!("field_validation=\"{word}\"");
            let _ = writeln!(
                text,
                "{name}_bucket{{{label},le=\"+Inf\"}} 0\n{name}_sum{{{label}}} 0\n{name}_count{{{label}}} 0"
            );
        }
        head(
            text,
            "kubernetes_build_info",
            "gauge",
            "[BETA] Always 1; the labels say which build of the server this is.",
        );
        let _ = writeln!(
            text,
            "kubernetes_build_info{{compiler=\"rustc\",git_version=\"v1.38.0+kindsmith-{}\",go_version=\"none\",major=\"1\",minor=\"38\",platform=\"{}/{}\"}} 1",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH
        );
    }
}

/// A running request.
#[derive(Debug)]
pub(crate) struct UnderWay {
    metrics: std::sync::Arc<Metrics>,
    traffic: Traffic,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.metrics.gauge(self.traffic).fetch_sub(1, Ordering::Relaxed);
    }
}

/// Series without labels exist from the start, those with labels from their first count on.
fn write_validation(text: &mut String, counts: &Counts) {
    let total = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
    let both = [
        (
            &counts.mismatches,
            "apiserver_validation_declarative_validation_mismatch_total",
            "[BETA] How often rules in tags and rules in code disagreed about an object.",
            "apiserver_validation_declarative_validation_parity_discrepancies_total",
            "[ALPHA] The same for each kind of write.",
        ),
        (
            &counts.panics,
            "apiserver_validation_declarative_validation_panic_total",
            "[BETA] How often a rule in tags panicked.",
            "apiserver_validation_declarative_validation_panics_total",
            "[ALPHA] The same for each kind of write.",
        ),
    ];
    for (counts, name, help, labelled, labelled_help) in both {
        head(text, name, "counter", help);
        let _ = writeln!(text, "{name} {}", total(counts));
        if !counts.is_empty() {
            head(text, labelled, "counter", labelled_help);
        }
        for (identifier, count) in counts {
            let _ = writeln!(
                text,
                "{labelled}{{validation_identifier=\"{identifier}\"}} {count}"
            );
        }
    }
    let name = "apiserver_validation_duplicate_validation_error_total";
    head(
        text,
        name,
        "counter",
        "[INTERNAL] Errors of updates that were reported twice.",
    );
    let _ = writeln!(text, "{name} {}", counts.duplicates);
}

pub(crate) fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn label_text(labels: &Labels) -> String {
    format!(
        "component=\"apiserver\",dry_run=\"{}\",group=\"{}\",resource=\"{}\",scope=\"{}\",subresource=\"{}\",verb=\"{}\",version=\"{}\"",
        labels.dry_run,
        escape(&labels.group),
        escape(&labels.resource),
        labels.scope,
        escape(&labels.subresource),
        labels.verb,
        escape(&labels.version)
    )
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_in_their_buckets() {
        let metrics = Metrics::new(Gates::default());
        let info = RequestInfo {
            is_resource: true,
            verb: "list".into(),
            version: "v1".into(),
            namespace: "default".into(),
            resource: "configmaps".into(),
            ..RequestInfo::default()
        };
        let labels = Labels::of(&info, "", "limit=5", true);
        metrics.answered(labels.clone(), 200, Duration::from_millis(30));
        metrics.answered(labels, 410, Duration::from_secs(90));
        let text = metrics.text(&Counts::default());
        let labels = "component=\"apiserver\",dry_run=\"\",group=\"\",resource=\"configmaps\",scope=\"namespace\",\
                      subresource=\"\",verb=\"LIST\",version=\"v1\"";
        for line in [
            format!("apiserver_request_duration_seconds_bucket{{{labels},le=\"0.025\"}} 0"),
            format!("apiserver_request_duration_seconds_bucket{{{labels},le=\"0.05\"}} 1"),
            format!("apiserver_request_duration_seconds_bucket{{{labels},le=\"60\"}} 1"),
            format!("apiserver_request_duration_seconds_bucket{{{labels},le=\"+Inf\"}} 2"),
            format!("apiserver_request_total{{{labels},code=\"410\"}} 1"),
            "kubernetes_feature_enabled{name=\"WatchList\",stage=\"BETA\"} 1".to_owned(),
            "kubernetes_feature_enabled{name=\"DeclarativeValidation\",stage=\"\"} 1".to_owned(),
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\nin\n{text}");
        }
    }

    #[test]
    fn labels_cannot_be_made_up_without_bound() {
        let garbage = RequestInfo {
            is_resource: true,
            verb: "get".into(),
            version: "v1".into(),
            resource: "configmaps".into(),
            subresource: "x".repeat(50_000),
            ..RequestInfo::default()
        };
        assert_eq!(Labels::of(&garbage, "", "", true).subresource, "");
        let metrics = Metrics::new(Gates::default());
        for number in 0..2 * MOST_LABELS {
            let info = RequestInfo {
                is_resource: true,
                verb: "get".into(),
                group: format!("{number}.example.org"),
                ..RequestInfo::default()
            };
            metrics.answered(Labels::of(&info, "", "", true), 200, Duration::ZERO);
        }
        assert!(metrics.lock().len() <= MOST_LABELS + 100);
        let counted: u64 = metrics.lock().values().map(|requests| requests.count).sum();
        assert_eq!(counted, 2 * MOST_LABELS as u64);
    }

    #[test]
    fn unknown_paths_get_no_labels() {
        let info = RequestInfo {
            path: "/made/up".into(),
            verb: "get".into(),
            ..RequestInfo::default()
        };
        assert_eq!(Labels::of(&info, "", "", false).subresource, "");
    }
}
