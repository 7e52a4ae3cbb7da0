//! The tolerant reader: Go's `net.ParseIP` before 1.17, kept by Kubernetes as `netutils.ParseIPSloppy`.
//!
//! It allows any number of leading zeros in IPv4 octets and IPv6 groups. An address without them is parsed as
//! usual.

use std::net::IpAddr;

use super::NetIp;

/// Reads an address, leading zeros allowed.
pub fn parse_sloppy(text: &str) -> Option<NetIp> {
    parse_sloppy_unmapped(text).map(|ip| NetIp(ip.to_canonical()))
}

/// Reads an address, leading zeros allowed. An IPv4-mapped address stays an IPv6 address.
pub(crate) fn parse_sloppy_unmapped(text: &str) -> Option<IpAddr> {
    if let Ok(ip) = text.parse() {
        return Some(ip);
    }
    without_leading_zeros(text).parse().ok()
}

/// Reads a decimal number of up to 255, leading zeros allowed.
pub(crate) fn parse_sloppy_number(text: &str) -> Option<u8> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return None;
    }
    without_leading_zeros(text).parse().ok()
}

/// Drops zeros that a number starts with, except for one that is the whole number.
fn without_leading_zeros(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let starts_number = !kept.ends_with(|before: char| before.is_ascii_hexdigit());
        let goes_on = chars.peek().is_some_and(char::is_ascii_hexdigit);
        if !(c == '0' && starts_number && goes_on) {
            kept.push(c);
        }
    }
    kept
}
