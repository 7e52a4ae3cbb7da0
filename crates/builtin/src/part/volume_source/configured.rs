//! Files from ConfigMaps and Secrets.

use super::check_mode;
use crate::field::{Errors, Field};
use crate::part::file_path::check_unreserved;

/// Checks the files of a ConfigMap or Secret.
pub(super) fn check_files(source: &Field<'_, '_>, errors: &mut Errors) {
    check_mode(&source.child("defaultMode"), errors);
    source.child("defaultUser").user_id(errors);
    check_items(source, errors);
}

/// Checks which keys become which files.
pub(super) fn check_items(source: &Field<'_, '_>, errors: &mut Errors) {
    for item in source.child("items").items() {
        item.required_members(&["key", "path"], errors);
        check_unreserved(&item.child("path"), errors);
        check_mode(&item.child("mode"), errors);
        item.child("user").user_id(errors);
    }
}
