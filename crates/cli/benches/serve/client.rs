//! A client that does as little as possible: one connection, one request after another.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// A connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("it is a socket");
        Client {
            stream: BufReader::with_capacity(64 * 1024, stream),
            body: Vec::new(),
        }
    }

    /// Sends a request.
    pub(crate) fn ask(&mut self, method: &str, path: &str, media: &str, body: &[u8]) {
        let length = body.len();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench/1\r\nContent-Type: {media}\r\n\
             Content-Length: {length}\r\n\r\n"
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.stream
            .get_mut()
            .write_all(&request)
            .expect("the server reads");
    }

    /// Sends a request, reads the answer into `body`, and returns the status.
    pub(crate) fn send(&mut self, method: &str, path: &str, media: &str, body: &[u8]) -> u16 {
        self.ask(method, path, media, body);
        let (status, length) = self.head();
        self.body.resize(length, 0);
        self.stream
            .read_exact(&mut self.body)
            .expect("the answer is whole");
        status
    }

    /// Reads the status and the content length of an answer.
    pub(crate) fn head(&mut self) -> (u16, usize) {
        let (mut status, mut length) = (0, 0);
        loop {
            let line = self.line();
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().unwrap_or_default();
            } else if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.parse().unwrap_or_default();
            } else if line.is_empty() {
                return (status, length);
            }
        }
    }

    /// Reads one line, without its line break.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("the server answers");
        line.truncate(line.trim_end().len());
        line
    }
}
