//! Certificates of webhooks, verified with the CA bundle of their configuration.

use std::sync::{Arc, OnceLock};

use kindsmith_gostd::base64;
use kindsmith_gostd::x509::read_certificate;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use super::system_roots;

/// Whom to trust.
pub(super) enum Roots {
    /// Whom the system trusts.
    System,
    /// These, and whom they signed.
    Bundle(Vec<CertificateDer<'static>>),
}

/// The certificates of a bundle, which is base64 of PEM. An empty bundle means those of the system.
pub(super) fn roots(bundle: &str) -> Result<Roots, String> {
    if bundle.is_empty() {
        return Ok(Roots::System);
    }
    let wrong = || "unable to load root certificates: unable to parse bytes as PEM block".to_owned();
    let pem = base64::decode(bundle.as_bytes()).map_err(|_| wrong())?;
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    match certificates {
        Ok(certificates) if !certificates.is_empty() => Ok(Roots::Bundle(certificates)),
        _ => Err(wrong()),
    }
}

/// TLS that trusts some roots. The system is asked once.
pub(super) fn config(roots: &Roots) -> Result<Arc<rustls::ClientConfig>, Error> {
    static SYSTEM: OnceLock<Result<Arc<rustls::ClientConfig>, Error>> = OnceLock::new();
    match roots {
        Roots::System => SYSTEM.get_or_init(|| trusting(&system_roots::load())).clone(),
        Roots::Bundle(certificates) => trusting(certificates),
    }
}

/// TLS that trusts these certificates and what they signed.
fn trusting(roots: &[CertificateDer<'static>]) -> Result<Arc<rustls::ClientConfig>, Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(roots.iter().cloned());
    let signed = if store.is_empty() {
        None
    } else {
        let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(&provider));
        Some(
            builder
                .build()
                .map_err(|error| Error::General(error.to_string()))?,
        )
    };
    let verifier = Verifier {
        roots: roots.to_vec(),
        signed,
        provider: Arc::clone(&provider),
    };
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(Arc::new(config))
}

/// Trusts certificates signed by one in the bundle, and, as Go does, those in the bundle itself: many webhooks use a
/// self-signed certificate, which may be marked as a CA.
#[derive(Debug)]
struct Verifier {
    roots: Vec<CertificateDer<'static>>,
    signed: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let is_listed = self.roots.iter().any(|root| root.as_ref() == end_entity.as_ref());
        if is_listed {
            check_time(end_entity, now)?;
            let parsed = ParsedCertificate::try_from(end_entity)?;
            rustls::client::verify_server_name(&parsed, server_name)?;
            return Ok(ServerCertVerified::assertion());
        }
        match &self.signed {
            Some(verifier) => {
                verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
            }
            None => Err(CertificateError::UnknownIssuer.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

/// Rejects an expired certificate, or one that is not valid yet.
fn check_time(certificate: &CertificateDer<'_>, now: UnixTime) -> Result<(), Error> {
    let parsed = read_certificate(certificate).ok_or(CertificateError::BadEncoding)?;
    let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
    if now < parsed.not_before {
        return Err(CertificateError::NotValidYet.into());
    }
    if now > parsed.not_after {
        Err(CertificateError::Expired.into())
    } else {
        Ok(())
    }
}
