//! Requests for pod certificates (`ValidatePodCertificateRequestCreate` in pkg/apis/certificates/validation/validation.go).

mod status;

use kindsmith_formats::limit::ANNOTATIONS_BYTES;
use kindsmith_gostd::x509::{PublicKey, read_request};
use kindsmith_json::{Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, FieldError, Release};

use super::described::{Described, StatusPart};
use crate::Change;
use crate::field::{Errors, Field};
use crate::field_check::{decoded, immutable, invalid, invalid_text, name_problems, required, too_long};
use crate::go_value::internal;
use crate::part::signer::{check_signer, is_kubernetes_signer};
use crate::table::{Heading, Row, Table, column, text_of};

pub(crate) const POD_CERTIFICATE_REQUEST: Described = Described {
    status: StatusPart::Alone,
    starts_at_one: false,
    watched: &[],
    allows_unconditional_update: false,
    rules: validate,
    selectable: Some(&[
        "metadata.name",
        "spec.nodeName",
        "spec.podName",
        "spec.signerName",
    ]),
    table: Table {
        headings: POD_CERTIFICATE_REQUEST_COLUMNS,
        cells: pod_certificate_request_cells,
    },
    ..Described::STATUS
};

/// How long certificates may be valid, in seconds: those of Kubernetes' signers a day, others 91 days.
const SHORTEST: i64 = 60 * 60;
const LONGEST: i64 = 91 * 24 * 60 * 60;
const LONGEST_OF_KUBERNETES: i64 = 24 * 60 * 60;
const UID_LIMIT: usize = 128;
const REQUEST_LIMIT: usize = 10 * 1024;

/// The origin of the error about users who may not sign: only the caller knows what they may do.
pub(crate) const UNSIGNED: &str = "signer";

/// The origin of the error about a signature: only the caller can say whether it is right.
pub(crate) const UNVERIFIED: &str = "signature";

fn validate(change: &Change<'_>, errors: &mut Errors) {
    let spec = Field::root(change, "spec");
    match (change.old, change.subresource) {
        (None, _) => validate_spec(&spec, errors),
        (Some(_), "status") => status::validate(change, errors),
        (Some(old), _) => {
            if !change
                .plan
                .is_same_member(&["spec"], change.new.value(), old.value())
            {
                let shown = internal::shown(
                    spec.release,
                    "certificates/v1",
                    "PodCertificateRequestSpec",
                    spec.value,
                );
                immutable(&spec.path, shown, errors);
            }
        }
    }
}

fn validate_spec(spec: &Field<'_, '_>, errors: &mut Errors) {
    let signer = spec.child("signerName");
    check_signer(&signer, errors);
    check_annotations(&spec.child("unverifiedUserAnnotations"), errors);
    for (name, uid) in [
        ("podName", "podUID"),
        ("serviceAccountName", "serviceAccountUID"),
        ("nodeName", "nodeUID"),
    ] {
        let (name, uid) = (spec.child(name), spec.child(uid));
        for problem in name_problems(NameRule::Subdomain, name.text()) {
            name.or_empty().invalid(problem, errors);
        }
        if uid.text().is_empty() {
            uid.or_empty().invalid("must not be empty", errors);
        }
        if uid.text().len() > UID_LIMIT {
            errors.push(too_long(&uid.path, UID_LIMIT as i64));
        }
    }
    let lifetime = spec.child("maxExpirationSeconds");
    let longest = if is_kubernetes_signer(signer.text()) {
        LONGEST_OF_KUBERNETES
    } else {
        LONGEST
    };
    if !(SHORTEST..=longest).contains(&lifetime.number()) {
        lifetime.invalid(format!("must be in the range [{SHORTEST}, {longest}]"), errors);
    }
    let request = spec.child("stubPKCS10Request");
    if request.is_blank() {
        let detail = "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set";
        return errors.push(invalid(&spec.path, BadValue::Omitted, detail));
    }
    errors.extend(request_error(&request));
}

