//! Validation of certificate signing requests.

use std::collections::HashSet;

use kindsmith_gostd::der::structure_error;
use kindsmith_gostd::pem::{self, Block};
use kindsmith_gostd::quote::quote;
use kindsmith_json::{Path, Value};
use kindsmith_object::meta::validate_update;
use kindsmith_object::{BadValue, FieldError};

use super::CONDITIONS;
use crate::field::Field;
use crate::field_check::{
    decoded, duplicate, forbidden, invalid, invalid_text, items, not_supported, required, text,
};
use crate::go_value::json::as_json;
use crate::part::signer::check_signer;
use crate::types::words;
use crate::{Change, DecodedObject};

const SPEC: Path<'static> = Path::root("spec");
const STATUS: Path<'static> = Path::root("status");
const LEGACY_SIGNER: &str = "kubernetes.io/legacy-unknown";

/// The key usages, sorted.
const USAGES: [&str; 23] = [
    "any",
    "cert sign",
    "client auth",
    "code signing",
    "content commitment",
    "crl sign",
    "data encipherment",
    "decipher only",
    "digital signature",
    "email protection",
    "encipher only",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "key agreement",
    "key encipherment",
    "microsoft sgc",
    "netscape sgc",
    "ocsp signing",
    "s/mime",
    "server auth",
    "signing",
    "timestamping",
];

pub(super) fn validate(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    change.validate_new_metadata(errors);
    validate_request(change, errors);
    validate_usages(change, errors);
    validate_signer(change, errors);
    let seconds = change.get(&["spec", "expirationSeconds"]).and_then(Value::as_i64);
    if let Some(seconds) = seconds.filter(|&seconds| seconds < 600) {
        let detail = "may not specify a duration less than 600 seconds (10 minutes)";
        let bad = BadValue::Integer(seconds.into());
        errors.push(invalid(&SPEC.child("expirationSeconds"), bad, detail));
    }
    validate_conditions(change, errors);
    validate_certificate(change, errors);
    if let Some(old) = change.old {
        validate_changes(change, old, errors);
        validate_update(&change.new.meta, &old.meta, &Path::root("metadata"), errors);
    }
}

fn validate_request(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let request = change.get(&["spec", "request"]);
    let blocks = pem::blocks(&decoded(request.unwrap_or_default()));
    let problem = match blocks.first() {
        Some(Block { label, bytes, .. }) if label == "CERTIFICATE REQUEST" => {
            structure_error(bytes, "certificateRequest")
        }
        _ => Some("PEM block type must be CERTIFICATE REQUEST".to_owned()),
    };
    if let Some(problem) = problem {
        errors.push(invalid(&SPEC.child("request"), as_json(request), problem));
    }
}

fn validate_usages(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let path = SPEC.child("usages");
    let usages = items(change.get(&["spec", "usages"]));
    if usages.is_empty() {
        errors.push(required(&path, ""));
    }
    let is_known = |usage: &Value<'_>| USAGES.contains(&usage.as_str().unwrap_or_default());
    let before = items(change.get_old(&["spec", "usages"]));
    if before.iter().all(is_known) {
        for (index, usage) in usages.iter().enumerate().filter(|(_, usage)| !is_known(usage)) {
            errors.push(not_supported(
                &path.index(index),
                usage.as_str().unwrap_or_default(),
                &USAGES,
            ));
        }
    }
    if repeated(before).is_empty() {
        for index in repeated(usages) {
            let usage = usages[index].as_str().unwrap_or_default();
            errors.push(duplicate(&path.index(index), usage));
        }
    }
}

