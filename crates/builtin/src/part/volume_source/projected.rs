//! Several sources in one directory.

use std::collections::HashSet;

use kindsmith_object::BadValue;
use kindsmith_object::meta::NameRule;

use super::{check_mode, configured, downward};
use crate::field::{Errors, Field};
use crate::field_check::{invalid, invalid_text, name_problems};
use crate::go_value::json::as_json;
use crate::part::file_path::check_unreserved;
use crate::part::signer::{check_signer, is_kubernetes_signer};

/// The kinds of sources.
const PARTS: [(&str, Check); 6] = [
    ("secret", check_configured),
    ("configMap", check_configured),
    ("downwardAPI", check_downward),
    ("serviceAccountToken", check_token),
    ("clusterTrustBundle", check_bundle),
    ("podCertificate", check_certificate),
];

type Check = fn(&Field<'_, '_>, &mut Directory<'_, '_>, &mut Errors);

/// The directory that all sources fill.
struct Directory<'d, 'v> {
    volume: Field<'d, 'v>,
    files: HashSet<String>,
}

impl Directory<'_, '_> {
    /// Adds a file; a duplicate path is reported on the volume, with the name of the second source.
    fn add(&mut self, path: &str, owner: &str, errors: &mut Errors) {
        if !self.files.insert(path.to_owned()) {
            errors.push(invalid_text(
                &self.volume.path,
                owner,
                "conflicting duplicate paths",
            ));
        }
    }
}

/// Checks a projected volume.
pub(super) fn check(volume: &Field<'_, '_>, errors: &mut Errors) {
    check_mode(&volume.child("defaultMode"), errors);
    volume.child("defaultUser").user_id(errors);
    let mut directory = Directory {
        volume: *volume,
        files: HashSet::new(),
    };
    for source in volume.child("sources").items() {
        let mut number = 0;
        for (key, check) in PARTS {
            let part = source.child(key);
            if part.is_set() {
                number += 1;
                check(&part, &mut directory, errors);
            }
        }
        if number > 1 {
            source.forbidden("may not specify more than 1 volume type per source", errors);
        }
    }
}

fn check_configured(part: &Field<'_, '_>, directory: &mut Directory<'_, '_>, errors: &mut Errors) {
    let name = part.child("name");
    if name.is_blank() {
        name.required("", errors);
    }
    configured::check_items(part, errors);
    for item in part.child("items").items() {
        let path = item.child("path").text();
        if !path.is_empty() {
            directory.add(path, name.text(), errors);
        }
    }
}

fn check_downward(part: &Field<'_, '_>, directory: &mut Directory<'_, '_>, errors: &mut Errors) {
    downward::check_items(part, errors);
    for item in part.child("items").items() {
        let path = item.child("path").text();
        if !path.is_empty() {
            directory.add(path, path, errors);
        }
    }
}

/// Faults of the path are reported on the volume.
fn check_token(token: &Field<'_, '_>, directory: &mut Directory<'_, '_>, errors: &mut Errors) {
    const LEAST: i64 = 600;
    const MOST: i64 = 1 << 32;
    let seconds = token.child("expirationSeconds");
    if !seconds.is_set() {
        seconds.required("", errors);
    } else if seconds.number() < LEAST {
        seconds.invalid("may not specify a duration less than 10 minutes", errors);
    } else if seconds.number() > MOST {
        seconds.invalid("may not specify a duration larger than 2^32 seconds", errors);
    }
    let path = token.child("path");
    let path = path.at(directory.volume.path.child("path"));
    if path.is_blank() {
        path.required("", errors);
    } else {
        check_unreserved(&path, errors);
    }
    token.child("user").user_id(errors);
}

fn check_bundle(bundle: &Field<'_, '_>, directory: &mut Directory<'_, '_>, errors: &mut Errors) {
    let (name, signer, selector) = (
        bundle.child("name"),
        bundle.child("signerName"),
        bundle.child("labelSelector"),
    );
    match (name.is_set(), signer.is_set()) {
        (true, true) => {
            let bad = internal_bundle(bundle);
            let detail = "only one of name and signerName may be used";
            errors.push(invalid(&bundle.path, bad, detail));
        }
        (true, false) => {
            check_bundle_name(&name, errors);
            if selector.is_set() {
                selector.invalid("labelSelector must be unset if name is specified", errors);
            }
        }
        (false, true) => {
            if signer.is_blank() {
                signer.required("must be a valid signer name", errors);
            }
            check_signer(&signer, errors);
            selector.selector(errors);
        }
        (false, false) => bundle.required("either name or signerName must be specified", errors),
    }
    let path = bundle.child("path").or_empty();
    if path.is_blank() {
        path.required("", errors);
    }
    bundle.child("user").user_id(errors);
    check_unreserved(&path, errors);
    directory.add(path.text(), path.text(), errors);
}

