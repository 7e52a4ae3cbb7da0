//! Members of Kubernetes' types that keys of lists and rules ask for.

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;

use crate::rust::Schema;
use crate::rust::typed::{Members, View};

/// A value whose members may be known: `(&Seen(value)).view()` finds [`WithMembers`] first, as its receiver needs no further reference.
pub(super) struct Seen<'v, T>(pub(super) &'v T);

pub(super) trait WithMembers<'v> {
    fn view(&self) -> View<'v>;
}

impl<'v, T: Members> WithMembers<'v> for Seen<'v, T> {
    fn view(&self) -> View<'v> {
        View::Object(self.0)
    }
}

pub(super) trait WithoutMembers<'v> {
    fn view(&self) -> View<'v>;
}

impl<'v, T> WithoutMembers<'v> for &Seen<'v, T> {
    fn view(&self) -> View<'v> {
        View::Opaque
    }
}

impl Members for meta::ObjectMeta {
    fn member(&self, name: &str) -> View<'_> {
        match name {
            "annotations" => self.annotations.view(),
            "creationTimestamp" => self.creation_timestamp.view(),
            "deletionGracePeriodSeconds" => self.deletion_grace_period_seconds.view(),
            "deletionTimestamp" => self.deletion_timestamp.view(),
            "finalizers" => self.finalizers.view(),
            "generateName" => self.generate_name.view(),
            "generation" => self.generation.view(),
            "labels" => self.labels.view(),
            "managedFields" if self.managed_fields.is_none() => View::Absent,
            "name" => self.name.view(),
            "namespace" => self.namespace.view(),
            "ownerReferences" => self.owner_references.view(),
            "uid" => self.uid.view(),
            _ => View::Opaque,
        }
    }

    fn names(&self) -> Vec<&'static str> {
        // There are others, so that two values are never known to be equal.
        vec![""]
    }
}

macro_rules! members {
    ($($module:ident::$of:ident { $($name:literal $field:ident)* })*) => {
        $(impl Members for $module::$of {
            fn member(&self, name: &str) -> View<'_> {
                match name {
                    $($name => self.$field.view(),)*
                    _ => View::Opaque,
                }
            }

            fn names(&self) -> Vec<&'static str> {
                // There are others, so that two values are never known to be equal.
                vec![$($name,)* ""]
            }
        })*
    };
}

members! {
    meta::Condition { "message" message "observedGeneration" observed_generation "reason" reason "status" status "type" type_ }
    meta::OwnerReference { "kind" kind "name" name "uid" uid }
    core::Container { "image" image "name" name }
    core::ContainerPort { "containerPort" container_port "name" name "protocol" protocol }
    core::EnvVar { "name" name "value" value }
    core::HostAlias { "ip" ip }
    core::LocalObjectReference { "name" name }
    core::ObjectReference { "kind" kind "name" name "namespace" namespace }
    core::SecretKeySelector { "key" key "name" name }
    core::SecretReference { "name" name "namespace" namespace }
    core::ServicePort { "name" name "port" port "protocol" protocol }
    core::TopologySpreadConstraint { "topologyKey" topology_key "whenUnsatisfiable" when_unsatisfiable }
    core::Volume { "name" name }
    core::VolumeMount { "mountPath" mount_path "name" name }
}
