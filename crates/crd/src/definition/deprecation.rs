//! `deprecationWarning` of a version.

use kindsmith_gostd::quote::is_print;
use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_openapi::crd::Version;

use super::faults::Faults;

const MAX_BYTES: usize = 256;

pub(super) fn check(version: &Version, path: &Path<'_>, faults: &mut Faults) {
    let Some(warning) = version.deprecation_warning.as_deref() else {
        return;
    };
    let at = path.child("deprecationWarning");
    let mut complain = |detail: &str| faults.invalid(&at, BadValue::json_text(warning), detail);
    if !version.deprecated {
        complain("can only be set for deprecated versions");
        return;
    }
    if warning.len() > MAX_BYTES {
        complain("must be <= 256 characters long");
    }
    if warning.is_empty() {
        complain("must not be an empty string");
    }
    if let Some((index, _)) = warning.char_indices().find(|&(_, c)| !is_print(c)) {
        complain(&format!(
            "must only contain printable UTF-8 characters; non-printable character found at index {index}"
        ));
    }
}
