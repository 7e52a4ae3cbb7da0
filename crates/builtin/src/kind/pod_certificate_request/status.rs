//! The status of a request for a pod certificate (`ValidatePodCertificateRequestStatusUpdate` in
//! pkg/apis/certificates/validation/validation.go).

use kindsmith_formats::strfmt::{self, Applies};
use kindsmith_gostd::pem;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_gostd::x509::{Certificate, read_certificate, read_request};
use kindsmith_json::{Path, Value};
use kindsmith_object::{BadValue, FieldError};

use super::UNSIGNED;
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{
    decoded, forbidden, invalid, invalid_text, items, not_supported, required, text, too_long,
};
use crate::part::condition;

/// Conditions that end a request.
const ENDS: [&str; 3] = ["Issued", "Denied", "Failed"];
const CHAIN_LIMIT: usize = 100 * 1024;
const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const NANOSECONDS: i64 = 1_000_000_000;
const WITH_CERTIFICATE: &str = "must be present and consistent with the issued certificate";

/// Checks a status. Who changes it must be allowed to sign.
pub(super) fn validate(change: &Change<'_>, errors: &mut Errors) {
    validate_content(change, errors);
    let old = change.old.map(|old| old.value()).unwrap_or_default();
    if errors.is_empty() && !change.plan.is_same_member(&["status"], change.new.value(), old) {
        errors.push(FieldError {
            origin: UNSIGNED.into(),
            ..forbidden(&Path::root("spec").child("signerName"), "")
        });
    }
}

fn validate_content(change: &Change<'_>, errors: &mut Errors) {
    let status = Field::root(change, "status");
    if !errors.is_empty() {
        return;
    }
    let conditions = status.child("conditions");
    check_ends(&conditions, errors);
    condition::validate(&conditions, errors);
    if !errors.is_empty() {
        return;
    }
    let old = change.old.map(|old| old.value()).unwrap_or_default();
    let is_same = || change.plan.is_same_member(&["status"], change.new.value(), old);
    let refused = |detail: &str| invalid(&status.path, BadValue::Omitted, detail);
    if end(old.get("status")).is_some() {
        if !is_same() {
            errors.push(refused(
                "immutable after PodCertificateRequest is issued, denied, or failed",
            ));
        }
        return;
    }
    match end(status.value) {
        Some("Issued") => errors.extend(issued_errors(change, &status)),
        Some(_) => {
            let others = ["certificateChain", "notBefore", "beginRefreshAt", "notAfter"];
            if others.iter().any(|key| !status.child(key).is_blank()) {
                errors.push(refused(
                    "non-condition status fields must be empty when denying or failing the PodCertificateRequest",
                ));
            }
        }
        None if !is_same() => errors.push(refused(
            "status is immutable unless transitioning to \"Issued\", \"Denied\", or \"Failed\"",
        )),
        None => {}
    }
}

/// The condition that ended a request; denials and failures come first.
fn end(status: Option<Value<'_>>) -> Option<&str> {
    let conditions = items(status.and_then(|status| status.get("conditions"))).iter();
    let ended = conditions
        .filter(|condition| text(condition.get("status")) == "True")
        .map(|condition| text(condition.get("type")));
    ended
        .filter(|kind| ENDS.contains(kind))
        .max_by_key(|kind| *kind != "Issued")
}

fn check_ends(conditions: &Field<'_, '_>, errors: &mut Errors) {
    let mut is_again = false;
    for (index, condition) in conditions.items().enumerate() {
        // The reference writes the index like a member.
        let index = format!("[{index}]");
        let path = conditions.path.child(&index);
        let (kind, status) = (condition.child("type"), condition.child("status"));
        if !ENDS.contains(&kind.text()) {
            errors.push(not_supported(&path.child("type"), kind.text(), &ENDS));
            continue;
        }
        if is_again {
            let detail = "There may be at most one condition with type \"Issued\", \"Denied\", or \"Failed\"";
            errors.push(invalid_text(&path.child("type"), kind.text(), detail));
        }
        is_again = true;
        if status.text() != "True" {
            errors.push(not_supported(&path.child("status"), status.text(), &["True"]));
        }
    }
}

