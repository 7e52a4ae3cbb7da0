//! Errors that only the caller can confirm: rules report them by an origin of their own, and they go if the caller says so.

use kindsmith_gostd::quote::quote;
use kindsmith_gostd::x509::read_request;
use kindsmith_json::Path;
use kindsmith_object::FieldError;
use kindsmith_request::WriteContext;

use crate::DecodedObject;
use crate::field_check::{decoded, forbidden, text};
use crate::kind::pod_certificate_request::{UNSIGNED, UNVERIFIED};
use crate::kind::resource_claim::admin_access::{ADMIN_ACCESS, LABEL};

/// Asks the caller about errors, and keeps those that it confirms.
pub(super) fn settle(context: &WriteContext<'_, '_>, new: &DecodedObject<'_>, errors: &mut Vec<FieldError>) {
    let admission = context.admission;
    let mut ask = |origin: &str, is_fine: &dyn Fn() -> bool| {
        if errors.iter().any(|error| error.origin == origin) && is_fine() {
            errors.retain(|error| error.origin != origin);
        }
    };
    ask(UNVERIFIED, &|| {
        let bytes = decoded(new.get(&["spec", "stubPKCS10Request"]).unwrap_or_default());
        let signature = read_request(&bytes).and_then(|request| request.signature);
        signature.is_some_and(|signature| admission.verifies(&signature))
    });
    ask(ADMIN_ACCESS, &|| {
        admission.has_namespace_label(new.meta.namespace, LABEL, "true")
    });
    let signer = text(new.get(&["spec", "signerName"]));
    ask(UNSIGNED, &|| admission.may_sign(signer));
    let unsigned = errors.iter_mut().find(|error| error.origin == UNSIGNED);
    if let Some(error) = unsigned {
        let user = admission.user_info().unwrap_or_default();
        let user = text(user.get("username"));
        let detail = format!(
            "User {} is not permitted to \"sign\" for signer {}",
            quote(user),
            quote(signer)
        );
        *error = forbidden(&Path::root("spec").child("signerName"), detail);
    }
}
