//! HTTP/1.1 to one address, with TLS if its URL says so. Connections are kept for later requests.

use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{Builder, SendRequest};
use hyper_util::rt::TokioIo;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::http::{HttpError, Raw, Sent, read, request};

/// The timeout of one exchange.
const TIMEOUT: Duration = Duration::from_mins(1);
/// How many idle connections are kept.
const IDLE_CONNECTIONS: usize = 32;
/// How many bytes of a response are read at once: a connection keeps what its largest response needed.
const BUFFER: usize = 32 << 10;
/// How long an idle connection is kept.
const IDLE_TIME: Duration = Duration::from_mins(1);

/// An error in an address or in what it is trusted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressError(pub(crate) String);

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AddressError {}

/// A parsed URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Base {
    tls: bool,
    /// As in the header `host`.
    authority: String,
    host: String,
    port: u16,
    /// The prefix of paths.
    pub(crate) prefix: String,
}

impl Base {
    pub(crate) fn of(url: &str) -> Result<Self, AddressError> {
        let wrong = || AddressError(format!("`{url}` is not an http or https URL"));
        let (tls, rest) = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return Err(wrong()),
        };
        let (authority, prefix) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port.parse().map_err(|_| wrong())?),
            _ => (authority, if tls { 443 } else { 80 }),
        };
        if host.is_empty() {
            return Err(wrong());
        }
        Ok(Base {
            tls,
            authority: authority.to_owned(),
            host: host.trim_start_matches('[').trim_end_matches(']').to_owned(),
            port,
            prefix: prefix.trim_end_matches('/').to_owned(),
        })
    }
}

/// The authorities that a server's certificate may come from.
pub(crate) enum Trust {
    /// Those of the system.
    System,
    /// These authorities.
    Authorities(Vec<CertificateDer<'static>>),
    /// Nobody: the certificate is not looked at.
    Anybody,
}

/// A client's certificate with its key.
pub(crate) type Identity = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

/// TLS for a client.
pub(crate) fn tls(trust: Trust, identity: Option<Identity>) -> Result<Arc<ClientConfig>, AddressError> {
    let failed = |error: Error| AddressError(error.to_string());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(failed)?;
    let builder = if let Trust::Anybody = trust {
        builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Unverified(provider)))
    } else {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(match trust {
            Trust::Authorities(authorities) => authorities,
            Trust::System | Trust::Anybody => rustls_native_certs::load_native_certs().certs,
        });
        builder.with_root_certificates(roots)
    };
    let config = match identity {
        None => builder.with_no_client_auth(),
        Some((certificates, key)) => builder.with_client_auth_cert(certificates, key).map_err(failed)?,
    };
    Ok(Arc::new(config))
}

/// TLS that trusts the system's authorities. They are read once, when they are first needed.
fn system() -> Result<Arc<ClientConfig>, AddressError> {
    static SYSTEM: LazyLock<Result<Arc<ClientConfig>, AddressError>> =
        LazyLock::new(|| tls(Trust::System, None));
    SYSTEM.clone()
}

/// Accepts every certificate, for `insecure-skip-tls-verify`.
#[derive(Debug)]
struct Unverified(Arc<CryptoProvider>);

