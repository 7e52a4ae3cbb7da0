//! The tolerant reader: Go's `net.ParseIP` before 1.17, kept by Kubernetes as `netutils.ParseIPSloppy`. Leading
//! zeros are skipped in IPv4 octets and IPv6 groups alike.

use std::net::{IpAddr, Ipv4Addr};

use super::{NetIp, parse::expand, v6};

/// Numbers from here on are refused even when they would be cut to size later.
const BIG: u32 = 0xFF_FFFF;

/// Reads an address, leading zeros included.
pub fn parse_sloppy(text: &str) -> Option<NetIp> {
    parse_sloppy_unmapped(text).map(|ip| NetIp(ip.to_canonical()))
}

/// Reads an address, leading zeros included, and leaves an IPv4-mapped one in its IPv6 form.
pub(crate) fn parse_sloppy_unmapped(text: &str) -> Option<IpAddr> {
    match text.bytes().find(|byte| matches!(byte, b'.' | b':'))? {
        b'.' => v4(text).map(|octets| IpAddr::V4(Ipv4Addr::from(octets))),
        _ => groups(text).map(v6),
    }
}

/// Reads a decimal number and returns what follows it.
pub(crate) fn sloppy_number(text: &str) -> Option<(u32, &str)> {
    number(text, 10)
}

/// Reads a number and returns what follows it.
fn number(text: &str, radix: u32) -> Option<(u32, &str)> {
    let mut value = 0;
    let end = text
        .bytes()
        .position(|byte| !char::from(byte).is_digit(radix))
        .unwrap_or(text.len());
    for byte in text[..end].bytes() {
        value = value * radix + char::from(byte).to_digit(radix)?;
        if value >= BIG {
            return None;
        }
    }
    (end > 0).then(|| (value, &text[end..]))
}

fn v4(text: &str) -> Option<[u8; 4]> {
    let mut octets = [0; 4];
    let mut rest = text;
    for (index, octet) in octets.iter_mut().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix('.')?;
        }
        let (value, after) = number(rest, 10)?;
        *octet = u8::try_from(value).ok()?;
        rest = after;
    }
    rest.is_empty().then_some(octets)
}

fn groups(text: &str) -> Option<[u8; 16]> {
    let mut ip = [0; 16];
    let (mut filled, mut ellipsis) = (0, None);
    let mut rest = text;
    if let Some(after) = text.strip_prefix("::") {
        ellipsis = Some(0);
        rest = after;
        if rest.is_empty() {
            return Some(ip);
        }
    }
    while filled < 16 {
        let (value, after) = number(rest, 16)?;
        let value = u16::try_from(value).ok()?;
        if after.starts_with('.') {
            if (ellipsis.is_none() && filled != 12) || filled + 4 > 16 {
                return None;
            }
            ip[filled..filled + 4].copy_from_slice(&v4(rest)?);
            filled += 4;
            rest = "";
            break;
        }
        ip[filled..filled + 2].copy_from_slice(&value.to_be_bytes());
        filled += 2;
        rest = after;
        if rest.is_empty() {
            break;
        }
        rest = rest.strip_prefix(':').filter(|rest| !rest.is_empty())?;
        if let Some(after) = rest.strip_prefix(':') {
            if ellipsis.replace(filled).is_some() {
                return None;
            }
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return None;
    }
    expand(ip, filled, ellipsis).ok()
}
