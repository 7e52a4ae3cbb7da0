//! Types of `k8s-openapi`, by their names in Go.

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;
use k8s_openapi::apimachinery::pkg::{api, runtime, util};
use kindsmith_rust::{GoType, Types};

use super::Schema;
use super::typed::Before;

// Their rules are the engine's: it is asked about each value.
macro_rules! types {
    ($package:literal, $module:ident: $($name:ident)*) => {
        $(impl Schema for $module::$name {
            const MINDS_REMOVAL: bool = false;

            fn go_type(_: &mut Types) -> GoType {
                GoType::imported($package, stringify!($name))
            }
        })*
    };
}

types! { "k8s.io/apimachinery/pkg/apis/meta/v1", meta:
    Condition LabelSelector LabelSelectorRequirement ListMeta ObjectMeta OwnerReference
}

// Every value has the right form.
macro_rules! free {
    ($($package:literal, $of:ty, $name:literal;)*) => {
        $(impl Schema for $of {
            const MINDS_REMOVAL: bool = false;

            fn go_type(_: &mut Types) -> GoType {
                GoType::imported($package, $name)
            }

            #[inline(always)]
            fn holds(&self, _: Before<'_, Self>) -> bool {
                true
            }
        })*
    };
}

free! {
    "k8s.io/apimachinery/pkg/apis/meta/v1", meta::MicroTime, "MicroTime";
    "k8s.io/apimachinery/pkg/apis/meta/v1", meta::Time, "Time";
    "k8s.io/apimachinery/pkg/util/intstr", util::intstr::IntOrString, "IntOrString";
}

types! { "k8s.io/api/core/v1", core:
    Affinity Capabilities ConfigMapEnvSource ConfigMapKeySelector ConfigMapVolumeSource Container ContainerPort
    EmptyDirVolumeSource EnvFromSource EnvVar EnvVarSource HTTPGetAction HostAlias Lifecycle LocalObjectReference
    NodeAffinity NodeSelector NodeSelectorTerm ObjectFieldSelector ObjectReference PersistentVolumeClaimSpec PodAffinity
    PodAntiAffinity PodSecurityContext PodSpec PodTemplateSpec Probe ResourceRequirements SecretEnvSource SecretKeySelector
    SecretReference SecretVolumeSource SecurityContext ServicePort ServiceSpec Toleration TopologySpreadConstraint
    TypedLocalObjectReference Volume VolumeMount
}

impl Schema for api::resource::Quantity {
    fn go_type(_: &mut Types) -> GoType {
        GoType::imported("k8s.io/apimachinery/pkg/api/resource", "Quantity")
    }
}

impl Schema for runtime::RawExtension {
    fn go_type(_: &mut Types) -> GoType {
        GoType::imported("k8s.io/apimachinery/pkg/runtime", "RawExtension")
    }
}

impl Schema for k8s_openapi::ByteString {
    fn go_type(_: &mut Types) -> GoType {
        GoType::Scalar("byte").list()
    }
}
