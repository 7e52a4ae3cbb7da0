//! A plain HTTP/1.1 client over TLS that shows every byte of a response.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// A connection to a server.
pub(crate) struct Client {
    stream: BufReader<StreamOwned<ClientConnection, TcpStream>>,
    host: String,
}

/// An answer.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Client {
    /// Connects to a server, whose certificate must be signed by the kubeconfig's CA.
    pub(crate) fn connect(address: &str, kubeconfig: &Path) -> Self {
        Self::connect_trusting(address, authority(kubeconfig))
    }

    /// Connects to a server, whose certificate must be signed by this CA.
    pub(crate) fn connect_trusting(address: &str, authority: CertificateDer<'_>) -> Self {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut roots = RootCertStore::empty();
        roots
            .add(authority.into_owned())
            .expect("the authority can be used");
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider has them")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("127.0.0.1").expect("it is an address");
        let connection = ClientConnection::new(Arc::new(config), name).expect("TLS can start");
        let stream = TcpStream::connect(address).expect("the server listens");
        // Bodies follow their headers without waiting for what the server has read, which takes 40 ms.
        stream.set_nodelay(true).expect("it is a socket");
        Client {
            stream: BufReader::new(StreamOwned::new(connection, stream)),
            host: address.to_owned(),
        }
    }

    /// Sends a request and reads the answer; streams are read to their end.
    pub(crate) fn send(
        &mut self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        let reply = self.try_send(method, target, headers, body);
        reply.expect("the server answers")
    }

    /// The same; an error if the server goes away.
    pub(crate) fn try_send(
        &mut self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<Reply> {
        let mut head = format!("{method} {target} HTTP/1.1\r\nHost: {}\r\n", self.host);
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
        let stream = self.stream.get_mut();
        stream.write_all(head.as_bytes())?;
        stream.write_all(body)?;
        stream.flush()?;
        let mut reply = self.head()?;
        if method != "HEAD" && !matches!(reply.status, 204 | 304) {
            reply.body = self.body(&reply.headers)?;
        }
        Ok(reply)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        if self.stream.read_until(b'\n', &mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
    }

    fn head(&mut self) -> io::Result<Reply> {
        let status = self.line()?;
        let mut reply = Reply {
            status: status
                .split(' ')
                .nth(1)
                .and_then(|code| code.parse().ok())
                .unwrap_or_default(),
            ..Reply::default()
        };
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else {
                return Ok(reply);
            };
            reply
                .headers
                .push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }

    fn body(&mut self, headers: &[(String, String)]) -> io::Result<Vec<u8>> {
        let header = |name: &str| {
            let found = headers.iter().find(|(header, _)| header == name);
            found.map(|(_, value)| value.as_str())
        };
        let mut body = Vec::new();
        if header("transfer-encoding") == Some("chunked") {
            loop {
                let size = usize::from_str_radix(&self.line()?, 16).map_err(io::Error::other)?;
                let start = body.len();
                body.resize(start + size, 0);
                self.stream.read_exact(&mut body[start..])?;
                self.line()?;
                if size == 0 {
                    return Ok(body);
                }
            }
        }
        let length = header("content-length").and_then(|length| length.parse().ok());
        body.resize(length.unwrap_or_default(), 0);
        self.stream.read_exact(&mut body)?;
        Ok(body)
    }
}

/// The CA certificate of a kubeconfig.
fn authority(kubeconfig: &Path) -> CertificateDer<'static> {
    let text = std::fs::read_to_string(kubeconfig).expect("it is there");
    let data = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("certificate-authority-data: "))
        .expect("it has an authority");
    let pem = kindsmith_gostd::base64::decode(data.as_bytes()).expect("it is base64");
    CertificateDer::from_pem_slice(&pem).expect("it is a certificate")
}
