//! `uri`

use super::{Format, string};
use kindsmith_gostd::url::Url;

pub(super) const FORMAT: Format = string(
    "uri",
    "An absolute URL or path that Go accepts in requests.",
    "https://example.com/a?b=c",
    check,
);

fn check(value: &str) -> bool {
    Url::parse_request_uri(value).is_ok()
}
