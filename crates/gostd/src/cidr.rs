//! IP prefixes as Go's `net/netip` reads and prints them, and the older, more tolerant `net.ParseCIDR` that
//! Kubernetes still uses for old fields.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::ip::{self, Addr, ParseAddrError};
use crate::quote::quote;
use crate::strconv;

/// An IP address and how many of its leading bits name the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prefix {
    ip: IpAddr,
    bits: u8,
}

/// Why a text is not a prefix; prints as Go's `netip.ParsePrefix` error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePrefixError {
    text: String,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    NoSlash,
    Address(ParseAddrError),
    Zone,
    BadBits(String),
    OutOfRange,
}

impl fmt::Display for ParsePrefixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "netip.ParsePrefix({}): ", quote(&self.text))?;
        match &self.problem {
            Problem::NoSlash => f.write_str("no '/'"),
            Problem::Address(error) => error.fmt(f),
            Problem::Zone => f.write_str("IPv6 zones cannot be present in a prefix"),
            Problem::BadBits(bits) => write!(f, "bad bits after slash: {}", quote(bits)),
            Problem::OutOfRange => f.write_str("prefix length out of range"),
        }
    }
}

impl std::error::Error for ParsePrefixError {}

impl Prefix {
    /// Reads a prefix such as `10.0.0.0/8` (`netip.ParsePrefix`). Bits beyond the length are kept.
    pub fn parse(text: &str) -> Result<Prefix, ParsePrefixError> {
        parse(text).map_err(|problem| ParsePrefixError {
            text: text.to_owned(),
            problem,
        })
    }

    /// The address as written.
    pub fn ip(&self) -> IpAddr {
        self.ip
    }

    /// The number of bits that name the network.
    pub fn bits(&self) -> u8 {
        self.bits
    }

    /// Reports whether the address is an IPv4-mapped IPv6 address.
    pub fn is_v4_in_v6(&self) -> bool {
        ip::is_mapped(self.ip)
    }

    /// The prefix with the bits beyond its length cleared.
    pub fn masked(&self) -> Prefix {
        let ip = match self.ip {
            IpAddr::V4(v4) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & mask))
            }
            IpAddr::V6(v6) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits)).unwrap_or(0);
                IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & mask))
            }
        };
        Prefix { ip, bits: self.bits }
    }

    /// Reports whether the address is in the network; addresses of the other family never are.
    pub fn contains_ip(&self, ip: IpAddr) -> bool {
        self.ip.is_ipv4() == ip.is_ipv4() && Prefix { ip, bits: self.bits }.masked() == self.masked()
    }

    /// Reports whether the other network is inside this one.
    pub fn contains(&self, other: &Prefix) -> bool {
        self.bits <= other.bits && self.contains_ip(other.ip)
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.ip, self.bits)
    }
}

fn parse(text: &str) -> Result<Prefix, Problem> {
    let (address, length) = text.rsplit_once('/').ok_or(Problem::NoSlash)?;
    let addr = Addr::parse(address).map_err(Problem::Address)?;
    if !addr.zone().is_empty() {
        return Err(Problem::Zone);
    }
    let bad = || Problem::BadBits(length.to_owned());
    if length.len() > 1 && !matches!(length.as_bytes()[0], b'1'..=b'9') {
        return Err(bad());
    }
    let bits = strconv::atoi(length).map_err(|_| bad())?;
    let most = if addr.ip().is_ipv4() { 32 } else { 128 };
    match u8::try_from(bits) {
        Ok(bits) if bits <= most => Ok(Prefix { ip: addr.ip(), bits }),
        _ => Err(Problem::OutOfRange),
    }
}

/// Reads a prefix, leading zeros allowed in all numbers (`netutils.ParseCIDRSloppy`).
pub fn parse_sloppy(text: &str) -> Option<Prefix> {
    let (address, length) = text.split_once('/')?;
    let ip = ip::parse_sloppy_unmapped(address)?;
    let bits = ip::parse_sloppy_number(length)?;
    let most = if ip.is_ipv4() { 32 } else { 128 };
    (bits <= most).then_some(Prefix { ip, bits })
}
