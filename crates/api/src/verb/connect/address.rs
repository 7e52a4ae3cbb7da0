//! Names and addresses of targets.

use std::net::IpAddr;

use kindsmith_gostd::quote::quote;
use kindsmith_request::Status;

/// The name and the port of `scheme:name:port`, of which scheme and port may be left out
/// (`SplitSchemeNamePort` in apimachinery's pkg/util/net).
pub(super) fn name_and_port<'i>(kind: &str, id: &'i str) -> Result<(&'i str, &'i str), Status> {
    let parts: Vec<&str> = id.split(':').collect();
    let found = match *parts {
        [name] => Some((name, "")),
        [name, port] | ["http" | "https" | "", name, port] => Some((name, port)),
        _ => None,
    };
    let found = found.filter(|(name, _)| !name.is_empty());
    found.ok_or_else(|| Status::bad_request(format!("invalid {kind} request {}", quote(id))))
}

/// Whether an address is one of a host that is not this one (`IP.IsGlobalUnicast` in Go).
pub(super) fn is_reachable(address: IpAddr) -> bool {
    let is_special = address.is_unspecified() || address.is_loopback() || address.is_multicast();
    let is_near = match address {
        IpAddr::V4(address) => address.is_link_local() || address.is_broadcast(),
        IpAddr::V6(address) => address.segments()[0] & 0xffc0 == 0xfe80,
    };
    !is_special && !is_near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_and_ports_may_be_left_out() {
        let check = |id, expected: Option<(&str, &str)>| {
            assert_eq!(name_and_port("pod", id).ok(), expected, "{id}");
        };
        check("a", Some(("a", "")));
        check("a:80", Some(("a", "80")));
        check("https:a:80", Some(("a", "80")));
        check(":a:", Some(("a", "")));
        check("ftp:a:80", None);
        check(":80", None);
        check("http:a:80:1", None);
    }

    #[test]
    fn only_addresses_of_other_hosts_are_reachable() {
        let check = |text: &str, expected| {
            let address: IpAddr = text.parse().expect("an address");
            assert_eq!(is_reachable(address), expected, "{text}");
        };
        for text in ["10.0.0.1", "8.8.8.8", "fd00::1"] {
            check(text, true);
        }
        for text in [
            "127.0.0.1",
            "0.0.0.0",
            "169.254.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "fe80::1",
        ] {
            check(text, false);
        }
    }
}
