//! The controllers: one file each.

mod claim_protection;
mod each_namespace;
mod endpoint;
mod endpoint_slices;
mod endpoints;
mod garbage_collector;
mod namespace;
mod resource_quota;
mod root_ca;
mod service_account;
mod service_account_token;
mod ttl_after_finished;

use crate::cluster::{Change, Cluster};
use crate::settings::Settings;

/// Keeps something in the cluster as it should be.
pub(crate) trait Controller: Send {
    /// Notes a change.
    fn see(&mut self, change: &Change<'_>);

    /// Does what is to be done; returns when to act again at the latest, in seconds since 1970.
    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64>;
}

type Make = fn(&Settings) -> Box<dyn Controller>;

/// All controllers, by kube-controller-manager's names without `-controller`.
pub(crate) const CONTROLLERS: &[(&str, Make)] = &[
    ("endpoints", |_| Box::<endpoints::Endpoints>::default()),
    ("endpointslice", |_| Box::<endpoint_slices::Slices>::default()),
    ("garbage-collector", |_| {
        Box::<garbage_collector::Collector>::default()
    }),
    ("namespace", |_| Box::<namespace::Namespaces>::default()),
    ("persistentvolumeclaim-protection", |_| {
        Box::<claim_protection::Protection>::default()
    }),
    ("resourcequota", |_| Box::<resource_quota::Quotas>::default()),
    ("root-ca-certificate-publisher", |settings| {
        Box::new(root_ca::Publisher::new(&settings.authority))
    }),
    ("serviceaccount", |_| Box::<service_account::Accounts>::default()),
    ("serviceaccount-token", |settings| {
        Box::new(service_account_token::Tokens::new(&settings.authority))
    }),
    ("ttl-after-finished", |_| {
        Box::<ttl_after_finished::Finished>::default()
    }),
];
