//! How a conversion webhook is reached.

use kindsmith_json::Path;
use kindsmith_object::{BadValue, WebhookAddress, WebhookService};
use kindsmith_openapi::crd::ClientConfig;

use super::ca_bundle;
use super::faults::Faults;

pub(super) fn check(config: &ClientConfig, ca_is_checked: bool, path: &Path<'_>, faults: &mut Faults) {
    let address = WebhookAddress {
        url: config.url.as_deref(),
        service: config.service.as_ref().map(|service| WebhookService {
            namespace: &service.namespace,
            name: &service.name,
            path: service.path.as_deref().unwrap_or_default(),
            port: service.port.unwrap_or_default().into(),
        }),
    };
    let mut errors = Vec::new();
    address.validate(path, &mut errors);
    faults.extend(errors);
    if ca_is_checked
        && !config.ca_bundle.is_empty()
        && let Err(error) = ca_bundle::read(&config.ca_bundle)
    {
        let bad =
            BadValue::Json(format!("\"{}\"", kindsmith_gostd::base64::encode(&config.ca_bundle)).into());
        faults.invalid(&path.child("caBundle"), bad, &error);
    }
}
