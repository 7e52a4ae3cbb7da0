//! Types of Kubernetes that Rust programs use from `k8s-openapi`: their names, and their schemas in CRDs.

use kindsmith_checks::Profile;
use kindsmith_rust::{Body, Declaration, Field, GoType, Package, Presence};
use kindsmith_schema::JsonSchema;

use super::Api;
use crate::controller_gen_kinds::all_definitions;

/// Calls a macro with types of a Go package: its path, the module of `k8s-openapi`, whether CRDs have rules for them, their names.
macro_rules! kubernetes_types {
    ($each:ident) => {
        $each! { "k8s.io/apimachinery/pkg/apis/meta/v1", meta, ruled: Condition }
        $each! { "k8s.io/apimachinery/pkg/apis/meta/v1", meta, free:
            LabelSelector LabelSelectorRequirement ListMeta ObjectMeta OwnerReference
        }
        $each! { "k8s.io/api/core/v1", core, ruled:
            Container EmptyDirVolumeSource EnvVar EnvVarSource PersistentVolumeClaimSpec PodSpec PodTemplateSpec
            ResourceRequirements ServiceSpec Volume VolumeMount
        }
        $each! { "k8s.io/api/core/v1", core, free:
            Affinity Capabilities ConfigMapEnvSource ConfigMapKeySelector ConfigMapVolumeSource ContainerPort EnvFromSource
            HTTPGetAction HostAlias Lifecycle LocalObjectReference NodeAffinity NodeSelector NodeSelectorTerm
            ObjectFieldSelector ObjectReference PodAffinity PodAntiAffinity PodSecurityContext Probe SecretEnvSource
            SecretKeySelector SecretReference SecretVolumeSource SecurityContext ServicePort Toleration
            TopologySpreadConstraint TypedLocalObjectReference
        }
    };
}
#[cfg(feature = "k8s-openapi")]
pub(super) use kubernetes_types;

/// The types by their paths in `k8s-openapi`, with their schemas as CRDs have them.
#[must_use]
pub fn kubernetes_schemas() -> Vec<(String, JsonSchema)> {
    const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";
    let mut names: Vec<(&'static str, &'static str)> = Vec::new();
    macro_rules! names {
        ($package:literal, $module:ident, $rules:ident: $($name:ident)*) => {
            names.extend([$(($package, stringify!($name))),*]);
        };
    }
    kubernetes_types!(names);
    // One kind with a field for each, so that schemas are those of fields.
    let mut fields = vec![field("", META, "TypeMeta"), field("metadata", META, "ObjectMeta")];
    // Behind a pointer: a struct by value would have a default.
    fields.extend(names.iter().map(|(package, name)| Field {
        ty: GoType::imported(package, name).or_absent(),
        ..field(name, package, name)
    }));
    let mut root = Declaration::new(Body::Struct(fields));
    root.tags.push("kubebuilder:object:root=true".into());
    let mut package = Package::new("types.invalid", "v1");
    package.types.declare("all types", "All", |_| root);
    let read = Api::of(package).read();
    let generated = all_definitions(&read.go.schema, Profile::Upstream);
    let schema = generated.definitions.first().and_then(|definition| {
        let versions = &definition.model.spec.versions;
        versions.first().and_then(|version| version.open_api_v3_schema())
    });
    let of = |(package, name): &(&str, &str)| {
        let path = package.strip_prefix("k8s.io/")?.replace('/', "::");
        Some((
            format!("k8s_openapi::{path}::{name}"),
            schema?.property(name)?.clone(),
        ))
    };
    names.iter().filter_map(of).collect()
}

fn field(name: &'static str, package: &'static str, ty: &'static str) -> Field {
    Field {
        rust_name: name.into(),
        name: name.into(),
        docs: "".into(),
        tags: Vec::new(),
        ty: GoType::imported(package, ty),
        presence: Presence::Optional,
    }
}
