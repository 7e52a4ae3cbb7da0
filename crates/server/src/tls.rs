//! TLS: the server's certificate, and client certificates as credentials.

use std::fmt;
use std::sync::Arc;

use kindsmith_api::User;
use kindsmith_gostd::x509::read_certificate;
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{DigitallySignedStruct, DistinguishedName, RootCertStore, ServerConfig, SignatureScheme};

use crate::Credential;

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

/// How a server speaks TLS.
#[derive(Debug, Clone)]
pub struct Tls {
    /// The server's certificate and key.
    pub server: Credential,
    /// The CAs of client certificates, in PEM; `None` asks clients for no certificate.
    pub clients: Option<String>,
}

/// TLS as it is set up, and what checks client certificates.
pub(crate) struct Configured {
    pub(crate) config: Arc<ServerConfig>,
    pub(crate) clients: Option<Arc<dyn ClientCertVerifier>>,
}

/// Sets up TLS.
pub(crate) fn config(tls: &Tls) -> Result<Configured, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let clients = match &tls.clients {
        Some(pem) => Some(verifier(pem, &provider)?),
        None => None,
    };
    let chain: Vec<CertificateDer<'static>> =
        CertificateDer::pem_slice_iter(tls.server.certificate.as_bytes())
            .collect::<Result<_, _>>()
            .map_err(|error| wrong("the server's certificate cannot be read", &error))?;
    let key = PrivateKeyDer::from_pem_slice(tls.server.key.as_bytes())
        .map_err(|error| wrong("the server's key cannot be read", &error))?;
    let builder = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong("TLS cannot be set up", &error))?;
    let builder = match &clients {
        Some(clients) => builder.with_client_cert_verifier(Arc::new(Lenient(Arc::clone(clients)))),
        None => builder.with_no_client_auth(),
    };
    let mut config = builder
        .with_single_cert(chain, key)
        .map_err(|error| wrong("the server's certificate and key cannot be used", &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Configured {
        config: Arc::new(config),
        clients,
    })
}

/// Checks client certificates by CAs.
fn verifier(pem: &str, provider: &Arc<CryptoProvider>) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        let certificate =
            certificate.map_err(|error| wrong("the CA of client certificates cannot be read", &error))?;
        roots
            .add(certificate)
            .map_err(|error| wrong("the CA of client certificates cannot be used", &error))?;
    }
    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .allow_unauthenticated()
        .build()
        .map(|verifier| verifier as Arc<dyn ClientCertVerifier>)
        .map_err(|error| wrong("client certificates cannot be checked", &error))
}

/// Lets every client certificate through the handshake. Who it names is decided with the request, so that a client
/// with an unknown certificate gets 401, or is known by its token, as in Kubernetes.
#[derive(Debug)]
struct Lenient(Arc<dyn ClientCertVerifier>);

impl ClientCertVerifier for Lenient {
    fn offer_client_auth(&self) -> bool {
        true
    }

    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.0.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

/// Who a connection's certificate names.
#[derive(Debug, Clone)]
pub(crate) enum Presented {
    /// A user, by a certificate of a known CA.
    User(Arc<User>),
    /// Nobody: the CA is unknown, the certificate has expired or names no user.
    Nobody,
}

/// Who a chain of client certificates names.
pub(crate) fn presented(clients: &dyn ClientCertVerifier, chain: &[CertificateDer<'_>]) -> Option<Presented> {
    let (first, rest) = chain.split_first()?;
    let is_known = clients.verify_client_cert(first, rest, UnixTime::now()).is_ok();
    let user = if is_known { user(first) } else { None };
    Some(user.map_or(Presented::Nobody, |user| Presented::User(Arc::new(user))))
}

/// The user of a verified certificate: the common name is the user, organizations are groups (apiserver's
/// pkg/authentication/request/x509/x509.go).
fn user(certificate: &[u8]) -> Option<User> {
    let subject = read_certificate(certificate)?.subject;
    let name = subject.common_name().filter(|name| !name.is_empty())?;
    let digest = crate::digest::hex(&crate::digest::sha256(certificate));
    Some(User {
        name,
        uid: String::new(),
        groups: subject.organizations(),
        extra: vec![(
            "authentication.kubernetes.io/credential-id".to_owned(),
            vec![format!("X509SHA256={digest}")],
        )],
    })
}
