//! THE order of admission plugins, that of kube-apiserver (`AllOrderedPlugins` in pkg/kubeapiserver/options/plugins.go):
//! which there are, which are on by default, for which operations, and what they do.
//!
//! A request passes the whole list twice: each plugin may change the object, then, once the object is valid, each may
//! refuse it. A policy or webhook that changes the object sends it through the first pass once more
//! (`reinvoker.Admit` in apiserver's pkg/admission/reinvocation.go).

use kindsmith_json::Value;
use kindsmith_object::Release;
use kindsmith_request::{AdmissionOperation, Status};

use crate::mutate::MutatingHooks;
use crate::plugin::{
    PluginSettings, Refusal, Review, always_deny, always_pull_images, anti_affinity, certificate_approval,
    certificate_signing, claim_resize, default_ingress_class, default_storage_class,
    default_toleration_seconds, event_rate_limit, extended_resource, external_ips, image_policy,
    limit_ranger, namespace_auto_provision, namespace_exists, namespace_lifecycle, node_features,
    node_restriction, node_selector, owner_references, pod_resize, pod_security, priority, resource_quota,
    runtime_class, service_account, storage_protection, subject_restriction, taint_nodes,
    toleration_restriction, topology_labels, trust_bundle,
};
use crate::round::Round;
use crate::validate::ValidatingHooks;

type Change = for<'a> fn(&Review<'_, 'a>, Value<'a>) -> Result<Value<'a>, Refusal>;
type Check = for<'a> fn(&Review<'_, 'a>, Value<'a>) -> Result<(), Refusal>;

/// What a plugin does in a pass.
#[derive(Clone, Copy)]
enum Act<F> {
    Nothing,
    Own(F),
    Policies,
    Webhooks,
}

/// A plugin in the chain.
struct Link {
    is_default: bool,
    /// The release since which it acts, if it does not in all known ones.
    since: Option<Release>,
    operations: &'static [AdmissionOperation],
    mutate: Act<Change>,
    validate: Act<Check>,
}

const CREATE: &[AdmissionOperation] = &[AdmissionOperation::Create];
const UPDATE: &[AdmissionOperation] = &[AdmissionOperation::Update];
const WRITE: &[AdmissionOperation] = &[AdmissionOperation::Create, AdmissionOperation::Update];
const STORED: &[AdmissionOperation] = &[
    AdmissionOperation::Create,
    AdmissionOperation::Update,
    AdmissionOperation::Delete,
];
/// Mutating policies do not see deletions.
const MUTATED: &[AdmissionOperation] = &[
    AdmissionOperation::Create,
    AdmissionOperation::Update,
    AdmissionOperation::Connect,
];
const ALL: &[AdmissionOperation] = &[
    AdmissionOperation::Create,
    AdmissionOperation::Update,
    AdmissionOperation::Delete,
    AdmissionOperation::Connect,
];

/// A plugin that is on by default.
const fn on(operations: &'static [AdmissionOperation]) -> Link {
    Link {
        is_default: true,
        ..off(operations)
    }
}

/// A plugin that is off by default.
const fn off(operations: &'static [AdmissionOperation]) -> Link {
    Link {
        is_default: false,
        since: None,
        operations,
        mutate: Act::Nothing,
        validate: Act::Nothing,
    }
}

impl Link {
    const fn since(mut self, minor: u8) -> Link {
        self.since = Some(Release::minor(minor));
        self
    }

    const fn mutates(mut self, change: Change) -> Link {
        self.mutate = Act::Own(change);
        self
    }

    const fn validates(mut self, check: Check) -> Link {
        self.validate = Act::Own(check);
        self
    }

    const fn mutates_by(mut self, hooks: Act<Change>) -> Link {
        self.mutate = hooks;
        self
    }

    const fn validates_by(mut self, hooks: Act<Check>) -> Link {
        self.validate = hooks;
        self
    }
}

/// Makes the enum, the names and the chain of one list.
macro_rules! plugins {
    ($($plugin:ident => $link:expr,)*) => {
        /// An admission plugin, by kube-apiserver's name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are Kubernetes'")]
        pub enum Plugin {
            $($plugin,)*
        }

        impl Plugin {
            /// All plugins in their order.
            pub const ALL: &'static [Plugin] = &[$(Plugin::$plugin,)*];
        }

        const NAMES: &[&str] = &[$(stringify!($plugin),)*];
        const CHAIN: &[Link] = &[$($link,)*];
    };
}

