//! TLS: the server's certificate, and client certificates as credentials.

use std::fmt;
use std::sync::Arc;

use kindsmith_api::User;
use kindsmith_gostd::x509::{Parts, parts, read_certificate};
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, RootCertStore, ServerConfig,
    SignatureScheme,
};

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
    pub(crate) clients: Option<Arc<Clients>>,
}

/// What checks client certificates.
#[derive(Debug)]
pub(crate) struct Clients {
    verifier: Arc<dyn ClientCertVerifier>,
    /// The CAs, for certificates of version 1, which the verifier does not read.
    roots: Vec<CertificateDer<'static>>,
    algorithms: WebPkiSupportedAlgorithms,
}

/// Sets up TLS.
pub(crate) fn config(tls: &Tls) -> Result<Configured, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let clients = match &tls.clients {
        Some(pem) => Some(Arc::new(verifier(pem, &provider)?)),
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
fn verifier(pem: &str, provider: &Arc<CryptoProvider>) -> Result<Clients, TlsError> {
    let (mut roots, mut listed) = (RootCertStore::empty(), Vec::new());
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        let certificate =
            certificate.map_err(|error| wrong("the CA of client certificates cannot be read", &error))?;
        listed.push(certificate.clone());
        roots
            .add(certificate)
            .map_err(|error| wrong("the CA of client certificates cannot be used", &error))?;
    }
    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .allow_unauthenticated()
        .build()
        .map(|verifier| Clients {
            verifier,
            roots: listed,
            algorithms: provider.signature_verification_algorithms,
        })
        .map_err(|error| wrong("client certificates cannot be checked", &error))
}

impl Clients {
    /// Whether a chain leads to a CA.
    fn knows(&self, first: &CertificateDer<'_>, rest: &[CertificateDer<'_>], now: UnixTime) -> bool {
        self.verifier.verify_client_cert(first, rest, now).is_ok() || self.knows_old(first, now)
    }

    /// Whether a CA signed a certificate of version 1, which says nothing about its use, so Go takes it for any
    /// (`Verify` in crypto/x509).
    fn knows_old(&self, certificate: &CertificateDer<'_>, now: UnixTime) -> bool {
        let (Some(parts), Some(read)) = (version_1(certificate), read_certificate(certificate)) else {
            return false;
        };
        let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        let is_signed = |root: Parts<'_>| {
            self.algorithms.all.iter().any(|algorithm| {
                algorithm.signature_alg_id().as_ref() == parts.algorithm
                    && algorithm.public_key_alg_id().as_ref() == root.key_algorithm
                    && algorithm
                        .verify_signature(root.key, parts.message, parts.signature)
                        .is_ok()
            })
        };
        let mut roots = self.roots.iter().filter_map(|root| self::parts(root));
        (read.not_before..=read.not_after).contains(&now)
            && roots.any(|root| root.subject == parts.issuer && is_signed(root))
    }

    /// Checks the signature of a handshake by the key of a certificate of version 1; `None` for other versions.
    fn verify_old(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Option<Result<HandshakeSignatureValid, Error>> {
        let parts = version_1(certificate)?;
        let schemes = self.algorithms.mapping.iter();
        let mut fitting = schemes
            .filter(|(scheme, _)| *scheme == signature.scheme)
            .flat_map(|(_, algorithms)| algorithms.iter())
            .filter(|algorithm| algorithm.public_key_alg_id().as_ref() == parts.key_algorithm);
        let is_signed = fitting.any(|algorithm| {
            algorithm
                .verify_signature(parts.key, message, signature.signature())
                .is_ok()
        });
        Some(if is_signed {
            Ok(HandshakeSignatureValid::assertion())
        } else {
            Err(CertificateError::BadSignature.into())
        })
    }
}

/// The parts of a certificate of version 1.
fn version_1<'c>(certificate: &'c CertificateDer<'_>) -> Option<Parts<'c>> {
    parts(certificate).filter(|parts| parts.is_version_1)
}

/// Lets every client certificate through the handshake. Who it names is decided with the request, so that a client
/// with an unknown certificate gets 401, or is known by its token, as in Kubernetes.
#[derive(Debug)]
struct Lenient(Arc<Clients>);

impl ClientCertVerifier for Lenient {
    fn offer_client_auth(&self) -> bool {
        true
    }

    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.0.verifier.root_hint_subjects()
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
        let old = self.0.verify_old(message, certificate, signature);
        old.unwrap_or_else(|| {
            self.0
                .verifier
                .verify_tls12_signature(message, certificate, signature)
        })
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let old = self.0.verify_old(message, certificate, signature);
        old.unwrap_or_else(|| {
            self.0
                .verifier
                .verify_tls13_signature(message, certificate, signature)
        })
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.verifier.supported_verify_schemes()
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
pub(crate) fn presented(clients: &Clients, chain: &[CertificateDer<'_>]) -> Option<Presented> {
    let (first, rest) = chain.split_first()?;
    let is_known = clients.knows(first, rest, UnixTime::now());
    let user = if is_known { user(first) } else { None };
    Some(user.map_or(Presented::Nobody, |user| Presented::User(Arc::new(user))))
}

/// The user of a verified certificate: the common name is the user, organizations are groups (apiserver's
/// pkg/authentication/request/x509/x509.go).
fn user(certificate: &[u8]) -> Option<User> {
    let subject = read_certificate(certificate)?.subject;
    let name = subject.common_name().filter(|name| !name.is_empty())?;
    let digest = kindsmith_gostd::hex::encode(&crate::digest::sha256(certificate));
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
