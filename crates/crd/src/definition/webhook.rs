//! The client config of a conversion webhook (`apiserver/pkg/util/webhook/validation.go`).

use kindsmith_gostd::url::Url;
use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_openapi::crd::{ClientConfig, Service};

use super::ca_bundle;
use super::faults::{Faults, plain};
use super::names;

const FORM: &str = "; desired format: https://host[/path]";

pub(super) fn check(config: &ClientConfig, ca_is_checked: bool, path: &Path<'_>, faults: &mut Faults) {
    match (&config.url, &config.service) {
        (Some(text), None) => url(text, &path.child("url"), faults),
        (None, Some(reference)) => service(reference, &path.child("service"), faults),
        _ => faults.required(path, "exactly one of url or service is required"),
    }
    if ca_is_checked
        && !config.ca_bundle.is_empty()
        && let Err(error) = ca_bundle::read(&config.ca_bundle)
    {
        let bad =
            BadValue::Json(format!("\"{}\"", kindsmith_gostd::base64::encode(&config.ca_bundle)).into());
        faults.invalid(&path.child("caBundle"), bad, &error);
    }
}

fn url(text: &str, at: &Path<'_>, faults: &mut Faults) {
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) => {
            faults.required(at, &format!("url must be a valid URL: {error}{FORM}"));
            return;
        }
    };
    if url.scheme() != "https" {
        let detail = format!("'https' is the only allowed URL scheme{FORM}");
        faults.invalid(at, plain(url.scheme()), &detail);
    }
    if url.host().is_empty() {
        faults.invalid(at, plain(""), &format!("host must be specified{FORM}"));
    }
    if let Some(user) = url.user() {
        let detail = "user information is not permitted in the URL";
        faults.invalid(at, plain(&user), detail);
    }
    if !url.fragment().is_empty() {
        faults.invalid(
            at,
            plain(&url.fragment()),
            "fragments are not permitted in the URL",
        );
    }
    if !url.raw_query().is_empty() {
        let detail = "query parameters are not permitted in the URL";
        faults.invalid(at, plain(url.raw_query()), detail);
    }
}

fn service(service: &Service, at: &Path<'_>, faults: &mut Faults) {
    // Upstream's caller swaps the two, so a missing name is reported for the namespace and the reverse.
    for (field, value) in [("name", &service.namespace), ("namespace", &service.name)] {
        if value.is_empty() {
            faults.required(&at.child(field), "");
        }
    }
    let port = service.port.unwrap_or_default();
    if !(1..=65535).contains(&port) {
        let detail = "port is not valid: must be between 1 and 65535, inclusive";
        faults.invalid(&at.child("port"), BadValue::Integer(port.into()), detail);
    }
    if let Some(path) = service.path.as_deref() {
        request_path(path, &at.child("path"), faults);
    }
}

fn request_path(text: &str, at: &Path<'_>, faults: &mut Faults) {
    if matches!(text, "" | "/") {
        return;
    }
    let mut complain = |detail: &str| faults.invalid(at, plain(text), detail);
    if text == "//" {
        complain("segment[0] may not be empty");
        return;
    }
    if !text.starts_with('/') {
        complain("must start with a '/'");
    }
    // Upstream skips the first byte without a check; if that splits a character, the rest is not a valid name anyway.
    let rest = String::from_utf8_lossy(&text.as_bytes()[1..]);
    let rest = rest.strip_suffix('/').unwrap_or(&rest);
    for (index, segment) in rest.split('/').enumerate() {
        if segment.is_empty() {
            complain(&format!("segment[{index}] may not be empty"));
            continue;
        }
        for problem in names::subdomain(segment) {
            complain(&format!("segment[{index}]: {problem}"));
        }
    }
}
