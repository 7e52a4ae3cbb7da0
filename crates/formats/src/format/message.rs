//! The messages of name checks (`k8s.io/apimachinery/pkg/api/validate/content`). Decides nothing.

use super::grammar;

/// What a name without a domain is told.
pub const FULLY_QUALIFIED: &str = "a fully qualified name must be a domain and a name separated by a slash";

/// Prints a message with its expression and examples, odd spacing included (`content.RegexError`).
pub fn regex(message: &str, expression: &str, examples: &[&str]) -> String {
    let mut text = String::from(message);
    text.push_str(" (");
    for (index, example) in examples.iter().enumerate() {
        text.push_str(if index == 0 { "e.g. " } else { " or " });
        text.push('\'');
        text.push_str(example);
        text.push_str("', ");
    }
    text.push_str("regex used for validation is '");
    text.push_str(expression);
    text.push_str("')");
    text
}

/// `must be no more than <limit> bytes`.
pub fn max_length(limit: usize) -> String {
    format!("must be no more than {limit} bytes")
}

/// The message for a malformed RFC 1123 label.
pub fn label() -> String {
    regex(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and \
         end with an alphanumeric character",
        grammar::LABEL,
        &["my-name", "123-abc"],
    )
}

/// The message for a malformed RFC 1035 label.
pub fn label_1035() -> String {
    regex(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
         character, and end with an alphanumeric character",
        grammar::LABEL_1035,
        &["my-name", "abc-123"],
    )
}

/// The message for a malformed RFC 1123 subdomain.
pub fn subdomain() -> String {
    regex(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
         start and end with an alphanumeric character",
        grammar::SUBDOMAIN,
        &["example.com"],
    )
}

/// The message for a malformed RFC 1123 subdomain, ignoring case.
pub fn subdomain_caseless() -> String {
    regex(
        "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an \
         alphanumeric character",
        grammar::SUBDOMAIN,
        &["Example.com"],
    )
}

/// The message for a malformed name part of a label key.
pub fn name() -> String {
    regex(
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
         character",
        grammar::NAME,
        &["MyName", "my.name", "123-abc"],
    )
}

/// The message for a malformed label value.
pub fn label_value() -> String {
    regex(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
         start and end with an alphanumeric character",
        grammar::LABEL_VALUE,
        &["MyValue", "my_value", "12345"],
    )
}

/// The message for a malformed C identifier.
pub(crate) fn c_identifier() -> String {
    regex(
        "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric \
         characters or '_'",
        grammar::C_IDENTIFIER,
        &["my_name", "MY_NAME", "MyName"],
    )
}
