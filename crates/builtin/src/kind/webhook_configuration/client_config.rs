//! The client config of a webhook (`ValidateWebhookURL` and `ValidateWebhookService` in apiserver's
//! pkg/util/webhook/validation.go).

use kindsmith_gostd::url::Url;
use kindsmith_json::{Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, FieldError};

use crate::rule::{invalid, invalid_text, name_problems, required, text};

const FORM: &str = "; desired format: https://host[/path]";

/// Validates a `WebhookClientConfig`. The CA bundle is only checked when it is used.
pub(super) fn validate(config: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let url = config.get("url").and_then(Value::as_str);
    let service = config.get("service").filter(|service| !service.is_null());
    match (url, service) {
        (Some(url), None) => validate_url(url, &path.child("url"), errors),
        (None, Some(service)) => validate_service(service, &path.child("service"), errors),
        _ => errors.push(required(path, "exactly one of url or service is required")),
    }
}

fn validate_url(text: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) => {
            errors.push(required(path, &format!("url must be a valid URL: {error}{FORM}")));
            return;
        }
    };
    let mut complain = |bad: &str, detail: String| errors.push(invalid_text(path, bad, detail));
    if url.scheme() != "https" {
        complain(
            url.scheme(),
            format!("'https' is the only allowed URL scheme{FORM}"),
        );
    }
    if url.host().is_empty() {
        complain("", format!("host must be specified{FORM}"));
    }
    if let Some(user) = url.user() {
        complain(&user, "user information is not permitted in the URL".to_owned());
    }
    if !url.fragment().is_empty() {
        complain(
            &url.fragment(),
            "fragments are not permitted in the URL".to_owned(),
        );
    }
    if !url.raw_query().is_empty() {
        complain(
            url.raw_query(),
            "query parameters are not permitted in the URL".to_owned(),
        );
    }
}

fn validate_service(service: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    // Upstream's caller swaps the two, so a missing name is reported for the namespace and the reverse.
    for (field, other) in [("name", "namespace"), ("namespace", "name")] {
        if text(service.get(other)).is_empty() {
            errors.push(required(&path.child(field), ""));
        }
    }
    let port = service.get("port").and_then(Value::as_i64).unwrap_or_default();
    if !(1..=65535).contains(&port) {
        let detail = "port is not valid: must be between 1 and 65535, inclusive";
        errors.push(invalid(
            &path.child("port"),
            BadValue::Integer(port.into()),
            detail,
        ));
    }
    validate_path(text(service.get("path")), &path.child("path"), errors);
}

fn validate_path(text: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    if matches!(text, "" | "/") {
        return;
    }
    let mut complain = |detail: String| errors.push(invalid_text(path, text, detail));
    if text == "//" {
        complain("segment[0] may not be empty".to_owned());
        return;
    }
    if !text.starts_with('/') {
        complain("must start with a '/'".to_owned());
    }
    // Upstream skips the first byte without a check; if that splits a character, the rest is not a valid name anyway.
    let rest = String::from_utf8_lossy(&text.as_bytes()[1..]);
    let rest = rest.strip_suffix('/').unwrap_or(&rest);
    for (index, segment) in rest.split('/').enumerate() {
        if segment.is_empty() {
            complain(format!("segment[{index}] may not be empty"));
            continue;
        }
        for problem in name_problems(NameRule::Subdomain, segment) {
            complain(format!("segment[{index}]: {problem}"));
        }
    }
}
