//! Where a webhook of a configuration is.

use kindsmith_json::{Path, Value};
use kindsmith_object::{FieldError, WebhookAddress, WebhookService};

use crate::field_check::{number, text};

/// Validates a `WebhookClientConfig`. The CA bundle is only checked when it is used.
pub(super) fn validate(config: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let service = config.get("service").filter(|service| !service.is_null());
    let address = WebhookAddress {
        url: config.get("url").and_then(Value::as_str),
        service: service.map(|service| WebhookService {
            namespace: text(service.get("namespace")),
            name: text(service.get("name")),
            path: text(service.get("path")),
            port: number(service.get("port")),
        }),
    };
    address.validate(path, errors);
}
