//! IP addresses as Go's `net/netip` reads and prints them, and the older, more tolerant `net.ParseIP` that
//! Kubernetes still uses for old fields. Prefixes are in [`crate::cidr`].

mod parse;
mod sloppy;

use std::fmt::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr};

pub use parse::ParseAddrError;
pub use sloppy::parse_sloppy;
pub(crate) use sloppy::{parse_sloppy_number, parse_sloppy_unmapped};

/// An IP address, possibly with an IPv6 zone. An IPv4 address and its IPv6-mapped form are different addresses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Addr {
    ip: IpAddr,
    zone: String,
}

impl Addr {
    /// Reads an address as `netip.ParseAddr` does.
    pub fn parse(text: &str) -> Result<Addr, ParseAddrError> {
        parse::parse(text.as_bytes())
    }

    /// Reads an address from bytes, which may be invalid UTF-8.
    pub(crate) fn parse_bytes(bytes: &[u8]) -> Result<Addr, ParseAddrError> {
        parse::parse(bytes)
    }

    /// The address without its zone.
    pub fn ip(&self) -> IpAddr {
        self.ip
    }

    /// The IPv6 zone; empty without one.
    pub fn zone(&self) -> &str {
        &self.zone
    }

    /// Reports whether it is an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`).
    pub fn is_v4_in_v6(&self) -> bool {
        is_mapped(self.ip)
    }

    /// The address family: 4 or 6.
    pub fn family(&self) -> u8 {
        if self.ip.is_ipv4() { 4 } else { 6 }
    }

    /// `0.0.0.0` or `::`.
    pub fn is_unspecified(&self) -> bool {
        self.zone.is_empty() && self.ip.is_unspecified()
    }

    /// `127.0.0.0/8` or `::1`, also in IPv4-mapped form.
    pub fn is_loopback(&self) -> bool {
        self.ip.to_canonical().is_loopback()
    }

    /// `224.0.0.0/24` or `ff02::/16` with any flags.
    pub fn is_link_local_multicast(&self) -> bool {
        match self.ip.to_canonical() {
            IpAddr::V4(v4) => v4.octets()[..3] == [224, 0, 0],
            IpAddr::V6(v6) => v6.segments()[0] & 0xff0f == 0xff02,
        }
    }

    /// `169.254.0.0/16` or `fe80::/10`.
    pub fn is_link_local_unicast(&self) -> bool {
        match self.ip.to_canonical() {
            IpAddr::V4(v4) => v4.is_link_local(),
            IpAddr::V6(v6) => v6.segments()[0] & 0xffc0 == 0xfe80,
        }
    }

    /// Neither unspecified, broadcast, loopback, multicast nor link-local; private addresses are global.
    pub fn is_global_unicast(&self) -> bool {
        let ip = self.ip.to_canonical();
        // A zone makes an address differ from `::`, but an IPv4-mapped address loses its zone first.
        let unspecified = ip.is_unspecified() && (self.zone.is_empty() || ip.is_ipv4());
        !unspecified
            && ip != IpAddr::V4(Ipv4Addr::BROADCAST)
            && !ip.is_loopback()
            && !ip.is_multicast()
            && !self.is_link_local_unicast()
    }

    /// Reports whether the text is exactly what the address prints as, without building that text.
    pub fn is_written_as(&self, text: &str) -> bool {
        prints_as(self, text)
    }
}

impl From<IpAddr> for Addr {
    fn from(ip: IpAddr) -> Self {
        Addr {
            ip,
            zone: String::new(),
        }
    }
}

impl fmt::Display for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.ip)?;
        if self.zone.is_empty() {
            Ok(())
        } else {
            write!(f, "%{}", self.zone)
        }
    }
}

/// An address as Go's older `net.IP` stores it: an IPv4-mapped IPv6 address *is* the IPv4 address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NetIp(pub(crate) IpAddr);

impl NetIp {
    /// The address, never IPv4-mapped.
    pub fn ip(&self) -> IpAddr {
        self.0
    }

    /// Reports whether the text is exactly what the address prints as, without building that text.
    pub fn is_written_as(&self, text: &str) -> bool {
        prints_as(self, text)
    }
}

impl fmt::Display for NetIp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

pub(crate) fn is_mapped(ip: IpAddr) -> bool {
    matches!(ip, IpAddr::V6(v6) if v6.to_ipv4_mapped().is_some())
}

fn prints_as(value: &dyn fmt::Display, text: &str) -> bool {
    struct Rest<'t>(&'t str);
    impl fmt::Write for Rest<'_> {
        fn write_str(&mut self, piece: &str) -> fmt::Result {
            self.0 = self.0.strip_prefix(piece).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    let mut rest = Rest(text);
    write!(rest, "{value}").is_ok() && rest.0.is_empty()
}
