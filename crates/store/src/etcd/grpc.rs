//! gRPC over HTTP/2, as far as etcd's API needs it: one request with one answer, and one request with a stream of
//! answers. Must not know the messages.
//!
//! A client library for gRPC would pass each request through a dozen layers that a store does not use.

use std::borrow::Cow;
use std::fmt::Display;

use h2::{RecvStream, SendStream};
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, TE};
use http::{Method, Request, Uri, Version};
use prost::Message;
use prost::bytes::{Buf, BufMut, Bytes, BytesMut};

use super::connection::Open;
use super::failure::Failure;

/// Larger than any answer; etcd limits its answers by the limits of requests.
const MESSAGE: usize = 1 << 30;
/// Whether a message is compressed, and its length.
const HEAD: usize = 5;
/// The room that is made for a message before it comes; it grows with what comes, not with what is announced.
const ROOM: usize = 1 << 20;

/// Asks for one answer.
pub(super) async fn unary<A: Message + Default>(
    open: Open,
    path: &'static str,
    message: &impl Message,
) -> Result<A, Failure> {
    let (_request, mut answers) = ask(open, path, message, true).await?;
    let answer = answers.next().await?;
    // An error may come after an answer.
    match answers.next::<A>().await? {
        None => answer.ok_or_else(|| lost("an answer without a message")),
        Some(_) => Err(lost("two answers to one request")),
    }
}

/// Asks for a stream of answers, which lasts as long as what is returned.
pub(super) async fn stream(
    open: Open,
    path: &'static str,
    message: &impl Message,
) -> Result<Stream, Failure> {
    let (request, answers) = ask(open, path, message, false).await?;
    Ok(Stream {
        _request: request,
        answers,
    })
}

/// Answers to one request.
pub(super) struct Stream {
    /// etcd treats its end as the end of the stream.
    _request: SendStream<Bytes>,
    answers: Answers,
}

impl Stream {
    pub(super) async fn next<A: Message + Default>(&mut self) -> Result<Option<A>, Failure> {
        self.answers.next().await
    }
}

async fn ask(
    mut open: Open,
    path: &'static str,
    message: &impl Message,
    is_whole: bool,
) -> Result<(SendStream<Bytes>, Answers), Failure> {
    let head = head(open.uri(path));
    let sent = open.requests.send_request(head, false);
    let (answer, mut request) = sent.map_err(Failure::unsent)?;
    request.send_data(framed(message), is_whole).map_err(lost)?;
    let (head, body) = answer.await.map_err(lost)?.into_parts();
    if !head.status.is_success() {
        return Err(lost(format_args!("HTTP status {}", head.status)));
    }
    verdict(&head.headers)?;
    let read = Bytes::new();
    let answers = Answers {
        body,
        read,
        _open: open,
    };
    Ok((request, answers))
}

fn head(uri: Uri) -> Request<()> {
    let mut request = Request::new(());
    *request.method_mut() = Method::POST;
    *request.version_mut() = Version::HTTP_2;
    *request.uri_mut() = uri;
    let headers = request.headers_mut();
    headers.reserve(3);
    headers.insert(TE, HeaderValue::from_static("trailers"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    // A member without a leader should fail instead of waiting for one.
    headers.insert(
        HeaderName::from_static("hasleader"),
        HeaderValue::from_static("true"),
    );
    request
}

fn framed(message: &impl Message) -> Bytes {
    let length = message.encoded_len();
    let mut bytes = BytesMut::with_capacity(HEAD + length);
    bytes.put_u8(0);
    bytes.put_u32(u32::try_from(length).unwrap_or(u32::MAX));
    message.encode_raw(&mut bytes);
    bytes.freeze()
}

/// The answers on one stream of HTTP/2.
struct Answers {
    body: RecvStream,
    /// What has come and was not returned yet.
    read: Bytes,
    /// What is held is pinged.
    _open: Open,
}

impl Answers {
    /// Returns the next answer; `None` at the end.
    async fn next<A: Message + Default>(&mut self) -> Result<Option<A>, Failure> {
        let mut needed = HEAD;
        loop {
            if self.read.len() >= HEAD {
                let (is_compressed, length) = (self.read[0], (&self.read[1..HEAD]).get_u32() as usize);
                if is_compressed != 0 || length > MESSAGE {
                    return Err(lost("an answer that nobody can read"));
                }
                needed = HEAD + length;
            }
            if self.read.len() >= needed {
                let message = self.read.split_to(needed).slice(HEAD..);
                return A::decode(message).map(Some).map_err(lost);
            }
            if !self.read_more(needed).await? {
                break;
            }
        }
        if !self.read.is_empty() {
            return Err(lost("an answer was cut off"));
        }
        let trailers = self.body.trailers().await.map_err(lost)?;
        verdict(&trailers.unwrap_or_default())?;
        Ok(None)
    }

    /// Reads until there are so many bytes. Returns whether there are.
    async fn read_more(&mut self, needed: usize) -> Result<bool, Failure> {
        // Most messages come in one piece, which is not copied then.
        if self.read.is_empty() {
            let Some(part) = self.part().await? else {
                return Ok(false);
            };
            self.read = part;
        }
        if self.read.len() >= needed {
            return Ok(true);
        }
        let mut read = BytesMut::with_capacity(needed.min(ROOM));
        read.extend_from_slice(&self.read);
        while read.len() < needed
            && let Some(part) = self.part().await?
        {
            read.extend_from_slice(&part);
        }
        self.read = read.freeze();
        Ok(self.read.len() >= needed)
    }

    /// Returns what comes next; frames may be empty.
    async fn part(&mut self) -> Result<Option<Bytes>, Failure> {
        while let Some(part) = self.body.data().await {
            let part = part.map_err(lost)?;
            let released = self.body.flow_control().release_capacity(part.len());
            released.map_err(lost)?;
            if !part.is_empty() {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }
}

/// What headers or trailers say of a request, if anything.
fn verdict(headers: &HeaderMap) -> Result<(), Failure> {
    let Some(code) = headers.get("grpc-status") else {
        return Ok(());
    };
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    match text(code).parse() {
        Ok(0) => Ok(()),
        code => {
            let message = headers.get("grpc-message").map(text).unwrap_or_default();
            Err(Failure::of(code.unwrap_or(UNKNOWN), &decoded(&message)))
        }
    }
}

/// The code of an error that has none.
const UNKNOWN: u32 = 2;

/// Decodes `%20` and the like, which gRPC uses for all but printable ASCII.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, more @ ..] = rest {
        rest = more;
        bytes.push(match more {
            [high, low, more @ ..]
                if *first == b'%' && high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                rest = more;
                16 * digit(*high) + digit(*low)
            }
            _ => *first,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned().into()
}

fn digit(byte: u8) -> u8 {
    char::from(byte).to_digit(16).map_or(0, |digit| digit as u8)
}

fn lost(why: impl Display) -> Failure {
    Failure::lost(format_args!("etcd: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_errors() {
        let cases = [
            ("etcdserver: no leader", "etcdserver: no leader"),
            ("50%25 of %C3%A4", "50% of ä"),
            ("%", "%"),
            ("%4", "%4"),
            ("%zz", "%zz"),
        ];
        for (sent, meant) in cases {
            assert_eq!(decoded(sent), meant);
        }
    }
}
