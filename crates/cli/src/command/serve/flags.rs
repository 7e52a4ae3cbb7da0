//! What `/flagz` shows of `serve`: every flag by its name, sorted; of tokens only that there is one.

use std::fmt::Display;
use std::path::Path;

use clap::ValueEnum;

use super::Args;

impl Args {
    /// All flags with their values.
    pub(super) fn flags(&self) -> Vec<(String, String)> {
        let mut flags = vec![
            ("admission", path(self.admission.as_deref())),
            (
                "admission-control-config-file",
                path(self.admission_control_config_file.as_deref()),
            ),
            ("audit-log", path(self.audit_log.as_deref())),
            ("controllers", self.controllers.join(",")),
            (
                "crds",
                joined(self.crds.paths().iter().map(|path| path.display())),
            ),
            (
                "disable-admission-plugins",
                self.disable_admission_plugins.join(","),
            ),
            (
                "enable-admission-plugins",
                self.enable_admission_plugins.join(","),
            ),
            ("feature-gates", self.feature_gates.join(",")),
            ("insecure-http", self.insecure_http.to_string()),
            ("keys", path(self.keys.as_deref())),
            ("kubeconfig", path(self.kubeconfig.as_deref())),
            ("kubernetes-version", self.release.shown()),
            ("limit", self.limits.join(",")),
            ("listen", self.listen().to_string()),
            ("log", name(&self.log)),
            ("openapi-v2-defaults", name(&self.openapi_v2_defaults)),
            ("option", self.options.shown()),
            ("output", name(&self.format)),
            ("private-webhooks", self.private_webhooks.to_string()),
            (
                "service-resolver",
                self.service_resolver.clone().unwrap_or_default(),
            ),
            ("store", self.store().to_string()),
            ("store-quota", self.store_quota.to_string()),
            ("tls-san", self.tls_san.join(",")),
            (
                "token",
                self.token.as_ref().map_or("", |_| "(not shown)").to_owned(),
            ),
            ("token-file", path(self.token_file.as_deref())),
            ("type-check-policies", self.type_check_policies.to_string()),
        ];
        flags.extend(self.types.shown());
        flags.extend(self.services.shown());
        flags.extend(self.etcd.shown());
        flags.sort_unstable();
        let owned = flags.into_iter().map(|(name, value)| (name.to_owned(), value));
        owned.collect()
    }
}

fn path(path: Option<&Path>) -> String {
    path.map(|path| path.display().to_string()).unwrap_or_default()
}

fn joined(values: impl Iterator<Item = impl Display>) -> String {
    let texts: Vec<String> = values.map(|value| value.to_string()).collect();
    texts.join(",")
}

/// The name of a choice, as it is given.
fn name(choice: &impl ValueEnum) -> String {
    let value = choice.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}
