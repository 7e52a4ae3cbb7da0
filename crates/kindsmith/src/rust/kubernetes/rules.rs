//! Rules that CRDs have for Kubernetes' types, as code over the structs of `k8s-openapi`.
//!
//! What is not mentioned has no rule but its form, which a Rust value always has. `tests/kubernetes_rules.txt` lists all rules of the
//! schemas, so that a new one is noticed.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;

use crate::rust::Schema;
use crate::rust::typed::keyword::{Pattern, length, one_of, range};
use crate::rust::typed::{differ, differ_by};

/// Values with rules.
pub(super) trait Rules {
    /// Whether all rules certainly hold.
    fn keeps(&self) -> bool;
}

impl<T: Rules> Rules for Option<T> {
    fn keeps(&self) -> bool {
        self.as_ref().is_none_or(Rules::keeps)
    }
}

impl<T: Rules> Rules for Vec<T> {
    fn keeps(&self) -> bool {
        self.iter().all(Rules::keeps)
    }
}

impl<T: Rules> Rules for BTreeMap<String, T> {
    fn keeps(&self) -> bool {
        self.values().all(Rules::keeps)
    }
}

/// A list that may be absent.
trait List<T> {
    fn items(&self) -> &[T];
}

impl<T> List<T> for Vec<T> {
    fn items(&self) -> &[T] {
        self
    }
}

impl<T> List<T> for Option<Vec<T>> {
    fn items(&self) -> &[T] {
        self.as_deref().unwrap_or_default()
    }
}

impl Rules for Quantity {
    fn keeps(&self) -> bool {
        static PATTERN: Pattern = Pattern::new(
            r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$",
        );
        PATTERN.is_match(&self.0)
    }
}

impl Rules for meta::Condition {
    fn keeps(&self) -> bool {
        static REASON: Pattern = Pattern::new("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$");
        static TYPE: Pattern = Pattern::new(
            r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
        );
        length(self.message.view(), 0, 32768)
            && range(self.observed_generation.view(), 0, i64::MAX)
            && length(self.reason.view(), 1, 1024)
            && REASON.is_match(&self.reason)
            && one_of(self.status.view(), &["True", "False", "Unknown"])
            && length(self.type_.view(), 0, 316)
            && TYPE.is_match(&self.type_)
    }
}

/// Types whose parts have rules, whose lists are maps with these keys, and what else holds for them.
macro_rules! rules {
    ($($name:ident { $($part:ident)* $(, $list:ident by $($key:ident)+)* $(; $also:ident)? })*) => {
        $(impl Rules for core::$name {
            fn keeps(&self) -> bool {
                true
                    $(&& self.$part.keeps())*
                    $(&& differ_by(self.$list.items().iter().map(|item| [$(item.$key.view()),+])))*
                    $(&& $also(self))?
            }
        })*
    };
}

rules! {
    Container {
        env resources volume_mounts, env by name, ports by container_port protocol, volume_devices by device_path,
        volume_mounts by mount_path; has_different_codes
    }
    DownwardAPIProjection { items }
    DownwardAPIVolumeFile { resource_field_ref }
    DownwardAPIVolumeSource { items }
    EmptyDirVolumeSource { size_limit }
    EnvVar { value_from }
    EnvVarSource { resource_field_ref }
    EphemeralContainer {
        env resources volume_mounts, env by name, ports by container_port protocol, volume_devices by device_path,
        volume_mounts by mount_path; has_no_codes
    }
    EphemeralVolumeSource { volume_claim_template }
    PersistentVolumeClaimSpec { resources }
    PersistentVolumeClaimTemplate { spec }
    PodSpec {
        containers ephemeral_containers init_containers overhead resources volumes, containers by name,
        ephemeral_containers by name, host_aliases by ip, image_pull_secrets by name, init_containers by name,
        resource_claims by name, scheduling_gates by name, topology_spread_constraints by topology_key when_unsatisfiable,
        volumes by name; has_good_responders
    }
    PodTemplateSpec { spec }
    ProjectedVolumeSource { sources }
    ResourceFieldSelector { divisor }
    ResourceRequirements { limits requests, claims by name }
    ServiceSpec { , ports by port protocol }
    Volume { downward_api empty_dir ephemeral projected }
    VolumeMount { ; has_different_options }
    VolumeProjection { downward_api }
    VolumeResourceRequirements { limits requests }
}

// Fields that older releases of the types do not have.

#[allow(unused_mut, unused_variables, reason = "older releases have no such field")]
fn has_different_codes(container: &core::Container) -> bool {
    let mut keeps = true;
    k8s_openapi::k8s_if_ge_1_34! {
        let codes = |rule: &core::ContainerRestartRule| {
            let codes = rule.exit_codes.as_ref().and_then(|codes| codes.values.as_deref());
            differ(codes.unwrap_or_default().iter().map(Schema::view))
        };
        keeps &= container.restart_policy_rules.items().iter().all(codes);
    }
    keeps
}

#[allow(unused_mut, unused_variables, reason = "older releases have no such field")]
fn has_no_codes(container: &core::EphemeralContainer) -> bool {
    let mut keeps = true;
    k8s_openapi::k8s_if_ge_1_34! {
        keeps &= container.restart_policy_rules.items().is_empty();
    }
    keeps
}

#[allow(unused_mut, unused_variables, reason = "older releases have no such field")]
fn has_good_responders(spec: &core::PodSpec) -> bool {
    let mut keeps = true;
    k8s_openapi::k8s_if_ge_1_37! {
        let responders = spec.eviction_responders.items();
        keeps &= responders.len() <= 10
            && differ_by(responders.iter().map(|responder| [responder.name.view()]))
            && responders.iter().all(|responder| {
                length(responder.name.view(), 1, u64::MAX) && range(responder.priority.view(), 0, 100_000)
            });
    }
    keeps
}

#[allow(unused_mut, unused_variables, reason = "older releases have no such field")]
fn has_different_options(mount: &core::VolumeMount) -> bool {
    let mut keeps = true;
    k8s_openapi::k8s_if_ge_1_37! {
        keeps &= differ(mount.bind_mount_options.items().iter().map(Schema::view));
    }
    keeps
}
