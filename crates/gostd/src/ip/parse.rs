//! The strict reader (`netip.ParseAddr`) and its error texts.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use super::{Addr, v6};
use crate::quote::quote_bytes;
use crate::utf8;

/// Why a text is no address; prints as Go's `netip.ParseAddr` error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseAddrError {
    text: Vec<u8>,
    message: &'static str,
    at: Vec<u8>,
}

impl fmt::Display for ParseAddrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParseAddr({}): {}", quote_bytes(&self.text), self.message)?;
        if self.at.is_empty() {
            Ok(())
        } else {
            write!(f, " (at {})", quote_bytes(&self.at))
        }
    }
}

impl std::error::Error for ParseAddrError {}

/// A message and the part of the text it points at, empty for none.
type Fault<'t> = (&'static str, &'t [u8]);

pub(super) fn parse(text: &[u8]) -> Result<Addr, ParseAddrError> {
    let parsed = match text.iter().find(|byte| matches!(byte, b'.' | b':' | b'%')) {
        Some(b'.') => v4(text).map(|octets| IpAddr::V4(Ipv4Addr::from(octets)).into()),
        Some(b':') => zoned(text),
        Some(_) => Err(("missing IPv6 address", &[][..])),
        None => Err(("unable to parse IP", &[][..])),
    };
    parsed.map_err(|(message, at)| ParseAddrError {
        text: text.to_owned(),
        message,
        at: at.to_owned(),
    })
}

fn zoned(text: &[u8]) -> Result<Addr, Fault<'_>> {
    let Some(percent) = text.iter().position(|&byte| byte == b'%') else {
        return Ok(v6(groups(text)?).into());
    };
    let (address, zone) = (&text[..percent], &text[percent + 1..]);
    if zone.is_empty() {
        return Err(("zone must be a non-empty string", b""));
    }
    Ok(Addr {
        ip: v6(groups(address)?),
        zone: utf8::lossy(zone).into_owned(),
    })
}

fn v4(text: &[u8]) -> Result<[u8; 4], Fault<'_>> {
    let mut octets = [0; 4];
    let (mut octet, mut value, mut digits) = (0, 0_u16, 0);
    for (index, &byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {
                if digits == 1 && value == 0 {
                    return Err(("IPv4 field has octet with leading zero", b""));
                }
                value = value * 10 + u16::from(byte - b'0');
                digits += 1;
                if value > 255 {
                    return Err(("IPv4 field has value >255", b""));
                }
            }
            b'.' => {
                if digits == 0 || index == text.len() - 1 {
                    return Err(("IPv4 field must have at least one digit", &text[index..]));
                }
                if octet == 3 {
                    return Err(("IPv4 address too long", b""));
                }
                octets[octet] = value as u8;
                octet += 1;
                (value, digits) = (0, 0);
            }
            _ => return Err(("unexpected character", &text[index..])),
        }
    }
    if octet < 3 {
        return Err(("IPv4 address too short", b""));
    }
    octets[3] = value as u8;
    Ok(octets)
}

fn groups(text: &[u8]) -> Result<[u8; 16], Fault<'_>> {
    let mut ip = [0; 16];
    let (mut filled, mut ellipsis) = (0, None);
    let mut rest = text;
    if let Some(after) = text.strip_prefix(b"::") {
        ellipsis = Some(0);
        rest = after;
        if rest.is_empty() {
            return Ok(ip);
        }
    }
    while filled < 16 {
        let (value, digits) = group(rest)?;
        if rest.get(digits) == Some(&b'.') {
            embed_v4(rest, &mut ip, filled, ellipsis.is_some())?;
            filled += 4;
            rest = b"";
            break;
        }
        ip[filled..filled + 2].copy_from_slice(&value.to_be_bytes());
        filled += 2;
        rest = &rest[digits..];
        if rest.is_empty() {
            break;
        }
        rest = after_colon(rest)?;
        if let Some(after) = rest.strip_prefix(b":") {
            if ellipsis.is_some() {
                return Err(("multiple :: in address", rest));
            }
            ellipsis = Some(filled);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return Err(("trailing garbage after address", rest));
    }
    expand(ip, filled, ellipsis)
}

fn group(text: &[u8]) -> Result<(u16, usize), Fault<'_>> {
    let mut value = 0_u16;
    let mut digits = 0;
    while let Some(digit) = text.get(digits).and_then(|&byte| char::from(byte).to_digit(16)) {
        if digits > 3 {
            return Err(("each group must have 4 or less digits", text));
        }
        value = value << 4 | digit as u16;
        digits += 1;
    }
    if digits == 0 {
        return Err(("each colon-separated field must have at least one digit", text));
    }
    Ok((value, digits))
}

fn after_colon(text: &[u8]) -> Result<&[u8], Fault<'_>> {
    match text.strip_prefix(b":") {
        None => Err(("unexpected character, want colon", text)),
        Some([]) => Err(("colon must be followed by more characters", text)),
        Some(rest) => Ok(rest),
    }
}

fn embed_v4<'t>(text: &'t [u8], ip: &mut [u8; 16], filled: usize, ellipsis: bool) -> Result<(), Fault<'t>> {
    if !ellipsis && filled != 12 {
        return Err((
            "embedded IPv4 address must replace the final 2 fields of the address",
            text,
        ));
    }
    if filled + 4 > 16 {
        return Err((
            "too many hex fields to fit an embedded IPv4 at the end of the address",
            text,
        ));
    }
    ip[filled..filled + 4].copy_from_slice(&v4(text)?);
    Ok(())
}

/// Moves what follows the ellipsis to the end.
pub(super) fn expand<'t>(
    mut ip: [u8; 16],
    filled: usize,
    ellipsis: Option<usize>,
) -> Result<[u8; 16], Fault<'t>> {
    match ellipsis {
        None if filled < 16 => Err(("address string too short", b"")),
        Some(_) if filled == 16 => Err(("the :: must expand to at least one field of zeros", b"")),
        None => Ok(ip),
        Some(start) => {
            let tail = filled - start;
            ip.copy_within(start..filled, 16 - tail);
            ip[start..16 - tail].fill(0);
            Ok(ip)
        }
    }
}
