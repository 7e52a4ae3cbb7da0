//! Defaults that the API server sets when it decodes a CRD.
//!
//! After `SetDefaults_*` in apiextensions-apiserver's `pkg/apis/apiextensions/{v1,v1beta1}/defaults.go`.

use kindsmith_schema::Str;

use super::internal::{InternalConversion, InternalDefinition};
use super::types::{ClientConfig, Conversion, Definition, Names, Status, Version};

const WEBHOOK_PORT: i32 = 443;

impl Definition {
    /// Sets defaults like the decoder of `v1`.
    pub fn default_fields(&mut self) {
        default_names(&mut self.spec.names);
        let conversion = self.spec.conversion.get_or_insert_with(|| Conversion {
            strategy: "None".into(),
            webhook: None,
        });
        if let Some(webhook) = &mut conversion.webhook {
            default_port(&mut webhook.client_config);
        }
        default_stored_versions(&mut self.status, &self.spec.versions);
    }
}

impl InternalDefinition {
    /// Sets defaults like the decoder of `v1beta1`.
    pub fn default_v1beta1_fields(&mut self) {
        let spec = &mut self.spec;
        if spec.scope.is_empty() {
            spec.scope = "Namespaced".into();
        }
        default_names(&mut spec.names);
        if spec.versions.is_empty() && !spec.version.is_empty() {
            spec.versions = vec![Version {
                name: spec.version.clone(),
                storage: true,
                served: true,
                ..Version::default()
            }]
            .into();
        }
        if let ("", Some(first)) = (&*spec.version, spec.versions.first()) {
            spec.version = first.name.clone();
        }
        let conversion = spec.conversion.get_or_insert_with(|| InternalConversion {
            strategy: "None".into(),
            ..InternalConversion::default()
        });
        if &*conversion.strategy == "Webhook" && conversion.conversion_review_versions.is_empty() {
            conversion.conversion_review_versions = vec![Str::from("v1beta1")].into();
        }
        default_port(&mut conversion.webhook_client_config);
        spec.preserve_unknown_fields.get_or_insert(true);
        default_stored_versions(&mut self.status, &self.spec.versions);
    }
}

fn default_names(names: &mut Names) {
    if names.singular.is_empty() {
        // Go lower-cases character by character.
        let lower: String = names
            .kind
            .chars()
            .filter_map(|c| c.to_lowercase().next())
            .collect();
        names.singular = lower.into();
    }
    if names.list_kind.is_empty() && !names.kind.is_empty() {
        names.list_kind = format!("{}List", names.kind).into();
    }
}

fn default_port(client_config: &mut Option<ClientConfig>) {
    if let Some(service) = client_config.as_mut().and_then(|config| config.service.as_mut()) {
        service.port.get_or_insert(WEBHOOK_PORT);
    }
}

fn default_stored_versions(status: &mut Status, versions: &[Version]) {
    if !status.stored_versions.is_empty() {
        return;
    }
    if let Some(version) = versions.iter().find(|version| version.storage) {
        status.stored_versions.make().push(version.name.clone());
    }
}
