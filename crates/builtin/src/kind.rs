//! One built-in kind in one version.

mod admission_policy;
mod api_service;
mod autoscaler_rules;
mod binding;
mod certificate_signing_request;
mod cluster_trust_bundle;
mod component_status;
mod config_map;
mod controller_revision;
mod cron_job;
mod csi_driver;
mod csi_node;
mod daemon_set;
mod deployment;
mod described;
mod device;
mod device_class;
mod device_taint;
mod endpoint_slice;
mod endpoints;
mod event;
mod flow_schema;
mod flow_schema_rules;
mod horizontal_pod_autoscaler;
mod ingress;
mod job;
mod lease;
mod limit_range;
mod limit_range_rules;
mod namespace;
mod network_policy;
mod node;
mod persistent_volume;
mod persistent_volume_claim;
mod pod;
pub(crate) mod pod_certificate_request;
mod pod_disruption_budget;
mod pod_table;
mod pod_template;
mod priority_class;
mod priority_level_configuration;
mod replica_set;
mod replication_controller;
pub(crate) mod resource_claim;
mod resource_quota;
mod resource_slice;
mod review;
mod role;
mod role_binding;
mod runtime_class;
mod secret;
mod service;
mod service_account;
mod service_cidr;
mod stateful_set;
mod storage_class;
mod storage_version_migration;
pub(crate) mod volume_source;
mod webhook_configuration;
mod workload;

use std::sync::{Arc, OnceLock};

use kindsmith_engine::{CompileOptions, Plan};
use kindsmith_json::Arena;
use kindsmith_object::meta::Scope;
use kindsmith_request::{Body, Status};
use kindsmith_schema::{Schema, Str, TypeId, TypeName};

use crate::protobuf::{self, Codec};
use crate::{HandWritten, ScalePaths, Settings, Strategy, types};

/// The names of a kind.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// The API group; empty for the core group.
    pub group: Str,
    /// The version: `v1`.
    pub version: Str,
    /// The kind: `ConfigMap`.
    pub kind: Str,
    /// The kind of lists: `ConfigMapList`.
    pub list_kind: Str,
    /// The plural name, as in the path: `configmaps`.
    pub plural: Str,
    /// The singular name: `configmap`.
    pub singular: Str,
    /// Short names: `cm`.
    pub short_names: Vec<Str>,
    /// Categories: `all`.
    pub categories: Vec<Str>,
}

impl Names {
    /// Group and version as in `apiVersion`: `apps/v1`.
    #[must_use]
    pub fn api_version(&self) -> String {
        match &*self.group {
            "" => self.version.to_string(),
            group => format!("{group}/{}", self.version),
        }
    }
}

/// One built-in kind in one version.
#[derive(Debug)]
pub struct Kind {
    /// Its names.
    pub names: Names,
    /// Whether objects are namespaced.
    pub scope: Scope,
    /// The schema that contains its type.
    pub schema: Arc<Schema>,
    /// Its type.
    pub ty: TypeId,
    /// What the type's tags cannot express.
    pub strategy: &'static dyn Strategy,
    /// The storage version, if it is another one.
    pub storage: Option<Arc<Kind>>,
    /// Where a marker puts the numbers of the scale; `None` for those of built-in kinds.
    pub scale_paths: Option<ScalePaths>,
    hand_written: OnceLock<HandWritten>,
    /// How the server treats it.
    pub settings: Settings,
    plan: OnceLock<Plan>,
    codec: OnceLock<Codec>,
}

impl Kind {
    /// Makes a kind from a type.
    #[must_use]
    pub fn new(
        names: Names,
        scope: Scope,
        schema: Arc<Schema>,
        ty: TypeId,
        strategy: &'static dyn Strategy,
    ) -> Self {
        Kind {
            names,
            scope,
            schema,
            ty,
            strategy,
            storage: None,
            scale_paths: None,
            hand_written: OnceLock::new(),
            settings: Settings::default(),
            plan: OnceLock::new(),
            codec: OnceLock::new(),
        }
    }

    /// Gives the kind hand-written rules beside its tags; the first ones stay.
    pub fn set_hand_written(&self, rules: HandWritten) {
        let _ = self.hand_written.set(rules);
    }

    pub(crate) fn hand_written(&self) -> Option<&HandWritten> {
        self.hand_written.get()
    }