/// The indexes of duplicates.
fn repeated(values: &[Value<'_>]) -> Vec<usize> {
    let mut seen = HashSet::new();
    let texts = values.iter().map(|value| value.as_str().unwrap_or_default());
    texts
        .enumerate()
        .filter(|(_, text)| !seen.insert(*text))
        .map(|(index, _)| index)
        .collect()
}

fn validate_signer(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let path = SPEC.child("signerName");
    let name = text(change.get(&["spec", "signerName"]));
    let was_legacy = text(change.get_old(&["spec", "signerName"])) == LEGACY_SIGNER;
    if name == LEGACY_SIGNER && !was_legacy {
        let detail = "the legacy signerName is not allowed via this API version";
        errors.push(invalid_text(&path, name, detail));
        return;
    }
    let field = Field {
        path,
        value: change.get(&["spec", "signerName"]),
        release: change.release,
    };
    check_signer(&field.or_empty(), errors);
}

fn validate_conditions(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let path = STATUS.child("conditions");
    let kinds = |value| -> Vec<Value<'_>> {
        items(value)
            .iter()
            .map(|condition| condition.get("type").unwrap_or_default())
            .collect()
    };
    let before = kinds(change.get_old(&CONDITIONS));
    let conditions = items(change.get(&CONDITIONS));
    for (index, condition) in conditions.iter().enumerate() {
        let path = path.index(index);
        let (kind, status) = (text(condition.get("type")), text(condition.get("status")));
        if kind.is_empty() && !before.contains(&Value::Str("")) {
            errors.push(required(&path.child("type"), ""));
        }
        let allowed: &[&str] = match kind {
            "Approved" | "Denied" | "Failed" => &["True"],
            _ => words("core/v1.ConditionStatus"),
        };
        match status {
            "" => errors.push(required(&path.child("status"), "")),
            status if !allowed.contains(&status) => {
                errors.push(not_supported(&path.child("status"), status, allowed));
            }
            _ => {}
        }
    }
    if repeated(&before).is_empty() {
        let after = kinds(change.get(&CONDITIONS));
        for index in repeated(&after) {
            let kind = after[index].as_str().unwrap_or_default();
            errors.push(duplicate(&path.index(index).child("type"), kind));
        }
    }
}

fn validate_certificate(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let certificate = change.get(&["status", "certificate"]);
    let before = change.get_old(&["status", "certificate"]);
    let is_old = before.is_some() && certificate == before;
    let Some(certificate) = certificate.filter(|_| !is_old) else {
        return;
    };
    if let Some(problem) = certificate_problem(&decoded(certificate)) {
        let path = STATUS.child("certificate");
        errors.push(invalid_text(&path, "<certificate data>", problem));
    }
}

fn certificate_problem(text: &[u8]) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let blocks = pem::blocks(text);
    for block in &blocks {
        if block.label != "CERTIFICATE" {
            return Some(format!(
                "only CERTIFICATE PEM blocks are allowed, found {}",
                quote(&block.label)
            ));
        }
        if block.has_headers {
            return Some("no PEM block headers are permitted".to_owned());
        }
        if block.bytes.is_empty() {
            return Some("found CERTIFICATE PEM block containing 0 certificates".to_owned());
        }
        if structure_error(&block.bytes, "certificate").is_some() {
            return Some("x509: malformed certificate".to_owned());
        }
    }
    blocks
        .is_empty()
        .then(|| "must contain at least one CERTIFICATE PEM block".to_owned())
}

/// Rejects changes of conditions and certificate that the used subresource does not allow.
fn validate_changes(change: &Change<'_>, old: &DecodedObject<'_>, errors: &mut Vec<FieldError>) {
    let path = STATUS.child("conditions");
    let of_kind = |decoded: &DecodedObject<'_>, kind: &str| -> Vec<String> {
        items(decoded.get(&CONDITIONS))
            .iter()
            .filter(|condition| text(condition.get("type")) == kind)
            .map(|condition| kindsmith_json::to_string(*condition))
            .collect()
    };
    for kind in ["Approved", "Denied", "Failed"] {
        if of_kind(change.new, kind).len() < of_kind(old, kind).len() {
            let detail = format!("updates may not remove a condition of type {}", quote(kind));
            errors.push(forbidden(&path, detail));
        }
    }
    if change.subresource != "approval" {
        for kind in ["Approved", "Denied"] {
            if of_kind(change.new, kind).len() > of_kind(old, kind).len() {
                let detail = format!("updates may not add a condition of type {}", quote(kind));
                errors.push(forbidden(&path, detail));
            }
        }
    }
    let certificate =
        |object: &DecodedObject<'_>| decoded(object.get(&["status", "certificate"]).unwrap_or_default());
    let (new, before) = (certificate(change.new), certificate(old));
    if new != before {
        let path = STATUS.child("certificate");
        if change.subresource != "status" {
            errors.push(forbidden(&path, "updates may not set certificate content"));
        } else if !before.is_empty() {
            errors.push(forbidden(
                &path,
                "updates may not modify existing certificate content",
            ));
        }
    }
}
