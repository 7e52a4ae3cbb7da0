//! `ipv4` and `ipv6`

use super::{Format, string};
use kindsmith_gostd::ip::{self, Addr};

pub(super) const V4: Format = string(
    "ipv4",
    "An IP address with a dot in it; leading zeros are tolerated and so are IPv4-mapped addresses.",
    "192.0.2.1",
    check_v4,
);

pub(super) const V6: Format = string(
    "ipv6",
    "An IP address with a colon in it, without zone.",
    "2001:db8::1",
    check_v6,
);

fn check_v4(value: &str) -> bool {
    value.contains('.') && ip::parse_sloppy(value).is_some()
}

fn check_v6(value: &str) -> bool {
    value.contains(':') && Addr::parse(value).is_ok_and(|addr| addr.zone().is_empty())
}
