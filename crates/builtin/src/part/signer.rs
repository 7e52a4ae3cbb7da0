//! Names of signers of certificates: `example.com/name` (`ValidateSignerName` in pkg/apis/core/validation/names.go).

use kindsmith_gostd::quote::quote;
use kindsmith_object::meta::NameRule;

use crate::field::{Errors, Field};
use crate::field_check::{invalid_text, name_problems, too_long};

/// Checks the name of a signer, which must be set.
pub(crate) fn check_signer(signer: &Field<'_, '_>, errors: &mut Errors) {
    const DOMAIN: usize = 253;
    const ALL: usize = 571;
    let name = signer.text();
    if name.is_empty() {
        return signer.required("", errors);
    }
    let parts: Vec<&str> = name.split('/').collect();
    let &[domain, rest] = &*parts else {
        let detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
        return signer.invalid(detail, errors);
    };
    if domain.len() > DOMAIN {
        errors.push(too_long(&signer.path, DOMAIN as i64));
    }
    check_parts(signer, domain, NameRule::Label, errors);
    if !domain.contains('.') {
        let detail = "should be a domain with at least two segments separated by dots";
        errors.push(invalid_text(&signer.path, domain, detail));
    }
    check_parts(signer, rest, NameRule::Subdomain, errors);
    if name.len() > ALL {
        errors.push(too_long(&signer.path, ALL as i64));
    }
}

/// Only the first invalid part is reported.
fn check_parts(signer: &Field<'_, '_>, text: &str, names: NameRule, errors: &mut Errors) {
    let faults = text.split('.').map(|part| (part, name_problems(names, part)));
    for (part, problems) in faults.filter(|(_, problems)| !problems.is_empty()).take(1) {
        for problem in problems {
            let detail = format!("validating label {}: {problem}", quote(part));
            errors.push(invalid_text(&signer.path, text, detail));
        }
    }
}

/// Is the signer one of Kubernetes?
pub(crate) fn is_kubernetes_signer(name: &str) -> bool {
    let host = name.split('/').next().unwrap_or_default();
    host == "kubernetes.io" || host.ends_with(".kubernetes.io")
}
