//! Conversion between versions.

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_openapi::crd::{InternalConversion, InternalSpec};
use kindsmith_schema::Str;

use super::demands::Demands;
use super::faults::{Faults, json_list};
use super::{ca_bundle, names, webhook};

const STRATEGIES: [&str; 2] = ["None", "Webhook"];
const REVIEW_VERSIONS: [&str; 2] = ["v1", "v1beta1"];

pub(super) fn check(spec: &InternalSpec, demands: &Demands, path: &Path<'_>, faults: &mut Faults) {
    let Some(conversion) = &spec.conversion else {
        return;
    };
    let strategy = &*conversion.strategy;
    let at = path.child("strategy");
    if strategy != "None" && spec.preserve_unknown_fields != Some(false) {
        let detail = "must be None if spec.preserveUnknownFields is true";
        faults.invalid(&at, BadValue::json_text(strategy), detail);
    }
    if strategy.is_empty() {
        faults.required(&at, "");
    } else if !STRATEGIES.contains(&strategy) {
        faults.not_supported(&at, strategy, &STRATEGIES);
    }
    if strategy == "Webhook" {
        with_webhook(conversion, demands, path, faults);
    } else {
        without_webhook(conversion, path, faults);
    }
}

fn with_webhook(conversion: &InternalConversion, demands: &Demands, path: &Path<'_>, faults: &mut Faults) {
    let at = path.child("webhookClientConfig");
    match &conversion.webhook_client_config {
        None => faults.required(&at, "required when strategy is set to Webhook"),
        Some(config) => webhook::check(config, demands.ca_bundle, &at, faults),
    }
    let at = path.child("conversionReviewVersions");
    review_versions(
        &conversion.conversion_review_versions,
        demands.review_versions,
        &at,
        faults,
    );
}

fn without_webhook(conversion: &InternalConversion, path: &Path<'_>, faults: &mut Faults) {
    let detail = "should not be set when strategy is not set to Webhook";
    if conversion.webhook_client_config.is_some() {
        faults.forbidden(&path.child("webhookClientConfig"), detail);
    }
    if !conversion.conversion_review_versions.is_empty() {
        faults.forbidden(&path.child("conversionReviewVersions"), detail);
    }
}

fn review_versions(versions: &[Str], known_is_required: bool, path: &Path<'_>, faults: &mut Faults) {
    if versions.is_empty() {
        faults.required(path, "");
        return;
    }
    for (index, version) in versions.iter().enumerate() {
        let at = path.index(index);
        if versions[..index].contains(version) {
            faults.invalid(&at, &**version, "duplicate version");
            continue;
        }
        for problem in names::label_1035(version) {
            faults.invalid(&at, &**version, &problem);
        }
    }
    if known_is_required && !versions.iter().any(is_known) {
        let detail = format!("must include at least one of {}", REVIEW_VERSIONS.join(", "));
        faults.invalid(path, json_list(versions), &detail);
    }
}

fn is_known(version: &Str) -> bool {
    REVIEW_VERSIONS.contains(&&**version)
}

/// Whether the old CRD's webhook supports a known `ConversionReview` version, or lists none.
pub(super) fn has_known_review_version(spec: &InternalSpec) -> bool {
    spec.conversion.as_ref().is_none_or(|conversion| {
        let versions = &conversion.conversion_review_versions;
        versions.is_empty() || versions.iter().any(is_known)
    })
}

/// Whether the webhook has a CA bundle that cannot be parsed.
pub(super) fn has_bad_ca_bundle(spec: &InternalSpec) -> bool {
    let config = spec
        .conversion
        .as_ref()
        .and_then(|conversion| conversion.webhook_client_config.as_ref());
    config.is_some_and(|config| !config.ca_bundle.is_empty() && ca_bundle::read(&config.ca_bundle).is_err())
}
