//! Rules for names.

use kindsmith_formats::format::{grammar, message};
use kindsmith_formats::limit;
use kindsmith_json::Path;

use super::keys::check;
use crate::field_error::FieldError;

/// The rule for the names of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRule {
    /// A lowercase RFC 1123 subdomain: custom resources and most kinds.
    Subdomain,
    /// A lowercase RFC 1123 label.
    Label,
    /// A DNS-1035 label, which starts with a letter: services of older releases.
    OldLabel,
    /// Any segment of a URL path: embedded resources, RBAC.
    PathSegment,
    /// An IP address in canonical form: IPAddresses.
    IpAddress,
    /// Whatever the tags of the type say; prefixes of generated names are not checked.
    Tagged,
}

impl NameRule {
    /// Checks a name.
    pub fn validate(self, name: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
        self.check(name, name, path, errors);
    }

    /// Checks the prefix of a generated name.
    pub(super) fn validate_prefix(self, prefix: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
        match self {
            NameRule::Subdomain | NameRule::Label | NameRule::OldLabel => {
                self.check(&mask_trailing_dash(prefix), prefix, path, errors);
            }
            // A prefix may be `.` or `..`, because more characters follow (`content.IsPathSegmentPrefix`).
            NameRule::PathSegment if matches!(prefix, "." | "..") => {}
            NameRule::Tagged => {}
            NameRule::PathSegment | NameRule::IpAddress => self.check(prefix, prefix, path, errors),
        }
    }

    /// Checks `text`; the errors show `shown`.
    fn check(self, text: &str, shown: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
        let details = match self {
            NameRule::PathSegment => return check("k8s-path-segment-name", text, shown, path, errors),
            NameRule::IpAddress => return check("k8s-ip", text, shown, path, errors),
            NameRule::Subdomain => subdomain(text),
            NameRule::Label => label(text),
            NameRule::OldLabel => label_1035(text),
            NameRule::Tagged => return,
        };
        for detail in details.into_iter().flatten() {
            errors.push(FieldError::invalid(path, shown, detail));
        }
    }
}

/// Errors of a subdomain. The message says characters where formats say bytes; both count bytes
/// (`IsDNS1123Subdomain` in apimachinery's pkg/util/validation/validation.go).
fn subdomain(text: &str) -> [Option<String>; 2] {
    let shape = (!grammar::is_subdomain(text)).then(message::subdomain);
    [too_long(text, limit::SUBDOMAIN), shape]
}

/// Errors of a label (`IsDNS1123Label`).
fn label(text: &str) -> [Option<String>; 2] {
    let shape = match grammar::is_label(text) {
        true => None,
        false if grammar::is_subdomain(text) => Some("must not contain dots".to_owned()),
        false => Some(message::label()),
    };
    [too_long(text, limit::LABEL), shape]
}

/// Errors of a DNS-1035 label (`IsDNS1035Label`).
pub(super) fn label_1035(text: &str) -> [Option<String>; 2] {
    let shape = (!grammar::is_label_1035(text)).then(message::label_1035);
    [too_long(text, limit::LABEL), shape]
}

fn too_long(text: &str, limit: usize) -> Option<String> {
    (text.len() > limit).then(|| format!("must be no more than {limit} characters"))
}

/// Upstream removes the last two characters of a prefix that ends in a dash, not one (`maskTrailingDash` in
/// apimachinery's pkg/api/validation/generic.go), so the character before the dash is never checked.
fn mask_trailing_dash(prefix: &str) -> String {
    if prefix.len() < 2 || !prefix.ends_with('-') {
        return prefix.to_owned();
    }
    let bytes = &prefix.as_bytes()[..prefix.len() - 2];
    String::from_utf8_lossy(bytes).into_owned() + "a"
}
