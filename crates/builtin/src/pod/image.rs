//! Images of containers and their pull policies.

use crate::field::{Errors, Field};

/// Checks the image of any container.
pub(super) fn check_image(container: &Field<'_, '_>, errors: &mut Errors) {
    container.required_members(&["image"], errors);
}

/// In pods, but not in templates, an image must not have leading or trailing spaces.
pub(super) fn check_spaces(container: &Field<'_, '_>, errors: &mut Errors) {
    let image = container.child("image");
    if image.text().trim() != image.text() {
        image.invalid("must not have leading or trailing whitespace", errors);
    }
}
