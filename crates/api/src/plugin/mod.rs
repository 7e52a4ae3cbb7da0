//! Admission plugins by kube-apiserver's names: which there are, which are on, and in which order they act. One file per
//! plugin.

mod always_deny;
mod always_pull_images;
mod anti_affinity;
mod certificate_request;
mod chain;
mod claim_resize;
mod default_class;
mod event_rate_limit;
mod extended_resource;
mod external_ips;
mod image_policy;
mod limit_ranger;
mod namespace;
mod node_features;
mod node_restriction;
mod node_selector;
mod owner_references;
mod pod_resize;
mod resource_quota;
mod subject_restriction;
mod toleration_restriction;
mod topology_labels;
mod trust_bundle;

use kindsmith_json::{Arena, Value};
use kindsmith_request::{AdmissionOperation, Status};

use crate::verb::Call;

pub(crate) use certificate_request::may_sign;
use chain::Refusal;
pub(crate) use chain::{Review, Turn};
pub use event_rate_limit::EventLimits;
pub use image_policy::{ImagePolicy, ImagePolicySettings};
pub(crate) use node_restriction::{Attempt, admit as admit_node};
pub(crate) use topology_labels::of_binding as label_binding;

/// Lets plugins judge a deletion.
pub(crate) fn admit_deletion<'a>(
    call: &Call<'_>,
    arena: &'a Arena,
    name: &str,
    old: Value<'a>,
) -> Result<(), Status> {
    admit_node(&Attempt {
        call,
        arena,
        operation: AdmissionOperation::Delete,
        subresource: "",
        name,
        object: Value::Null,
        old,
    })?;
    deny_all(call, name)
}

/// `AlwaysDeny`, for what is no write of an object.
pub(crate) fn deny_all(call: &Call<'_>, name: &str) -> Result<(), Status> {
    match call.api.options().plugins.is_on("AlwaysDeny") {
        true => {
            let (group, plural) = (&call.served.group, &call.served.plural);
            let name = if name.is_empty() { "Unknown" } else { name };
            Err(Status::forbidden(group, plural, name, always_deny::REASON))
        }
        false => Ok(()),
    }
}

fn items<'a>(value: Option<Value<'a>>) -> &'a [Value<'a>] {
    value.and_then(Value::as_array).unwrap_or_default()
}

fn text<'a>(value: Value<'a>, path: &[&str]) -> &'a str {
    let found = value.lookup(path);
    found.and_then(Value::as_str).unwrap_or_default()
}

/// A plugin that kube-apiserver has.
#[derive(Debug, Clone, Copy)]
struct Plugin {
    name: &'static str,
    is_default: bool,
}

const fn plugin(name: &'static str, is_default: bool) -> Plugin {
    Plugin { name, is_default }
}

/// All plugins in kube-apiserver's order (pkg/kubeapiserver/options/plugins.go), and whether they are on by default there.
/// `PodGroupProtection` has nothing to do: what it acts on is behind a feature gate that is off by default.
const PLUGINS: &[Plugin] = &[
    plugin("AlwaysAdmit", false),
    plugin("NamespaceAutoProvision", false),
    plugin("NamespaceLifecycle", true),
    plugin("NamespaceExists", false),
    plugin("LimitPodHardAntiAffinityTopology", false),
    plugin("LimitRanger", true),
    plugin("ServiceAccount", true),
    plugin("NodeRestriction", false),
    plugin("TaintNodesByCondition", true),
    plugin("AlwaysPullImages", false),
    plugin("ImagePolicyWebhook", false),
    plugin("PodSecurity", true),
    plugin("PodNodeSelector", false),
    plugin("Priority", true),
    plugin("DefaultTolerationSeconds", true),
    plugin("PodTolerationRestriction", false),
    plugin("EventRateLimit", false),
    plugin("ExtendedResourceToleration", false),
    plugin("DefaultStorageClass", true),
    plugin("StorageObjectInUseProtection", true),
    plugin("PodGroupProtection", true),
    plugin("OwnerReferencesPermissionEnforcement", false),
    plugin("PersistentVolumeClaimResize", true),
    plugin("RuntimeClass", true),
    plugin("CertificateApproval", true),
    plugin("CertificateSigning", true),
    plugin("ClusterTrustBundleAttest", true),
    plugin("CertificateSubjectRestriction", true),
    plugin("DefaultIngressClass", true),
    plugin("DenyServiceExternalIPs", false),
    plugin("PodTopologyLabels", true),
    plugin("NodeDeclaredFeatureValidator", true),
    plugin("PodResizeValidator", true),
    plugin("MutatingAdmissionPolicy", true),
    plugin("MutatingAdmissionWebhook", true),
    plugin("ValidatingAdmissionPolicy", true),
    plugin("ValidatingAdmissionWebhook", true),
    plugin("ResourceQuota", true),
    plugin("AlwaysDeny", false),
];

/// Which admission plugins are on.
#[derive(Debug, Clone)]
pub struct Plugins {
    on: Vec<bool>,
}

impl Default for Plugins {
    fn default() -> Self {
        Plugins {
            on: PLUGINS.iter().map(|plugin| plugin.is_default).collect(),
        }
    }
}

impl Plugins {
    /// The plugins for a server without controllers: `ServiceAccount` is off, because nobody creates the accounts that it
    /// wants pods to have.
    #[must_use]
    pub(crate) fn without_controllers() -> Self {
        let mut plugins = Self::default();
        plugins.switch("ServiceAccount", false);
        plugins
    }

    /// Switches a plugin; false if there is none of that name.
    pub fn switch(&mut self, name: &str, on: bool) -> bool {
        let index = PLUGINS.iter().position(|plugin| plugin.name == name);
        if let Some(index) = index {
            self.on[index] = on;
        }
        index.is_some()
    }

    /// All names, in order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PLUGINS.iter().map(|plugin| plugin.name)
    }

    /// Whether a plugin is on.
    #[must_use]
    pub fn is_on(&self, name: &str) -> bool {
        PLUGINS
            .iter()
            .zip(&self.on)
            .any(|(plugin, on)| plugin.name == name && *on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_are_switched_by_name() {
        let mut plugins = Plugins::default();
        assert!(plugins.is_on("NamespaceLifecycle"));
        assert!(plugins.switch("NamespaceLifecycle", false));
        assert!(!plugins.is_on("NamespaceLifecycle"));
        assert!(!plugins.switch("Alwayspullimages", true));
    }
}