    /// The compiled type; compiled on first use.
    pub fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| {
            let options = CompileOptions {
                profile: self.settings.profile,
                subresources: self.served_parts(),
                ..CompileOptions::default()
            };
            Plan::compile_with(&self.schema, self.ty, &options)
        })
    }

    /// Paths of the subresources of a kind of another package: markers name them, where own kinds have tags.
    fn served_parts(&self) -> Vec<Str> {
        if self.is_own() {
            return Vec::new();
        }
        let parts = self.strategy.subresources().iter();
        parts.map(|part| format!("/{}", part.name).into()).collect()
    }

    /// Whether it is one of the server's own kinds.
    pub(crate) fn is_own(&self) -> bool {
        Arc::ptr_eq(&self.schema, types::own_schema())
    }

    /// The protobuf codec of its schema; built on first use.
    pub fn codec(&self) -> &Codec {
        if self.is_own() {
            types::own_codec()
        } else {
            self.codec.get_or_init(|| Codec::new(&self.schema))
        }
    }

    /// The type of lists of the kind, if its package declares one.
    #[must_use]
    pub fn list_type(&self) -> Option<TypeId> {
        let package = &self.schema.ty(self.ty).name.package;
        let name = TypeName::new(package.clone(), self.names.list_kind.clone());
        self.schema.find(&name)
    }

    /// Converts a protobuf body to the equivalent JSON body.
    ///
    /// # Errors
    ///
    /// The response for a body that cannot be decoded.
    pub fn json_body<'a>(&self, arena: &'a Arena, body: &'a [u8]) -> Result<Body<'a>, Status> {
        let expected = (&*self.names.kind, &*self.names.group, &*self.names.version);
        protobuf::json_body(self.codec(), arena, self.ty, expected, body)
    }

    /// The key prefix of objects, with a trailing slash: `/registry/configmaps/`. Resources of Kubernetes itself have
    /// no group there, and some use an older name (`SpecialDefaultResourcePrefixes` in
    /// pkg/kubeapiserver/default_storage_factory_builder.go).
    #[must_use]
    pub fn key_prefix(&self) -> String {
        if let Some(prefix) = self.strategy.key_prefix() {
            return prefix.to_owned();
        }
        match self.group_resource() {
            ("", "endpoints") => "/registry/services/endpoints/".to_owned(),
            ("", "nodes") => "/registry/minions/".to_owned(),
            ("", "replicationcontrollers") => "/registry/controllers/".to_owned(),
            ("networking.k8s.io", "ingresses") => "/registry/ingress/".to_owned(),
            ("apiregistration.k8s.io", "apiservices") => {
                "/registry/apiregistration.k8s.io/apiservices/".to_owned()
            }
            (group, plural) if group.is_empty() || group.ends_with(".k8s.io") || !group.contains('.') => {
                format!("/registry/{plural}/")
            }
            (group, plural) => format!("/registry/{group}/{plural}/"),
        }
    }

    /// Group and resource, as in errors of the store.
    pub(crate) fn group_resource(&self) -> (&str, &str) {
        (&self.names.group, &self.names.plural)
    }
}

/// The server's own kinds: one file each.
pub(crate) mod own {
    pub(crate) use super::admission_policy::{
        table as policy_table, validate_mutating_binding, validate_mutating_policy,
        validate_validating_binding, validate_validating_policy,
    };
    pub(crate) use super::api_service::API_SERVICE;
    pub(crate) use super::binding::Binding;
    pub(crate) use super::certificate_signing_request::CertificateSigningRequest;
    pub(crate) use super::cluster_trust_bundle::CLUSTER_TRUST_BUNDLE;
    pub(crate) use super::component_status::ComponentStatus;
    pub(crate) use super::config_map::ConfigMap;
    pub(crate) use super::controller_revision::CONTROLLER_REVISION;
    pub(crate) use super::cron_job::CronJob;
    pub(crate) use super::csi_driver::CsiDriver;
    pub(crate) use super::csi_node::CSI_NODE;
    pub(crate) use super::csi_node::VOLUME_ATTACHMENT;
    pub(crate) use super::daemon_set::DaemonSet;
    pub(crate) use super::deployment::Deployment;
    pub(crate) use super::described::{Described, StatusPart};
    pub(crate) use super::device_class::DEVICE_CLASS;
    pub(crate) use super::device_taint::DeviceTaintRule;
    pub(crate) use super::endpoint_slice::EndpointSlice;
    pub(crate) use super::endpoints::ENDPOINTS;
    pub(crate) use super::event::Event;
    pub(crate) use super::flow_schema::FLOW_SCHEMA;
    pub(crate) use super::horizontal_pod_autoscaler::{AUTOSCALER, AUTOSCALER_V1};
    pub(crate) use super::ingress::INGRESS;
    pub(crate) use super::ingress::INGRESS_CLASS;
    pub(crate) use super::job::Job;
    pub(crate) use super::lease::Lease;
    pub(crate) use super::limit_range::LIMIT_RANGE;
    pub(crate) use super::namespace::Namespace;
    pub(crate) use super::network_policy::NETWORK_POLICY;
    pub(crate) use super::node::Node;
    pub(crate) use super::persistent_volume::PersistentVolume;
    pub(crate) use super::persistent_volume_claim::{PersistentVolumeClaim, validate_claim};
    pub(crate) use super::pod::{Pod, default_tolerations};
    pub(crate) use super::pod_certificate_request::POD_CERTIFICATE_REQUEST;
    pub(crate) use super::pod_disruption_budget::POD_DISRUPTION_BUDGET;
    pub(crate) use super::pod_template::PodTemplate;
    pub(crate) use super::priority_class::PRIORITY_CLASS;
    pub(crate) use super::priority_level_configuration::PRIORITY_LEVEL;
    pub(crate) use super::replica_set::ReplicaSet;
    pub(crate) use super::replication_controller::{ReplicationController, prepare_generation};
    pub(crate) use super::resource_claim::{ResourceClaim, ResourceClaimTemplate};
    pub(crate) use super::resource_quota::RESOURCE_QUOTA;
    pub(crate) use super::resource_slice::ResourceSlice;
    pub(crate) use super::review::Review;
    pub(crate) use super::role::Role;
    pub(crate) use super::role_binding::RoleBinding;
    pub(crate) use super::runtime_class::RUNTIME_CLASS;
    pub(crate) use super::secret::Secret;
    pub(crate) use super::service::Service;
    pub(crate) use super::service_account::ServiceAccount;
    pub(crate) use super::service_cidr::IP_ADDRESS;
    pub(crate) use super::service_cidr::SERVICE_CIDR;
    pub(crate) use super::stateful_set::StatefulSet;
    pub(crate) use super::storage_class::CSI_STORAGE_CAPACITY;
    pub(crate) use super::storage_class::STORAGE_CLASS;
    pub(crate) use super::storage_class::VOLUME_ATTRIBUTES_CLASS;
    pub(crate) use super::storage_version_migration::STORAGE_VERSION_MIGRATION;
    pub(crate) use super::webhook_configuration::WebhookConfiguration;
}
