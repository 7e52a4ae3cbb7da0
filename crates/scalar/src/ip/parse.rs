//! The strict reader (`netip.ParseAddr`) and its error texts.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use super::{Addr, v6};
use crate::quote::quote;

/// Why a text is no address; prints as Go's `netip.ParseAddr` error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseAddrError {
    text: String,
    message: &'static str,
    at: String,
}

impl fmt::Display for ParseAddrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParseAddr({}): {}", quote(&self.text), self.message)?;
        if self.at.is_empty() {
            Ok(())
        } else {
            write!(f, " (at {})", quote(&self.at))
        }
    }
}

impl std::error::Error for ParseAddrError {}

/// A message and the part of the text it points at, empty for none.
type Fault<'t> = (&'static str, &'t str);

pub(super) fn parse(text: &str) -> Result<Addr, ParseAddrError> {
    let parsed = match text.bytes().find(|byte| matches!(byte, b'.' | b':' | b'%')) {
        Some(b'.') => v4(text).map(|octets| IpAddr::V4(Ipv4Addr::from(octets)).into()),
        Some(b':') => zoned(text),
        Some(_) => Err(("missing IPv6 address", "")),
        None => Err(("unable to parse IP", "")),
    };
    parsed.map_err(|(message, at)| ParseAddrError {
        text: text.to_owned(),
        message,
        at: at.to_owned(),
    })
}

fn zoned(text: &str) -> Result<Addr, Fault<'_>> {
    let Some((address, zone)) = text.split_once('%') else {
        return Ok(v6(groups(text)?).into());
    };
    if zone.is_empty() {
        return Err(("zone must be a non-empty string", ""));
    }
    Ok(Addr {
        ip: v6(groups(address)?),
        zone: zone.to_owned(),
    })
}

fn v4(text: &str) -> Result<[u8; 4], Fault<'_>> {
    let bytes = text.as_bytes();
    let mut octets = [0; 4];
    let (mut octet, mut value, mut digits) = (0, 0_u16, 0);
    for (index, &byte) in bytes.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {
                if digits == 1 && value == 0 {
                    return Err(("IPv4 field has octet with leading zero", ""));
                }
                value = value * 10 + u16::from(byte - b'0');
                digits += 1;
                if value > 255 {
                    return Err(("IPv4 field has value >255", ""));
                }
            }
            b'.' => {
                if digits == 0 || index == bytes.len() - 1 {
                    return Err(("IPv4 field must have at least one digit", &text[index..]));
                }
                if octet == 3 {
                    return Err(("IPv4 address too long", ""));
                }
                octets[octet] = value as u8;
                octet += 1;
                (value, digits) = (0, 0);
            }
            _ => return Err(("unexpected character", &text[index..])),
        }
    }
    if octet < 3 {
        return Err(("IPv4 address too short", ""));
    }
    octets[3] = value as u8;
    Ok(octets)
}

fn groups(text: &str) -> Result<[u8; 16], Fault<'_>> {
    let mut ip = [0; 16];
    let (mut filled, mut ellipsis) = (0, None);
    let mut rest = text;
    if let Some(after) = text.strip_prefix("::") {
        ellipsis = Some(0);
        rest = after;
        if rest.is_empty() {
            return Ok(ip);
        }
    }
    while filled < 16 {
        let (value, digits) = group(rest)?;
        if rest.as_bytes().get(digits) == Some(&b'.') {
            embed_v4(rest, &mut ip, filled, ellipsis.is_some())?;
            filled += 4;
            rest = "";
            break;
        }
        ip[filled..filled + 2].copy_from_slice(&value.to_be_bytes());
        filled += 2;
        rest = &rest[digits..];
        if rest.is_empty() {
            break;
        }
        rest = after_colon(rest)?;
        if let Some(after) = rest.strip_prefix(':') {
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

fn group(text: &str) -> Result<(u16, usize), Fault<'_>> {
    let mut value = 0_u16;
    let mut digits = 0;
    while let Some(digit) = text
        .as_bytes()
        .get(digits)
        .and_then(|&byte| char::from(byte).to_digit(16))
    {
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

fn after_colon(text: &str) -> Result<&str, Fault<'_>> {
    match text.strip_prefix(':') {
        None => Err(("unexpected character, want colon", text)),
        Some("") => Err(("colon must be followed by more characters", text)),
        Some(rest) => Ok(rest),
    }
}

fn embed_v4<'t>(text: &'t str, ip: &mut [u8; 16], filled: usize, ellipsis: bool) -> Result<(), Fault<'t>> {
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
        None if filled < 16 => Err(("address string too short", "")),
        Some(_) if filled == 16 => Err(("the :: must expand to at least one field of zeros", "")),
        None => Ok(ip),
        Some(start) => {
            let tail = filled - start;
            ip.copy_within(start..filled, 16 - tail);
            ip[start..16 - tail].fill(0);
            Ok(ip)
        }
    }
}