impl ServerCertVerifier for Unverified {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

type Sender = SendRequest<Full<Bytes>>;

/// An address with its connections.
pub(crate) struct Endpoint {
    pub(crate) base: Base,
    /// `None` trusts the system's authorities.
    tls: Option<Arc<ClientConfig>>,
    /// The name that the certificate must have, if not that of the URL.
    name: Option<String>,
    idle: Mutex<Vec<(Instant, Sender)>>,
}

impl Endpoint {
    pub(crate) fn new(base: Base, tls: Option<Arc<ClientConfig>>, name: Option<String>) -> Self {
        Endpoint {
            base,
            tls,
            name,
            idle: Mutex::default(),
        }
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn ask(&self, sent: &Sent<'_>) -> Result<Raw, HttpError> {
        let ask = async {
            let (answer, sender) = self.exchange(sent).await?;
            let response = read(answer, &self.base.authority).await?;
            self.keep(sender);
            Ok(response)
        };
        self.in_time(ask).await
    }

    /// Sends a request whose response is read piece by piece. Its connection is not kept.
    pub(crate) async fn open(&self, sent: &Sent<'_>) -> Result<hyper::Response<Incoming>, HttpError> {
        self.in_time(async { Ok(self.exchange(sent).await?.0) }).await
    }

    async fn in_time<T>(&self, work: impl Future<Output = Result<T, HttpError>>) -> Result<T, HttpError> {
        match tokio::time::timeout(TIMEOUT, work).await {
            Ok(done) => done,
            Err(_) => Err(HttpError(format!(
                "no answer from {} in time",
                self.base.authority
            ))),
        }
    }

    async fn exchange(&self, sent: &Sent<'_>) -> Result<(hyper::Response<Incoming>, Sender), HttpError> {
        let failed = |error: &dyn fmt::Display| HttpError(format!("{}: {error}", self.base.authority));
        let request = || request(sent, &self.base.authority);
        // The server may have closed an idle connection; that is noticed when it is used.
        while let Some(mut kept) = self.take() {
            if kept.ready().await.is_err() {
                continue;
            }
            match kept.try_send_request(request()?).await {
                Ok(answer) => return Ok((answer, kept)),
                Err(mut error) => {
                    let is_unsent = error.take_message().is_some();
                    // Nothing is done twice.
                    if !is_unsent && sent.method != "GET" {
                        return Err(failed(&error.into_error()));
                    }
                }
            }
        }
        let mut sender = self.connect().await?;
        let answer = sender.send_request(request()?).await;
        Ok((answer.map_err(|error| failed(&error))?, sender))
    }

    fn take(&self) -> Option<Sender> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(since, sender)| since.elapsed() < IDLE_TIME && !sender.is_closed());
        idle.pop().map(|(_, sender)| sender)
    }

    fn keep(&self, sender: Sender) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if !sender.is_closed() && idle.len() < IDLE_CONNECTIONS {
            idle.push((Instant::now(), sender));
        }
    }

    async fn connect(&self) -> Result<Sender, HttpError> {
        let base = &self.base;
        let failed = |error: &dyn fmt::Display| HttpError(format!("{}: {error}", base.authority));
        let stream = TcpStream::connect((&*base.host, base.port))
            .await
            .map_err(|error| failed(&error))?;
        let _ = stream.set_nodelay(true);
        let stream: Box<dyn Stream> = if base.tls {
            let name = self.name.clone().unwrap_or_else(|| base.host.clone());
            let name = ServerName::try_from(name).map_err(|error| failed(&error))?;
            let tls = match &self.tls {
                Some(tls) => Arc::clone(tls),
                None => system().map_err(|error| failed(&error))?,
            };
            let connector = TlsConnector::from(tls);
            let stream = connector.connect(name, stream).await;
            Box::new(stream.map_err(|error| failed(&error))?)
        } else {
            Box::new(stream)
        };
        let (sender, connection) = Builder::new()
            .max_buf_size(BUFFER)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| failed(&error))?;
        // The task ends when the sender is dropped or the server closes the connection.
        tokio::spawn(async move { connection.await.ok() });
        Ok(sender)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed() {
        let read = |url| Base::of(url).map(|base| (base.tls, base.host, base.port, base.prefix));
        assert_eq!(
            read("https://a.example"),
            Ok((true, "a.example".to_owned(), 443, String::new()))
        );
        assert_eq!(
            read("http://127.0.0.1:8085/x/"),
            Ok((false, "127.0.0.1".to_owned(), 8085, "/x".to_owned()))
        );
        assert_eq!(
            read("https://[::1]:6443"),
            Ok((true, "::1".to_owned(), 6443, String::new()))
        );
        assert!(read("ftp://a").is_err() && read("https://").is_err() && read("http://a:b").is_err());
    }
}
