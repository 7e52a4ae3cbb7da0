//! Mutating and validating webhook configurations (pkg/registry/admissionregistration): the generation is incremented
//! when a webhook changes.

mod client_config;
mod match_conditions;
mod rules;

use std::collections::HashSet;

use kindsmith_formats::named;
use kindsmith_json::{Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, FieldError, Release};

pub(super) use match_conditions::validate as validate_match_conditions;
pub(super) use rules::validate as validate_rule;

use super::admission_policy::{name_warnings, validate_name_of_file};
use crate::field_check::{duplicate, invalid, invalid_text, items, not_supported, required, text};
use crate::go_value::json::as_json;
use crate::part::selector::validate_selector;
use crate::table::{Heading, Row, Table, column};
use crate::types::words;
use crate::{Change, DecodedObject, Names, Preparation, Strategy};

#[derive(Debug)]
pub(crate) struct WebhookConfiguration;

impl Strategy for WebhookConfiguration {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn categories(&self) -> &'static [&'static str] {
        &["api-extensions"]
    }

    fn checks_finalizers(&self) -> bool {
        false
    }

    fn allows_unconditional_update(&self) -> bool {
        false
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        match preparation.old {
            None => decoded.meta.generation = 1,
            Some(old) if !preparation.is_same(decoded, old, "webhooks") => {
                decoded.meta.generation = old.meta.generation.saturating_add(1);
            }
            Some(_) => {}
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_new_metadata(errors);
        let list = Path::root("webhooks");
        let mut names = HashSet::new();
        for (index, &webhook) in items(change.get(&["webhooks"])).iter().enumerate() {
            let path = list.index(index);
            validate_webhook(change.release, webhook, &path, errors);
            let versions = items(webhook.get("admissionReviewVersions"));
            validate_review_versions(versions, &path.child("admissionReviewVersions"), errors);
            let name = text(webhook.get("name"));
            if !names.insert(name) {
                errors.push(duplicate(&path.child("name"), name));
            }
        }
        if change.old.is_some() {
            change.validate_metadata(errors);
        }
        validate_name_of_file(change, errors);
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        name_warnings(change)
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::count_in_words("Webhooks", "How many webhooks are configured."),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), Value::Int(row.count("webhooks")), row.age()]
}

/// Checks one webhook (`validateMutatingWebhook` in pkg/apis/admissionregistration/validation).
fn validate_webhook(release: Release, webhook: Value<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    validate_name(text(webhook.get("name")), &path.child("name"), errors);
    let rules = path.child("rules");
    for (index, &rule) in items(webhook.get("rules")).iter().enumerate() {
        validate_rule(rule, &rules.index(index), errors);
    }
    let mut check_word = |key: &'static str, known: &[&str]| {
        if let Some(word) = webhook.get(key).and_then(Value::as_str)
            && !known.contains(&word)
        {
            errors.push(not_supported(&path.child(key), word, known));
        }
    };
    check_word(
        "failurePolicy",
        words("admissionregistration/v1.FailurePolicyType"),
    );
    check_word("matchPolicy", words("admissionregistration/v1.MatchPolicyType"));
    check_word("sideEffects", &["None", "NoneOnDryRun"]);
    check_word(
        "reinvocationPolicy",
        words("admissionregistration/v1.ReinvocationPolicyType"),
    );
    if webhook.get("sideEffects").is_none_or(Value::is_null) {
        let detail = "must specify one of None, NoneOnDryRun";
        errors.push(required(&path.child("sideEffects"), detail));
    }
    if let Some(seconds) = webhook.get("timeoutSeconds").and_then(Value::as_i64)
        && !(1..=30).contains(&seconds)
    {
        let detail = "the timeout value must be between 1 and 30 seconds";
        let bad = BadValue::Integer(seconds.into());
        errors.push(invalid(&path.child("timeoutSeconds"), bad, detail));
    }
    for key in ["namespaceSelector", "objectSelector"] {
        if let Some(selector) = webhook.get(key) {
            validate_selector(selector, &path.child(key), errors);
        }
    }
    let config = webhook.get("clientConfig").unwrap_or_default();
    client_config::validate(config, &path.child("clientConfig"), errors);
    let conditions = items(webhook.get("matchConditions"));
    let path = path.child("matchConditions");
    validate_match_conditions(release, conditions, false, &path, errors);
}

/// A fully qualified name (`IsFullyQualifiedName` in apimachinery's pkg/util/validation).
fn validate_name(name: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    if name.is_empty() {
        errors.push(required(path, ""));
        return;
    }
    let before = errors.len();
    NameRule::Subdomain.validate(name, path, errors);
    if errors.len() == before && name.split('.').count() < 3 {
        let detail = "should be a domain with at least three segments separated by dots";
        errors.push(invalid_text(path, name, detail));
    }
}

fn validate_review_versions(versions: &[Value<'_>], path: &Path<'_>, errors: &mut Vec<FieldError>) {
    const KNOWN: [&str; 2] = ["v1", "v1beta1"];
    if versions.is_empty() {
        let detail = format!("must specify one of {}", KNOWN.join(", "));
        errors.push(required(path, &detail));
        return;
    }
    for (index, &version) in versions.iter().enumerate() {
        let (at, name) = (path.index(index), text(Some(version)));
        if versions[..index].contains(&version) {
            errors.push(invalid_text(&at, name, "duplicate version"));
            continue;
        }
        check_label_1035(name, &at, errors);
    }
    if !versions
        .iter()
        .any(|&version| KNOWN.contains(&text(Some(version))))
    {
        let detail = format!("must include at least one of {}", KNOWN.join(", "));
        errors.push(invalid(path, as_json(Some(Value::Array(versions))), detail));
    }
}

fn check_label_1035(name: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let Some(format) = named::find("dns1035Label") else {
        return;
    };
    (format.check)(name, &mut |detail| errors.push(invalid_text(path, name, detail)));
}
