//! Disks of cloud providers.

use crate::field::{Errors, Field};
use crate::field_check::not_supported;
use crate::types::words;

/// A partition is a small number; zero stands for the whole disk, though the message does not say so.
pub(crate) fn check_partition(disk: &Field<'_, '_>, errors: &mut Errors) {
    let partition = disk.child("partition");
    if !(0..=255).contains(&partition.number()) {
        partition.invalid("must be between 1 and 255, inclusive", errors);
    }
}

/// The kind of an Azure disk decides what its address starts with.
pub(crate) fn check_azure(disk: &Field<'_, '_>, errors: &mut Errors) {
    const MANAGED: &str =
        "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
    const BLOB: &str = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
    let kind = disk.child("kind");
    disk.child("cachingMode")
        .optional_word(words("core/v1.AzureDataDiskCachingMode"), errors);
    kind.optional_word(words("core/v1.AzureDataDiskKind"), errors);
    if !kind.is_set() {
        return;
    }
    let (start, form) = match kind.text() {
        "Managed" => ("/subscriptions/", MANAGED),
        _ => ("https://", BLOB),
    };
    let address = disk.child("diskURI");
    if !address.text().starts_with(start) {
        errors.push(not_supported(&address.path, address.text(), &[form]));
    }
}
