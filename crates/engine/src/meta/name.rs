//! What a name may look like.

use kindsmith_json::Path;

use super::keys::check;
use crate::error::FieldError;

/// What a name must look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRule {
    /// A lowercase RFC 1123 subdomain: custom resources and most kinds.
    Subdomain,
    /// A lowercase RFC 1123 label.
    Label,
    /// Any segment of a URL path: embedded resources, RBAC.
    PathSegment,
}

impl NameRule {
    /// Checks a name.
    pub(super) fn validate(self, name: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
        check(self.format(), name, name, path, errors);
    }

    /// Checks the prefix of a name to be generated.
    pub(super) fn validate_prefix(self, prefix: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
        match self {
            NameRule::Subdomain | NameRule::Label => {
                check(self.format(), &mask_trailing_dash(prefix), prefix, path, errors);
            }
            // A prefix may be `.` or `..`, for more follows (`content.IsPathSegmentPrefix`).
            NameRule::PathSegment if matches!(prefix, "." | "..") => {}
            NameRule::PathSegment => check(self.format(), prefix, prefix, path, errors),
        }
    }

    fn format(self) -> &'static str {
        match self {
            NameRule::Subdomain => "k8s-long-name",
            NameRule::Label => "k8s-short-name",
            NameRule::PathSegment => "k8s-path-segment-name",
        }
    }
}

/// Upstream takes the last two characters off a prefix that ends in a dash, not one
/// (`maskTrailingDash` in apimachinery's pkg/api/validation/generic.go), so the one before the dash goes unchecked.
fn mask_trailing_dash(prefix: &str) -> String {
    if prefix.len() < 2 || !prefix.ends_with('-') {
        return prefix.to_owned();
    }
    let bytes = &prefix.as_bytes()[..prefix.len() - 2];
    String::from_utf8_lossy(bytes).into_owned() + "a"
}