/// Checks keys: domains and names, in any case (`ValidateUserAnnotations` in pkg/apis/core/validation/validation.go).
fn check_annotations(annotations: &Field<'_, '_>, errors: &mut Errors) {
    let mut size = 0;
    for (key, value) in annotations.entries() {
        size += key.len() + value.text().len();
        check_key(&key.to_lowercase(), &annotations.path, errors);
    }
    if size > ANNOTATIONS_BYTES {
        errors.push(too_long(&annotations.path, ANNOTATIONS_BYTES as i64));
    }
}

/// `IsDomainPrefixedKey` in apimachinery's pkg/util/validation.
fn check_key(key: &str, path: &Path<'_>, errors: &mut Errors) {
    if key.is_empty() {
        return errors.push(required(path, ""));
    }
    let before = errors.len();
    let field = Field {
        path: *path,
        value: Some(Value::Str(key)),
        release: Release::NEWEST,
    };
    field.label_key(errors);
    if errors.len() == before && !key.contains('/') {
        let detail = "must be a domain-prefixed key (such as \"acme.io/foo\")";
        errors.push(invalid_text(path, key, detail));
    }
}

/// What is wrong with a request for a certificate. Whether its signature is right is for the caller to say.
fn request_error(request: &Field<'_, '_>) -> Option<FieldError> {
    let bytes = decoded(request.value.unwrap_or_default());
    if bytes.len() > REQUEST_LIMIT {
        return Some(too_long(&request.path, REQUEST_LIMIT as i64));
    }
    let omitted = |detail: &str| invalid(&request.path, BadValue::Omitted, detail);
    let Some(read) = read_request(&bytes) else {
        return Some(omitted("must be a valid PKCS#10 CSR"));
    };
    match read.key {
        PublicKey::Usable(..) => Some(FieldError {
            origin: UNVERIFIED.into(),
            ..omitted("invalid signature")
        }),
        PublicKey::SmallCurve(curve) => {
            let detail = "elliptic public keys must use curve P256, P384, or P521";
            Some(invalid_text(&request.path, &format!("curve {curve}"), detail))
        }
        PublicKey::OtherModulus(bits) => {
            let detail = "RSA keys must have modulus size 3072 or 4096";
            Some(invalid_text(
                &request.path,
                &format!("{bits}-bit modulus"),
                detail,
            ))
        }
        PublicKey::Other => Some(omitted(
            "unknown public key type; supported types are Ed25519, ECDSA, and RSA",
        )),
    }
}

const POD_CERTIFICATE_REQUEST_COLUMNS: &[Heading] = &[
    column::NAME,
    column::text("PodName", "certificates/v1.PodCertificateRequestSpec.podName"),
    column::text(
        "ServiceAccountName",
        "certificates/v1.PodCertificateRequestSpec.serviceAccountName",
    ),
    column::text("NodeName", "certificates/v1.PodCertificateRequestSpec.nodeName"),
    column::text(
        "SignerName",
        "certificates/v1.PodCertificateRequestSpec.signerName",
    ),
    column::in_words("State", "What came of the request."),
    column::text(
        "UnverifiedUserAnnotations",
        "certificates/v1.PodCertificateRequestSpec.unverifiedUserAnnotations",
    ),
];

fn pod_certificate_request_cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let conditions = row.items("status.conditions").iter();
    let state = conditions
        .map(|condition| text_of(*condition, "type"))
        .rfind(|state| matches!(*state, "Issued" | "Denied" | "Failed"));
    let part = |key: &str| Value::Str(row.text(&format!("spec.{key}")));
    vec![
        row.name(),
        part("podName"),
        part("serviceAccountName"),
        part("nodeName"),
        part("signerName"),
        Value::Str(state.unwrap_or("Pending")),
        row.labels("spec.unverifiedUserAnnotations"),
    ]
}
