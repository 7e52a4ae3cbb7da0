//! Flags about services and service accounts: ranges of addresses and ports, and tokens.

use std::net::IpAddr;
use std::sync::Arc;

use kindsmith_api::Options;
use kindsmith_server::ServiceAccountKeys;

use super::read;
use crate::command::envtest::flags::Given;
use crate::error::Error;

/// The range if none is given, as in kube-apiserver.
const RANGE: &str = "10.0.0.0/24";

pub(super) fn set(options: &mut Options, given: &Given) -> Result<(), Error> {
    let mut ranges = given.list("service-cluster-ip-range");
    if ranges.is_empty() {
        ranges.push(RANGE);
    }
    if let Some(wrong) = ranges.iter().find(|range| !is_range(range)) {
        return Err(Error::usage(format!(
            "--service-cluster-ip-range {wrong} is not a range such as 10.0.0.0/24"
        )));
    }
    options.services.ranges = ranges.into_iter().map(str::to_owned).collect();
    if let Some(text) = given.text("service-node-port-range") {
        options.services.node_ports = ports(text).ok_or_else(|| {
            Error::usage(format!(
                "--service-node-port-range {text} is not a range such as 30000-32767"
            ))
        })?;
    }
    sign_tokens(options, given)
}

fn is_range(text: &str) -> bool {
    let Some((base, bits)) = text.split_once('/') else {
        return false;
    };
    let most = match base.parse() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    bits.parse::<u8>().is_ok_and(|bits| bits <= most)
}

/// `first-last`, or `first+more`.
fn ports(text: &str) -> Option<(u16, u16)> {
    let number = |text: &str| text.trim().parse::<u16>().ok();
    let (first, last) = match text.split_once('+') {
        Some((first, more)) => {
            let first = number(first)?;
            (first, first.checked_add(number(more)?)?)
        }
        None => {
            let (first, last) = text.split_once('-')?;
            (number(first)?, number(last)?)
        }
    };
    (first <= last).then_some((first, last))
}

fn sign_tokens(options: &mut Options, given: &Given) -> Result<(), Error> {
    let path = given.text("service-account-signing-key-file");
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let Some(issuer) = given.all("service-account-issuer").next() else {
        return Err(Error::usage(
            "--service-account-signing-key-file needs --service-account-issuer",
        ));
    };
    let audiences = given.list("api-audiences");
    let audiences = audiences.into_iter().map(str::to_owned).collect();
    let keys = ServiceAccountKeys::new(&read(path)?, issuer, audiences)
        .map_err(|error| Error::input(format!("{path}: {error}")))?;
    options.tokens.signer = Some(Arc::new(keys));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_ports() {
        for (text, expected) in [
            ("30000-32767", Some((30000, 32767))),
            ("30000+10", Some((30000, 30010))),
            ("2-1", None),
            ("1", None),
            ("1-70000", None),
        ] {
            assert_eq!(ports(text), expected, "{text}");
        }
    }

    #[test]
    fn ranges_of_addresses() {
        for (text, expected) in [
            ("10.0.0.0/24", true),
            ("fd00::/108", true),
            ("10.0.0.0/33", false),
            ("x", false),
        ] {
            assert_eq!(is_range(text), expected, "{text}");
        }
    }
}
