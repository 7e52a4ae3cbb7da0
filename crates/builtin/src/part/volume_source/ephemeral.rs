//! Volumes whose claim is made together with the pod.

use crate::field::{Errors, Field};
use crate::part::template_metadata;
use crate::part::volume_claim::validate_claim;

/// Checks the template of the claim.
pub(super) fn check(source: &Field<'_, '_>, errors: &mut Errors) {
    let template = source.child("volumeClaimTemplate");
    if !template.is_set() {
        return;
    }
    template_metadata::check(&template.child("metadata"), errors);
    validate_claim(&template.child("spec"), errors);
}