plugins! {
    AlwaysAdmit => off(ALL),
    NamespaceAutoProvision => off(CREATE).mutates(namespace_auto_provision::mutate),
    NamespaceLifecycle => on(STORED).mutates(namespace_lifecycle::mutate),
    NamespaceExists => off(STORED).validates(namespace_exists::validate),
    LimitPodHardAntiAffinityTopology => off(WRITE).validates(anti_affinity::validate),
    LimitRanger => on(WRITE).mutates(limit_ranger::mutate).validates(limit_ranger::validate),
    ServiceAccount => on(WRITE).mutates(service_account::mutate).validates(service_account::validate),
    NodeRestriction => off(STORED).mutates(node_restriction::mutate),
    TaintNodesByCondition => on(CREATE).mutates(taint_nodes::mutate),
    AlwaysPullImages => off(WRITE).mutates(always_pull_images::mutate).validates(always_pull_images::validate),
    ImagePolicyWebhook => off(WRITE).validates(image_policy::validate),
    PodSecurity => on(WRITE).validates(pod_security::validate),
    PodNodeSelector => off(CREATE).mutates(node_selector::mutate).validates(node_selector::validate),
    Priority => on(WRITE).mutates(priority::mutate).validates(priority::validate),
    DefaultTolerationSeconds => on(WRITE).mutates(default_toleration_seconds::mutate),
    PodTolerationRestriction => off(WRITE)
        .mutates(toleration_restriction::mutate)
        .validates(toleration_restriction::validate),
    EventRateLimit => off(WRITE).validates(event_rate_limit::validate),
    ExtendedResourceToleration => off(WRITE).mutates(extended_resource::mutate),
    DefaultStorageClass => on(CREATE).mutates(default_storage_class::mutate),
    StorageObjectInUseProtection => on(CREATE).mutates(storage_protection::mutate),
    // Pod groups are behind a feature gate that is off by default.
    PodGroupProtection => on(CREATE).since(36),
    OwnerReferencesPermissionEnforcement => off(WRITE).validates(owner_references::validate),
    PersistentVolumeClaimResize => on(UPDATE).validates(claim_resize::validate),
    RuntimeClass => on(CREATE).mutates(runtime_class::mutate).validates(runtime_class::validate),
    CertificateApproval => on(UPDATE).validates(certificate_approval::validate),
    CertificateSigning => on(UPDATE).validates(certificate_signing::validate),
    ClusterTrustBundleAttest => on(WRITE).validates(trust_bundle::validate),
    CertificateSubjectRestriction => on(CREATE).validates(subject_restriction::validate),
    DefaultIngressClass => on(CREATE).mutates(default_ingress_class::mutate),
    DenyServiceExternalIPs => off(WRITE).validates(external_ips::validate),
    PodTopologyLabels => on(CREATE).since(35).mutates(topology_labels::mutate),
    NodeDeclaredFeatureValidator => on(WRITE).since(36).validates(node_features::validate),
    PodResizeValidator => on(UPDATE).since(36).validates(pod_resize::validate),
    MutatingAdmissionPolicy => on(MUTATED).mutates_by(Act::Policies),
    MutatingAdmissionWebhook => on(ALL).mutates_by(Act::Webhooks),
    ValidatingAdmissionPolicy => on(ALL).validates_by(Act::Policies),
    ValidatingAdmissionWebhook => on(ALL).validates_by(Act::Webhooks),
    ResourceQuota => on(WRITE).validates(resource_quota::validate),
    AlwaysDeny => off(ALL).mutates(always_deny::mutate).validates(always_deny::validate),
}

impl Plugin {
    /// The plugin of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Plugin> {
        Plugin::ALL.iter().copied().find(|plugin| plugin.name() == name)
    }

    /// Kubernetes' name.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Whether the plugin is on by default.
    #[must_use]
    pub fn is_default(self) -> bool {
        self.link().is_default
    }

    /// Whether the plugin acts in a release; some are there before, behind a gate that is off.
    #[must_use]
    pub fn is_in(self, release: Release) -> bool {
        self.link().since.is_none_or(|since| since <= release)
    }

    /// The release since which the plugin acts, if it does not in all known ones.
    #[must_use]
    pub fn since(self) -> Option<Release> {
        self.link().since
    }

    fn link(self) -> &'static Link {
        &CHAIN[self as usize]
    }
}

/// Which admission plugins are on, and their configurations.
#[derive(Debug, Clone)]
pub struct Plugins {
    on: u64,
    /// What they are configured with.
    pub settings: PluginSettings,
}

impl Default for Plugins {
    fn default() -> Self {
        let on = Plugin::ALL.iter().filter(|plugin| plugin.is_default());
        Plugins::only(&on.copied().collect::<Vec<_>>())
    }
}

impl Plugins {
    /// These plugins and no others.
    #[must_use]
    pub fn only(on: &[Plugin]) -> Self {
        let mut plugins = Plugins {
            on: 0,
            settings: PluginSettings::default(),
        };
        for plugin in on {
            plugins.switch(*plugin, true);
        }
        plugins
    }

    /// The plugins for a server without controllers: `ServiceAccount` is off, because nobody creates the accounts that it
    /// wants pods to have.
    #[must_use]
    pub fn without_controllers() -> Self {
        let mut plugins = Self::default();
        plugins.switch(Plugin::ServiceAccount, false);
        plugins
    }

    /// Lets plugins act as in a release, and switches those off that do not act in it.
    pub fn keep_to(&mut self, release: Release) {
        self.settings.release = release;
        for plugin in Plugin::ALL {
            if !plugin.is_in(release) {
                self.switch(*plugin, false);
            }
        }
    }

