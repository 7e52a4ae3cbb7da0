//! `/healthz`, `/livez`, `/readyz` (apiserver's pkg/server/healthz).

use std::fmt::Write;

use kindsmith_store::Store;

use crate::Response;
use crate::request::query::Query;
use crate::response::status_response::text;

/// A check: its name, and the endpoints that include it.
type Check = (&'static str, &'static [&'static str]);

const ALL: &[&str] = &["healthz", "livez", "readyz"];
const LIVE: &[&str] = &["healthz", "livez"];
const READY: &[&str] = &["readyz"];

/// All checks in output order.
pub(super) const CHECKS: &[Check] = &[
    ("ping", ALL),
    ("log", ALL),
    ("loopback-serving-certificate", LIVE),
    ("etcd", ALL),
    ("etcd-readiness", READY),
    ("informer-sync", READY),
    ("poststarthook/start-apiserver-admission-initializer", ALL),
    ("poststarthook/generic-apiserver-start-informers", ALL),
    ("poststarthook/priority-and-fairness-config-consumer", ALL),
    ("poststarthook/priority-and-fairness-filter", ALL),
    ("poststarthook/storage-object-count-tracker-hook", ALL),
    ("poststarthook/start-apiextensions-informers", ALL),
    ("poststarthook/start-apiextensions-controllers", ALL),
    ("poststarthook/crd-informer-synced", ALL),
    ("poststarthook/start-system-namespaces-controller", ALL),
    ("poststarthook/peer-endpoint-reconciler-controller", ALL),
    ("poststarthook/start-cluster-authentication-info-controller", ALL),
    (
        "poststarthook/start-kube-apiserver-identity-lease-controller",
        ALL,
    ),
    (
        "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
        ALL,
    ),
    ("poststarthook/storage-readiness", ALL),
    ("poststarthook/start-legacy-token-tracking-controller", ALL),
    ("poststarthook/start-service-ip-repair-controllers", ALL),
    ("poststarthook/rbac/bootstrap-roles", ALL),
    ("poststarthook/scheduling/bootstrap-system-priority-classes", ALL),
    ("poststarthook/priority-and-fairness-config-producer", ALL),
    ("poststarthook/bootstrap-controller", ALL),
    ("poststarthook/start-kubernetes-service-cidr-controller", ALL),
    ("poststarthook/start-kube-aggregator-informers", ALL),
    ("poststarthook/apiservice-status-local-available-controller", ALL),
    ("poststarthook/apiservice-status-remote-available-controller", ALL),
    ("poststarthook/apiservice-registration-controller", ALL),
    ("poststarthook/apiservice-discovery-controller", ALL),
    ("poststarthook/kube-apiserver-autoregistration", ALL),
    ("autoregister-completion", ALL),
    ("poststarthook/apiservice-openapi-controller", ALL),
    ("poststarthook/apiservice-openapiv3-controller", ALL),
    ("shutdown", READY),
];

/// Whether a check passes. Whoever gets an answer finds the work of all hooks done, or has nobody who needs it.
pub(super) fn passes(store: &dyn Store, check: &str) -> bool {
    match check {
        "etcd" | "etcd-readiness" => store.health().is_ok(),
        _ => true,
    }
}

/// Answers an endpoint or one of its checks; `None` if there is no such check.
pub(super) fn answer(store: &dyn Store, query: &Query, parts: &[&str]) -> Option<Response> {
    let (endpoint, name) = (*parts.first()?, parts[1..].join("/"));
    let mut checks = CHECKS
        .iter()
        .filter(|(_, endpoints)| endpoints.contains(&endpoint));
    if name.is_empty() {
        return Some(all(store, query, endpoint, checks));
    }
    checks.find(|(check, _)| **check == *name)?;
    Some(if passes(store, &name) {
        text(200, "ok".to_owned())
    } else {
        text(500, "internal server error: reason withheld\n".to_owned())
    })
}

fn all<'c>(
    store: &dyn Store,
    query: &Query,
    endpoint: &str,
    checks: impl Iterator<Item = &'c Check>,
) -> Response {
    let mut excluded: Vec<&str> = query.all("exclude").collect();
    excluded.sort_unstable();
    excluded.dedup();
    let (mut out, mut is_well) = (String::new(), true);
    for (name, _) in checks {
        if let Some(position) = excluded.iter().position(|other| other == name) {
            excluded.remove(position);
            let _ = writeln!(out, "[+]{name} excluded: ok");
        } else if passes(store, name) {
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
