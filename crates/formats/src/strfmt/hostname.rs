//! `hostname`

use std::sync::LazyLock;

use super::{Format, string};
use kindsmith_gostd::regexp::Regexp;

pub(super) const FORMAT: Format = string(
    "hostname",
    "A host name of at most 255 bytes with labels of at most 63; letters and symbols of any script count.",
    "www.example.com",
    check,
);

/// The expression of kube-openapi (`strfmt.HostnamePattern`).
const PATTERN: &str = concat!(
    r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|",
    r"([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}",
    r"([a-zA-Z\p{L}]){2,63})$",
);

static REGEXP: LazyLock<Regexp> =
    LazyLock::new(|| Regexp::new(PATTERN).expect("the pattern is fixed and a test compiles it"));

fn check(value: &str) -> bool {
    // Checking lengths is cheap, so it comes first.
    value.len() <= 255 && value.split('.').all(|label| label.len() <= 63) && REGEXP.is_match(value)
}
