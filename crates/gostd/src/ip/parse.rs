//! The strict reader: `netip.ParseAddr` with its error texts.
//!
//! Go and Rust accept the same addresses, so the standard library parses them. Only Go says what is wrong
//! with the others and where; that is computed here, and only when needed.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::Addr;
use crate::quote::quote_bytes;
use crate::utf8;

/// Why a text is not an address; prints as Go's `netip.ParseAddr` error.
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

/// A message and the rest of the text from the fault on; the rest is empty if Go names no place.
type Fault<'t> = (&'static str, &'t [u8]);

pub(super) fn parse(text: &[u8]) -> Result<Addr, ParseAddrError> {
    read(text).map_err(|(message, at)| ParseAddrError {
        text: text.to_owned(),
        message,
        at: at.to_owned(),
    })
}

/// The first separator decides the kind of address.
fn read(text: &[u8]) -> Result<Addr, Fault<'_>> {
    match text.iter().find(|byte| b".:%".contains(byte)) {
        Some(b'.') => match standard::<Ipv4Addr>(text) {
            Some(ip) => Ok(IpAddr::V4(ip).into()),
            None => Err(v4_fault(text).unwrap_or(NOT_AN_ADDRESS)),
        },
        Some(b':') => read_v6(text),
        Some(_) => Err(("missing IPv6 address", b"")),
        None => Err(NOT_AN_ADDRESS),
    }
}

const NOT_AN_ADDRESS: Fault<'static> = ("unable to parse IP", b"");

fn read_v6(text: &[u8]) -> Result<Addr, Fault<'_>> {
    let mut halves = text.splitn(2, |byte| *byte == b'%');
    let (address, zone) = (halves.next().unwrap_or_default(), halves.next());
    if zone.is_some_and(<[u8]>::is_empty) {
        return Err(("zone must be a non-empty string", b""));
    }
    let ip = standard::<Ipv6Addr>(address).ok_or_else(|| v6_fault(address))?;
    Ok(Addr {
        ip: IpAddr::V6(ip),
        zone: utf8::lossy(zone.unwrap_or_default()).into_owned(),
    })
}

fn standard<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The first fault of an IPv4 address, field by field; `None` if it has none.
fn v4_fault(text: &[u8]) -> Option<Fault<'_>> {
    let mut start = 0;
    for (index, field) in text.split(|byte| *byte == b'.').enumerate() {
        let end = start + field.len();
        let digits = field.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits > 1 && field[0] == b'0' {
            return Some(("IPv4 field has octet with leading zero", b""));
        }
        if digits > 0 && standard::<u8>(&field[..digits]).is_none() {
            return Some(("IPv4 field has value >255", b""));
        }
        if digits < field.len() {
            return Some(("unexpected character", &text[start + digits..]));
        }
        let is_last = end == text.len();
        let ends_in_dot = end + 1 == text.len();
        if ends_in_dot || (field.is_empty() && !is_last) {
            return Some(("IPv4 field must have at least one digit", &text[end..]));
        }
        if index == 3 && !is_last {
            return Some(("IPv4 address too long", b""));
        }
        if index < 3 && is_last {
            return Some(("IPv4 address too short", b""));
        }
        start = end + 1;
    }
    None
}

/// The first fault of an IPv6 address that does not parse.
fn v6_fault(text: &[u8]) -> Fault<'_> {
    let mut walk = V6 {
        text,
        groups: 0,
        has_gap: false,
    };
    walk.runs().err().unwrap_or(if walk.has_gap {
        ("the :: must expand to at least one field of zeros", b"")
    } else {
        ("address string too short", b"")
    })
}

/// The part of an IPv6 address that was found to be correct.
struct V6<'t> {
    text: &'t [u8],
    /// The number of 16-bit groups.
    groups: usize,
    /// Whether there was a `::`.
    has_gap: bool,
}

impl<'t> V6<'t> {
    /// Checks the runs of groups between `::`.
    fn runs(&mut self) -> Result<(), Fault<'t>> {
        let mut start = 0;
        loop {
            let gap = self.text[start..].windows(2).position(|pair| pair == b"::");
            let end = gap.map_or(self.text.len(), |length| start + length);
            // Only at either end of the address may a `::` have nothing beside it.
            let may_be_empty = end == 0 || start == self.text.len();
            if start < end || !may_be_empty {
                self.run(start, end)?;
            }
            if gap.is_none() {
                return Ok(());
            }
            if self.has_gap {
                return Err(("multiple :: in address", &self.text[end + 1..]));
            }
            self.has_gap = true;
            start = end + 2;
        }
    }

    /// Checks groups separated by single colons.
    fn run(&mut self, start: usize, end: usize) -> Result<(), Fault<'t>> {
        let mut at = start;
        for field in self.text[start..end].split(|byte| *byte == b':') {
            if at > start && at == self.text.len() {
                return Err(("colon must be followed by more characters", &self.text[at - 1..]));
            }
            let rest = &self.text[at..];
            if self.groups == 8 {
                return Err(("trailing garbage after address", rest));
            }
            self.group(field, rest)?;
            at += field.len() + 1;
        }
        Ok(())
    }

    /// Checks one group, or the IPv4 address that ends the text; `rest` starts with it.
    fn group(&mut self, field: &[u8], rest: &'t [u8]) -> Result<(), Fault<'t>> {
        let digits = field.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        match (digits, field.get(digits)) {
            (0, _) => Err(("each colon-separated field must have at least one digit", rest)),
            (5.., _) => Err(("each group must have 4 or less digits", rest)),
            (_, Some(b'.')) => self.embedded_v4(rest),
            (_, Some(_)) => Err(("unexpected character, want colon", &rest[digits..])),
            (_, None) => {
                self.groups += 1;
                Ok(())
            }
        }
    }

    fn embedded_v4(&mut self, rest: &'t [u8]) -> Result<(), Fault<'t>> {
        if !self.has_gap && self.groups != 6 {
            let message = "embedded IPv4 address must replace the final 2 fields of the address";
            return Err((message, rest));
        }
        if self.groups > 6 {
            let message = "too many hex fields to fit an embedded IPv4 at the end of the address";
            return Err((message, rest));
        }
        self.groups += 2;
        v4_fault(rest).map_or(Ok(()), Err)
    }
}
