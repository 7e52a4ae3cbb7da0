//! As much HTTP as one page needs: a request per connection, small bodies. Knows nothing of what is served.

use std::io::{self, BufRead, Read, Write};

/// The longest head and body that are read.
const HEAD: u64 = 16 << 10;
const BODY: usize = 8 << 20;

/// A request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    /// Without the query.
    pub(super) path: String,
    pub(super) host: String,
    pub(super) body: Vec<u8>,
}

/// A response.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) media: &'static str,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// Reads a request; what is wrong with it is the response.
    pub(super) fn read(from: &mut impl BufRead) -> Result<Self, Response> {
        let malformed = || Response::text(400, "malformed request");
        let mut lines = Vec::new();
        let mut head = from.by_ref().take(HEAD);
        loop {
            let mut line = String::new();
            let read = head.read_line(&mut line).map_err(|_| malformed())?;
            if read == 0 {
                return Err(malformed());
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let first: Vec<&str> = lines
            .first()
            .map_or_else(Vec::new, |line| line.split(' ').collect());
        let [method, target, _] = first[..] else {
            return Err(malformed());
        };
        let header = |name: &str| {
            let values = lines.iter().skip(1).filter_map(|line| line.split_once(':'));
            let mut found = values.filter(|(key, _)| key.eq_ignore_ascii_case(name));
            found.next().map_or("", |(_, value)| value.trim())
        };
        let length: usize = match header("content-length") {
            "" => 0,
            text => text.parse().map_err(|_| malformed())?,
        };
        if length > BODY {
            return Err(Response::text(413, "the request is too large"));
        }
        let mut body = vec![0; length];
        from.read_exact(&mut body).map_err(|_| malformed())?;
        Ok(Self {
            method: method.to_owned(),
            path: target.split('?').next().unwrap_or_default().to_owned(),
            host: header("host").to_owned(),
            body,
        })
    }
}

impl Response {
    pub(super) fn new(status: u16, media: &'static str, body: Vec<u8>) -> Self {
        Self { status, media, body }
    }

    pub(super) fn text(status: u16, text: &str) -> Self {
        Self::new(
            status,
            "text/plain; charset=utf-8",
            format!("{text}\n").into_bytes(),
        )
    }

    pub(super) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            _ => "Refused",
        };
        write!(
            to,
            "HTTP/1.1 {} {reason}\r\ncontent-type: {}\r\ncontent-length: {}\r\ncache-control: no-store\r\n\
             x-content-type-options: nosniff\r\ncross-origin-resource-policy: same-origin\r\nconnection: close\r\n\r\n",
            self.status,
            self.media,
            self.body.len()
        )?;
        to.write_all(&self.body)?;
        to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<(&str, &str, &str, &str), u16>) {
        let read = Request::read(&mut text.as_bytes());
        let read = read.map_err(|refusal| refusal.status);
        let expected = expected.map(|(method, path, host, body)| Request {
            method: method.to_owned(),
            path: path.to_owned(),
            host: host.to_owned(),
            body: body.as_bytes().to_vec(),
        });
        assert_eq!(read, expected, "{text:?}");
    }

    #[test]
    fn requests_are_read_or_refused() {
        check("GET /a?b HTTP/1.1\r\nHost: c\r\n\r\n", Ok(("GET", "/a", "c", "")));
        check(
            "POST /answer HTTP/1.1\r\nhost: c\r\ncontent-length: 2\r\n\r\n{}",
            Ok(("POST", "/answer", "c", "{}")),
        );
        check("", Err(400));
        check("GET /\r\n\r\n", Err(400));
        check("GET / HTTP/1.1\r\nhost: c", Err(400));
        check("POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n", Err(400));
        check("POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nabc", Err(400));
        check("POST / HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n", Err(413));
        check(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000)), Err(400));
    }
}
