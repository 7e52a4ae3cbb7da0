//! Images of containers, and how they are pulled.

use crate::field::{Errors, Field};

/// When an image is pulled.
pub(crate) const PULL_POLICIES: [&str; 3] = ["Always", "IfNotPresent", "Never"];

/// Checks the image of any container.
pub(super) fn check_image(container: &Field<'_, '_>, errors: &mut Errors) {
    container.required_members(&["image"], errors);
}

/// Pods, unlike templates, must not have spaces around an image.
pub(super) fn check_spaces(container: &Field<'_, '_>, errors: &mut Errors) {
    let image = container.child("image");
    if image.text().trim() != image.text() {
        image.invalid("must not have leading or trailing whitespace", errors);
    }
}
