//! `docs/metrics.md` is made of the metrics that a server writes; `UPDATE=1` writes it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kindsmith_admission::{Observed, Observer, PolicyCheck, Step};
use kindsmith_api::{Api, Options, RequestInfo, Still};
use kindsmith_request::Counts;
use kindsmith_store::Memory;

use crate::Gates;
use crate::metrics::{Labels, Metrics};
use crate::webhook_metrics::WebhookMetrics;
use crate::{process, stored};

const HEAD: &str = "\
# Metrics

What `/metrics` of a server shows, in Prometheus' text format. Names, labels and stages are those of kube-apiserver, except for those that begin with
`kindsmith_`; metrics of admission exist from the first webhook or policy that a request met. `/metrics/slis` has the
results of health checks. This page is made from what the server writes.

| Metric | Type | Stage | Labels | |
|---|---|---|---|---|
";

/// One request, one call of each kind of webhook, one check of each kind of policy.
fn all() -> String {
    let metrics = Metrics::new(Gates::default());
    let info = RequestInfo {
        is_resource: true,
        verb: "list".into(),
        version: "v1".into(),
        resource: "configmaps".into(),
        ..RequestInfo::default()
    };
    metrics.answered(Labels::of(&info, "", "", true), 200, Duration::ZERO);
    let mut counts = Counts::default();
    counts.mismatches.insert("rule".to_owned(), 1);
    counts.panics.insert("rule".to_owned(), 1);
    let webhooks = WebhookMetrics::default();
    webhooks.called(&Observed {
        webhook: "w.example.org",
        step: Step::Validating,
        operation: "CREATE",
        took: Duration::ZERO,
        code: 403,
        rejection: Some("no_error"),
    });
    webhooks.failed_open("w.example.org", Step::Admit);
    webhooks.converted("", Duration::ZERO);
    for action in [Some("deny"), None] {
        webhooks.checked(&PolicyCheck {
            policy: "p",
            binding: "b",
            error: "",
            action,
            took: Duration::ZERO,
        });
    }
    let store = Arc::new(Memory::new());
    let api = Api::open(store, Box::new(Still::at(0)), Options::default()).expect("an API in memory");
    metrics.text(&counts) + &webhooks.text() + &stored::text(&api) + &process::text()
}

/// The names of the labels of a sample, but for the bound of a bucket.
fn labels(sample: &str) -> Vec<&str> {
    let inside = sample.split_once('{').and_then(|(_, rest)| rest.rsplit_once('}'));
    let pairs = inside.map_or("", |(inside, _)| inside).split("\",");
    let names = pairs.filter_map(|pair| pair.split_once('=').map(|(name, _)| name));
    names.filter(|name| *name != "le").collect()
}

fn page() -> String {
    let text = all();
    let mut rows = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("# HELP ")) {
        let (name, help) = line.split_once(' ').expect("a name and a help");
        let of = |line: &&str| line.starts_with(name) && line.as_bytes().get(name.len()) != Some(&b' ');
        let sample = text.lines().find(of).unwrap_or_default();
        let kind = format!("# TYPE {name} ");
        let kind = text
            .lines()
            .find_map(|line| line.strip_prefix(&kind))
            .expect("a type");
        let (stage, help) = match help.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
            Some((stage, help)) => (stage.to_lowercase(), help),
            None => (String::new(), help),
        };
        let labels: Vec<String> = labels(sample).iter().map(|label| format!("`{label}`")).collect();
        rows.insert(
            name.to_owned(),
            format!("| `{name}` | {kind} | {stage} | {} | {help} |", labels.join(", ")),
        );
    }
    let mut page = HEAD.to_owned();
    for row in rows.values() {
        let _ = writeln!(page, "{row}");
    }
    page
}

#[test]
fn the_page_of_metrics_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md");
    let page = page();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == page,
        "docs/metrics.md is stale: run `UPDATE=1 cargo test -p kindsmith-server metrics_page`"
    );
}
