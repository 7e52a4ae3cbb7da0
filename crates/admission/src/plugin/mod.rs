//! Admission plugins by kube-apiserver's names, one file each. Their order is in [`chain`](crate::chain).
//!
//! A plugin sees a [`Review`] and asks a [`Server`] for everything else. Knows no store, socket or clock.

pub(crate) mod always_deny;
pub(crate) mod always_pull_images;
pub(crate) mod anti_affinity;
pub(crate) mod certificate_approval;
pub(crate) mod certificate_signing;
pub(crate) mod claim_resize;
mod default_class;
pub(crate) mod default_ingress_class;
pub(crate) mod default_storage_class;
pub(crate) mod default_toleration_seconds;
mod event_limits;
pub(crate) mod event_rate_limit;
pub(crate) mod extended_resource;
pub(crate) mod external_ips;
pub(crate) mod image_policy;
mod image_reviewer;
pub(crate) mod limit_ranger;
mod mountable_secrets;
pub(crate) mod namespace_auto_provision;
pub(crate) mod namespace_exists;
pub(crate) mod namespace_lifecycle;
pub(crate) mod node_features;
pub(crate) mod node_restriction;
pub(crate) mod node_selector;
pub(crate) mod owner_references;
pub(crate) mod pod_resize;
pub(crate) mod pod_security;
pub(crate) mod priority;
mod references;
pub(crate) mod resource_quota;
mod review;
pub(crate) mod runtime_class;
mod server;
pub(crate) mod service_account;
mod settings;
mod signer;
pub(crate) mod storage_protection;
pub(crate) mod subject_restriction;
pub(crate) mod taint_nodes;
pub(crate) mod toleration_restriction;
pub(crate) mod topology_labels;
pub(crate) mod trust_bundle;

use kindsmith_json::{Arena, Value};

pub use event_limits::{EventLimits, InvalidEventLimits};
pub use image_reviewer::{ImagePolicy, ImagePolicySettings, OutOfRange};
pub(crate) use review::Refusal;
pub use review::Review;
pub use server::{Failed, KindResource, Server};
pub use settings::PluginSettings;
pub use signer::may_sign;

/// Changes each item of a list, if there are any.
fn each<'a>(
    arena: &'a Arena,
    object: &mut Value<'a>,
    path: &[&'a str],
    change: impl FnMut(Value<'a>) -> Value<'a>,
) {
    let changed: Vec<Value<'a>> = object.list(path).iter().copied().map(change).collect();
    if !changed.is_empty() {
        object.set(arena, path, Value::Array(arena.alloc_slice_copy(&changed)));
    }
}

/// Adds an item at the end of a list.
fn push<'a>(arena: &'a Arena, object: &mut Value<'a>, path: &[&'a str], item: Value<'a>) {
    let mut all = object.list(path).to_vec();
    all.push(item);
    object.set(arena, path, Value::Array(arena.alloc_slice_copy(&all)));
}
