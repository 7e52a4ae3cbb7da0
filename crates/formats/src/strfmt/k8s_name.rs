//! `k8s-short-name` and `k8s-long-name`

use super::{Format, string};
use crate::format::grammar;

pub(super) const SHORT: Format = string(
    "k8s-short-name",
    "A lowercase RFC 1123 label of at most 63 bytes.",
    "my-name",
    check_short,
);

pub(super) const LONG: Format = string(
    "k8s-long-name",
    "A lowercase RFC 1123 subdomain of at most 253 bytes.",
    "example.com",
    check_long,
);

fn check_short(value: &str) -> bool {
    value.len() <= 63 && grammar::is_label(value)
}

fn check_long(value: &str) -> bool {
    value.len() <= 253 && grammar::is_subdomain(value)
}
