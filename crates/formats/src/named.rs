//! The named formats of Kubernetes' CEL library, such as `format.dns1123Label()`, which also check object names.
//! Each reports messages; it knows nothing of CEL.

use crate::format::{self, grammar, message};
use crate::limit;
use crate::strfmt::{self, Applies};
use kindsmith_gostd::url::Url;

/// Receives the messages about one value, in order.
pub type Report<'r> = dyn FnMut(String) + 'r;

/// A named format.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The name of the CEL function.
    pub name: &'static str,
    /// The format as CEL prints it.
    pub title: &'static str,
    /// The size of its regular expression, which CEL's cost model counts.
    pub regex_size: u64,
    /// Reports what is wrong with a value.
    pub check: fn(&str, &mut Report<'_>),
}

/// Every named format, ordered by name.
pub const NAMED: &[Named] = &[
    named("byte", "byte", 84, |value, report| {
        plain(value, "byte", "invalid base64", report);
    }),
    named("date", "date", 71, |value, report| {
        plain(value, "date", "invalid date", report);
    }),
    named("datetime", "datetime", 71, |value, report| {
        plain(value, "date-time", "invalid datetime", report);
    }),
    named("dns1035Label", "DNS1035Label", 30, label_1035),
    named("dns1035LabelPrefix", "DNS1035LabelPrefix", 30, |value, report| {
        label_1035(&stem(value), report);
    }),
    named("dns1123Label", "DNS1123Label", 30, label),
    named("dns1123LabelPrefix", "DNS1123LabelPrefix", 30, |value, report| {
        label(&stem(value), report);
    }),
    named("dns1123Subdomain", "DNS1123Subdomain", 60, subdomain),
    named(
        "dns1123SubdomainPrefix",
        "DNS1123SubdomainPrefix",
        60,
        |value, report| {
            subdomain(&stem(value), report);
        },
    ),
    named("labelValue", "LabelValue", 40, |value, report| {
        tagged(value, "k8s-label-value", report);
    }),
    named("qualifiedName", "QualifiedName", 60, |value, report| {
        tagged(value, "k8s-label-key", report);
    }),
    named("uri", "URI", 1103, uri),
    named("uuid", "uuid", 70, |value, report| {
        plain(value, "uuid", "does not match the UUID format", report);
    }),
];

/// Finds a named format by the name of its CEL function.
pub fn find(name: &str) -> Option<&'static Named> {
    NAMED.iter().find(|named| named.name == name)
}

const fn named(
    name: &'static str,
    title: &'static str,
    regex_size: u64,
    check: fn(&str, &mut Report<'_>),
) -> Named {
    Named {
        name,
        title,
        regex_size,
        check,
    }
}

fn label(value: &str, report: &mut Report<'_>) {
    check_length(value, limit::LABEL, report);
    if grammar::is_label(value) {
        return;
    }
    report(if grammar::is_subdomain(value) {
        "must not contain dots".to_owned()
    } else {
        message::label()
    });
}

fn subdomain(value: &str, report: &mut Report<'_>) {
    check_length(value, limit::SUBDOMAIN, report);
    if !grammar::is_subdomain(value) {
        report(message::subdomain());
    }
}

fn label_1035(value: &str, report: &mut Report<'_>) {
    check_length(value, limit::LABEL, report);
    if !grammar::is_label_1035(value) {
        report(message::label_1035());
    }
}

/// The messages about object names say characters, those of the tag formats say bytes; both count bytes
/// (`MaxLenError` in apimachinery's `pkg/util/validation`).
fn check_length(value: &str, limit: usize, report: &mut Report<'_>) {
    if value.len() > limit {
        report(format!("must be no more than {limit} characters"));
    }
}

fn uri(value: &str, report: &mut Report<'_>) {
    if let Err(error) = Url::parse_request_uri(value) {
        report(error.to_string());
    }
}

/// Reports what the tag format of that name reports.
fn tagged(value: &str, tag: &str, report: &mut Report<'_>) {
    let format = format::find(tag).expect("this file names only formats that exist; a test runs them all");
    (format.check)(value, &mut |violation| report(violation.detail));
}

/// Reports one message if the OpenAPI format of that name rejects the value.
fn plain(value: &str, name: &str, text: &str, report: &mut Report<'_>) {
    if !strfmt::find(Applies::String, name).is_some_and(|format| (format.check)(value)) {
        report(text.to_owned());
    }
}

/// A prefix may end in a dash, since more follows: the last two bytes count as one letter (`maskTrailingDash` in
/// apimachinery's `pkg/api/validation/generic.go`).
fn stem(value: &str) -> String {
    if value.len() < 2 || !value.ends_with('-') {
        return value.to_owned();
    }
    match value.get(..value.len() - 2) {
        Some(head) => format!("{head}a"),
        // This would split a non-ASCII character, which no name may contain; a question mark fails as well.
        None => "?".repeat(value.len() - 1),
    }
}
