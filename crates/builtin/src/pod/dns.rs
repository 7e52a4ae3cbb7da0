//! DNS policy and DNS configuration of a pod.

use kindsmith_formats::format::message;
use kindsmith_json::Value;

use super::spec::Spec;
use crate::field::{Errors, Field};
use crate::part::address::check_address;

const SERVERS: usize = 3;
const SEARCHES: usize = 32;
const SEARCH_CHARACTERS: usize = 2048;

/// Checks the DNS configuration; the policy `None` requires one.
pub(super) fn check_config(spec: &Spec<'_, '_>, errors: &mut Errors) {
    let (config, policy) = (spec.child("dnsConfig"), spec.child("dnsPolicy").text());
    let servers = config.child("nameservers");
    if policy == "None" && !config.is_set() {
        return config.required("must provide `dnsConfig` when `dnsPolicy` is None", errors);
    }
    if policy == "None" && servers.len() == 0 {
        let detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
        return servers.required(detail, errors);
    }
    if servers.len() > SERVERS {
        let detail = format!("must not have more than {SERVERS} nameservers");
        servers.invalid(detail, errors);
    }
    for server in servers.items() {
        check_address(&server, &[], errors);
    }
    check_searches(&config.child("searches"), errors);
    for option in config.child("options").items() {
        if option.child("name").is_blank() {
            option.required("must not be empty", errors);
        }
    }
}

fn check_searches(searches: &Field<'_, '_>, errors: &mut Errors) {
    if searches.len() > SEARCHES {
        let detail = format!("must not have more than {SEARCHES} search paths");
        searches.invalid(detail, errors);
    }
    let lengths = searches.items().map(|search| search.text().len() + 1);
    // Joined by spaces, so the last domain has none after it.
    if lengths.sum::<usize>() > SEARCH_CHARACTERS + 1 {
        let detail = format!(
            "must not have more than {SEARCH_CHARACTERS} characters (including spaces) in the search list"
        );
        searches.invalid(detail, errors);
    }
    for search in searches.items().filter(|search| search.text() != ".") {
        let text = search.text();
        let domain = Value::Str(text.strip_suffix('.').unwrap_or(text));
        let domain = Field {
            value: Some(domain),
            ..search
        };
        check_domain(&domain, errors);
    }
}

/// A subdomain whose parts may start with an underscore (`IsDNS1123SubdomainWithUnderscore`).
fn check_domain(domain: &Field<'_, '_>, errors: &mut Errors) {
    const LIMIT: usize = 253;
    const FORM: &str = r"_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*";
    let text = domain.text();
    if text.len() > LIMIT {
        domain.invalid(format!("must be no more than {LIMIT} characters"), errors);
    }
    let is_edge = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_part = |part: &str| {
        let part = part.strip_prefix('_').unwrap_or(part).as_bytes();
        let is_inner = |byte: &u8| is_edge(*byte) || matches!(byte, b'-' | b'_');
        part.first().is_some_and(|byte| is_edge(*byte))
            && part.last().is_some_and(|byte| is_edge(*byte))
            && part.iter().all(is_inner)
    };
    if !text.split('.').all(is_part) {
        let detail = message::regex(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', \
             and must start and end with an alphanumeric character",
            FORM,
            &["example.com"],
        );
        domain.invalid(detail, errors);
    }
}