/// What is wrong with an issued certificate. Most errors hide what comes after them.
fn issued_errors(change: &Change<'_>, status: &Field<'_, '_>) -> Vec<FieldError> {
    let chain = status.child("certificateChain");
    if chain.text().len() > CHAIN_LIMIT {
        return vec![too_long(&chain.path, CHAIN_LIMIT as i64)];
    }
    let wrong = |detail: &str| vec![invalid_text(&chain.path, chain.text(), detail)];
    let blocks = pem::blocks(chain.text().as_bytes());
    let Some((leaf, others)) = blocks.split_first() else {
        return wrong("issued certificate chain must contain at least one certificate");
    };
    if leaf.label != "CERTIFICATE" {
        return wrong("issued certificate chain must consist entirely of CERTIFICATE PEM blocks");
    }
    let Some(leaf) = read_certificate(&leaf.bytes) else {
        return wrong("leaf certificate does not parse as valid X.509");
    };
    let mut errors = name_errors(&chain, &leaf);
    let request = decoded(change.get(&["spec", "stubPKCS10Request"]).unwrap_or_default());
    if read_request(&request).is_some_and(|request| request.key != leaf.key) {
        errors.extend(wrong(
            "leaf certificate was not issued to the requested public key",
        ));
        return errors;
    }
    errors.extend(missing_times(status));
    if !errors.is_empty() {
        return errors;
    }
    errors.extend(time_error(change, status, &leaf));
    if !errors.is_empty() {
        return errors;
    }
    for block in others {
        if block.label != "CERTIFICATE" {
            return wrong("issued certificate chain must consist entirely of CERTFICATE PEM blocks");
        }
        if read_certificate(&block.bytes).is_none() {
            return wrong("intermediate certificate does not parse as valid X.509");
        }
    }
    errors
}

fn name_errors(chain: &Field<'_, '_>, leaf: &Certificate<'_>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let mut wrong = |name: &str, detail: &str| errors.push(invalid_text(&chain.path, name, detail));
    for domain in &leaf.domains {
        if domain.is_empty() {
            wrong(domain, "leaf certificate should not contain empty DNSName");
        }
        if domain.contains("..") {
            wrong(domain, "leaf certificate's DNSName should not contain '..'");
        }
        if domain.starts_with('.') || domain.ends_with('.') {
            wrong(
                domain,
                "leaf certificate's DNSName should not start or end with '.'",
            );
        }
    }
    let email = strfmt::find(Applies::String, "email");
    let is_address = |text: &str| email.is_none_or(|format| (format.check)(text));
    for address in leaf.addresses.iter().filter(|address| !is_address(address)) {
        wrong(
            address,
            "leaf certificate should not contain invalid EmailAddress",
        );
    }
    errors
}

fn missing_times(status: &Field<'_, '_>) -> Vec<FieldError> {
    let times = [
        ("notBefore", WITH_CERTIFICATE),
        ("notAfter", WITH_CERTIFICATE),
        (
            "beginRefreshAt",
            "must be present and in the range [notbefore+10min, notafter-10min]",
        ),
    ];
    times
        .iter()
        .filter(|(key, _)| !status.child(key).is_set())
        .map(|(key, detail)| required(&status.child(key).path, detail))
        .collect()
}

/// The first time that is wrong.
fn time_error(change: &Change<'_>, status: &Field<'_, '_>, leaf: &Certificate<'_>) -> Option<FieldError> {
    let [from, until, refresh] = ["notBefore", "notAfter", "beginRefreshAt"].map(|key| status.child(key));
    let at = |field: &Field<'_, '_>| seconds(field.text()).unwrap_or_default();
    let wrong = |field: &Field<'_, '_>, detail: &str| Some(invalid_text(&field.path, field.text(), detail));
    if at(&from) != leaf.not_before {
        return wrong(
            &from,
            "must be set to the NotBefore time encoded in the leaf certificate",
        );
    }
    let now = seconds(change.now).unwrap_or_default();
    if (at(&from) - now).abs() > 5 * MINUTE {
        return wrong(
            &from,
            "must be set to within 5 minutes of kube-apiserver's current time",
        );
    }
    if at(&until) != leaf.not_after {
        return wrong(
            &until,
            "must be set to the NotAfter time encoded in the leaf certificate",
        );
    }
    let lifetime = leaf.not_after - leaf.not_before;
    let longest = change.get(&["spec", "maxExpirationSeconds"]);
    let longest = longest.and_then(Value::as_i64).unwrap_or_default();
    let problem = match lifetime {
        lifetime if lifetime < HOUR => Some("leaf certificate lifetime must be >= 1 hour".to_owned()),
        lifetime if lifetime > longest => Some(format!(
            "leaf certificate lifetime must be <= spec.maxExpirationSeconds ({longest})"
        )),
        _ => None,
    };
    if let Some(problem) = problem {
        let chain = status.child("certificateChain");
        let shown = BadValue::Integer(i128::from(lifetime) * i128::from(NANOSECONDS));
        return Some(invalid(&chain.path, shown, problem));
    }
    if at(&refresh) < at(&from) + 10 * MINUTE {
        return wrong(&refresh, "must be at least 10 minutes after status.notBefore");
    }
    if at(&refresh) > at(&until) - 10 * MINUTE {
        return wrong(&refresh, "must be at least 10 minutes before status.notAfter");
    }
    None
}

/// Seconds since 1970.
fn seconds(text: &str) -> Option<i64> {
    Time::parse(Layout::Rfc3339, text)
        .ok()
        .map(|time| time.unix_seconds())
}
