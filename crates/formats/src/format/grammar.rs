//! The grammar of names, as byte loops. Knows no messages and no length limits.
//!
//! Each function gives the answer of the anchored regular expression in its doc comment
//! (`k8s.io/apimachinery/pkg/api/validate/content`), without running one.

/// The expression for a lowercase RFC 1123 label, as messages print it.
pub const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
/// The expression for a lowercase RFC 1123 subdomain, as messages print it.
pub const SUBDOMAIN: &str = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
/// The expression for the name part of a label key, as messages print it.
pub const NAME: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
/// The expression for a label value, as messages print it.
pub const LABEL_VALUE: &str = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
/// The expression for a C identifier, as messages print it.
pub(crate) const C_IDENTIFIER: &str = "[A-Za-z_][A-Za-z0-9_]*";
/// The expression for an RFC 1035 label, as messages print it.
pub(crate) const LABEL_1035: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";

const fn is_lower_alnum(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Reports whether the text matches [`LABEL`].
pub fn is_label(text: &str) -> bool {
    is_label_bytes(text.as_bytes())
}

fn is_label_bytes(label: &[u8]) -> bool {
    let (Some(&first), Some(&last)) = (label.first(), label.last()) else {
        return false;
    };
    is_lower_alnum(first)
        && is_lower_alnum(last)
        && label.iter().all(|&byte| is_lower_alnum(byte) || byte == b'-')
}

/// Reports whether the text matches `LABEL_1035`.
pub fn is_label_1035(text: &str) -> bool {
    text.as_bytes().first().is_some_and(u8::is_ascii_lowercase) && is_label(text)
}

/// Reports whether the text matches [`SUBDOMAIN`].
pub fn is_subdomain(text: &str) -> bool {
    text.as_bytes().split(|&byte| byte == b'.').all(is_label_bytes)
}

/// Reports whether the text matches [`SUBDOMAIN`] with Go's `(?i)` flag.
///
/// Go folds case by Unicode simple folding, so U+017F counts as `s` and U+212A as `k`.
pub(crate) fn is_subdomain_caseless(text: &str) -> bool {
    fn is_alnum(c: char) -> bool {
        c.is_ascii_alphanumeric() || c == '\u{17f}' || c == '\u{212a}'
    }
    text.split('.').all(|label| {
        label.starts_with(is_alnum)
            && label.ends_with(is_alnum)
            && label.chars().all(|c| is_alnum(c) || c == '-')
    })
}

/// Reports whether the text matches [`NAME`].
pub fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return false;
    };
    first.is_ascii_alphanumeric()
        && last.is_ascii_alphanumeric()
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Reports whether the text matches [`C_IDENTIFIER`].
pub(crate) fn is_c_identifier(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes
        .first()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}
