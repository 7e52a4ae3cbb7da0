//! Admission plugins by kube-apiserver's names: which there are, which are on, and in which order they act. One file per
//! plugin that is done here.

/// A plugin that kube-apiserver has.
#[derive(Debug, Clone, Copy)]
struct Plugin {
    name: &'static str,
    is_default: bool,
    is_done: bool,
}

const fn on(name: &'static str) -> Plugin {
    Plugin {
        name,
        is_default: true,
        is_done: true,
    }
}

const fn off(name: &'static str) -> Plugin {
    Plugin {
        name,
        is_default: false,
        is_done: false,
    }
}

/// On in kube-apiserver, without effect here.
const fn missing(name: &'static str) -> Plugin {
    Plugin {
        name,
        is_default: true,
        is_done: false,
    }
}

/// All plugins in kube-apiserver's order (pkg/kubeapiserver/options/plugins.go).
const PLUGINS: &[Plugin] = &[
    Plugin {
        is_done: true,
        ..off("AlwaysAdmit")
    },
    off("NamespaceAutoProvision"),
    on("NamespaceLifecycle"),
    off("NamespaceExists"),
    off("LimitPodHardAntiAffinityTopology"),
    missing("LimitRanger"),
    missing("ServiceAccount"),
    off("NodeRestriction"),
    missing("TaintNodesByCondition"),
    off("AlwaysPullImages"),
    off("ImagePolicyWebhook"),
    missing("PodSecurity"),
    off("PodNodeSelector"),
    missing("Priority"),
    missing("DefaultTolerationSeconds"),
    off("PodTolerationRestriction"),
    off("EventRateLimit"),
    off("ExtendedResourceToleration"),
    missing("DefaultStorageClass"),
    missing("StorageObjectInUseProtection"),
    missing("PodGroupProtection"),
    off("OwnerReferencesPermissionEnforcement"),
    missing("PersistentVolumeClaimResize"),
    missing("RuntimeClass"),
    missing("CertificateApproval"),
    missing("CertificateSigning"),
    missing("ClusterTrustBundleAttest"),
    missing("CertificateSubjectRestriction"),
    missing("DefaultIngressClass"),
    off("DenyServiceExternalIPs"),
    missing("PodTopologyLabels"),
    missing("NodeDeclaredFeatureValidator"),
    missing("PodResizeValidator"),
    missing("MutatingAdmissionPolicy"),
    on("MutatingAdmissionWebhook"),
    missing("ValidatingAdmissionPolicy"),
    on("ValidatingAdmissionWebhook"),
    missing("ResourceQuota"),
    off("AlwaysDeny"),
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
    /// kube-apiserver has the plugin, this server does not.
    WithoutEffect,
}

impl Plugins {
    /// Switches a plugin; `None` if there is none of that name.
    pub fn switch(&mut self, name: &str, on: bool) -> Option<Switched> {
        let index = PLUGINS.iter().position(|plugin| plugin.name == name)?;
        self.on[index] = on;
        Some(if PLUGINS[index].is_done || !on {
            Switched::Done
        } else {
            Switched::WithoutEffect
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
        assert_eq!(plugins.switch("Alwayspullimages", true), None);
    }
}
