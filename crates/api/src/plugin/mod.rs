//! Admission plugins by kube-apiserver's names: which there are, which are on, and in which order they act. One file per
//! plugin that is done here.

mod always_deny;
mod always_pull_images;
mod anti_affinity;
mod certificate_request;
mod chain;
mod claim_resize;
mod default_class;
mod extended_resource;
mod external_ips;
mod limit_ranger;
mod namespace;
mod node_features;
mod node_selector;
mod owner_references;
mod pod_resize;
mod resource_quota;
mod subject_restriction;
mod toleration_restriction;
mod topology_labels;
mod trust_bundle;

use kindsmith_json::Value;
use kindsmith_request::Status;

use crate::verb::Call;

use chain::Refusal;
pub(crate) use chain::{Review, Turn};
pub(crate) use topology_labels::of_binding as label_binding;

/// Lets plugins judge a deletion.
pub(crate) fn admit_deletion(call: &Call<'_>, name: &str) -> Result<(), Status> {
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
    state: State,
}

/// What this server has of a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It can be switched.
    Switched,
    /// It has nothing to do, because what it acts on is behind a feature gate that is off by default.
    Idle,
    /// It does nothing.
    Missing,
}

const fn plugin(name: &'static str, is_default: bool, state: State) -> Plugin {
    Plugin {
        name,
        is_default,
        state,
    }
}

/// All plugins in kube-apiserver's order (pkg/kubeapiserver/options/plugins.go), whether they are on by default there, and
/// what is here of them.
const PLUGINS: &[Plugin] = &[
    plugin("AlwaysAdmit", false, State::Switched),
    plugin("NamespaceAutoProvision", false, State::Switched),
    plugin("NamespaceLifecycle", true, State::Switched),
    plugin("NamespaceExists", false, State::Switched),
    plugin("LimitPodHardAntiAffinityTopology", false, State::Switched),
    plugin("LimitRanger", true, State::Switched),
    plugin("ServiceAccount", true, State::Switched),
    plugin("NodeRestriction", false, State::Missing),
    plugin("TaintNodesByCondition", true, State::Switched),
    plugin("AlwaysPullImages", false, State::Switched),
    plugin("ImagePolicyWebhook", false, State::Missing),
    plugin("PodSecurity", true, State::Switched),
    plugin("PodNodeSelector", false, State::Switched),
    plugin("Priority", true, State::Switched),
    plugin("DefaultTolerationSeconds", true, State::Switched),
    plugin("PodTolerationRestriction", false, State::Switched),
    plugin("EventRateLimit", false, State::Missing),
    plugin("ExtendedResourceToleration", false, State::Switched),
    plugin("DefaultStorageClass", true, State::Switched),
    plugin("StorageObjectInUseProtection", true, State::Switched),
    plugin("PodGroupProtection", true, State::Idle),
    plugin("OwnerReferencesPermissionEnforcement", false, State::Switched),
    plugin("PersistentVolumeClaimResize", true, State::Switched),
    plugin("RuntimeClass", true, State::Switched),
    plugin("CertificateApproval", true, State::Switched),
    plugin("CertificateSigning", true, State::Switched),
    plugin("ClusterTrustBundleAttest", true, State::Switched),
    plugin("CertificateSubjectRestriction", true, State::Switched),
    plugin("DefaultIngressClass", true, State::Switched),
    plugin("DenyServiceExternalIPs", false, State::Switched),
    plugin("PodTopologyLabels", true, State::Switched),
    plugin("NodeDeclaredFeatureValidator", true, State::Switched),
    plugin("PodResizeValidator", true, State::Switched),
    plugin("MutatingAdmissionPolicy", true, State::Switched),
    plugin("MutatingAdmissionWebhook", true, State::Switched),
    plugin("ValidatingAdmissionPolicy", true, State::Switched),
    plugin("ValidatingAdmissionWebhook", true, State::Switched),
    plugin("ResourceQuota", true, State::Switched),
    plugin("AlwaysDeny", false, State::Switched),
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

/// What became of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switched {
    /// It is done.
    Done,
    /// The plugin is missing.
    WithoutEffect,
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

    /// Switches a plugin; `None` if there is none of that name.
    pub fn switch(&mut self, name: &str, on: bool) -> Option<Switched> {
        let index = PLUGINS.iter().position(|plugin| plugin.name == name)?;
        self.on[index] = on;
        Some(match (PLUGINS[index].state, on) {
            (State::Missing, true) => Switched::WithoutEffect,
            _ => Switched::Done,
        })
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
        assert_eq!(plugins.switch("NamespaceLifecycle", false), Some(Switched::Done));
        assert!(!plugins.is_on("NamespaceLifecycle"));
        assert_eq!(
            plugins.switch("EventRateLimit", true),
            Some(Switched::WithoutEffect)
        );
        assert_eq!(plugins.switch("Alwayspullimages", true), None);
    }
}