/// The value as the server's own type prints it.
fn internal_bundle(bundle: &Field<'_, '_>) -> BadValue {
    let show = |key: &str| as_json(bundle.child(key).value).to_json();
    let text = format!(
        r#"{{"Name":{},"SignerName":{},"LabelSelector":{},"Optional":{},"Path":{},"User":null}}"#,
        show("name"),
        show("signerName"),
        show("labelSelector"),
        show("optional"),
        as_json(bundle.child("path").or_empty().value).to_json()
    );
    BadValue::Json(text.into())
}

/// The name of a bundle says its signer before the last colon, if it has one.
fn check_bundle_name(name: &Field<'_, '_>, errors: &mut Errors) {
    if name.is_blank() {
        name.required("must be a valid object name", errors);
    }
    let own_part = name.text().rsplit_once(':').map_or(name.text(), |(_, own)| own);
    for problem in name_problems(NameRule::Subdomain, own_part) {
        name.invalid(format!("not a valid clustertrustbundlename: {problem}"), errors);
    }
}

fn check_certificate(certificate: &Field<'_, '_>, directory: &mut Directory<'_, '_>, errors: &mut Errors) {
    const KEYS: [&str; 6] = [
        "RSA3072",
        "RSA4096",
        "ECDSAP256",
        "ECDSAP384",
        "ECDSAP521",
        "ED25519",
    ];
    let signer = certificate.child("signerName").or_empty();
    check_signer(&signer, errors);
    check_user_annotations(&certificate.child("userAnnotations"), errors);
    certificate.child("user").user_id(errors);
    certificate.child("keyType").or_empty().one_of(&KEYS, errors);
    check_expiration(&certificate.child("maxExpirationSeconds"), signer.text(), errors);
    let mut number = 0;
    for key in ["credentialBundlePath", "keyPath", "certificateChainPath"] {
        let path = certificate.child(key);
        if !path.is_blank() {
            number += 1;
            check_unreserved(&path, errors);
            directory.add(path.text(), path.text(), errors);
        }
    }
    if number == 0 {
        let detail = "specify at least one of credentialBundlePath, keyPath, and certificateChainPath";
        certificate.required(detail, errors);
    }
}

fn check_user_annotations(annotations: &Field<'_, '_>, errors: &mut Errors) {
    const LIMIT: usize = 256 << 10;
    let mut size = 0;
    for (key, value) in annotations.entries() {
        size += key.len() + value.text().len();
        check_prefixed_key(annotations, &key.to_lowercase(), errors);
    }
    if size > LIMIT {
        errors.push(crate::field_check::too_long(&annotations.path, LIMIT as i64));
    }
}

/// A key must be a label key with a prefix; faults are reported on the map (`IsDomainPrefixedKey`).
fn check_prefixed_key(annotations: &Field<'_, '_>, key: &str, errors: &mut Errors) {
    let named = Field {
        path: annotations.path,
        value: Some(kindsmith_json::Value::Str(key)),
        release: annotations.release,
    };
    if key.is_empty() {
        return named.required("", errors);
    }
    let before = errors.len();
    named.label_key(errors);
    if errors.len() == before && !key.contains('/') {
        named.invalid("must be a domain-prefixed key (such as \"acme.io/foo\")", errors);
    }
}

fn check_expiration(seconds: &Field<'_, '_>, signer: &str, errors: &mut Errors) {
    const HOUR: i64 = 3600;
    const DAY: i64 = 24 * HOUR;
    if !seconds.is_set() {
        return;
    }
    let most = if is_kubernetes_signer(signer) {
        DAY
    } else {
        91 * DAY
    };
    if seconds.number() < HOUR {
        seconds.invalid("if provided, maxExpirationSeconds must be >= 3600", errors);
    }
    if seconds.number() > most {
        seconds.invalid(
            format!("if provided, maxExpirationSeconds must be <= {most}"),
            errors,
        );
    }
}
