//! A client of HTTP/2 that sends single frames.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

const SETTINGS: u8 = 4;
const HEADERS: u8 = 1;
const RESET: u8 = 3;
const END_HEADERS: u8 = 4;
const END_STREAM: u8 = 1;

pub(crate) struct Http2 {
    stream: TcpStream,
    next: u32,
    /// What came first for each stream; answers come in any order.
    firsts: HashMap<u32, Frame>,
}

pub(crate) struct Frame {
    pub(crate) kind: u8,
    pub(crate) stream: u32,
    pub(crate) payload: Vec<u8>,
}

impl Http2 {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let mut stream = TcpStream::connect(address).expect("the server listens");
        let patience = Some(Duration::from_secs(30));
        stream.set_read_timeout(patience).expect("it is not zero");
        let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        stream.write_all(preface).expect("the server reads");
        let mut client = Http2 {
            stream,
            next: 1,
            firsts: HashMap::new(),
        };
        client.send(SETTINGS, 0, 0, &[]).expect("the server reads");
        client
    }

    fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> io::Result<()> {
        let length = u32::try_from(payload.len()).expect("frames are small");
        let mut frame = length.to_be_bytes()[1..].to_vec();
        frame.extend([kind, flags]);
        frame.extend(stream.to_be_bytes());
        frame.extend(payload);
        self.stream.write_all(&frame)
    }

    /// Starts a request; without an end, its body is still to come.
    pub(crate) fn start(&mut self, headers: &[(&str, &str)], ends: bool) -> io::Result<u32> {
        let mut block = Vec::new();
        for (name, value) in headers {
            // A literal that is not indexed, with a new name.
            block.push(0);
            for text in [name, value] {
                length(&mut block, text.len());
                block.extend(text.as_bytes());
            }
        }
        let stream = self.next;
        self.next += 2;
        let flags = if ends {
            END_HEADERS | END_STREAM
        } else {
            END_HEADERS
        };
        self.send(HEADERS, flags, stream, &block)?;
        Ok(stream)
    }

    pub(crate) fn reset(&mut self, stream: u32) -> io::Result<()> {
        self.send(RESET, 0, stream, &8_u32.to_be_bytes())
    }

    /// The next frame; `None` if the server has closed the connection.
    pub(crate) fn frame(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.stream.read_exact(&mut head).ok()?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        self.stream.read_exact(&mut payload).ok()?;
        Some(Frame {
            kind: head[3],
            stream: u32::from_be_bytes([head[5] & 0x7f, head[6], head[7], head[8]]),
            payload,
        })
    }

    /// What the server does to a stream first: answers with headers, or resets it.
    pub(crate) fn first(&mut self, stream: u32) -> Frame {
        loop {
            if let Some(frame) = self.firsts.remove(&stream) {
                return frame;
            }
            let frame = self.frame().expect("the connection stays");
            if [HEADERS, RESET].contains(&frame.kind) {
                self.firsts.entry(frame.stream).or_insert(frame);
            }
        }
    }
}

/// A length in HPACK, with a prefix of 7 bits.
fn length(into: &mut Vec<u8>, mut length: usize) {
    if length < 127 {
        return into.push(length as u8);
    }
    into.push(127);
    length -= 127;
    while length >= 128 {
        into.push((length % 128) as u8 | 128);
        length /= 128;
    }
    into.push(length as u8);
}

impl Frame {
    pub(crate) fn is_refusal(&self) -> bool {
        self.kind == RESET && self.payload == 7_u32.to_be_bytes()
    }

    pub(crate) fn is_answer(&self) -> bool {
        self.kind == HEADERS
    }
}

/// The headers of a request as a user.
pub(crate) fn request<'a>(method: &'a str, path: &'a str, authorization: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        (":method", method),
        (":scheme", "http"),
        (":path", path),
        (":authority", "localhost"),
        ("authorization", authorization),
        ("content-type", "application/json"),
    ]
}
