//! The server's certificate and the CA of client certificates, as flags name them.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use kindsmith_server::{Authority, Credential, Tls};

use super::read;
use crate::command::envtest::flags::Given;
use crate::error::Error;
use crate::launch::credentials::{addresses, write_private};

const DIRECTORY: &str = "/var/run/kubernetes";

/// Names under which clients inside a cluster find the server.
const NAMES: [&str; 5] = [
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
];

/// Reads the certificates; creates the server's own if there is none yet.
pub(super) fn load(given: &Given, own: &[Option<IpAddr>]) -> Result<Tls, Error> {
    let clients = match given.text("client-ca-file").filter(|path| !path.is_empty()) {
        Some(path) => Some(read(path)?),
        None => None,
    };
    let named = |flag| given.text(flag).filter(|path| !path.is_empty());
    let server = match (named("tls-cert-file"), named("tls-private-key-file")) {
        (Some(certificate), Some(key)) => Credential {
            certificate: read(certificate)?,
            key: read(key)?,
        },
        (None, None) => {
            let directory = given.text("cert-dir").unwrap_or(DIRECTORY);
            in_directory(Path::new(directory), own)?
        }
        _ => {
            return Err(Error::usage(
                "--tls-cert-file and --tls-private-key-file must be given together",
            ));
        }
    };
    Ok(Tls { server, clients })
}

/// The certificate in a directory, created if it is not there; an empty name keeps it in memory.
fn in_directory(directory: &Path, own: &[Option<IpAddr>]) -> Result<Credential, Error> {
    if directory.as_os_str().is_empty() {
        return create(own);
    }
    let file = |name: &str| -> PathBuf { directory.join(name) };
    let (certificate, key) = (file("apiserver.crt"), file("apiserver.key"));
    let text = |path: &Path| std::fs::read_to_string(path);
    if let (Ok(certificate), Ok(key)) = (text(&certificate), text(&key)) {
        return Ok(Credential { certificate, key });
    }
    let created = create(own)?;
    std::fs::create_dir_all(directory).map_err(|error| {
        Error::environment(format!("cannot make {}: {error}", directory.display()))
            .hint("name a directory with --cert-dir")
    })?;
    write_private(&key, &created.key)?;
    write_private(&certificate, &created.certificate)?;
    Ok(created)
}

fn create(own: &[Option<IpAddr>]) -> Result<Credential, Error> {
    let fail = |error| Error::environment(format!("cannot create certificates: {error}"));
    let mut all: Vec<IpAddr> = Vec::new();
    for address in own.iter().flatten().flat_map(|own| addresses(*own)) {
        if !all.contains(&address) {
            all.push(address);
        }
    }
    let authority = Authority::generate().map_err(fail)?;
    let mut credential = authority.server(&NAMES, &all).map_err(fail)?;
    // Clients that trust the file trust its CA.
    credential
        .certificate
        .push_str(&authority.credential().certificate);
    Ok(credential)
}
