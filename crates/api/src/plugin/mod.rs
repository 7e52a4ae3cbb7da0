//! Admission plugins by kube-apiserver's names: which there are, which are on, and in which order they act. One file per
//! plugin that is done here.

mod default_class;

pub(crate) use default_class::set as set_default_class;

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
    /// It always acts: what it does is part of the kind.
    Always,
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
    plugin("NamespaceAutoProvision", false, State::Missing),
    plugin("NamespaceLifecycle", true, State::Switched),
    plugin("NamespaceExists", false, State::Missing),
    plugin("LimitPodHardAntiAffinityTopology", false, State::Missing),
    plugin("LimitRanger", true, State::Missing),
    plugin("ServiceAccount", true, State::Switched),
    plugin("NodeRestriction", false, State::Missing),
    plugin("TaintNodesByCondition", true, State::Always),
    plugin("AlwaysPullImages", false, State::Missing),
    plugin("ImagePolicyWebhook", false, State::Missing),
    plugin("PodSecurity", true, State::Switched),
    plugin("PodNodeSelector", false, State::Missing),
    plugin("Priority", true, State::Switched),
    plugin("DefaultTolerationSeconds", true, State::Always),
    plugin("PodTolerationRestriction", false, State::Missing),
    plugin("EventRateLimit", false, State::Missing),
    plugin("ExtendedResourceToleration", false, State::Missing),
    plugin("DefaultStorageClass", true, State::Switched),
    plugin("StorageObjectInUseProtection", true, State::Always),
    plugin("PodGroupProtection", true, State::Missing),
    plugin("OwnerReferencesPermissionEnforcement", false, State::Missing),
    plugin("PersistentVolumeClaimResize", true, State::Missing),
    plugin("RuntimeClass", true, State::Switched),
    plugin("CertificateApproval", true, State::Missing),
    plugin("CertificateSigning", true, State::Missing),
    plugin("ClusterTrustBundleAttest", true, State::Missing),
    plugin("CertificateSubjectRestriction", true, State::Missing),
    plugin("DefaultIngressClass", true, State::Switched),
    plugin("DenyServiceExternalIPs", false, State::Missing),
    plugin("PodTopologyLabels", true, State::Missing),
    plugin("NodeDeclaredFeatureValidator", true, State::Missing),
    plugin("PodResizeValidator", true, State::Missing),
    plugin("MutatingAdmissionPolicy", true, State::Switched),
    plugin("MutatingAdmissionWebhook", true, State::Switched),
    plugin("ValidatingAdmissionPolicy", true, State::Switched),
    plugin("ValidatingAdmissionWebhook", true, State::Switched),
    plugin("ResourceQuota", true, State::Missing),
    plugin("AlwaysDeny", false, State::Missing),
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
    /// The plugin does here what it did before: it is missing, or always acts.
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
            (State::Missing, true) | (State::Always, false) => Switched::WithoutEffect,
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
            plugins.switch("AlwaysPullImages", true),
            Some(Switched::WithoutEffect)
        );
        assert_eq!(
            plugins.switch("DefaultTolerationSeconds", false),
            Some(Switched::WithoutEffect)
        );
        assert_eq!(plugins.switch("Alwayspullimages", true), None);
    }
}
