//! Flags about services and service accounts: ranges of addresses and ports, and tokens.

use std::sync::Arc;

use kindsmith_api::Options;
use kindsmith_server::ServiceAccountKeys;

use super::read;
use crate::command::envtest::flags::Given;
use crate::error::Error;
use crate::launch::service_ranges;

/// The range if none is given, as in kube-apiserver.
const RANGE: &str = "10.0.0.0/24";

pub(super) fn set(options: &mut Options, given: &Given) -> Result<(), Error> {
    let mut ranges = given.list("service-cluster-ip-range");
    if ranges.is_empty() {
        ranges.push(RANGE);
    }
    let wrong = |flag: &str, text: &str, reason: String| Error::usage(format!("--{flag} {text} is {reason}"));
    let ranges = ranges.into_iter().map(|text| {
        let range = service_ranges::addresses(text);
        range.map_err(|reason| wrong("service-cluster-ip-range", text, reason))
    });
    options.services.ranges = ranges.collect::<Result<_, _>>()?;
    if let Some(text) = given.text("service-node-port-range") {
        let ports = service_ranges::ports(text);
        options.services.node_ports =
            ports.map_err(|reason| wrong("service-node-port-range", text, reason))?;
    }
    sign_tokens(options, given)
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
