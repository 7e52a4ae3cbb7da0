//! `/healthz`, `/livez`, `/readyz` (apiserver's pkg/server/healthz).

use std::fmt::Write;

use crate::request::query::Query;
use crate::{Api, Content, Response};

/// A check: its name, the endpoints that include it, and the function that runs it.
type Check = (&'static str, &'static [&'static str], fn(&Api) -> bool);

const ALL: &[&str] = &["healthz", "livez", "readyz"];
const LIVE: &[&str] = &["healthz", "livez"];
const READY: &[&str] = &["readyz"];

/// All checks in output order. Whoever gets an answer finds the work of all hooks done, or has nobody who needs it.
pub(super) const CHECKS: &[Check] = &[
    ("ping", ALL, |_| true),
    ("log", ALL, |_| true),
    ("loopback-serving-certificate", LIVE, |_| true),
    ("etcd", ALL, |api| api.store.health().is_ok()),
    ("etcd-readiness", READY, |api| api.store.health().is_ok()),
    ("informer-sync", READY, |_| true),
    ("poststarthook/start-apiserver-admission-initializer", ALL, |_| {
        true
    }),
    ("poststarthook/generic-apiserver-start-informers", ALL, |_| true),
    ("poststarthook/priority-and-fairness-config-consumer", ALL, |_| {
        true
    }),
    ("poststarthook/priority-and-fairness-filter", ALL, |_| true),
    ("poststarthook/storage-object-count-tracker-hook", ALL, |_| true),
    ("poststarthook/start-apiextensions-informers", ALL, |_| true),
    ("poststarthook/start-apiextensions-controllers", ALL, |_| true),
    ("poststarthook/crd-informer-synced", ALL, |_| true),
    ("poststarthook/start-system-namespaces-controller", ALL, |_| true),
    ("poststarthook/peer-endpoint-reconciler-controller", ALL, |_| true),
    (
        "poststarthook/start-cluster-authentication-info-controller",
        ALL,
        |_| true,
    ),
    (
        "poststarthook/start-kube-apiserver-identity-lease-controller",
        ALL,
        |_| true,
    ),
    (
        "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
        ALL,
        |_| true,
    ),
    ("poststarthook/storage-readiness", ALL, |_| true),
    (
        "poststarthook/start-legacy-token-tracking-controller",
        ALL,
        |_| true,
    ),
    ("poststarthook/start-service-ip-repair-controllers", ALL, |_| true),
    ("poststarthook/rbac/bootstrap-roles", ALL, |_| true),
    (
        "poststarthook/scheduling/bootstrap-system-priority-classes",
        ALL,
        |_| true,
    ),
    ("poststarthook/priority-and-fairness-config-producer", ALL, |_| {
        true
    }),
    ("poststarthook/bootstrap-controller", ALL, |_| true),
    (
        "poststarthook/start-kubernetes-service-cidr-controller",
        ALL,
        |_| true,
    ),
    ("poststarthook/start-kube-aggregator-informers", ALL, |_| true),
    (
        "poststarthook/apiservice-status-local-available-controller",
        ALL,
        |_| true,
    ),
    (
        "poststarthook/apiservice-status-remote-available-controller",
        ALL,
        |_| true,
    ),
    ("poststarthook/apiservice-registration-controller", ALL, |_| true),
    ("poststarthook/apiservice-discovery-controller", ALL, |_| true),
    ("poststarthook/kube-apiserver-autoregistration", ALL, |_| true),
    ("autoregister-completion", ALL, |_| true),
    ("poststarthook/apiservice-openapi-controller", ALL, |_| true),
    ("poststarthook/apiservice-openapiv3-controller", ALL, |_| true),
    ("shutdown", READY, |_| true),
];

/// Answers an endpoint or one of its checks; `None` if there is no such check.
pub(super) fn answer(api: &Api, query: &Query, parts: &[&str]) -> Option<Response> {
    let (endpoint, name) = (*parts.first()?, parts[1..].join("/"));
    let mut checks = CHECKS
        .iter()
        .filter(|(_, endpoints, _)| endpoints.contains(&endpoint));
    if name.is_empty() {
        return Some(all(api, query, endpoint, checks));
    }
    let (_, _, check) = checks.find(|(check, _, _)| **check == *name)?;
    Some(if check(api) {
        text(200, "ok".to_owned())
    } else {
        text(500, "internal server error: reason withheld\n".to_owned())
    })
}

fn all<'c>(api: &Api, query: &Query, endpoint: &str, checks: impl Iterator<Item = &'c Check>) -> Response {
    let mut excluded: Vec<&str> = query.all("exclude").collect();
    excluded.sort_unstable();
    excluded.dedup();
    let (mut out, mut is_well) = (String::new(), true);
    for (name, _, check) in checks {
        if let Some(position) = excluded.iter().position(|other| other == name) {
            excluded.remove(position);
            let _ = writeln!(out, "[+]{name} excluded: ok");
        } else if check(api) {
            let _ = writeln!(out, "[+]{name} ok");
        } else {
            is_well = false;
            let _ = writeln!(out, "[-]{name} failed: reason withheld");
        }
    }
    if !excluded.is_empty() {
        let names: Vec<String> = excluded.iter().map(|name| format!("\"{name}\"")).collect();
        let names = names.join(", ");
        let _ = writeln!(
            out,
            "warn: some health checks cannot be excluded: no matches for {names}"
        );
    }
    match is_well {
        false => text(500, format!("{out}{endpoint} check failed\n")),
        true if query.get("verbose").is_none() => text(200, "ok".to_owned()),
        true => text(200, format!("{out}{endpoint} check passed\n")),
    }
}

fn text(status: u16, text: String) -> Response {
    Response {
        status,
        headers: vec![
            ("content-type", "text/plain; charset=utf-8".into()),
            ("x-content-type-options", "nosniff".into()),
        ],
        content: Content::Bytes(text.into_bytes()),
    }
}
