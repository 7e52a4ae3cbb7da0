//! The tables of built-in kinds, by group and plural (`AddHandlers` in kubernetes' pkg/printers/internalversion). One
//! line per kind.

use kindsmith_json::Value;

use super::core::{self, default};
use super::describe::{self, Heading};
use super::row::Row;
use super::{Cells, Columns, Header};

/// Makes the cells of an object.
pub(super) type Print = for<'a> fn(&Row<'a>) -> Vec<Value<'a>>;

const KINDS: &[(&str, &str, &[Heading], Print)] = &[
    ("", "configmaps", describe::CONFIG_MAP, core::config_map),
    ("", "events", describe::EVENT, core::event),
    ("", "namespaces", describe::NAMESPACE, core::namespace),
    ("", "podtemplates", describe::POD_TEMPLATE, core::pod_template),
    (
        "",
        "replicationcontrollers",
        describe::REPLICATION_CONTROLLER,
        core::replication_controller,
    ),
    ("", "secrets", describe::SECRET, core::secret),
    (
        "",
        "serviceaccounts",
        describe::SERVICE_ACCOUNT,
        core::service_account,
    ),
    ("", "services", describe::SERVICE, core::service),
    (
        "admissionregistration.k8s.io",
        "mutatingwebhookconfigurations",
        describe::WEBHOOK_CONFIGURATION,
        core::webhooks,
    ),
    (
        "admissionregistration.k8s.io",
        "validatingwebhookconfigurations",
        describe::WEBHOOK_CONFIGURATION,
        core::webhooks,
    ),
    ("apps", "deployments", describe::DEPLOYMENT, core::deployment),
    (
        "certificates.k8s.io",
        "certificatesigningrequests",
        describe::CERTIFICATE_SIGNING_REQUEST,
        core::certificate,
    ),
    ("coordination.k8s.io", "leases", describe::LEASE, core::lease),
    ("events.k8s.io", "events", describe::EVENT, core::event),
    (
        "rbac.authorization.k8s.io",
        "clusterrolebindings",
        describe::CLUSTER_ROLE_BINDING,
        core::binding,
    ),
    (
        "rbac.authorization.k8s.io",
        "rolebindings",
        describe::ROLE_BINDING,
        core::binding,
    ),
];

/// The columns of a kind.
pub(super) fn columns(group: &str, plural: &str) -> Columns {
    let kind = KINDS
        .iter()
        .find(|(of, resource, _, _)| (*of, *resource) == (group, plural));
    let (headings, print) = match kind {
        Some((_, _, headings, print)) => (*headings, *print),
        None => (describe::DEFAULT, default as Print),
    };
    let headers = headings.iter().map(|&(name, ty, format, priority, description)| {
        Header::new(name, ty, format, &description.text(), priority)
    });
    Columns {
        headers: headers.collect(),
        cells: Cells::Kind(print),
    }
}
