//! Types of `k8s-openapi`, by their names in Go.

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;
use k8s_openapi::apimachinery::pkg::{api, runtime, util};
use kindsmith_rust::{GoType, Types};

use super::Schema;

macro_rules! types {
    ($package:literal, $module:ident: $($name:ident)*) => {
        $(impl Schema for $module::$name {
            fn go_type(_: &mut Types) -> GoType {
                GoType::imported($package, stringify!($name))
            }
        })*
    };
}

types! { "k8s.io/apimachinery/pkg/apis/meta/v1", meta:
    Condition LabelSelector LabelSelectorRequirement ListMeta MicroTime ObjectMeta OwnerReference Time
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

impl Schema for util::intstr::IntOrString {
    fn go_type(_: &mut Types) -> GoType {
        GoType::imported("k8s.io/apimachinery/pkg/util/intstr", "IntOrString")
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
