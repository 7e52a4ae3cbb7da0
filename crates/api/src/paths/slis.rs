//! `/metrics/slis`: the results of health checks, as metrics (component-base's metrics/prometheus/slis).

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use kindsmith_store::Store;

use super::{Counts, health};
use crate::Response;
use crate::response::negotiate;

pub(super) fn answer(store: &dyn Store, checked: &Mutex<Counts>) -> Response {
    let mut text = String::from(
        "# HELP kubernetes_healthcheck [STABLE] Whether a health check passes: 1 if it does, 0 if not.\n\
         # TYPE kubernetes_healthcheck gauge\n",
    );
    let mut counted = checked.lock().unwrap_or_else(PoisonError::into_inner);
    let mut checks: Vec<(&str, &str, bool)> = Vec::new();
    for (name, endpoints) in health::CHECKS {
        let is_well = health::passes(store, name);
        for endpoint in *endpoints {
            *counted.entry((name, endpoint, is_well)).or_default() += 1;
            checks.push((name, endpoint, is_well));
        }
    }
    checks.sort_unstable();
    for (name, endpoint, is_well) in checks {
        let value = u8::from(is_well);
        let _ = writeln!(
            text,
            "kubernetes_healthcheck{{name=\"{name}\",type=\"{endpoint}\"}} {value}"
        );
    }
    text.push_str(
        "# HELP kubernetes_healthchecks_total [STABLE] How often a health check had a result.\n\
         # TYPE kubernetes_healthchecks_total counter\n",
    );
    for ((name, endpoint, is_well), count) in &*counted {
        let status = if *is_well { "success" } else { "error" };
        let _ = writeln!(
            text,
            "kubernetes_healthchecks_total{{name=\"{name}\",status=\"{status}\",type=\"{endpoint}\"}} {count}"
        );
    }
    negotiate::bytes(200, "text/plain; version=0.0.4; charset=utf-8", text.into_bytes())
}