    /// Switches a plugin on or off.
    pub fn switch(&mut self, plugin: Plugin, on: bool) {
        let bit = 1 << plugin as u64;
        if on {
            self.on |= bit;
        } else {
            self.on &= !bit;
        }
    }

    /// Whether a plugin is on.
    #[must_use]
    pub fn is_on(&self, plugin: Plugin) -> bool {
        self.on & (1 << plugin as u64) != 0
    }

    /// The plugins that see an operation, in their order.
    fn of(&self, operation: AdmissionOperation) -> impl Iterator<Item = &'static Link> {
        let on = Plugin::ALL.iter().filter(|plugin| self.is_on(**plugin));
        on.map(|plugin| plugin.link())
            .filter(move |link| link.operations.contains(&operation))
    }
}

/// The first pass: plugins, policies and webhooks change the object.
///
/// # Errors
///
/// If one refuses the request.
pub fn mutate<'a>(
    plugins: &Plugins,
    review: &Review<'_, 'a>,
    mut hooks: Option<&mut MutatingHooks<'_, 'a>>,
    object: Value<'a>,
) -> Result<Value<'a>, Status> {
    let mut object = object;
    for round in [Round::First, Round::Second] {
        if round == Round::Second && !hooks.as_ref().is_some_and(|hooks| hooks.has_changed()) {
            break;
        }
        for link in plugins.of(review.request.operation) {
            object = match (link.mutate, hooks.as_deref_mut()) {
                (Act::Own(change), _) => {
                    change(review, object).map_err(|refusal| review.status(refusal, object))?
                }
                (Act::Policies, Some(hooks)) => hooks.ask_policies(round, object)?,
                (Act::Webhooks, Some(hooks)) => hooks.ask_webhooks(round, object)?,
                _ => object,
            };
        }
    }
    Ok(object)
}

/// The second pass: plugins, policies and webhooks judge the valid object.
///
/// # Errors
///
/// If one refuses the request.
pub fn validate<'a>(
    plugins: &Plugins,
    review: &Review<'_, 'a>,
    mut hooks: Option<&mut ValidatingHooks<'_, 'a>>,
    object: Value<'a>,
) -> Result<(), Status> {
    for link in plugins.of(review.request.operation) {
        match (link.validate, hooks.as_deref_mut()) {
            (Act::Own(check), _) => {
                check(review, object).map_err(|refusal| review.status(refusal, object))?;
            }
            (Act::Policies, Some(hooks)) => hooks.ask_policies(object)?,
            (Act::Webhooks, Some(hooks)) => hooks.ask_webhooks(object)?,
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_are_switched_by_name() {
        let mut plugins = Plugins::default();
        let plugin = Plugin::named("NamespaceLifecycle").expect("it is a plugin");
        assert!(plugins.is_on(plugin));
        plugins.switch(plugin, false);
        assert!(!plugins.is_on(plugin));
        assert_eq!(Plugin::named("Namespacelifecycle"), None);
    }

    /// `AllOrderedPlugins` in kubernetes 1.38.
    #[test]
    fn the_order_is_that_of_kubernetes() {
        let names = Plugin::ALL.iter().map(|plugin| plugin.name());
        assert_eq!(names.collect::<Vec<_>>().join(" "), ORDER);
    }

    const ORDER: &str = "AlwaysAdmit NamespaceAutoProvision NamespaceLifecycle NamespaceExists \
        LimitPodHardAntiAffinityTopology LimitRanger ServiceAccount NodeRestriction TaintNodesByCondition \
        AlwaysPullImages ImagePolicyWebhook PodSecurity PodNodeSelector Priority DefaultTolerationSeconds \
        PodTolerationRestriction EventRateLimit ExtendedResourceToleration DefaultStorageClass \
        StorageObjectInUseProtection PodGroupProtection OwnerReferencesPermissionEnforcement \
        PersistentVolumeClaimResize RuntimeClass CertificateApproval CertificateSigning ClusterTrustBundleAttest \
        CertificateSubjectRestriction DefaultIngressClass DenyServiceExternalIPs PodTopologyLabels \
        NodeDeclaredFeatureValidator PodResizeValidator MutatingAdmissionPolicy MutatingAdmissionWebhook \
        ValidatingAdmissionPolicy ValidatingAdmissionWebhook ResourceQuota AlwaysDeny";

    #[test]
    fn the_documentation_lists_all_plugins() {
        let page = include_str!("../../../docs/envtest.md").replace('\n', " ");
        for (title, is_default) in [("On by default: ", true), ("Off by default: ", false)] {
            let plugins = Plugin::ALL
                .iter()
                .filter(|plugin| plugin.is_default() == is_default);
            let names: Vec<&str> = plugins.map(|plugin| plugin.name()).collect();
            let list = format!("{title}{}.", names.join(", "));
            assert!(page.contains(&list), "docs/envtest.md lacks {list}");
        }
    }
}
