//! The server's certificates: a CA created on first start and kept, and certificates signed on every start.

use std::io::Write;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use kindsmith_api::TokenSigner;
use kindsmith_server::{Authority, Credential, ServiceAccountKeys, Tls, UnusableKey};

use super::token::random_token;
use crate::error::Error;
use kindsmith::local_api::{ADMINISTRATOR, MASTERS};

/// The certificates of the server and its administrator.
pub(crate) struct Secrets {
    authority: Authority,
    server: Credential,
    pub(crate) administrator: Credential,
}

impl Secrets {
    /// Opens the CA kept in a directory, or creates one; without a directory it is not kept. The server's certificate also
    /// has `names`.
    pub(crate) fn open(directory: Option<&Path>, listen: IpAddr, names: &[String]) -> Result<Self, Error> {
        let fail = |error: &dyn std::fmt::Display| {
            Error::environment(format!("cannot create certificates: {error}"))
        };
        let authority = match directory {
            Some(directory) => kept(directory)?,
            None => Authority::generate().map_err(|error| fail(&error))?,
        };
        let mut all = vec!["localhost", "kubernetes", "kubernetes.default"];
        all.extend(names.iter().map(String::as_str));
        let server = authority
            .server(&all, &addresses(listen))
            .map_err(|error| fail(&error))?;
        let administrator = authority
            .client(ADMINISTRATOR, &[MASTERS])
            .map_err(|error| fail(&error))?;
        Ok(Secrets {
            authority,
            server,
            administrator,
        })
    }

    /// The CA certificate, which clients verify the server with.
    pub(crate) fn authority(&self) -> &str {
        &self.authority.credential().certificate
    }

    /// The server's certificate, and its CA for those of clients.
    pub(crate) fn tls(self) -> Tls {
        Tls {
            clients: Some(self.authority().to_owned()),
            server: self.server,
        }
    }
}

/// The CA kept in a directory; created if it does not exist.
fn kept(directory: &Path) -> Result<Authority, Error> {
    let (certificate, key) = (directory.join("ca.crt"), directory.join("ca.key"));
    let read = |path: &Path| match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::reading(path, &error)),
    };
    let found = (read(&certificate)?, read(&key)?);
    if let (Some(_), None) | (None, Some(_)) = found {
        let missing = if found.0.is_some() { &key } else { &certificate };
        return Err(Error::input(format!("{} is missing", missing.display())).hint(
            "put it back, or delete ca.crt and ca.key to create new ones; clients then need the new kubeconfig",
        ));
    }
    if let (Some(certificate), Some(key)) = found {
        return Authority::load(Credential { certificate, key }).map_err(|error| {
            Error::input(format!(
                "cannot use {}: {error}",
                directory.join("ca.key").display()
            ))
            .hint("delete ca.crt and ca.key to create new ones; clients then need the new kubeconfig")
        });
    }
    let authority = Authority::generate()
        .map_err(|error| Error::environment(format!("cannot create certificates: {error}")))?;
    kindsmith_store::create_private(directory)
        .map_err(|error| Error::environment(format!("cannot make {}: {error}", directory.display())))?;
    write_private(&key, &authority.credential().key)?;
    write_private(&certificate, &authority.credential().certificate)?;
    Ok(authority)
}

/// Signs service account tokens, with the key in a directory; it is created if it does not exist. Without a directory it is
/// not kept.
pub(crate) fn token_signer(directory: Option<&Path>) -> Result<Arc<dyn TokenSigner>, Error> {
    let fail =
        |error: UnusableKey| Error::environment(format!("cannot use the key of service accounts: {error}"));
    let generate = || ServiceAccountKeys::generate().map_err(fail);
    let pem = match directory {
        Some(directory) => {
            let path = directory.join("sa.key");
            match std::fs::read_to_string(&path) {
                Ok(pem) => pem,
                // Any other error must not replace the key: tokens that were signed with it would be lost.
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::reading(&path, &error));
                }
                Err(_) => {
                    let pem = generate()?;
                    kindsmith_store::create_private(directory).map_err(|error| {
                        Error::environment(format!("cannot make {}: {error}", directory.display()))
                    })?;
                    write_private(&path, &pem)?;
                    pem
                }
            }
        }
        None => generate()?,
    };
    Ok(Arc::new(
        ServiceAccountKeys::new(&pem, ServiceAccountKeys::ISSUER, Vec::new()).map_err(fail)?,
    ))
}

/// Writes a file that only its owner can read, completely or not at all.
pub(crate) fn write_private(path: &Path, text: &str) -> Result<(), Error> {
    put_private(path, text)
        .map_err(|error| Error::environment(format!("cannot write {}: {error}", path.display())))
}

/// The same, for who looks at the reason of a failure.
pub(crate) fn put_private(path: &Path, text: &str) -> std::io::Result<()> {
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    let _ = std::fs::remove_file(&draft);
    let mut file = crate::platform::file_for_owner(&mut std::fs::OpenOptions::new())
        .write(true)
        .create_new(true)
        .open(&draft)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| std::fs::rename(&draft, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written
}

/// The administrator's token: as given, from a file, from the environment, or a random one.
pub(crate) fn token(given: Option<&str>) -> Result<String, Error> {
    let from_environment = || {
        std::env::var("KINDSMITH_TOKEN")
            .ok()
            .filter(|token| !token.is_empty())
    };
    let token = match given {
        Some(given) => match given.strip_prefix('@') {
            Some(path) => read_token(Path::new(path))?,
            None => given.to_owned(),
        },
        None => from_environment().unwrap_or_else(random_token),
    };
    if token.is_empty() || token.contains(|c: char| c.is_ascii_control() || c == ' ') {
        Err(Error::input("the administrator's token is empty or has spaces"))
    } else {
        Ok(token)
    }
}

fn read_token(path: &Path) -> Result<String, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
    Ok(text.trim_end().to_owned())
}

/// Addresses that clients may use for the server.
pub(crate) fn addresses(listen: IpAddr) -> Vec<IpAddr> {
    let mut addresses = vec![
        IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
        IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
    ];
    if !addresses.contains(&listen) && !listen.is_unspecified() {
        addresses.push(listen);
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_from_files_too() {
        let file = tempfile::NamedTempFile::new().expect("a file for the test");
        std::fs::write(file.path(), "secret\n").expect("it can be written");
        let given = format!("@{}", file.path().display());
        assert_eq!(token(Some(&given)).ok().as_deref(), Some("secret"));
        assert_eq!(token(Some("plain")).ok().as_deref(), Some("plain"));
        assert!(token(Some("@/does/not/exist")).is_err());
        assert!(token(Some("")).is_err());
    }
}
