//! TLS: the server's certificate, and client certificates as credentials.

use std::fmt;
use std::sync::Arc;

use kindsmith_api::User;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use x509_parser::prelude::{FromDer, X509Certificate};

use crate::{Authority, Credential};

/// Why certificates cannot be used.
#[derive(Debug)]
pub struct TlsError(String);

impl fmt::Display for TlsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for TlsError {}

fn wrong(what: &str, error: &dyn fmt::Display) -> TlsError {
    TlsError(format!("{what}: {error}"))
}

/// TLS with this certificate; clients may present one signed by the CA.
pub(crate) fn config(server: &Credential, clients: &Authority) -> Result<Arc<ServerConfig>, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    let certificate = CertificateDer::from_pem_slice(clients.credential().certificate.as_bytes())
        .map_err(|error| wrong("the authority's certificate cannot be read", &error))?;
    roots
        .add(certificate)
        .map_err(|error| wrong("the authority's certificate cannot be used", &error))?;
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
        .allow_unauthenticated()
        .build()
        .map_err(|error| wrong("client certificates cannot be checked", &error))?;
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(server.certificate.as_bytes())
        .collect::<Result<_, _>>()
        .map_err(|error| wrong("the server's certificate cannot be read", &error))?;
    let key = PrivateKeyDer::from_pem_slice(server.key.as_bytes())
        .map_err(|error| wrong("the server's key cannot be read", &error))?;
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong("TLS cannot be set up", &error))?
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key)
        .map_err(|error| wrong("the server's certificate and key cannot be used", &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// The user of a verified certificate: the common name is the user, organizations are groups (apiserver's
/// pkg/authentication/request/x509/x509.go).
pub(crate) fn user(certificate: &[u8]) -> Option<User> {
    let (_, parsed) = X509Certificate::from_der(certificate).ok()?;
    let subject = parsed.subject();
    let name = subject.iter_common_name().next()?.as_str().ok()?;
    if name.is_empty() {
        return None;
    }
    let groups = subject
        .iter_organization()
        .filter_map(|group| group.as_str().ok())
        .map(str::to_owned)
        .collect();
    let digest = crate::identity::hex(&crate::identity::sha256(certificate));
    Some(User {
        name: name.to_owned(),
        uid: String::new(),
        groups,
        extra: vec![(
            "authentication.kubernetes.io/credential-id".to_owned(),
            vec![format!("X509SHA256={digest}")],
        )],
    })
}
